/* amax: the largest modulus in a list of tiles; the sequence fails with HEDDLE_EINPUT if one of them holds a NaN or an infinity.
 * (For complex elements the larger of the two parts: that is within a factor of sqrt(2).)
 *   0     result  W  one real
 *   then  tiles   R   all of them whole, or all of them triangles                                           */
#include "codelets/part.h"
#include "runtime/task.h"

struct args {
	int64_t count;
	enum whole_or_triangle which;
};

/* Of `columns` columns x, in reals; NaN if one of them is not finite. */
static real tile_amax(const scalar *x, int64_t rows, int64_t columns, int64_t ld, enum whole_or_triangle which)
{
	real largest = 0, poison = 0;

	for (int64_t j = 0; j < columns; j++) {
		struct rows r = rows_of(which, rows, j);
		const real *c = (const real *)(x + j * ld);
		int64_t begin = r.begin * (1 + IS_COMPLEX), end = r.end * (1 + IS_COMPLEX);
		if (which == UPPER_TRIANGLE && IS_COMPLEX)
			end--; /* without the diagonal's imaginary part */
		if (which == LOWER_TRIANGLE && IS_COMPLEX) {
			largest = (real)fmax(largest, fabs(c[begin]));
			poison += c[begin] * 0;
			begin += 2;
		}
#pragma omp simd reduction(max : largest) reduction(+ : poison)
		for (int64_t i = begin; i < end; i++) {
			real size = c[i] < 0 ? -c[i] : c[i];
			largest = size > largest ? size : largest;
			poison += c[i] * 0; /* NaN for NaN and infinity, which > does not see or keep apart */
		}
	}
	return poison == 0 ? largest : (real)NAN;
}

static void amax_cpu(void *buffers[], void *arg)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	real largest = 0;

	for (int64_t l = 1; l <= a->count; l++) {
		real x = tile_amax((const scalar *)STARPU_MATRIX_GET_PTR(buffers[l]), STARPU_MATRIX_GET_NX(buffers[l]),
				   STARPU_MATRIX_GET_NY(buffers[l]), STARPU_MATRIX_GET_LD(buffers[l]), a->which);
		if (isnan(x)) {
			task_fail(arg, HEDDLE_EINPUT);
			return;
		}
		largest = x > largest ? x : largest;
	}
	*(real *)STARPU_MATRIX_GET_PTR(buffers[0]) = largest;
}

static struct starpu_perfmodel model = { .type = STARPU_HISTORY_BASED, .symbol = TRACE_NAME("amax"), .footprint = task_footprint };
static struct starpu_codelet codelet = {
	.cpu_funcs = { amax_cpu },
	.nbuffers = STARPU_VARIABLE_NBUFFERS,
	.name = TRACE_NAME("amax"),
	.model = &model,
};

void NAME(amax)(struct submit to, handle result, int64_t count, const handle *tiles, enum whole_or_triangle which)
{
	struct args a = { .count = count, .which = which };
	struct buffers b;

	buffers_init(&b);
	buffers_add(&b, result, STARPU_W);
	for (int64_t l = 0; l < count; l++)
		buffers_add(&b, tiles[l], STARPU_R);
	task_submit(to, 0, &codelet, &a, sizeof(a), &b);
}
