/* A matrix as an algorithm sees it: as it is or as its adjoint. */
#ifndef CODELETS_VIEW_H
#define CODELETS_VIEW_H

#include "runtime/matrix.h"

/* A matrix or its adjoint, cut to its leading m by n part. */
struct view {
	const heddle_matrix *a;
	bool adjoint;
	bool hermitian; /* of the view only the lower triangle is there */
	int64_t m, n;
};

static inline int64_t view_row_tile(const struct view *v) { return v->adjoint ? v->a->nb : v->a->mb; }
static inline int64_t view_column_tile(const struct view *v) { return v->adjoint ? v->a->mb : v->a->nb; }
static inline handle view_tile(const struct view *v, int64_t i, int64_t j)
{
	return v->adjoint ? matrix_tile(v->a, j, i) : matrix_tile(v->a, i, j);
}

#endif
