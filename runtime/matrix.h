/* Tiled matrices: on the caller's memory, or temporary ones whose tiles StarPU allocates when they are first written and
 * frees after their last task. */
#ifndef RUNTIME_MATRIX_H
#define RUNTIME_MATRIX_H

#include <stdbool.h>
#include <stddef.h>
#include <heddle/sequence.h>

struct _starpu_data_state; /* what StarPU's data handles point to */
typedef struct _starpu_data_state *handle;

struct heddle_matrix {
	heddle_type type;
	int64_t m, n;   /* elements */
	int64_t mb, nb; /* of a tile */
	int64_t mt, nt; /* tiles */
	bool temporary; /* elements are undefined until written */
	void *pinned;   /* memory of the caller's that is locked for transfers, of so many bytes; or NULL */
	size_t pinned_bytes;
	handle *tiles;  /* mt by nt, column-major; 0 by 0 matrices have none */
};

static inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

size_t type_size(heddle_type type);
heddle_type type_real(heddle_type type);

/* A temporary matrix, its elements undefined until written.  NULL if there is no memory. */
heddle_matrix *matrix_temporary(heddle_type type, int64_t m, int64_t n, int64_t mb, int64_t nb);

/* A matrix on the memory of a caller who has checked its arguments, or NULL. */
heddle_matrix *matrix_on(heddle_type type, int64_t m, int64_t n, void *a, int64_t lda, int64_t mb, int64_t nb);

/* Forget a temporary matrix as soon as the tasks submitted so far are done with it; returns at once.  NULL is allowed. */
void matrix_release(heddle_matrix *matrix);

static inline handle matrix_tile(const heddle_matrix *a, int64_t i, int64_t j) { return a->tiles[i + j * a->mt]; }

#endif
