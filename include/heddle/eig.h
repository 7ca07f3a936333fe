/* Eigenvalues of a symmetric or Hermitian matrix, and each stage of the way there: dense -> band -> tridiagonal -> values.
 *
 * Forms, return values and starting are as in <heddle/svd.h>.  Real types have sy and sb in their names, complex ones he and hb; d, e and w
 * are always real.  Of a matrix only the triangle that uplo names is read and written; of a diagonal only the real part is read.  Values
 * are in ascending order, and a selection by index counts from the smallest, 1. */
#ifndef HEDDLE_EIG_H
#define HEDDLE_EIG_H

#include <heddle/sequence.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Eigenvalues of the symmetric or Hermitian matrix A of order n, ascending, through a band and a tridiagonal.
 * The triangle uplo of A (column-major, lda >= max(1, n)) is overwritten; w receives n values, each within a few n eps |A|. */
HEDDLE_API int heddle_dsyev_vals(heddle_uplo uplo, int64_t n, double *A, int64_t lda, double *w);
HEDDLE_API int heddle_ssyev_vals(heddle_uplo uplo, int64_t n, float *A, int64_t lda, float *w);
HEDDLE_API int heddle_cheev_vals(heddle_uplo uplo, int64_t n, heddle_complex_float *A, int64_t lda, float *w);
HEDDLE_API int heddle_zheev_vals(heddle_uplo uplo, int64_t n, heddle_complex_double *A, int64_t lda, double *w);

/* The same for a selection (NULL: all).  *found (may be NULL) receives how many there are; w has room for n values, or iu - il + 1 if the
 * selection is by index, and receives *found, ascending. */
HEDDLE_API int heddle_dsyev_vals_select(heddle_uplo uplo, int64_t n, double *A, int64_t lda, const heddle_select *select,
		int64_t *found, double *w);
HEDDLE_API int heddle_ssyev_vals_select(heddle_uplo uplo, int64_t n, float *A, int64_t lda, const heddle_select *select,
		int64_t *found, float *w);
HEDDLE_API int heddle_cheev_vals_select(heddle_uplo uplo, int64_t n, heddle_complex_float *A, int64_t lda,
		const heddle_select *select, int64_t *found, float *w);
HEDDLE_API int heddle_zheev_vals_select(heddle_uplo uplo, int64_t n, heddle_complex_double *A, int64_t lda,
		const heddle_select *select, int64_t *found, double *w);

/* As above, asynchronous.  The triangle uplo of the square matrix A is overwritten; w is a real one-column matrix of at least as many
 * rows as described above.  select may be NULL (all); it is copied.  *found (NULL if of no interest) is set when the sequence has been
 * waited for without an error.  options may be NULL. */
HEDDLE_API int heddle_dsyev_vals_async(heddle_sequence *sequence, heddle_uplo uplo, heddle_matrix *A, const heddle_select *select,
		heddle_matrix *w, int64_t *found, const heddle_options *options);
HEDDLE_API int heddle_ssyev_vals_async(heddle_sequence *sequence, heddle_uplo uplo, heddle_matrix *A, const heddle_select *select,
		heddle_matrix *w, int64_t *found, const heddle_options *options);
HEDDLE_API int heddle_cheev_vals_async(heddle_sequence *sequence, heddle_uplo uplo, heddle_matrix *A, const heddle_select *select,
		heddle_matrix *w, int64_t *found, const heddle_options *options);
HEDDLE_API int heddle_zheev_vals_async(heddle_sequence *sequence, heddle_uplo uplo, heddle_matrix *A, const heddle_select *select,
		heddle_matrix *w, int64_t *found, const heddle_options *options);

/* Dense to band: a symmetric or Hermitian band matrix B = Q^H A Q of order n with kd subdiagonals (kd >= 1).  The triangle uplo of A
 * (lda >= max(1, n)) is overwritten; AB receives the same triangle of B in LAPACK band storage, ldab > kd:
 * AB[i - j + j*ldab] = B(i,j) for i >= j if uplo is HEDDLE_LOWER, AB[kd + i - j + j*ldab] = B(i,j) for i <= j if HEDDLE_UPPER.
 * TSQR panels with Householder reconstruction and one rank-2 kd update of the triangle a block, 4/3 n^3 operations. */
HEDDLE_API int heddle_dsy2sb(heddle_uplo uplo, int64_t n, int64_t kd, double *A, int64_t lda, double *AB, int64_t ldab);
HEDDLE_API int heddle_ssy2sb(heddle_uplo uplo, int64_t n, int64_t kd, float *A, int64_t lda, float *AB, int64_t ldab);
HEDDLE_API int heddle_che2hb(heddle_uplo uplo, int64_t n, int64_t kd, heddle_complex_float *A, int64_t lda,
		heddle_complex_float *AB, int64_t ldab);
