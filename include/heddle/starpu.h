/* StarPU's view of Heddle's objects, for applications that submit tasks of their own.  The only public header that
 * includes <starpu.h>. */
#ifndef HEDDLE_STARPU_H
#define HEDDLE_STARPU_H

#include <starpu.h>
#include <heddle/sequence.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Tiles of a matrix down and across. */
HEDDLE_API int64_t heddle_matrix_tile_rows(const heddle_matrix *matrix);
HEDDLE_API int64_t heddle_matrix_tile_columns(const heddle_matrix *matrix);

/* The handle (StarPU matrix interface) of tile i, j, counted from 0; NULL outside.  It lives as long as the matrix.
 * Whoever asks is taken to submit tasks: from then on a StarPU that Heddle started is not paused while Heddle is idle (own_tasks). */
HEDDLE_API starpu_data_handle_t heddle_matrix_tile(const heddle_matrix *matrix, int64_t i, int64_t j);

/* One tile operation each, as one task on handles of StarPU's matrix interface, be they Heddle's tiles or the application's own (elements of
 * the function's type).  priority is StarPU's.  They return 0 or -i at once; what the run meets is the sequence's error.
 *
 * B := alpha op(A)^-1 B (HEDDLE_LEFT) or alpha B op(A)^-1 (HEDDLE_RIGHT), with the conventions of <heddle/blas3.h>. */
HEDDLE_API int heddle_dtrsm_tile(heddle_sequence *sequence, int priority, heddle_side side, heddle_uplo uplo, heddle_trans trans,
		heddle_diag diag, double alpha, starpu_data_handle_t A, starpu_data_handle_t B);
HEDDLE_API int heddle_strsm_tile(heddle_sequence *sequence, int priority, heddle_side side, heddle_uplo uplo, heddle_trans trans,
		heddle_diag diag, float alpha, starpu_data_handle_t A, starpu_data_handle_t B);
HEDDLE_API int heddle_ctrsm_tile(heddle_sequence *sequence, int priority, heddle_side side, heddle_uplo uplo, heddle_trans trans,
		heddle_diag diag, heddle_complex_float alpha, starpu_data_handle_t A, starpu_data_handle_t B);
HEDDLE_API int heddle_ztrsm_tile(heddle_sequence *sequence, int priority, heddle_side side, heddle_uplo uplo, heddle_trans trans,
		heddle_diag diag, heddle_complex_double alpha, starpu_data_handle_t A, starpu_data_handle_t B);

/* C := alpha op(A) op(B) + beta C; beta = 0 does not read C. */
HEDDLE_API int heddle_dgemm_tile(heddle_sequence *sequence, int priority, heddle_trans trans_a, heddle_trans trans_b,
		double alpha, starpu_data_handle_t A, starpu_data_handle_t B, double beta, starpu_data_handle_t C);
HEDDLE_API int heddle_sgemm_tile(heddle_sequence *sequence, int priority, heddle_trans trans_a, heddle_trans trans_b,
		float alpha, starpu_data_handle_t A, starpu_data_handle_t B, float beta, starpu_data_handle_t C);
HEDDLE_API int heddle_cgemm_tile(heddle_sequence *sequence, int priority, heddle_trans trans_a, heddle_trans trans_b,
		heddle_complex_float alpha, starpu_data_handle_t A, starpu_data_handle_t B, heddle_complex_float beta, starpu_data_handle_t C);
HEDDLE_API int heddle_zgemm_tile(heddle_sequence *sequence, int priority, heddle_trans trans_a, heddle_trans trans_b,
		heddle_complex_double alpha, starpu_data_handle_t A, starpu_data_handle_t B, heddle_complex_double beta, starpu_data_handle_t C);

/* C := alpha A A^H + beta C (HEDDLE_NO_TRANS) or alpha A^H A + beta C (HEDDLE_CONJ_TRANS, or with real elements HEDDLE_TRANS)
 * on the triangle uplo of a symmetric or Hermitian C. */
HEDDLE_API int heddle_dsyrk_tile(heddle_sequence *sequence, int priority, heddle_uplo uplo, heddle_trans trans,
		double alpha, starpu_data_handle_t A, double beta, starpu_data_handle_t C);
HEDDLE_API int heddle_ssyrk_tile(heddle_sequence *sequence, int priority, heddle_uplo uplo, heddle_trans trans,
		float alpha, starpu_data_handle_t A, float beta, starpu_data_handle_t C);
HEDDLE_API int heddle_cherk_tile(heddle_sequence *sequence, int priority, heddle_uplo uplo, heddle_trans trans,
		float alpha, starpu_data_handle_t A, float beta, starpu_data_handle_t C);
HEDDLE_API int heddle_zherk_tile(heddle_sequence *sequence, int priority, heddle_uplo uplo, heddle_trans trans,
		double alpha, starpu_data_handle_t A, double beta, starpu_data_handle_t C);

#ifdef __cplusplus
}
#endif
#endif
