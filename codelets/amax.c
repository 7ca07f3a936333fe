/* amax: the largest modulus in a list of tiles; the sequence fails with HEDDLE_EINPUT if one of them holds a NaN or an infinity.
 * (For complex elements the larger of the two parts: that is within a factor of sqrt(2).)
 *   0     result  W  one real
 *   then  tiles   R   all of them whole, or all of them triangles                                           */
#include "codelets/device/tile.h"
#include "codelets/gpu.h"
#include "codelets/host/largest.h"
#include "codelets/part.h"
#include "runtime/task.h"

struct args {
	int64_t count;
	enum whole_or_triangle which;
};

static void amax_cpu(void *buffers[], void *arg)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	struct largest largest = { 0 };

	for (int64_t l = 1; l <= a->count; l++) {
		const scalar *x = (const scalar *)STARPU_MATRIX_GET_PTR(buffers[l]);
		int64_t m = STARPU_MATRIX_GET_NX(buffers[l]), ld = STARPU_MATRIX_GET_LD(buffers[l]);
		for (int64_t j = 0; j < (int64_t)STARPU_MATRIX_GET_NY(buffers[l]); j++)
			if (a->which == WHOLE)
				largest_of(&largest, m, x + j * ld);
			else
				largest_of_column(&largest, a->which == LOWER_TRIANGLE ? HEDDLE_LOWER : HEDDLE_UPPER, m, j, x + j * ld);
	}
	if (largest.poison != 0) /* or NaN */
		task_fail(arg, HEDDLE_EINPUT);
	else
		*(real *)STARPU_MATRIX_GET_PTR(buffers[0]) = largest.size;
}

#if WITH_GPU
GPU_TASK(amax_gpu)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	real *largest = (real *)STARPU_MATRIX_GET_PTR(buffers[0]);
	int *verdict = gpu_verdict(arg);

	if (!verdict)
		return;
	NAME(gpu_amax_begin)(gpu_here(), largest);
	for (int64_t l = 1; l <= a->count; l++)
		NAME(gpu_amax)(gpu_here(), a->which, STARPU_MATRIX_GET_NX(buffers[l]), STARPU_MATRIX_GET_NY(buffers[l]),
			       (const scalar *)STARPU_MATRIX_GET_PTR(buffers[l]), STARPU_MATRIX_GET_LD(buffers[l]), largest);
	NAME(gpu_amax_verdict)(gpu_here(), largest, verdict);
}
#endif

static struct starpu_perfmodel model = { .type = STARPU_HISTORY_BASED, .symbol = TRACE_NAME("amax"), .footprint = task_footprint };
static struct starpu_codelet codelet = {
	.cpu_funcs = { amax_cpu },
	ON_GPU(amax_gpu)
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
