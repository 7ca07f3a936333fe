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

#ifdef __cplusplus
}
#endif
#endif
