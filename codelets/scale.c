/* scale: multiply tiles with the first real of a scale, or divide by it (multiply with the second); where that is 1 nothing is touched.
 *   0     scale  R   from safe_scale
 *   then  tiles  RW                                                                                          */
#include "codelets/device/tile.h"
#include "codelets/gpu.h"
#include "codelets/part.h"
#include "runtime/task.h"

struct args {
	int64_t count;
	bool inverse;
	enum whole_or_triangle which;
};

static void scale_cpu(void *buffers[], void *arg)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	real factor = ((const real *)STARPU_MATRIX_GET_PTR(buffers[0]))[a->inverse];

	for (int64_t l = 1; l <= a->count && factor != 1; l++)
		for (int64_t j = 0; j < (int64_t)STARPU_MATRIX_GET_NY(buffers[l]); j++) {
			scalar *x = (scalar *)STARPU_MATRIX_GET_PTR(buffers[l]) + j * (int64_t)STARPU_MATRIX_GET_LD(buffers[l]);
			struct rows r = rows_of(a->which, STARPU_MATRIX_GET_NX(buffers[l]), j);
			for (int64_t i = r.begin; i < r.end; i++)
				x[i] *= factor;
		}
}

#if WITH_GPU
GPU_TASK(scale_gpu)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	const real *factor = (const real *)STARPU_MATRIX_GET_PTR(buffers[0]) + a->inverse;

	for (int64_t l = 1; l <= a->count; l++)
		NAME(gpu_scale)(gpu_here(), a->which, STARPU_MATRIX_GET_NX(buffers[l]), STARPU_MATRIX_GET_NY(buffers[l]), factor,
				(scalar *)STARPU_MATRIX_GET_PTR(buffers[l]), STARPU_MATRIX_GET_LD(buffers[l]));
}
#endif

static struct starpu_perfmodel model = { .type = STARPU_HISTORY_BASED, .symbol = TRACE_NAME("scale"), .footprint = task_footprint };
static struct starpu_codelet codelet = {
	.cpu_funcs = { scale_cpu },
	ON_GPU(scale_gpu)
	.nbuffers = STARPU_VARIABLE_NBUFFERS,
	.name = TRACE_NAME("scale"),
	.model = &model,
};

void NAME(scale)(struct submit to, handle scale, bool inverse, int64_t count, const handle *tiles, enum whole_or_triangle which)
{
	struct args a = { .count = count, .inverse = inverse, .which = which };
	struct buffers b;

	buffers_init(&b);
	buffers_add(&b, scale, STARPU_R);
	for (int64_t l = 0; l < count; l++)
		buffers_add(&b, tiles[l], STARPU_RW);
	task_submit(to, 0, &codelet, &a, sizeof(a), &b);
}
