/* gesvd_lapack: the singular values of a small matrix, by LAPACK's gesdd or, on a GPU, a bidiagonal form and bisection, on a copy.
 *   0..  A  R   mt by nt tiles, column-major
 *   ..   S  RW  the tiles that receive the values, real                                                      */
#include <stdlib.h>
#include <string.h>
#include "codelets/gpu.h"
#include "codelets/host/gesdd_vals.h"
#include "codelets/part.h"
#include "runtime/task.h"
#if WITH_GPU
#include "codelets/device/small.h"
#include "codelets/device/sturm.h"
#include "codelets/device/tile.h"
#endif

struct args {
	int64_t m, n, mb, nb, mt, nt, targets;
	heddle_select select;
	int64_t *found;
};

static void gesvd_lapack_cpu(void *buffers[], void *arg)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	int64_t k = a->m < a->n ? a->m : a->n, first, count, at = 0;
	scalar *x = malloc((size_t)(a->m * a->n) * sizeof(*x));
	real *s = malloc((size_t)k * sizeof(*s));
	int code = HEDDLE_ENOMEM;

	for (int64_t t = 0; t < a->mt * a->nt && x; t++)
		tile_to(buffers[t], x + t % a->mt * a->mb + t / a->mt * a->nb * a->m, a->m);
	if (x && s)
		code = NAME(gesdd_vals)(a->m, a->n, x, a->m, s);
	if (code == HEDDLE_OK) {
		REAL_NAME(select_values)(&a->select, k, s, &first, &count);
		for (int64_t t = a->mt * a->nt; t < a->mt * a->nt + a->targets && at < count; t++) {
			int64_t room = STARPU_MATRIX_GET_NX(buffers[t]), part = count - at < room ? count - at : room;
			memcpy((void *)STARPU_MATRIX_GET_PTR(buffers[t]), s + first + at, (size_t)part * sizeof(*s));
			at += part;
		}
		if (a->found)
			*a->found = count;
	} else {
		task_fail(arg, code);
	}
	free(x);
	free(s);
}

#if WITH_GPU
/* What the task's memory is divided into. */
struct memory {
	scalar *x;
	void *reduction;
	struct sturm *sturm;
	real *d, *e, *scale, *values;
};

/* The next part of the memory, aligned; NULL while it is only measured. */
static void *next_part(char *memory, size_t *used, size_t bytes)
{
	size_t begin = *used;

	*used += (bytes + 15) / 16 * 16;
	return memory ? memory + begin : NULL;
}

/* Returns how much it is; memory may be NULL. */
static size_t divide(char *memory, int64_t m, int64_t n, struct memory *w)
{
	size_t used = 0;

	w->sturm = next_part(memory, &used, sturm_bytes(n));
	w->x = next_part(memory, &used, (size_t)(m * n) * sizeof(scalar));
	w->reduction = next_part(memory, &used, NAME(gpu_gebrd_small_work)(m, n));
	w->d = next_part(memory, &used, (size_t)n * sizeof(real));
	w->e = next_part(memory, &used, (size_t)n * sizeof(real));
	w->scale = next_part(memory, &used, 2 * sizeof(real));
	w->values = next_part(memory, &used, (size_t)n * sizeof(real));
	return used;
}

/* The matrix, or its adjoint if it is wide: m by n, m >= n. */
static void gather(const struct args *a, void *buffers[], scalar *x, int64_t m)
{
	for (int64_t t = 0; t < a->mt * a->nt; t++) {
		int64_t i = t % a->mt * a->mb, j = t / a->mt * a->nb, rows = STARPU_MATRIX_GET_NX(buffers[t]);
		int64_t columns = STARPU_MATRIX_GET_NY(buffers[t]), ld = STARPU_MATRIX_GET_LD(buffers[t]);
		const scalar *tile = (const scalar *)STARPU_MATRIX_GET_PTR(buffers[t]);
		if (a->m >= a->n)
			NAME(gpu_copy)(gpu_here(), rows, columns, tile, ld, x + i + j * m, m);
		else
			NAME(gpu_copy_adjoint)(gpu_here(), rows, columns, tile, ld, x + j + i * m, m);
	}
}

GPU_TASK(gesvd_lapack_gpu)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	int64_t m = a->m > a->n ? a->m : a->n, n = a->m > a->n ? a->n : a->m, room = n, *found = a->found ? gpu_result(arg, a->found) : NULL;
	void **s = buffers + a->mt * a->nt;
	struct memory w;
	char *memory = gpu_work(arg, divide(NULL, m, n, &w));
	real **targets = malloc((size_t)a->targets * sizeof(*targets));
	int *verdict = gpu_verdict(arg);

	for (int64_t t = 0; t < a->targets && targets; t++)
		targets[t] = (real *)STARPU_MATRIX_GET_PTR(s[t]);
	if (!targets)
		task_fail(arg, HEDDLE_ENOMEM);
	if (memory && targets && verdict && (found || !a->found)) {
		divide(memory, m, n, &w);
		gather(a, buffers, w.x, m);
		NAME(gpu_gebrd_small)(gpu_here(), m, n, w.x, m, w.d, w.e, w.scale, w.reduction, verdict);
		REAL_NAME(gpu_values_init)(gpu_here(), BIDIAGONAL, n, w.sturm, &w.d, n, &w.e, n, w.scale, &a->select, found, verdict);
		room = a->select.kind == HEDDLE_INDEX ? a->select.iu - a->select.il + 1 : room;
		REAL_NAME(gpu_values_find)(gpu_here(), w.sturm, 0, 1, room, w.values);
		REAL_NAME(gpu_values_collect)(gpu_here(), w.sturm, 1, &w.values, room, targets, (int64_t)STARPU_MATRIX_GET_NX(s[0]));
	}
	free(targets);
}
#endif

static double flops(double m, double n)
{
	return FLOPS_PER_PAIR * (m >= n ? 4 * m * n * n - 4 * n * n * n / 3 : 4 * n * m * m - 4 * m * m * m / 3);
}

static struct starpu_perfmodel model = { .type = STARPU_HISTORY_BASED, .symbol = TRACE_NAME("gesvd_lapack"), .footprint = task_footprint };
static struct starpu_codelet codelet = {
	.cpu_funcs = { gesvd_lapack_cpu },
	ON_GPU(gesvd_lapack_gpu)
	.nbuffers = STARPU_VARIABLE_NBUFFERS,
	.name = TRACE_NAME("gesvd_lapack"),
	.model = &model,
};

void NAME(gesvd_lapack)(struct submit to, const heddle_matrix *a, const heddle_select *select, const heddle_matrix *s, int64_t *found)
{
	struct args args = { .m = a->m, .n = a->n, .mb = a->mb, .nb = a->nb, .mt = a->mt, .nt = a->nt, .targets = s->mt, .select = *select,
			     .found = found };
	struct buffers b;

	buffers_init(&b);
	for (int64_t t = 0; t < a->mt * a->nt; t++)
		buffers_add(&b, a->tiles[t], STARPU_R);
	for (int64_t t = 0; t < s->mt; t++)
		buffers_add(&b, s->tiles[t], STARPU_RW); /* a selection may leave some of it */
	task_submit(to, flops((double)a->m, (double)a->n), &codelet, &args, sizeof(args), &b);
}
