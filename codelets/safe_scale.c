/* safe_scale: from the largest moduli of a matrix's parts, the power of two that brings the whole into a range where no square
 * over- or underflows, as LAPACK's drivers do (there by any factor; here exactly).
 *   0     scale   W  two reals: what the matrix is to be multiplied with, and its reciprocal
 *   then  maxima  R  one real each                                                                           */
#include <stdlib.h>
#include "codelets/device/tile.h"
#include "codelets/gpu.h"
#include "codelets/part.h"
#include "runtime/task.h"

struct args {
	int64_t count;
};

static void safe_scale_cpu(void *buffers[], void *arg)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	real *scale = (real *)STARPU_MATRIX_GET_PTR(buffers[0]);
	int middle = sizeof(real) == sizeof(float) ? 40 : 400, exponent; /* half of what a square can stand, with room for sums */
	double largest = 0;

	for (int64_t l = 1; l <= a->count; l++)
		largest = fmax(largest, (double)*(const real *)STARPU_MATRIX_GET_PTR(buffers[l]));
	frexp(largest, &exponent);
	int shift = largest == 0 ? 0 : exponent > middle ? middle - exponent : exponent < -middle ? -middle - exponent : 0;
	scale[0] = (real)ldexp(1, shift);
	scale[1] = (real)ldexp(1, -shift);
}

#if WITH_GPU
GPU_TASK(safe_scale_gpu)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	int *verdict = gpu_verdict(arg);
	const real **maxima = malloc((size_t)(a->count + 1) * sizeof(*maxima));

	if (verdict && maxima) {
		for (int64_t l = 0; l < a->count; l++)
			maxima[l] = (const real *)STARPU_MATRIX_GET_PTR(buffers[l + 1]);
		NAME(gpu_safe_scale)(gpu_here(), a->count, maxima, (real *)STARPU_MATRIX_GET_PTR(buffers[0]), verdict);
	} else
		task_fail(arg, HEDDLE_ENOMEM);
	free(maxima);
}
#endif

static struct starpu_perfmodel model = { .type = STARPU_HISTORY_BASED, .symbol = TRACE_NAME("safe_scale"), .footprint = task_footprint };
static struct starpu_codelet codelet = {
	.cpu_funcs = { safe_scale_cpu },
	ON_GPU(safe_scale_gpu)
	.nbuffers = STARPU_VARIABLE_NBUFFERS,
	.name = TRACE_NAME("safe_scale"),
	.model = &model,
};

void NAME(safe_scale)(struct submit to, handle scale, int64_t count, const handle *maxima)
{
	struct args a = { .count = count };
	struct buffers b;

	buffers_init(&b);
	buffers_add(&b, scale, STARPU_W);
	for (int64_t l = 0; l < count; l++)
		buffers_add(&b, maxima[l], STARPU_R);
	task_submit(to, 0, &codelet, &a, sizeof(a), &b);
}
