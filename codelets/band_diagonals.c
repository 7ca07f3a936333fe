/* band_diagonals: the moduli of the two diagonals of an upper bidiagonal held as a band,
 * d(i) = |B(i,i)| / scale, e(i) = |B(i,i+1)| / scale; of a Hermitian tridiagonal d(i) = B(i,i) / scale, e(i) = |B(i+1,i)| / scale.
 * Signs and phases are those of unitary diagonal factors.
 *   0 ..  band   R  all handles
 *   then  d      W  tiles that hold some of its n elements; RW where a tile has more rows
 *   then  e      W  the same of n - 1
 *   then  scale  R  two reals, the second 1/scale; or absent                                                     */
#include <stdlib.h>
#include "codelets/codelets.h"
#include "codelets/device/tile.h"
#include "codelets/gpu.h"
#include "runtime/task.h"

struct args {
	int64_t n, kd, above, ld, width, count; /* the band */
	int64_t d_tiles, d_rows, e_tiles, e_rows;
	bool scaled, hermitian;
};

static real modulus(scalar x)
{
#if IS_COMPLEX
	return (real)cabs(x);
#else
	return (real)fabs(x);
#endif
}

/* x(i) := |B(i, i + beside)| factor, in tiles; of a Hermitian band B(i, i) factor or |B(i + beside, i)| factor */
static void diagonal(const struct args *a, void *band[], int64_t beside, int64_t length, real factor, void *x[], int64_t rows)
{
	for (int64_t i = 0; i < length; i++) {
		int64_t j = a->hermitian ? i : i + beside;
		const scalar *column = (const scalar *)STARPU_MATRIX_GET_PTR(band[j / a->width]) + j % a->width * a->ld + a->above;
		scalar element = beside > a->kd ? 0 : column[a->hermitian ? beside : -beside];
		real value = a->hermitian && beside == 0 ? real_part(element) : modulus(element);
		((real *)STARPU_MATRIX_GET_PTR(x[i / rows]))[i % rows] = factor * value;
	}
}

static void band_diagonals_cpu(void *buffers[], void *arg)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	void **d = buffers + a->count, **e = d + a->d_tiles;
	real factor = a->scaled ? ((const real *)STARPU_MATRIX_GET_PTR(e[a->e_tiles]))[1] : 1;

	diagonal(a, buffers, 0, a->n, factor, d, a->d_rows);
	diagonal(a, buffers, 1, a->n - 1, factor, e, a->e_rows);
}

#if WITH_GPU
static void diagonal_gpu(const struct gpu_band *band, int64_t beside, int64_t length, const real *factor, void *x[],
			 int64_t rows)
{
	for (int64_t i0 = 0; i0 < length; i0 += rows)
		NAME(gpu_band_diagonal)(gpu_here(), band, beside, i0, i0 + rows < length ? i0 + rows : length, factor,
					(real *)STARPU_MATRIX_GET_PTR(x[i0 / rows]));
}

GPU_TASK(band_diagonals_gpu)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	void **d = buffers + a->count, **e = d + a->d_tiles;
	const real *factor = a->scaled ? (const real *)STARPU_MATRIX_GET_PTR(e[a->e_tiles]) + 1 : NULL;
	const scalar **handles = malloc((size_t)(a->count + 1) * sizeof(*handles));
	int64_t *lds = malloc((size_t)(a->count + 1) * sizeof(*lds));
	struct gpu_band band = { .width = a->width, .above = a->above, .kd = a->kd, .hermitian = a->hermitian, .handles = handles, .lds = lds };

	if (handles && lds) {
		for (int64_t h = 0; h < a->count; h++) {
			handles[h] = (const scalar *)STARPU_MATRIX_GET_PTR(buffers[h]);
			lds[h] = STARPU_MATRIX_GET_LD(buffers[h]);
		}
		diagonal_gpu(&band, 0, a->n, factor, d, a->d_rows);
		diagonal_gpu(&band, 1, a->n - 1, factor, e, a->e_rows);
	} else
		task_fail(arg, HEDDLE_ENOMEM);
	free(lds);
	free(handles);
}
#endif

static struct starpu_perfmodel model = {
	.type = STARPU_HISTORY_BASED,
	.symbol = TRACE_NAME("band_diagonals"),
	.footprint = task_footprint,
};
static struct starpu_codelet codelet = {
	.cpu_funcs = { band_diagonals_cpu },
	ON_GPU(band_diagonals_gpu)
	.nbuffers = STARPU_VARIABLE_NBUFFERS,
	.name = TRACE_NAME("band_diagonals"),
	.model = &model,
};

/* Tiles that hold the first `length` rows.  Returns how many. */
static int64_t add_tiles(struct buffers *b, const heddle_matrix *x, int64_t length)
{
	int64_t count = (length + x->mb - 1) / x->mb;

	for (int64_t i = 0; i < count; i++) {
		int64_t rows = x->m - i * x->mb < x->mb ? x->m - i * x->mb : x->mb;
		bool whole = x->temporary || i * x->mb + rows <= length;
		buffers_add(b, x->tiles[i], whole ? STARPU_W : STARPU_RW);
	}
	return count;
}

void NAME(band_diagonals)(struct submit to, const heddle_band *band, const heddle_matrix *d, const heddle_matrix *e, handle scale)
{
	struct args a = { .n = band->n, .kd = band->stored, .above = band->above, .ld = band->ld, .width = band->width,
			  .count = band->count, .d_rows = d->mb, .e_rows = e->mb, .scaled = scale != NULL,
			  .hermitian = band->hermitian };
	struct buffers b;

	buffers_init(&b);
	for (int64_t h = 0; h < a.count; h++)
		buffers_add(&b, band->handles[h], STARPU_R);
	a.d_tiles = add_tiles(&b, d, a.n);
	a.e_tiles = add_tiles(&b, e, a.n - 1);
	if (scale)
		buffers_add(&b, scale, STARPU_R);
	task_submit(to, 0, &codelet, &a, sizeof(a), &b);
}
