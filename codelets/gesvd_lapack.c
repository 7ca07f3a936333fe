/* gesvd_lapack: the singular values of a small matrix by LAPACK's gesdd, on a copy.
 *   0..  A  R   mt by nt tiles, column-major
 *   ..   S  RW  the tiles that receive the values, real                                                      */
#include <stdlib.h>
#include <string.h>
#include "codelets/host/gesdd_vals.h"
#include "codelets/part.h"
#include "runtime/task.h"

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

static double flops(double m, double n)
{
	return FLOPS_PER_PAIR * (m >= n ? 4 * m * n * n - 4 * n * n * n / 3 : 4 * n * m * m - 4 * m * m * m / 3);
}

static struct starpu_perfmodel model = { .type = STARPU_HISTORY_BASED, .symbol = TRACE_NAME("gesvd_lapack"), .footprint = task_footprint };
static struct starpu_codelet codelet = {
	.cpu_funcs = { gesvd_lapack_cpu },
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
