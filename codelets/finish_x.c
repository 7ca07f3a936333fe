/* finish_x: X := (X - V M) S, which makes of X = C_low U what the fused update needs: M = W^H U undoes the left reflector's share, S is the
 * row panel's T.
 *   0  X and V  RW  a piece of the rows' work matrix
 *   1  M        R
 *   2  S        R   the row panel's results, PANEL_T first                                               */
#include "codelets/gpu.h"
#include "codelets/host/blas.h"
#include "codelets/panel.h"
#include "codelets/part.h"
#include "runtime/task.h"
#if WITH_GPU
#include "codelets/device/panel.h"
#endif

struct args {
	struct part x, v;
};

static void finish_x_cpu(void *buffers[], void *arg)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	int64_t ld = STARPU_MATRIX_GET_LD(buffers[0]);
	scalar *x = part_pointer(buffers[0], &a->x);

	_Static_assert(PANEL_T == 0, "S is the first block");
	gemm(NO_TRANS, NO_TRANS, a->x.rows, a->x.columns, a->v.columns, -1, part_pointer(buffers[0], &a->v), ld,
	     (const scalar *)STARPU_MATRIX_GET_PTR(buffers[1]), STARPU_MATRIX_GET_LD(buffers[1]), 1, x, ld);
	trmm(CblasRight, CblasUpper, NO_TRANS, CblasNonUnit, a->x.rows, a->x.columns, (const scalar *)STARPU_MATRIX_GET_PTR(buffers[2]),
	     STARPU_MATRIX_GET_LD(buffers[2]), x, ld);
}

#if WITH_GPU
GPU_TASK(finish_x_gpu)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	int64_t ld = STARPU_MATRIX_GET_LD(buffers[0]);

	NAME(gpu_finish_x)(gpu_here(), a->x.rows, a->x.columns, a->v.columns, part_pointer(buffers[0], &a->v), ld,
			   (const scalar *)STARPU_MATRIX_GET_PTR(buffers[1]), STARPU_MATRIX_GET_LD(buffers[1]),
			   (const scalar *)STARPU_MATRIX_GET_PTR(buffers[2]), STARPU_MATRIX_GET_LD(buffers[2]), part_pointer(buffers[0], &a->x), ld);
}
#endif

static double flops(const struct args *a)
{
	return FLOPS_PER_PAIR * (double)a->x.rows * (double)a->x.columns * (2.0 * (double)a->v.columns + (double)a->x.columns);
}

static struct starpu_perfmodel model = { .type = STARPU_HISTORY_BASED, .symbol = TRACE_NAME("finish_x"), .footprint = task_footprint };
static struct starpu_codelet codelet = {
	.cpu_funcs = { finish_x_cpu },
	ON_GPU(finish_x_gpu)
	.nbuffers = 3,
	.modes = { STARPU_RW, STARPU_R, STARPU_R },
	.name = TRACE_NAME("finish_x"),
	.model = &model,
};

void NAME(finish_x)(struct submit to, struct part x, struct part v, handle m, handle s)
{
	struct args a = { .x = x, .v = v };
	struct buffers b;

	buffers_init(&b);
	buffers_add(&b, x.tile, STARPU_RW);
	buffers_add(&b, m, STARPU_R);
	buffers_add(&b, s, STARPU_R);
	task_submit(to, flops(&a), &codelet, &a, sizeof(a), &b);
}
