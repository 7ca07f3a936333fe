/* thin: Y := [Y +] op(C) Z for a tile C and thin Y and Z of k columns: W = C^H V and X = C U of the two-sided reduction, Y = C V of the
 * Hermitian one, and the Gram matrices of both.
 *   0  Y  W if it is the first of the sum, and nothing else in the piece is wanted; else RW
 *   1  C  R   the tile
 *   2  Z  R                                                                                          */
#include "codelets/device/blas.h"
#include "codelets/gpu.h"
#include "codelets/host/blas.h"
#include "codelets/part.h"
#include "runtime/task.h"

struct args {
	struct part y, c, z;
	bool adjoint, first;
};

static void thin_cpu(void *buffers[], void *arg)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;

	gemm(a->adjoint ? ADJOINT : NO_TRANS, NO_TRANS, a->y.rows, a->y.columns, a->z.rows, 1, part_pointer(buffers[1], &a->c),
	     STARPU_MATRIX_GET_LD(buffers[1]), part_pointer(buffers[2], &a->z), STARPU_MATRIX_GET_LD(buffers[2]), a->first ? 0 : 1,
	     part_pointer(buffers[0], &a->y), STARPU_MATRIX_GET_LD(buffers[0]));
}

#if WITH_GPU
GPU_TASK(thin_gpu)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;

	NAME(gpu_gemm)(gpu_here(), a->adjoint ? HEDDLE_CONJ_TRANS : HEDDLE_NO_TRANS, HEDDLE_NO_TRANS, a->y.rows, a->y.columns, a->z.rows, 1,
		       part_pointer(buffers[1], &a->c), STARPU_MATRIX_GET_LD(buffers[1]), part_pointer(buffers[2], &a->z),
		       STARPU_MATRIX_GET_LD(buffers[2]), a->first ? 0 : 1, part_pointer(buffers[0], &a->y), STARPU_MATRIX_GET_LD(buffers[0]));
}
#endif

static double flops(const struct args *a)
{
	return FLOPS_PER_PAIR * 2.0 * (double)a->c.rows * (double)a->c.columns * (double)a->y.columns;
}

static struct starpu_perfmodel model = { .type = STARPU_HISTORY_BASED, .symbol = TRACE_NAME("thin"), .footprint = task_footprint };
static struct starpu_codelet codelet = {
	.cpu_funcs = { thin_cpu },
	ON_GPU(thin_gpu)
	.nbuffers = STARPU_VARIABLE_NBUFFERS, /* Y's mode varies */
	.name = TRACE_NAME("thin"),
	.model = &model,
};

void NAME(thin)(struct submit to, struct part y, struct part c, bool adjoint, struct part z, bool first, bool overwrite)
{
	struct args a = { .y = y, .c = c, .z = z, .adjoint = adjoint, .first = first };
	struct buffers b;

	buffers_init(&b);
	buffers_add(&b, y.tile, overwrite ? STARPU_W : STARPU_RW);
	buffers_add(&b, c.tile, STARPU_R);
	buffers_add(&b, z.tile, STARPU_R);
	task_submit(to, flops(&a), &codelet, &a, sizeof(a), &b);
}
