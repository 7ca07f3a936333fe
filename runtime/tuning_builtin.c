/* The choices where no file has others, from measurements on two cores.  `heddle tune --c` writes these rows. */
#include "runtime/tuning.h"

enum { GRAPH = HEDDLE_ROUTE_GRAPH, LAPACK = HEDDLE_ROUTE_LAPACK };

static const struct tuning_row rows[] = {
	{ TUNING_SVDVALS, HEDDLE_S, 192, { .route = LAPACK, .band = 24, .tile = 96 } },
	{ TUNING_SVDVALS, HEDDLE_S, 384, { .route = GRAPH, .band = 24, .tile = 96 } },
	{ TUNING_SVDVALS, HEDDLE_S, 768, { .route = GRAPH, .band = 32, .tile = 128 } },
	{ TUNING_SVDVALS, HEDDLE_S, 1536, { .route = GRAPH, .band = 48, .tile = 192 } },
	{ TUNING_SVDVALS, HEDDLE_S, 3072, { .route = GRAPH, .band = 56, .tile = 384 } },
	{ TUNING_SVDVALS, HEDDLE_S, INT64_MAX, { .route = GRAPH, .band = 64, .tile = 512 } },
	{ TUNING_SVDVALS, HEDDLE_D, 192, { .route = LAPACK, .band = 24, .tile = 96 } },
	{ TUNING_SVDVALS, HEDDLE_D, 384, { .route = GRAPH, .band = 24, .tile = 96 } },
	{ TUNING_SVDVALS, HEDDLE_D, 768, { .route = GRAPH, .band = 32, .tile = 128 } },
	{ TUNING_SVDVALS, HEDDLE_D, 1536, { .route = GRAPH, .band = 48, .tile = 192 } },
	{ TUNING_SVDVALS, HEDDLE_D, 3072, { .route = GRAPH, .band = 56, .tile = 384 } },
	{ TUNING_SVDVALS, HEDDLE_D, INT64_MAX, { .route = GRAPH, .band = 64, .tile = 512 } },
	{ TUNING_SVDVALS, HEDDLE_C, 192, { .route = LAPACK, .band = 24, .tile = 96 } },
	{ TUNING_SVDVALS, HEDDLE_C, 384, { .route = GRAPH, .band = 24, .tile = 96 } },
	{ TUNING_SVDVALS, HEDDLE_C, 768, { .route = GRAPH, .band = 32, .tile = 128 } },
	{ TUNING_SVDVALS, HEDDLE_C, 1536, { .route = GRAPH, .band = 48, .tile = 192 } },
	{ TUNING_SVDVALS, HEDDLE_C, 3072, { .route = GRAPH, .band = 56, .tile = 384 } },
	{ TUNING_SVDVALS, HEDDLE_C, INT64_MAX, { .route = GRAPH, .band = 64, .tile = 512 } },
	{ TUNING_SVDVALS, HEDDLE_Z, 192, { .route = LAPACK, .band = 24, .tile = 96 } },
	{ TUNING_SVDVALS, HEDDLE_Z, 384, { .route = GRAPH, .band = 24, .tile = 96 } },
	{ TUNING_SVDVALS, HEDDLE_Z, 768, { .route = GRAPH, .band = 32, .tile = 128 } },
	{ TUNING_SVDVALS, HEDDLE_Z, 1536, { .route = GRAPH, .band = 48, .tile = 192 } },
	{ TUNING_SVDVALS, HEDDLE_Z, 3072, { .route = GRAPH, .band = 56, .tile = 384 } },
	{ TUNING_SVDVALS, HEDDLE_Z, INT64_MAX, { .route = GRAPH, .band = 64, .tile = 512 } },
	{ TUNING_EIGVALS, HEDDLE_S, 320, { .route = LAPACK, .band = 32, .tile = 128 } },
	{ TUNING_EIGVALS, HEDDLE_S, 768, { .route = GRAPH, .band = 32, .tile = 128 } },
	{ TUNING_EIGVALS, HEDDLE_S, 1536, { .route = GRAPH, .band = 40, .tile = 192 } },
	{ TUNING_EIGVALS, HEDDLE_S, 3072, { .route = GRAPH, .band = 48, .tile = 256 } },
	{ TUNING_EIGVALS, HEDDLE_S, INT64_MAX, { .route = GRAPH, .band = 64, .tile = 384 } },
	{ TUNING_EIGVALS, HEDDLE_D, 320, { .route = LAPACK, .band = 32, .tile = 128 } },
	{ TUNING_EIGVALS, HEDDLE_D, 768, { .route = GRAPH, .band = 32, .tile = 128 } },
	{ TUNING_EIGVALS, HEDDLE_D, 1536, { .route = GRAPH, .band = 40, .tile = 192 } },
	{ TUNING_EIGVALS, HEDDLE_D, 3072, { .route = GRAPH, .band = 48, .tile = 256 } },
	{ TUNING_EIGVALS, HEDDLE_D, INT64_MAX, { .route = GRAPH, .band = 64, .tile = 384 } },
	{ TUNING_EIGVALS, HEDDLE_C, 320, { .route = LAPACK, .band = 32, .tile = 128 } },
	{ TUNING_EIGVALS, HEDDLE_C, 768, { .route = GRAPH, .band = 32, .tile = 128 } },
	{ TUNING_EIGVALS, HEDDLE_C, 1536, { .route = GRAPH, .band = 40, .tile = 192 } },
	{ TUNING_EIGVALS, HEDDLE_C, 3072, { .route = GRAPH, .band = 48, .tile = 256 } },
	{ TUNING_EIGVALS, HEDDLE_C, INT64_MAX, { .route = GRAPH, .band = 64, .tile = 384 } },
	{ TUNING_EIGVALS, HEDDLE_Z, 320, { .route = LAPACK, .band = 32, .tile = 128 } },
	{ TUNING_EIGVALS, HEDDLE_Z, 768, { .route = GRAPH, .band = 32, .tile = 128 } },
	{ TUNING_EIGVALS, HEDDLE_Z, 1536, { .route = GRAPH, .band = 40, .tile = 192 } },
	{ TUNING_EIGVALS, HEDDLE_Z, 3072, { .route = GRAPH, .band = 48, .tile = 256 } },
	{ TUNING_EIGVALS, HEDDLE_Z, INT64_MAX, { .route = GRAPH, .band = 64, .tile = 384 } },
	{ TUNING_TRSM, HEDDLE_S, 448, { .route = LAPACK, .tile = 256, .inverse = 1 } },
	{ TUNING_TRSM, HEDDLE_S, 1280, { .route = LAPACK, .tile = 2048, .inverse = 1 } },
	{ TUNING_TRSM, HEDDLE_S, INT64_MAX, { .route = GRAPH, .tile = 2048, .inverse = 1 } },
	{ TUNING_TRSM, HEDDLE_D, 192, { .route = LAPACK, .tile = 256, .inverse = 1 } },
	{ TUNING_TRSM, HEDDLE_D, 448, { .route = GRAPH, .tile = 256, .inverse = 1 } },
	{ TUNING_TRSM, HEDDLE_D, INT64_MAX, { .route = GRAPH, .tile = 512, .inverse = 1 } },
	{ TUNING_TRSM, HEDDLE_C, 192, { .route = LAPACK, .tile = 256, .inverse = 1 } },
	{ TUNING_TRSM, HEDDLE_C, 448, { .route = GRAPH, .tile = 256, .inverse = 1 } },
	{ TUNING_TRSM, HEDDLE_C, INT64_MAX, { .route = GRAPH, .tile = 512, .inverse = 1 } },
	{ TUNING_TRSM, HEDDLE_Z, 192, { .route = LAPACK, .tile = 256, .inverse = 1 } },
	{ TUNING_TRSM, HEDDLE_Z, 448, { .route = GRAPH, .tile = 256, .inverse = 1 } },
	{ TUNING_TRSM, HEDDLE_Z, INT64_MAX, { .route = GRAPH, .tile = 512, .inverse = 1 } },
	{ TUNING_TRSM_FEW, HEDDLE_S, INT64_MAX, { .tile = 768, .inverse = 1 } },
	{ TUNING_TRSM_FEW, HEDDLE_D, INT64_MAX, { .tile = 768, .inverse = 1 } },
	{ TUNING_TRSM_FEW, HEDDLE_C, INT64_MAX, { .tile = 768, .inverse = 1 } },
	{ TUNING_TRSM_FEW, HEDDLE_Z, INT64_MAX, { .tile = 768, .inverse = 1 } },
};

void tuning_builtin(struct tuning *table)
{
	const struct tuning_row *row = rows;

	*table = (struct tuning){ 0 };
	for (int i = 0; i < TUNING_JOBS * TUNING_TYPES; i++)
		for (int step = 0; step < TUNING_STEPS; step++) {
			table->choice[row->job][tuning_type(row->type)][step] = row->choice;
			if (step == tuning_step(row->order)) /* the last of a job and type ends at the last step */
				row++;
		}
}
