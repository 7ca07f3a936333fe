/* Singular values of a dense matrix, and each stage of the way there: dense -> band -> bidiagonal -> values.
 *
 * Every routine has a blocking form on column-major arrays and an asynchronous form (_async) that submits its tasks into a
 * sequence and returns; the asynchronous forms follow each other through their data, without a wait in between.
 * Each is described once, for double; the other types differ in the element type only (d, e and s are always real).
 *
 * All return 0; -i if argument i is illegal (nothing is touched); HEDDLE_ENOMEM; HEDDLE_ERUNTIME; and the blocking forms, and
 * heddle_sequence_wait for the asynchronous ones, HEDDLE_EINPUT if the input holds a NaN or an infinity,
 * HEDDLE_ENOWORKER, or HEDDLE_ENOCONV from LAPACK.
 * The blocking forms start Heddle if it is not running; it then runs until the program ends.  Not in StarPU tasks (HEDDLE_ERUNTIME). */
#ifndef HEDDLE_SVD_H
#define HEDDLE_SVD_H

#include <heddle/sequence.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Singular values of the m by n matrix A, largest first, through a band and a bidiagonal.
 * A (column-major, lda >= max(1, m)) is overwritten; s receives min(m, n) values. */
HEDDLE_API int heddle_dgesvd_vals(int64_t m, int64_t n, double *A, int64_t lda, double *s);
HEDDLE_API int heddle_sgesvd_vals(int64_t m, int64_t n, float *A, int64_t lda, float *s);
HEDDLE_API int heddle_cgesvd_vals(int64_t m, int64_t n, heddle_complex_float *A, int64_t lda, float *s);
HEDDLE_API int heddle_zgesvd_vals(int64_t m, int64_t n, heddle_complex_double *A, int64_t lda, double *s);

/* The same for a selection.  *found receives how many there are; s has room for min(m, n) values, or iu - il + 1 if the
 * selection is by index, and receives *found, largest first. */
HEDDLE_API int heddle_dgesvd_vals_select(int64_t m, int64_t n, double *A, int64_t lda, const heddle_select *select,
		int64_t *found, double *s);
HEDDLE_API int heddle_sgesvd_vals_select(int64_t m, int64_t n, float *A, int64_t lda, const heddle_select *select,
		int64_t *found, float *s);
HEDDLE_API int heddle_cgesvd_vals_select(int64_t m, int64_t n, heddle_complex_float *A, int64_t lda,
		const heddle_select *select, int64_t *found, float *s);
HEDDLE_API int heddle_zgesvd_vals_select(int64_t m, int64_t n, heddle_complex_double *A, int64_t lda,
		const heddle_select *select, int64_t *found, double *s);

/* As above, asynchronous.  A is overwritten; s is a real one-column matrix of at least as many rows as described above.
 * select may be NULL (all); it is copied.  *found (NULL if of no interest) is set when the sequence has been waited for without an
 * error.
 * options may be NULL. */
HEDDLE_API int heddle_dgesvd_vals_async(heddle_sequence *sequence, heddle_matrix *A, const heddle_select *select,
		heddle_matrix *s, int64_t *found, const heddle_options *options);
HEDDLE_API int heddle_sgesvd_vals_async(heddle_sequence *sequence, heddle_matrix *A, const heddle_select *select,
		heddle_matrix *s, int64_t *found, const heddle_options *options);
HEDDLE_API int heddle_cgesvd_vals_async(heddle_sequence *sequence, heddle_matrix *A, const heddle_select *select,
		heddle_matrix *s, int64_t *found, const heddle_options *options);
HEDDLE_API int heddle_zgesvd_vals_async(heddle_sequence *sequence, heddle_matrix *A, const heddle_select *select,
		heddle_matrix *s, int64_t *found, const heddle_options *options);

/* Dense to band: an upper band matrix of order min(m, n) with kd superdiagonals (kd >= 1) and the singular values of the m by n matrix A:
 * Q^H A P where m >= n, the same of A^H where m < n.  A (column-major, lda >= max(1, m)) is overwritten; AB receives the band
 * in LAPACK storage, AB[kd + i - j + j*ldab] = B(i,j), ldab > kd.
 * TSQR panels with Householder reconstruction on both sides and one fused update of inner size 2 kd a block. */
