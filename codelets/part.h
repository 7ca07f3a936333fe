/* For codelet files: parts of tiles in memory. */
#ifndef CODELETS_PART_H
#define CODELETS_PART_H

#include <string.h>
#include <starpu.h>
#include "codelets/codelets.h"

/* For functions on the application's handles: matrices with elements of this type; their rows, or their columns if across. */
static inline bool tile_valid(handle tile)
{
	return tile && starpu_data_get_interface_id(tile) == STARPU_MATRIX_INTERFACE_ID && starpu_matrix_get_elemsize(tile) == sizeof(scalar);
}

static inline int64_t tile_rows(handle tile, bool across) { return across ? starpu_matrix_get_ny(tile) : starpu_matrix_get_nx(tile); }

static inline scalar *part_pointer(void *buffer, const struct part *p)
{
	return (scalar *)STARPU_MATRIX_GET_PTR(buffer) + p->row + p->column * (int64_t)STARPU_MATRIX_GET_LD(buffer);
}

/* Copy a tile into a matrix. */
static inline void tile_to(void *buffer, scalar *x, int64_t ldx)
{
	const scalar *tile = (const scalar *)STARPU_MATRIX_GET_PTR(buffer);

	for (int64_t j = 0; j < (int64_t)STARPU_MATRIX_GET_NY(buffer); j++)
		memcpy(x + j * ldx, tile + j * (int64_t)STARPU_MATRIX_GET_LD(buffer), STARPU_MATRIX_GET_NX(buffer) * sizeof(*x));
}

/* The rows of column j of a tile of m rows: all, or those of a triangle of it. */
struct rows {
	int64_t begin, end;
};

static inline struct rows rows_of(enum whole_or_triangle which, int64_t m, int64_t j)
{
	struct rows r = { which == LOWER_TRIANGLE ? j : 0, which == UPPER_TRIANGLE && j + 1 < m ? j + 1 : m };

	return r;
}

#endif
