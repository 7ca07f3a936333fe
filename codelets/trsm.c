/* trsm: B := alpha op(A)^-1 B or alpha B op(A)^-1.
 *   0  A  R   triangular, of order k: B's rows on the left, its columns on the right
 *   1  B  RW  m by n
 *   2  I  R   if there: the inverses of A's diagonal blocks, from invert                                      */
#include "codelets/host/solve.h"

#include <heddle/starpu.h>
#include "codelets/gpu.h"
#include "codelets/part.h"
#include "runtime/error.h"
#include "runtime/runtime.h"
#include "runtime/task.h"

struct args {
	struct solve_kind kind;
	scalar alpha;
	bool by_inverses;
};

static void trsm_cpu(void *buffers[], void *arg)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;

	NAME(solve)(a->kind, STARPU_MATRIX_GET_NX(buffers[1]), STARPU_MATRIX_GET_NY(buffers[1]), a->alpha,
		    (const scalar *)STARPU_MATRIX_GET_PTR(buffers[0]), STARPU_MATRIX_GET_LD(buffers[0]),
		    (scalar *)STARPU_MATRIX_GET_PTR(buffers[1]), STARPU_MATRIX_GET_LD(buffers[1]),
		    a->by_inverses ? (const scalar *)STARPU_MATRIX_GET_PTR(buffers[2]) : NULL, a->by_inverses ? STARPU_MATRIX_GET_LD(buffers[2]) : 0);
}

#if WITH_GPU
#include "codelets/device/blas.h"
#include "codelets/device/trsm.h"

GPU_TASK(trsm_gpu)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	const scalar *t = (const scalar *)STARPU_MATRIX_GET_PTR(buffers[0]);
	scalar *b = (scalar *)STARPU_MATRIX_GET_PTR(buffers[1]);
	int64_t m = STARPU_MATRIX_GET_NX(buffers[1]), n = STARPU_MATRIX_GET_NY(buffers[1]), ldt = STARPU_MATRIX_GET_LD(buffers[0]),
		ldb = STARPU_MATRIX_GET_LD(buffers[1]), k = STARPU_MATRIX_GET_NX(buffers[0]), many = a->kind.side == HEDDLE_LEFT ? n : m;

	if (a->by_inverses || NAME(gpu_trsm_own)(k, many))
		NAME(gpu_trsm)(gpu_here(), a->kind, m, n, a->alpha, t, ldt, b, ldb,
			       a->by_inverses ? (const scalar *)STARPU_MATRIX_GET_PTR(buffers[2]) : NULL,
			       a->by_inverses ? STARPU_MATRIX_GET_LD(buffers[2]) : 0, NAME(gpu_trsm_block)(k, many));
	else
		NAME(gpu_trsm_blas)(gpu_here(), a->kind, m, n, a->alpha, t, ldt, b, ldb);
}
#endif

static double flops(double k, double m, double n)
{
	return FLOPS_PER_PAIR * k * m * n;
}

static struct starpu_perfmodel model = { .type = STARPU_HISTORY_BASED, .symbol = TRACE_NAME("trsm"), .footprint = task_footprint };
static struct starpu_codelet codelet = {
	.cpu_funcs = { trsm_cpu },
	ON_GPU(trsm_gpu)
	.nbuffers = STARPU_VARIABLE_NBUFFERS, /* with inverses or without */
	.name = TRACE_NAME("trsm"),
	.model = &model,
};

void NAME(trsm)(struct submit to, struct solve_kind kind, scalar alpha, handle a, handle b, handle inverses)
{
	struct args args = { .kind = kind, .alpha = alpha, .by_inverses = inverses != NULL };
	struct buffers list;

	buffers_init(&list);
	buffers_add(&list, a, STARPU_R);
	buffers_add(&list, b, STARPU_RW);
	if (inverses)
		buffers_add(&list, inverses, STARPU_R);
	task_submit(to, flops(starpu_matrix_get_nx(a), starpu_matrix_get_nx(b), starpu_matrix_get_ny(b)), &codelet, &args, sizeof(args), &list);
}

int API(trsm_tile)(heddle_sequence *sequence, int priority, heddle_side side, heddle_uplo uplo, heddle_trans trans, heddle_diag diag,
		   scalar alpha, starpu_data_handle_t A, starpu_data_handle_t B)
{
	struct submit to = { .sequence = sequence, .stage = STAGE_TILES, .priority = priority };

	CHECK_ARGUMENT(sequence, 1, "sequence", 0, "a sequence");
	CHECK_ARGUMENT(side_valid(side), 3, "side", side, "HEDDLE_LEFT or HEDDLE_RIGHT");
	CHECK_ARGUMENT(uplo_valid(uplo), 4, "uplo", uplo, "HEDDLE_UPPER or HEDDLE_LOWER");
	CHECK_ARGUMENT(trans_valid(trans), 5, "trans", trans, "HEDDLE_NO_TRANS, HEDDLE_TRANS or HEDDLE_CONJ_TRANS");
	CHECK_ARGUMENT(diag_valid(diag), 6, "diag", diag, "HEDDLE_NON_UNIT or HEDDLE_UNIT");
	CHECK_ARGUMENT(tile_valid(A) && tile_rows(A, false) == tile_rows(A, true), 8, "A", 0, "a square tile of the function's type");
	CHECK_ARGUMENT(B != A, 9, "B", 0, "another tile than A");
	CHECK_ARGUMENT(tile_valid(B) && tile_rows(B, side == HEDDLE_RIGHT) == tile_rows(A, false), 9, "B", 0,
		       "a tile of the function's type and of A's order on this side");
	if (alpha == 0)
		NAME(set_zero)(to, B);
	else
		NAME(trsm)(to, (struct solve_kind){ side, uplo, trans, diag }, alpha, A, B, NULL);
	return HEDDLE_OK;
}
