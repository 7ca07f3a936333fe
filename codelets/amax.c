/* amax: the largest modulus in a list of tiles; the sequence fails with HEDDLE_EINPUT if one of them holds a NaN or an infinity.
 * (For complex elements the larger of the two parts: that is within a factor of sqrt(2).)
 *   0     result  W  one real
 *   then  tiles   R                                                                                         */
#include "codelets/part.h"
#include "runtime/task.h"

struct args {
	int64_t count;
};

static real tile_amax(const real *x, int64_t rows, int64_t columns, int64_t ld)
{
	real largest = 0, poison = 0;

	for (int64_t j = 0; j < columns; j++) {
		const real *c = x + j * ld;
#pragma omp simd reduction(max : largest) reduction(+ : poison)
		for (int64_t i = 0; i < rows; i++) {
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
		real x = tile_amax((const real *)STARPU_MATRIX_GET_PTR(buffers[l]), STARPU_MATRIX_GET_NX(buffers[l]) * (1 + IS_COMPLEX),
				   STARPU_MATRIX_GET_NY(buffers[l]), STARPU_MATRIX_GET_LD(buffers[l]) * (1 + IS_COMPLEX));
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

void NAME(amax)(struct submit to, handle result, int64_t count, const handle *tiles)
{
	struct args a = { .count = count };
	struct buffers b;

	buffers_init(&b);
	buffers_add(&b, result, STARPU_W);
	for (int64_t l = 0; l < count; l++)
		buffers_add(&b, tiles[l], STARPU_R);
	task_submit(to, 0, &codelet, &a, sizeof(a), &b);
}