HEDDLE_API int heddle_zhe2hb(heddle_uplo uplo, int64_t n, int64_t kd, heddle_complex_double *A, int64_t lda,
		heddle_complex_double *AB, int64_t ldab);

/* As above, asynchronous.  The band is a Hermitian one (heddle_band_create_hermitian) of order n; its kd, at least 1, is the band width, and
 * its uplo need not be A's.  Of the options leaf and priority count. */
HEDDLE_API int heddle_dsy2sb_async(heddle_sequence *sequence, heddle_uplo uplo, heddle_matrix *A, heddle_band *band,
		const heddle_options *options);
HEDDLE_API int heddle_ssy2sb_async(heddle_sequence *sequence, heddle_uplo uplo, heddle_matrix *A, heddle_band *band,
		const heddle_options *options);
HEDDLE_API int heddle_che2hb_async(heddle_sequence *sequence, heddle_uplo uplo, heddle_matrix *A, heddle_band *band,
		const heddle_options *options);
HEDDLE_API int heddle_zhe2hb_async(heddle_sequence *sequence, heddle_uplo uplo, heddle_matrix *A, heddle_band *band,
		const heddle_options *options);

/* Band to tridiagonal: d (n values) and e (n - 1 values) of a real symmetric tridiagonal matrix with the eigenvalues of the symmetric or
 * Hermitian band matrix of order n with kd >= 0 sub- or superdiagonals in AB (LAPACK storage as above, ldab > kd; not changed).  e is not
 * negative.  Householder bulge chasing on one triangle, in groups of skewed sweeps. */
HEDDLE_API int heddle_dsb2st(heddle_uplo uplo, int64_t n, int64_t kd, const double *AB, int64_t ldab, double *d, double *e);
HEDDLE_API int heddle_ssb2st(heddle_uplo uplo, int64_t n, int64_t kd, const float *AB, int64_t ldab, float *d, float *e);
HEDDLE_API int heddle_chb2st(heddle_uplo uplo, int64_t n, int64_t kd, const heddle_complex_float *AB, int64_t ldab, float *d, float *e);
HEDDLE_API int heddle_zhb2st(heddle_uplo uplo, int64_t n, int64_t kd, const heddle_complex_double *AB, int64_t ldab, double *d, double *e);

/* As above, asynchronous.  The Hermitian band is overwritten; d and e are real one-column matrices of n and at least n - 1 rows. */
HEDDLE_API int heddle_dsb2st_async(heddle_sequence *sequence, heddle_band *band, heddle_matrix *d, heddle_matrix *e,
		const heddle_options *options);
HEDDLE_API int heddle_ssb2st_async(heddle_sequence *sequence, heddle_band *band, heddle_matrix *d, heddle_matrix *e,
		const heddle_options *options);
HEDDLE_API int heddle_chb2st_async(heddle_sequence *sequence, heddle_band *band, heddle_matrix *d, heddle_matrix *e,
		const heddle_options *options);
HEDDLE_API int heddle_zhb2st_async(heddle_sequence *sequence, heddle_band *band, heddle_matrix *d, heddle_matrix *e,
		const heddle_options *options);

/* Eigenvalues of the symmetric tridiagonal matrix of order n with diagonal d and off-diagonal e (n - 1 values; neither is changed),
 * ascending, each within a few eps times the norm, and to high relative accuracy where d and e define it so (below 2^-960 times the norm
 * values come out as 0): bisection on Sturm counts in parallel, or LAPACK's sterf where that is faster: in blocks of order 24 at most that
 * have no small entries on the diagonal, with errors up to 16 eps times the norm.  A value beyond the type's range is an infinity. */
HEDDLE_API int heddle_dst_vals(int64_t n, const double *d, const double *e, double *w);
HEDDLE_API int heddle_sst_vals(int64_t n, const float *d, const float *e, float *w);

/* The same for a selection, as in heddle_dsyev_vals_select.  Costs what the selection asks for. */
HEDDLE_API int heddle_dst_vals_select(int64_t n, const double *d, const double *e, const heddle_select *select,
		int64_t *found, double *w);
HEDDLE_API int heddle_sst_vals_select(int64_t n, const float *d, const float *e, const heddle_select *select,
		int64_t *found, float *w);

/* As above, asynchronous; d, e and w are real one-column matrices of n, at least n - 1, and enough rows. */
HEDDLE_API int heddle_dst_vals_async(heddle_sequence *sequence, heddle_matrix *d, heddle_matrix *e,
		const heddle_select *select, heddle_matrix *w, int64_t *found, const heddle_options *options);
HEDDLE_API int heddle_sst_vals_async(heddle_sequence *sequence, heddle_matrix *d, heddle_matrix *e,
		const heddle_select *select, heddle_matrix *w, int64_t *found, const heddle_options *options);

#ifdef __cplusplus
}
#endif
#endif
