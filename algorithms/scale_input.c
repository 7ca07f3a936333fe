#include "algorithms/algorithms.h"

#include <stdlib.h>
#include "runtime/runtime.h"

/* Tiles that are taken in groups, one task each. */
struct tiles {
	handle *list;
	int64_t count, groups;
	enum whole_or_triangle which;
};

static const handle *group(const struct tiles *t, int64_t g)
{
	return t->list + g * t->count / t->groups;
}

static int64_t group_size(const struct tiles *t, int64_t g)
{
	return group(t, g + 1) - group(t, g);
}

/* The tiles of a view, those on a Hermitian one's diagonal apart.  Returns 0 or HEDDLE_ENOMEM. */
static int list_tiles(const struct view *v, struct tiles lists[2])
{
	const heddle_matrix *a = v->a;
	struct tiles *rest = &lists[0], *diagonal = &lists[1];

	rest->list = malloc((size_t)(a->mt * a->nt + a->mt + 1) * sizeof(handle));
	if (!rest->list)
		return HEDDLE_ENOMEM;
	diagonal->list = rest->list + a->mt * a->nt;
	diagonal->which = v->adjoint ? UPPER_TRIANGLE : LOWER_TRIANGLE;
	for (int64_t j = 0; j < a->nt; j++)
		for (int64_t i = 0; i < a->mt; i++) {
			struct tiles *to = v->hermitian && i == j ? diagonal : rest;
			if (!v->hermitian || (v->adjoint ? i <= j : i >= j))
				to->list[to->count++] = matrix_tile(a, i, j);
		}
	for (int k = 0; k < 2; k++)
		lists[k].groups = least(lists[k].count, 8 * runtime_workers());
	return HEDDLE_OK;
}

int NAME(scale_input)(struct submit to, const struct view *a, heddle_matrix **scale)
{
	struct tiles lists[2] = { { .which = WHOLE } };
	int code = list_tiles(a, lists);
	int64_t groups = lists[0].groups + lists[1].groups, slot = 0;
	heddle_matrix *maxima = matrix_temporary(REAL_TYPE, 1, groups, 1, 1);

	*scale = matrix_temporary(REAL_TYPE, 2, 1, 2, 1);
	if (!maxima || !*scale)
		code = HEDDLE_ENOMEM;
	for (const struct tiles *t = lists; t < lists + 2 && code == HEDDLE_OK; t++)
		for (int64_t g = 0; g < t->groups; g++)
			NAME(amax)(to, matrix_tile(maxima, 0, slot++), group_size(t, g), group(t, g), t->which);
	if (code == HEDDLE_OK)
		NAME(safe_scale)(to, matrix_tile(*scale, 0, 0), groups, maxima->tiles);
	for (const struct tiles *t = lists; t < lists + 2 && code == HEDDLE_OK; t++)
		for (int64_t g = 0; g < t->groups; g++)
			NAME(scale)(to, matrix_tile(*scale, 0, 0), false, group_size(t, g), group(t, g), t->which);
	matrix_release(maxima);
	free(lists[0].list);
	return code;
}
