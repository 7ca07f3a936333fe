/* Triangular solves with many right-hand sides, op(A) X = alpha B and X op(A) = alpha B, as the BLAS has them.
 *
 * Arguments and their numbers in return values are those of the BLAS routine: of A only the triangle uplo is read, with HEDDLE_UNIT not its diagonal
 * either; alpha = 0 makes B zero without reading A or B; a zero on a diagonal that is not unit is no error: it gives infinities and NaNs in
 * its unknowns and those after it, and, as with the BLAS, perhaps in some of those before it.  B (m by n) is overwritten by X.  A is of order m on the left, n on the right.
 * Described once, for double; the other types differ in the element type only.
 *
 * All return 0; -i if argument i is illegal (nothing is touched); HEDDLE_ENOMEM; HEDDLE_ERUNTIME; HEDDLE_ENOWORKER.
 * The blocking forms start Heddle where they need tasks (large problems) and it is not running; it then runs until the program ends.  Those are
 * not for StarPU tasks (HEDDLE_ERUNTIME). */
#ifndef HEDDLE_BLAS3_H
#define HEDDLE_BLAS3_H

#include <heddle/sequence.h>

#ifdef __cplusplus
extern "C" {
#endif

/* op(A) X = alpha B (HEDDLE_LEFT) or X op(A) = alpha B (HEDDLE_RIGHT); lda at least the order of A and 1, ldb >= max(1, m).
 * Small problems are solved in the calling thread, large ones by tasks that share the right-hand sides and the updates. */
HEDDLE_API int heddle_dtrsm(heddle_side side, heddle_uplo uplo, heddle_trans trans, heddle_diag diag, int64_t m, int64_t n,
		double alpha, const double *A, int64_t lda, double *B, int64_t ldb);
HEDDLE_API int heddle_strsm(heddle_side side, heddle_uplo uplo, heddle_trans trans, heddle_diag diag, int64_t m, int64_t n,
		float alpha, const float *A, int64_t lda, float *B, int64_t ldb);
HEDDLE_API int heddle_ctrsm(heddle_side side, heddle_uplo uplo, heddle_trans trans, heddle_diag diag, int64_t m, int64_t n,
		heddle_complex_float alpha, const heddle_complex_float *A, int64_t lda, heddle_complex_float *B, int64_t ldb);
HEDDLE_API int heddle_ztrsm(heddle_side side, heddle_uplo uplo, heddle_trans trans, heddle_diag diag, int64_t m, int64_t n,
		heddle_complex_double alpha, const heddle_complex_double *A, int64_t lda, heddle_complex_double *B, int64_t ldb);

/* As above, asynchronous, on a square matrix A and a matrix B.  B's tiles have as many rows (HEDDLE_LEFT) or columns (HEDDLE_RIGHT) as A's, if A
 * has more than one tile; right-hand sides in different tiles are solved side by side.  options may be NULL. */
HEDDLE_API int heddle_dtrsm_async(heddle_sequence *sequence, heddle_side side, heddle_uplo uplo, heddle_trans trans, heddle_diag diag,
		double alpha, heddle_matrix *A, heddle_matrix *B, const heddle_options *options);
HEDDLE_API int heddle_strsm_async(heddle_sequence *sequence, heddle_side side, heddle_uplo uplo, heddle_trans trans, heddle_diag diag,
		float alpha, heddle_matrix *A, heddle_matrix *B, const heddle_options *options);
HEDDLE_API int heddle_ctrsm_async(heddle_sequence *sequence, heddle_side side, heddle_uplo uplo, heddle_trans trans, heddle_diag diag,
		heddle_complex_float alpha, heddle_matrix *A, heddle_matrix *B, const heddle_options *options);
HEDDLE_API int heddle_ztrsm_async(heddle_sequence *sequence, heddle_side side, heddle_uplo uplo, heddle_trans trans, heddle_diag diag,
		heddle_complex_double alpha, heddle_matrix *A, heddle_matrix *B, const heddle_options *options);

/* `count` independent solves of one shape, meant for many small ones: problem i has the triangle A[i] and the right-hand sides B[i].  The
 * B[i] must not overlap; an A[i] may serve several problems. */
HEDDLE_API int heddle_dtrsm_batch(heddle_side side, heddle_uplo uplo, heddle_trans trans, heddle_diag diag, int64_t m, int64_t n,
		double alpha, const double *const *A, int64_t lda, double *const *B, int64_t ldb, int64_t count);
HEDDLE_API int heddle_strsm_batch(heddle_side side, heddle_uplo uplo, heddle_trans trans, heddle_diag diag, int64_t m, int64_t n,
		float alpha, const float *const *A, int64_t lda, float *const *B, int64_t ldb, int64_t count);
HEDDLE_API int heddle_ctrsm_batch(heddle_side side, heddle_uplo uplo, heddle_trans trans, heddle_diag diag, int64_t m, int64_t n,
		heddle_complex_float alpha, const heddle_complex_float *const *A, int64_t lda, heddle_complex_float *const *B, int64_t ldb, int64_t count);
HEDDLE_API int heddle_ztrsm_batch(heddle_side side, heddle_uplo uplo, heddle_trans trans, heddle_diag diag, int64_t m, int64_t n,
		heddle_complex_double alpha, const heddle_complex_double *const *A, int64_t lda, heddle_complex_double *const *B, int64_t ldb, int64_t count);

/* The same with the triangle of problem i at A + i*stride_a and its right-hand sides at B + i*stride_b.  stride_a = 0: one triangle for all;
 * otherwise the strides leave room for the matrices. */
HEDDLE_API int heddle_dtrsm_batch_strided(heddle_side side, heddle_uplo uplo, heddle_trans trans, heddle_diag diag, int64_t m, int64_t n,
		double alpha, const double *A, int64_t lda, int64_t stride_a, double *B, int64_t ldb, int64_t stride_b, int64_t count);
HEDDLE_API int heddle_strsm_batch_strided(heddle_side side, heddle_uplo uplo, heddle_trans trans, heddle_diag diag, int64_t m, int64_t n,
		float alpha, const float *A, int64_t lda, int64_t stride_a, float *B, int64_t ldb, int64_t stride_b, int64_t count);
HEDDLE_API int heddle_ctrsm_batch_strided(heddle_side side, heddle_uplo uplo, heddle_trans trans, heddle_diag diag, int64_t m, int64_t n,
		heddle_complex_float alpha, const heddle_complex_float *A, int64_t lda, int64_t stride_a, heddle_complex_float *B, int64_t ldb, int64_t stride_b, int64_t count);
HEDDLE_API int heddle_ztrsm_batch_strided(heddle_side side, heddle_uplo uplo, heddle_trans trans, heddle_diag diag, int64_t m, int64_t n,
		heddle_complex_double alpha, const heddle_complex_double *A, int64_t lda, int64_t stride_a, heddle_complex_double *B, int64_t ldb, int64_t stride_b, int64_t count);

#ifdef __cplusplus
}
#endif
#endif
