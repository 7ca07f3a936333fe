/* hetrd_lapack: a small symmetric or Hermitian matrix to tridiagonal form, by LAPACK or on a GPU, on a copy.
 *   0..   A     R   the tiles of the stored triangle, column by column
 *   then  d, e   W   n and n - 1 rows, real
 *   then  scale  W   two reals, the second of which the values are to be multiplied with                    */
#include <stdlib.h>
#include "codelets/gpu.h"
#include "codelets/host/hetrd.h"
#include "codelets/part.h"
#include "runtime/task.h"
#if WITH_GPU
#include "codelets/device/small.h"
#include "codelets/device/tile.h"
#endif

struct args {
	int64_t n, nb, nt;
	heddle_uplo uplo;
};

static void hetrd_lapack_cpu(void *buffers[], void *arg)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	scalar *x = malloc((size_t)(a->n * a->n) * sizeof(*x));
	int64_t t = 0;
	real unscale;
	int code = HEDDLE_ENOMEM;

	for (int64_t j = 0; j < a->nt; j++) {
		int64_t begin = a->uplo == HEDDLE_LOWER ? j : 0, end = a->uplo == HEDDLE_LOWER ? a->nt : j + 1;
		for (int64_t i = begin; i < end; i++, t++)
			if (x)
				tile_to(buffers[t], x + (i + j * a->n) * a->nb, a->n);
	}
	if (x)
		code = NAME(hetrd)(a->uplo, a->n, x, a->n, (real *)STARPU_MATRIX_GET_PTR(buffers[t]),
				   (real *)STARPU_MATRIX_GET_PTR(buffers[t + 1]), &unscale);
	if (code == HEDDLE_OK) {
		real *scale = (real *)STARPU_MATRIX_GET_PTR(buffers[t + 2]);
		scale[0] = 1 / unscale;
		scale[1] = unscale;
	}
	if (code != HEDDLE_OK)
		task_fail(arg, code);
	free(x);
}

#if WITH_GPU
GPU_TASK(hetrd_lapack_gpu)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	scalar *x = gpu_work(arg, (size_t)(a->n * a->n) * sizeof(*x) + NAME(gpu_hetrd_small_work)(a->n));
	int *verdict = gpu_verdict(arg);
	int64_t t = 0;

	if (!x || !verdict)
		return;
	for (int64_t j = 0; j < a->nt; j++) {
		int64_t begin = a->uplo == HEDDLE_LOWER ? j : 0, end = a->uplo == HEDDLE_LOWER ? a->nt : j + 1;
		for (int64_t i = begin; i < end; i++, t++)
			NAME(gpu_copy)(gpu_here(), (int64_t)STARPU_MATRIX_GET_NX(buffers[t]), (int64_t)STARPU_MATRIX_GET_NY(buffers[t]),
				       (const scalar *)STARPU_MATRIX_GET_PTR(buffers[t]), (int64_t)STARPU_MATRIX_GET_LD(buffers[t]),
				       x + (i + j * a->n) * a->nb, a->n);
	}
	NAME(gpu_hetrd_small)(gpu_here(), a->uplo, a->n, x, a->n, (real *)STARPU_MATRIX_GET_PTR(buffers[t]),
			      (real *)STARPU_MATRIX_GET_PTR(buffers[t + 1]), (real *)STARPU_MATRIX_GET_PTR(buffers[t + 2]), x + a->n * a->n, verdict);
}
#endif

static double flops(double n)
{
	return FLOPS_PER_PAIR * 4 * n * n * n / 3;
}

static struct starpu_perfmodel model = { .type = STARPU_HISTORY_BASED, .symbol = TRACE_NAME("hetrd_lapack"), .footprint = task_footprint };
static struct starpu_codelet codelet = {
	.cpu_funcs = { hetrd_lapack_cpu },
	ON_GPU(hetrd_lapack_gpu)
	.nbuffers = STARPU_VARIABLE_NBUFFERS,
	.name = TRACE_NAME("hetrd_lapack"),
	.model = &model,
};

void NAME(hetrd_lapack)(struct submit to, const struct view *view, handle d, handle e, handle scale)
{
	const heddle_matrix *m = view->a;
	struct args a = { .n = m->n, .nb = m->nb, .nt = m->nt, .uplo = view->adjoint ? HEDDLE_UPPER : HEDDLE_LOWER };
	struct buffers b;

	buffers_init(&b);
	for (int64_t j = 0; j < m->nt; j++)
		for (int64_t i = view->adjoint ? 0 : j; i < (view->adjoint ? j + 1 : m->nt); i++)
			buffers_add(&b, matrix_tile(m, i, j), STARPU_R);
	buffers_add(&b, d, STARPU_W);
	buffers_add(&b, e, STARPU_W);
	buffers_add(&b, scale, STARPU_W);
	task_submit(to, flops((double)m->n), &codelet, &a, sizeof(a), &b);
}
