/* clear_below: zeros in a part of a tile: below the diagonal `diagonal` (element (i,j) of the part with i - j > diagonal), or above it.
 *   0  tile  RW                                                                                             */
#include <string.h>
#include "codelets/device/tile.h"
#include "codelets/gpu.h"
#include "codelets/part.h"
#include "runtime/task.h"

struct args {
	struct part part;
	int64_t diagonal;
	bool above; /* clear j - i > diagonal instead */
};

static void clear_below_cpu(void *buffers[], void *arg)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	scalar *x = part_pointer(buffers[0], &a->part);
	int64_t ld = STARPU_MATRIX_GET_LD(buffers[0]), m = a->part.rows;

	for (int64_t j = 0; j < a->part.columns; j++) {
		int64_t begin = a->above ? 0 : j + a->diagonal + 1, end = a->above ? j - a->diagonal : m;
		begin = begin < 0 ? 0 : begin;
		end = end > m ? m : end;
		if (begin < end)
			memset(x + begin + j * ld, 0, (size_t)(end - begin) * sizeof(*x));
	}
}

#if WITH_GPU
GPU_TASK(clear_below_gpu)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;

	NAME(gpu_clear)(gpu_here(), a->part.rows, a->part.columns, a->diagonal, a->above, part_pointer(buffers[0], &a->part),
			STARPU_MATRIX_GET_LD(buffers[0]));
}
#endif

static struct starpu_perfmodel model = { .type = STARPU_HISTORY_BASED, .symbol = TRACE_NAME("clear_below"), .footprint = task_footprint };
static struct starpu_codelet codelet = {
	.cpu_funcs = { clear_below_cpu },
	ON_GPU(clear_below_gpu)
	.nbuffers = 1,
	.modes = { STARPU_RW },
	.name = TRACE_NAME("clear_below"),
	.model = &model,
};

void NAME(clear_below)(struct submit to, struct part part, int64_t diagonal, bool above)
{
	struct args a = { .part = part, .diagonal = diagonal, .above = above };
	struct buffers b;

	buffers_init(&b);
	buffers_add(&b, part.tile, STARPU_RW);
	task_submit(to, 0, &codelet, &a, sizeof(a), &b);
}
