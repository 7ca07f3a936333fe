/* Sequences and the objects their tasks work on: tiled matrices and bands. */
#ifndef HEDDLE_SEQUENCE_H
#define HEDDLE_SEQUENCE_H

#include <heddle/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A sequence collects the tasks of one piece of work: it can be waited for, cancelled and watched, and keeps the first
 * error any of its tasks met (the tasks after it then do nothing).  Every *_async function submits into one.
 * A sequence holds at most 3072 tasks that are not done, which bounds their memory: submitting more waits until some are. */
typedef struct heddle_sequence heddle_sequence;

/* Returns 0, -1 (NULL), HEDDLE_ENOMEM, or HEDDLE_ERUNTIME if Heddle is not started. */
HEDDLE_API int heddle_sequence_create(heddle_sequence **sequence);

/* Wait until every task submitted so far is done.  Returns the sequence's first error, or 0.  More may be submitted after; but once a
 * sequence has failed or was cancelled it does nothing more. */
HEDDLE_API int heddle_sequence_wait(heddle_sequence *sequence);

/* Let the tasks that have not begun do nothing; heddle_sequence_wait then returns HEDDLE_ECANCELLED.  Returns at once. */
HEDDLE_API void heddle_sequence_cancel(heddle_sequence *sequence);

/* Wait, then free.  NULL is allowed. */
HEDDLE_API void heddle_sequence_destroy(heddle_sequence *sequence);

/* One stage of the work in a sequence so far.  Stages overlap, so their seconds may add up to more than the whole. */
typedef struct {
	const char *name;           /* "ge2gb", "gb2bd", ... */
	int64_t submitted, done;    /* tasks */
	double flops, flops_done;   /* floating-point operations submitted, done */
	double begin, end;          /* seconds after the sequence was made, of the first task's start and the last one's end; -1: none */
	double busy;                /* seconds of work, added over the workers */
} heddle_stage;

/* Fill at most max stages, in the order of the pipeline.  Returns how many there are.  Cheap; may be called by any thread at any time. */
HEDDLE_API int heddle_sequence_stages(heddle_sequence *sequence, heddle_stage *stages, int max);

/* Matrices, bands and sequences are to be destroyed before the last heddle_stop.
 *
 * An m by n matrix as nb by nb tiles on the caller's column-major memory (element i,j at a[i + j*lda]).  Nothing is copied;
 * from now until heddle_matrix_destroy the memory is StarPU's, and belongs to the tasks that name its tiles. */
typedef struct heddle_matrix heddle_matrix;

/* nb = 0 lets Heddle choose as for singular values (heddle_svd_options; for eigenvalues heddle_eig_options knows a better one).
 * Vectors are matrices of one column.
 * Returns 0, -i, HEDDLE_ENOMEM, or HEDDLE_ERUNTIME if Heddle is not started. */
HEDDLE_API int heddle_matrix_create(heddle_matrix **matrix, heddle_type type, int64_t m, int64_t n, void *a, int64_t lda, int64_t nb);

/* Wait for the tasks that use the matrix, bring its data home to the caller's memory, and free the object.  NULL is allowed. */
HEDDLE_API void heddle_matrix_destroy(heddle_matrix *matrix);

/* A square band matrix, upper or symmetric (Hermitian), of order n with kd superdiagonals, in storage of its own with room for the bulges of the chase. */
typedef struct heddle_band heddle_band;

/* A zero upper band matrix.  Returns 0, -i, HEDDLE_ENOMEM, or HEDDLE_ERUNTIME if Heddle is not started. */
HEDDLE_API int heddle_band_create(heddle_band **band, heddle_type type, int64_t n, int64_t kd);

/* A zero symmetric or Hermitian band matrix of order n with kd sub- and superdiagonals.  uplo says which triangle heddle_band_set and
 * heddle_band_get copy.  Returns 0, -i, HEDDLE_ENOMEM, or HEDDLE_ERUNTIME if Heddle is not started. */
HEDDLE_API int heddle_band_create_hermitian(heddle_band **band, heddle_type type, heddle_uplo uplo, int64_t n, int64_t kd);

/* Copy from or to LAPACK band storage, ab[kd + i - j + j*ldab] = B(i,j) for max(0, j-kd) <= i <= j, or with HEDDLE_LOWER
 * ab[i - j + j*ldab] = B(i,j) for j <= i <= min(n-1, j+kd), ldab > kd; other entries of ab are neither read nor written, nor is the
 * imaginary part of a Hermitian matrix's diagonal read.  Both wait for the tasks that use the band.  Return 0 or -i. */
HEDDLE_API int heddle_band_set(heddle_band *band, const void *ab, int64_t ldab);
HEDDLE_API int heddle_band_get(heddle_band *band, void *ab, int64_t ldab);

/* Wait for the tasks that use the band, and free it.  NULL is allowed. */
HEDDLE_API void heddle_band_destroy(heddle_band *band);

#ifdef __cplusplus
}
#endif
#endif
