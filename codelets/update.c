/* update: C := C - P Q^H for a tile C: the rank-2b update of a two-sided reduction as one product, with P = [V X] and Q = [W U], of a
 * Hermitian one with Q = [X V].
 *   0  C  RW  the tile
 *   1  P  R
 *   2  Q  R                                                                                          */
#include "codelets/device/blas.h"
#include "codelets/gpu.h"
#include "codelets/host/blas.h"
#include "codelets/part.h"
#include "runtime/task.h"

struct args {
	struct part c, p, q;
};

static void update_cpu(void *buffers[], void *arg)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;

	gemm(NO_TRANS, ADJOINT, a->c.rows, a->c.columns, a->p.columns, -1, part_pointer(buffers[1], &a->p), STARPU_MATRIX_GET_LD(buffers[1]),
	     part_pointer(buffers[2], &a->q), STARPU_MATRIX_GET_LD(buffers[2]), 1, part_pointer(buffers[0], &a->c),
	     STARPU_MATRIX_GET_LD(buffers[0]));
}

#if WITH_GPU
GPU_TASK(update_gpu)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;

	NAME(gpu_gemm)(gpu_here(), HEDDLE_NO_TRANS, HEDDLE_CONJ_TRANS, a->c.rows, a->c.columns, a->p.columns, -1, part_pointer(buffers[1], &a->p),
		       STARPU_MATRIX_GET_LD(buffers[1]), part_pointer(buffers[2], &a->q), STARPU_MATRIX_GET_LD(buffers[2]), 1,
		       part_pointer(buffers[0], &a->c), STARPU_MATRIX_GET_LD(buffers[0]));
}
#endif

static double flops(const struct args *a)
{
	return FLOPS_PER_PAIR * 2.0 * (double)a->c.rows * (double)a->c.columns * (double)a->p.columns;
}

static struct starpu_perfmodel model = { .type = STARPU_HISTORY_BASED, .symbol = TRACE_NAME("update"), .footprint = task_footprint };
static struct starpu_codelet codelet = {
	.cpu_funcs = { update_cpu },
	ON_GPU(update_gpu)
	.nbuffers = 3,
	.modes = { STARPU_RW, STARPU_R, STARPU_R },
	.name = TRACE_NAME("update"),
	.model = &model,
};

void NAME(update)(struct submit to, struct part c, struct part p, struct part q)
{
	struct args a = { .c = c, .p = p, .q = q };
	struct buffers b;

	buffers_init(&b);
	buffers_add(&b, c.tile, STARPU_RW);
	buffers_add(&b, p.tile, STARPU_R);
	buffers_add(&b, q.tile, STARPU_R);
	task_submit(to, flops(&a), &codelet, &a, sizeof(a), &b);
}
