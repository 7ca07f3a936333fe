#include "algorithms/algorithms.h"

#include "runtime/runtime.h"

/* Tiles are taken in groups, one task each. */
int NAME(scale_input)(struct submit to, const heddle_matrix *a, heddle_matrix **scale)
{
	int64_t tiles = a->mt * a->nt, groups = 8 * runtime_workers();

	groups = tiles < groups ? tiles : groups;
	heddle_matrix *maxima = matrix_temporary(REAL_TYPE, 1, groups, 1, 1);

	*scale = matrix_temporary(REAL_TYPE, 2, 1, 2, 1);
	if (!maxima || !*scale) {
		matrix_release(maxima);
		return HEDDLE_ENOMEM;
	}
	for (int64_t g = 0; g < groups; g++) {
		int64_t first = g * tiles / groups;
		NAME(amax)(to, matrix_tile(maxima, 0, g), (g + 1) * tiles / groups - first, a->tiles + first);
	}
	NAME(safe_scale)(to, matrix_tile(*scale, 0, 0), groups, maxima->tiles);
	for (int64_t g = 0; g < groups; g++) {
		int64_t first = g * tiles / groups;
		NAME(scale)(to, matrix_tile(*scale, 0, 0), false, (g + 1) * tiles / groups - first, a->tiles + first);
	}
	matrix_release(maxima);
	return HEDDLE_OK;
}
