/* prepare_values: all that the search for the values of a bidiagonal or tridiagonal needs (struct sturm), and which of them are
 * wanted.  Where LAPACK is faster than bisection it finds the values here.  The sequence fails with HEDDLE_EINPUT if an entry is a
 * NaN or an infinity.
 *   0            work   W  bytes of a struct sturm
 *   1            scale  R  two reals, the second of which multiplies the values; not there if it is 1
 *   then         d, e   R  tiles of n and n - 1 rows                                                             */
#include <stdlib.h>
#include "codelets/codelets.h"
#include "codelets/gpu.h"
#include "runtime/task.h"
#if WITH_GPU
#include "codelets/device/sturm.h"
#endif

struct args {
	enum sturm_kind kind;
	int64_t n, d_tiles, e_tiles;
	bool scaled;
	heddle_select select;
	int64_t *found;
};

/* Tiles of a vector into every second place of `to`, `rows` of it. */
static void gather(void **tiles, int64_t count, int64_t rows, double *to)
{
	for (int64_t t = 0, i = 0; t < count; t++) {
		const real *x = (const real *)STARPU_MATRIX_GET_PTR(tiles[t]);
		for (int64_t k = 0; k < (int64_t)STARPU_MATRIX_GET_NX(tiles[t]) && i < rows; k++, i++)
			to[2 * i] = (double)x[k];
	}
}

static void prepare_values_cpu(void *buffers[], void *arg)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	struct sturm *m = (struct sturm *)STARPU_MATRIX_GET_PTR(buffers[0]);
	void **tiles = buffers + 1 + a->scaled;
	double scale = a->scaled ? (double)((const real *)STARPU_MATRIX_GET_PTR(buffers[1]))[1] : 1;

	m->kind = a->kind;
	m->n = a->n;
	gather(tiles, a->d_tiles, a->n, sturm_entries(m) + 1);
	gather(tiles + a->d_tiles, a->e_tiles, a->n - 1, sturm_entries(m) + 2);
	int code = NAME(values_init)(m, scale, &a->select);
	if (code != HEDDLE_OK)
		task_fail(arg, code);
	else if (a->found)
		*a->found = m->count;
}

#if WITH_GPU
/* LAPACK is not called here. */
GPU_TASK(prepare_values_gpu)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	void **tiles = buffers + 1 + a->scaled;
	int64_t count = a->d_tiles + a->e_tiles, *found = a->found ? gpu_result(arg, a->found) : NULL;
	real **x = malloc((size_t)count * sizeof(*x));
	int *verdict = gpu_verdict(arg);

	for (int64_t t = 0; t < count && x; t++)
		x[t] = (real *)STARPU_MATRIX_GET_PTR(tiles[t]);
	if (!x)
		task_fail(arg, HEDDLE_ENOMEM);
	else if (verdict && (found || !a->found))
		NAME(gpu_values_init)(gpu_here(), a->kind, a->n, (struct sturm *)STARPU_MATRIX_GET_PTR(buffers[0]), x,
				      (int64_t)STARPU_MATRIX_GET_NX(tiles[0]), x + a->d_tiles,
				      a->e_tiles > 0 ? (int64_t)STARPU_MATRIX_GET_NX(tiles[a->d_tiles]) : 1,
				      a->scaled ? (const real *)STARPU_MATRIX_GET_PTR(buffers[1]) : NULL, &a->select, found, verdict);
	free(x);
}
#endif

static struct starpu_perfmodel model = {
	.type = STARPU_HISTORY_BASED,
	.symbol = TRACE_NAME("prepare_values"),
	.footprint = task_footprint,
};
static struct starpu_codelet codelet = {
	.cpu_funcs = { prepare_values_cpu },
	ON_GPU(prepare_values_gpu)
	.nbuffers = STARPU_VARIABLE_NBUFFERS,
	.name = TRACE_NAME("prepare_values"),
	.model = &model,
};

/* The tiles that hold the first `rows` rows. */
static int64_t tiles_of(const heddle_matrix *x, int64_t rows)
{
	return (rows + x->mb - 1) / x->mb;
}

void NAME(prepare_values)(struct submit to, enum sturm_kind kind, handle work, const heddle_matrix *d, const heddle_matrix *e, handle scale,
			  const heddle_select *select, int64_t *found)
{
	struct args a = { .kind = kind, .n = d->m, .d_tiles = d->mt, .scaled = scale, .select = *select, .found = found };
	struct buffers b;

	a.e_tiles = e ? tiles_of(e, d->m - 1) : 0;
	buffers_init(&b);
	buffers_add(&b, work, STARPU_W);
	if (scale)
		buffers_add(&b, scale, STARPU_R);
	for (int64_t t = 0; t < a.d_tiles; t++)
		buffers_add(&b, d->tiles[t], STARPU_R);
	for (int64_t t = 0; t < a.e_tiles; t++)
		buffers_add(&b, e->tiles[t], STARPU_R);
	task_submit(to, 0, &codelet, &a, sizeof(a), &b);
}
