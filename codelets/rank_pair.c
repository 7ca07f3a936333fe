/* rank_pair: the rows [V X V] of a piece, X := (Y - 1/2 V T^H G) T with Y = C V and G = V^H Y: then H^H C H = C - [V X] [X V]^H, and both
 * factors are columns side by side.
 *   0  V, X, V  W   3 k columns; rows before these are not wanted any more
 *   1  V        R
 *   2  Y        R
 *   3  G        R
 *   4  T        R   the panel's results, PANEL_T first                                                        */
#include <stdlib.h>
#include <string.h>
#include "codelets/gpu.h"
#include "codelets/host/blas.h"
#include "codelets/panel.h"
#include "codelets/part.h"
#include "runtime/task.h"
#if WITH_GPU
#include "codelets/device/panel.h"
#endif

struct args {
	struct part pair, v, y;
};

static void rank_pair_cpu(void *buffers[], void *arg)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	_Static_assert(PANEL_T == 0, "T is the first block");
	int64_t k = a->v.columns, rows = a->v.rows, ld = STARPU_MATRIX_GET_LD(buffers[0]), ldv = STARPU_MATRIX_GET_LD(buffers[1]);
	int64_t ldy = STARPU_MATRIX_GET_LD(buffers[2]), ldg = STARPU_MATRIX_GET_LD(buffers[3]), ldt = STARPU_MATRIX_GET_LD(buffers[4]);
	scalar *v = part_pointer(buffers[0], &a->pair), *x = v + k * ld, *v_again = x + k * ld;
	const scalar *from = part_pointer(buffers[1], &a->v), *y = part_pointer(buffers[2], &a->y);
	const scalar *g = (const scalar *)STARPU_MATRIX_GET_PTR(buffers[3]), *t = (const scalar *)STARPU_MATRIX_GET_PTR(buffers[4]);
	scalar *m = malloc((size_t)(k * k) * sizeof(*m));

	if (!m) {
		task_fail(arg, HEDDLE_ENOMEM);
		return;
	}
	for (int64_t j = 0; j < k; j++) {
		memcpy(m + j * k, g + j * ldg, (size_t)k * sizeof(*m));
		memcpy(v + j * ld, from + j * ldv, (size_t)rows * sizeof(*v));
		memcpy(v_again + j * ld, from + j * ldv, (size_t)rows * sizeof(*v));
		memcpy(x + j * ld, y + j * ldy, (size_t)rows * sizeof(*x));
	}
	trmm(CblasLeft, CblasUpper, ADJOINT, CblasNonUnit, k, k, t, ldt, m, k);
	gemm(NO_TRANS, NO_TRANS, rows, k, k, (scalar)-0.5, v, ld, m, k, 1, x, ld);
	trmm(CblasRight, CblasUpper, NO_TRANS, CblasNonUnit, rows, k, t, ldt, x, ld);
	free(m);
}

#if WITH_GPU
GPU_TASK(rank_pair_gpu)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	void *work = gpu_work(arg, NAME(gpu_rank_pair_work)(a->v.columns));

	if (work)
		NAME(gpu_rank_pair)(gpu_here(), a->v.rows, a->v.columns, part_pointer(buffers[1], &a->v), STARPU_MATRIX_GET_LD(buffers[1]),
				    part_pointer(buffers[2], &a->y), STARPU_MATRIX_GET_LD(buffers[2]),
				    (const scalar *)STARPU_MATRIX_GET_PTR(buffers[3]), STARPU_MATRIX_GET_LD(buffers[3]),
				    (const scalar *)STARPU_MATRIX_GET_PTR(buffers[4]), STARPU_MATRIX_GET_LD(buffers[4]),
				    part_pointer(buffers[0], &a->pair), STARPU_MATRIX_GET_LD(buffers[0]), work);
}
#endif

static double flops(double rows, double k)
{
	return FLOPS_PER_PAIR * (3.0 * rows * k * k + k * k * k);
}

static struct starpu_perfmodel model = { .type = STARPU_HISTORY_BASED, .symbol = TRACE_NAME("rank_pair"), .footprint = task_footprint };
static struct starpu_codelet codelet = {
	.cpu_funcs = { rank_pair_cpu },
	ON_GPU(rank_pair_gpu)
	.nbuffers = 5,
	.modes = { STARPU_W, STARPU_R, STARPU_R, STARPU_R, STARPU_R },
	.name = TRACE_NAME("rank_pair"),
	.model = &model,
};

void NAME(rank_pair)(struct submit to, struct part pair, struct part v, struct part y, handle g, handle t)
{
	struct args a = { .pair = pair, .v = v, .y = y };
	struct buffers b;

	buffers_init(&b);
	buffers_add(&b, pair.tile, STARPU_W);
	buffers_add(&b, v.tile, STARPU_R);
	buffers_add(&b, y.tile, STARPU_R);
	buffers_add(&b, g, STARPU_R);
	buffers_add(&b, t, STARPU_R);
	task_submit(to, flops((double)v.rows, (double)v.columns), &codelet, &a, sizeof(a), &b);
}
