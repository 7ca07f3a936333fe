/* set_zero: zeros in a tile, whatever was in it.
 *   0  B  W                                                                                          */
#include "codelets/device/tile.h"
#include "codelets/gpu.h"
#include "codelets/part.h"
#include "runtime/task.h"

static void set_zero_cpu(void *buffers[], void *arg)
{
	if (!task_begin(arg))
		return;

	NAME(solve_zero)(STARPU_MATRIX_GET_NX(buffers[0]), STARPU_MATRIX_GET_NY(buffers[0]), (scalar *)STARPU_MATRIX_GET_PTR(buffers[0]),
			 STARPU_MATRIX_GET_LD(buffers[0]));
}

#if WITH_GPU
GPU_TASK(set_zero_gpu)
{
	if (!task_begin(arg))
		return;

	NAME(gpu_set)(gpu_here(), STARPU_MATRIX_GET_NX(buffers[0]), STARPU_MATRIX_GET_NY(buffers[0]), 0, 0, (scalar *)STARPU_MATRIX_GET_PTR(buffers[0]),
		      STARPU_MATRIX_GET_LD(buffers[0]));
}
#endif

static struct starpu_perfmodel model = { .type = STARPU_HISTORY_BASED, .symbol = TRACE_NAME("set_zero"), .footprint = task_footprint };
static struct starpu_codelet codelet = {
	.cpu_funcs = { set_zero_cpu },
	ON_GPU(set_zero_gpu)
	.nbuffers = 1,
	.modes = { STARPU_W },
	.name = TRACE_NAME("set_zero"),
	.model = &model,
};

void NAME(set_zero)(struct submit to, handle b)
{
	struct buffers list;

	buffers_init(&list);
	buffers_add(&list, b, STARPU_W);
	task_submit(to, 0, &codelet, "", 1, &list);
}
