/* invert: the inverses of the diagonal blocks, of order SOLVE_BLOCK, of a triangle; those that would lose digits are marked instead.
 *   0  A  R   the triangle
 *   1  I  W   as many rows, INVERSE_COLUMNS columns                                                           */
#include "codelets/host/solve.h"
#include "codelets/gpu.h"
#include "codelets/part.h"
#include "runtime/task.h"

struct args {
	heddle_uplo uplo;
	heddle_diag diag;
};

static void invert_cpu(void *buffers[], void *arg)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;

	NAME(invert_blocks)(a->uplo, a->diag, STARPU_MATRIX_GET_NX(buffers[0]), (const scalar *)STARPU_MATRIX_GET_PTR(buffers[0]),
			    STARPU_MATRIX_GET_LD(buffers[0]), (scalar *)STARPU_MATRIX_GET_PTR(buffers[1]), STARPU_MATRIX_GET_LD(buffers[1]));
}

#if WITH_GPU
#include "codelets/device/trsm.h"

_Static_assert((int)GPU_SOLVE_BLOCK == (int)SOLVE_BLOCK, "the layout of inverses is one");

GPU_TASK(invert_gpu)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;

	NAME(gpu_invert_blocks)(gpu_here(), a->uplo, a->diag, STARPU_MATRIX_GET_NX(buffers[0]), (const scalar *)STARPU_MATRIX_GET_PTR(buffers[0]),
				STARPU_MATRIX_GET_LD(buffers[0]), (scalar *)STARPU_MATRIX_GET_PTR(buffers[1]), STARPU_MATRIX_GET_LD(buffers[1]));
}
#endif

/* The estimates and the inversion are about SOLVE_BLOCK^2 a row. */
static double flops(double k)
{
	return FLOPS_PER_PAIR * k * SOLVE_BLOCK * SOLVE_BLOCK / 3;
}

static struct starpu_perfmodel model = { .type = STARPU_HISTORY_BASED, .symbol = TRACE_NAME("invert"), .footprint = task_footprint };
static struct starpu_codelet codelet = {
	.cpu_funcs = { invert_cpu },
	ON_GPU(invert_gpu)
	.nbuffers = 2,
	.modes = { STARPU_R, STARPU_W },
	.name = TRACE_NAME("invert"),
	.model = &model,
};

void NAME(invert)(struct submit to, heddle_uplo uplo, heddle_diag diag, handle a, handle inverses)
{
	struct args args = { .uplo = uplo, .diag = diag };
	struct buffers list;

	buffers_init(&list);
	buffers_add(&list, a, STARPU_R);
	buffers_add(&list, inverses, STARPU_W);
	task_submit(to, flops(starpu_matrix_get_nx(a)), &codelet, &args, sizeof(args), &list);
}
