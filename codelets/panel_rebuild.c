/* panel_rebuild: a leaf's rows of the panel's V, from the leaf's own V_l and what panel_top left:
 * V := ([LEAF_Q; 0] - V_l LEAF_G) U^-1, and the first leaf begins with PANEL_V.
 *   0        factor    R   PANEL_V, PANEL_U
 *   1        leaf      R   LEAF_Q, LEAF_G
 *   then     work      RW  the side's pieces: V in half `half`                                                                */
#include <stdlib.h>
#include <string.h>
#include "codelets/gpu.h"
#include "codelets/host/blas.h"
#include "codelets/panel.h"
#include "runtime/task.h"
#if WITH_GPU
#include "codelets/device/panel.h"
#include "codelets/device/tile.h"
#endif

struct args {
	struct run run;
	int64_t width, kb, half;
	bool first;
};

/* Rows row .. row+rows-1 of the leaf, in v. */
static void rebuild(const struct args *a, const scalar *factor, int64_t ldf, const scalar *leaf, int64_t ldl, int64_t row, int64_t rows,
		    scalar *v, int64_t ldv, scalar *old)
{
	int64_t k = a->kb;

	for (int64_t j = 0; j < k; j++)
		memcpy(old + j * rows, v + j * ldv, (size_t)rows * sizeof(*v));
	gemm(NO_TRANS, NO_TRANS, rows, k, k, -1, old, rows, leaf + LEAF_G * a->width * ldl, ldl, 0, v, ldv);
	for (int64_t i = row; i < k && i < row + rows; i++)
		for (int64_t j = 0; j < k; j++)
			v[i - row + j * ldv] += leaf[i + (LEAF_Q * a->width + j) * ldl];
	trsm(CblasRight, CblasUpper, NO_TRANS, CblasNonUnit, rows, k, factor + PANEL_U * a->width * ldf, ldf, v, ldv);
	for (int64_t i = row; a->first && i < k && i < row + rows; i++)
		for (int64_t j = 0; j < k; j++)
			v[i - row + j * ldv] = factor[i + (PANEL_V * a->width + j) * ldf];
}

static void panel_rebuild_cpu(void *buffers[], void *arg)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	scalar *old = malloc((size_t)(a->run.block * a->kb) * sizeof(*old));

	if (!old) {
		task_fail(arg, HEDDLE_ENOMEM);
		return;
	}
	for (int64_t l = 0, row = 0; l < a->run.count; l++) {
		void *piece = buffers[2 + l];
		int64_t ldv = STARPU_MATRIX_GET_LD(piece), rows = run_rows(&a->run, l);
		scalar *v = (scalar *)STARPU_MATRIX_GET_PTR(piece) + run_skip(&a->run, l) + a->half * a->width * ldv;
		rebuild(a, (const scalar *)STARPU_MATRIX_GET_PTR(buffers[0]), STARPU_MATRIX_GET_LD(buffers[0]),
			(const scalar *)STARPU_MATRIX_GET_PTR(buffers[1]), STARPU_MATRIX_GET_LD(buffers[1]), row, rows, v, ldv, old);
		row += rows;
	}
	free(old);
}

#if WITH_GPU
GPU_TASK(panel_rebuild_gpu)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	const scalar *factor = (const scalar *)STARPU_MATRIX_GET_PTR(buffers[0]), *leaf = (const scalar *)STARPU_MATRIX_GET_PTR(buffers[1]);
	int64_t ldf = STARPU_MATRIX_GET_LD(buffers[0]), k = a->kb;
	void *work = gpu_work(arg, NAME(gpu_rebuild_work)(k));

	if (!work)
		return;
	NAME(gpu_rebuild_begin)(gpu_here(), k, a->width, factor, ldf, leaf, STARPU_MATRIX_GET_LD(buffers[1]), work);
	for (int64_t l = 0, row = 0; l < a->run.count; row += run_rows(&a->run, l), l++) {
		int64_t ldv = STARPU_MATRIX_GET_LD(buffers[2 + l]), rows = run_rows(&a->run, l), top = k - row < rows ? k - row : rows;
		scalar *v = (scalar *)STARPU_MATRIX_GET_PTR(buffers[2 + l]) + run_skip(&a->run, l) + a->half * a->width * ldv;
		NAME(gpu_rebuild)(gpu_here(), k, row, rows, v, ldv, work);
		if (a->first && top > 0)
			NAME(gpu_copy)(gpu_here(), top, k, factor + PANEL_V * a->width * ldf + row, ldf, v, ldv);
	}
}
#endif

static double flops(int64_t m, int64_t kb)
{
	return FLOPS_PER_PAIR * 3.0 * (double)m * (double)kb * (double)kb;
}

static struct starpu_perfmodel model = { .type = STARPU_HISTORY_BASED, .symbol = TRACE_NAME("panel_rebuild"), .footprint = task_footprint };
static struct starpu_codelet codelet = {
	.cpu_funcs = { panel_rebuild_cpu },
	ON_GPU(panel_rebuild_gpu)
	.nbuffers = STARPU_VARIABLE_NBUFFERS,
	.name = TRACE_NAME("panel_rebuild"),
	.model = &model,
};

void NAME(panel_rebuild)(struct submit to, const struct panel *p, const struct run *run, handle leaf, bool first)
{
	struct args a = { .run = *run, .width = p->width, .kb = p->kb, .half = p->half, .first = first };
	struct buffers b;

	buffers_init(&b);
	buffers_add(&b, p->factor, STARPU_R);
	buffers_add(&b, leaf, STARPU_R);
	for (int64_t l = run->first; l < run->first + run->count; l++)
		buffers_add(&b, matrix_tile(p->work, l, 0), STARPU_RW);
	task_submit(to, flops(run->end - run->begin, p->kb), &codelet, &a, sizeof(a), &b);
}