HEDDLE_API int heddle_dge2gb(int64_t m, int64_t n, int64_t kd, double *A, int64_t lda, double *AB, int64_t ldab);
HEDDLE_API int heddle_sge2gb(int64_t m, int64_t n, int64_t kd, float *A, int64_t lda, float *AB, int64_t ldab);
HEDDLE_API int heddle_cge2gb(int64_t m, int64_t n, int64_t kd, heddle_complex_float *A, int64_t lda,
		heddle_complex_float *AB, int64_t ldab);
HEDDLE_API int heddle_zge2gb(int64_t m, int64_t n, int64_t kd, heddle_complex_double *A, int64_t lda,
		heddle_complex_double *AB, int64_t ldab);

/* As above, asynchronous.  The band is of order min(m, n); its kd is the band width. */
HEDDLE_API int heddle_dge2gb_async(heddle_sequence *sequence, heddle_matrix *A, heddle_band *band, const heddle_options *options);
HEDDLE_API int heddle_sge2gb_async(heddle_sequence *sequence, heddle_matrix *A, heddle_band *band, const heddle_options *options);
HEDDLE_API int heddle_cge2gb_async(heddle_sequence *sequence, heddle_matrix *A, heddle_band *band, const heddle_options *options);
HEDDLE_API int heddle_zge2gb_async(heddle_sequence *sequence, heddle_matrix *A, heddle_band *band, const heddle_options *options);

/* Band to bidiagonal: d (n values) and e (n - 1 values) of a real upper bidiagonal matrix with the singular values of the
 * upper band matrix of order n with kd >= 0 superdiagonals in AB (LAPACK storage as above, ldab > kd; not changed).
 * Householder bulge chasing in groups of skewed sweeps. */
HEDDLE_API int heddle_dgb2bd(int64_t n, int64_t kd, const double *AB, int64_t ldab, double *d, double *e);
HEDDLE_API int heddle_sgb2bd(int64_t n, int64_t kd, const float *AB, int64_t ldab, float *d, float *e);
HEDDLE_API int heddle_cgb2bd(int64_t n, int64_t kd, const heddle_complex_float *AB, int64_t ldab, float *d, float *e);
HEDDLE_API int heddle_zgb2bd(int64_t n, int64_t kd, const heddle_complex_double *AB, int64_t ldab, double *d, double *e);

/* As above, asynchronous.  The band is overwritten; d and e are real one-column matrices of n and at least n - 1 rows. */
HEDDLE_API int heddle_dgb2bd_async(heddle_sequence *sequence, heddle_band *band, heddle_matrix *d, heddle_matrix *e,
		const heddle_options *options);
HEDDLE_API int heddle_sgb2bd_async(heddle_sequence *sequence, heddle_band *band, heddle_matrix *d, heddle_matrix *e,
		const heddle_options *options);
HEDDLE_API int heddle_cgb2bd_async(heddle_sequence *sequence, heddle_band *band, heddle_matrix *d, heddle_matrix *e,
		const heddle_options *options);
HEDDLE_API int heddle_zgb2bd_async(heddle_sequence *sequence, heddle_band *band, heddle_matrix *d, heddle_matrix *e,
		const heddle_options *options);

/* Singular values of the n by n upper bidiagonal matrix with diagonal d and superdiagonal e (n - 1 values; neither is changed),
 * largest first, each to high relative accuracy: bisection in parallel, or LAPACK's dqds where that is faster. */
HEDDLE_API int heddle_dbd_vals(int64_t n, const double *d, const double *e, double *s);
HEDDLE_API int heddle_sbd_vals(int64_t n, const float *d, const float *e, float *s);

/* The same for a selection, as in heddle_dgesvd_vals_select.  Costs what the selection asks for. */
HEDDLE_API int heddle_dbd_vals_select(int64_t n, const double *d, const double *e, const heddle_select *select,
		int64_t *found, double *s);
HEDDLE_API int heddle_sbd_vals_select(int64_t n, const float *d, const float *e, const heddle_select *select,
		int64_t *found, float *s);

/* As above, asynchronous; d, e and s are real one-column matrices of n, at least n - 1, and enough rows. */
HEDDLE_API int heddle_dbd_vals_async(heddle_sequence *sequence, heddle_matrix *d, heddle_matrix *e,
		const heddle_select *select, heddle_matrix *s, int64_t *found, const heddle_options *options);
HEDDLE_API int heddle_sbd_vals_async(heddle_sequence *sequence, heddle_matrix *d, heddle_matrix *e,
		const heddle_select *select, heddle_matrix *s, int64_t *found, const heddle_options *options);

#ifdef __cplusplus
}
#endif
#endif
