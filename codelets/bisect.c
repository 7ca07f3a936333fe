/* bisect: one of `parts` equal parts of the wanted values of a bidiagonal or tridiagonal, in order.  How many are wanted may not
 * be known before this runs.
 *   0  work    R  a struct sturm from prepare_values
 *   1  values  W  room for a part                                                                               */
#include "codelets/codelets.h"
#include "codelets/gpu.h"
#include "runtime/task.h"
#if WITH_GPU
#include "codelets/device/sturm.h"
#endif

struct args {
	int64_t part, parts, room; /* room: for all parts */
};

static void bisect_cpu(void *buffers[], void *arg)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	const struct sturm *m = (const struct sturm *)STARPU_MATRIX_GET_PTR(buffers[0]);
	int64_t begin = m->count * a->part / a->parts, end = m->count * (a->part + 1) / a->parts;
	int code = NAME(values_find)(m, begin, end, (real *)STARPU_MATRIX_GET_PTR(buffers[1]));

	if (code != HEDDLE_OK)
		task_fail(arg, code);
}

#if WITH_GPU
GPU_TASK(bisect_gpu)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	NAME(gpu_values_find)(gpu_here(), (const struct sturm *)STARPU_MATRIX_GET_PTR(buffers[0]), a->part, a->parts, a->room,
			      (real *)STARPU_MATRIX_GET_PTR(buffers[1]));
}
#endif

/* About 10 evaluations of n steps for each value, 6 operations a step. */
static double flops(double n, double values)
{
	return 60 * n * values;
}

static struct starpu_perfmodel model = {
	.type = STARPU_HISTORY_BASED,
	.symbol = TRACE_NAME("bisect"),
	.footprint = task_footprint,
};
static struct starpu_codelet codelet = {
	.cpu_funcs = { bisect_cpu },
	ON_GPU(bisect_gpu)
	.nbuffers = 2,
	.modes = { STARPU_R, STARPU_W },
	.name = TRACE_NAME("bisect"),
	.model = &model,
};

void NAME(bisect)(struct submit to, int64_t n, handle work, int64_t part, int64_t parts, int64_t room, handle values)
{
	struct args a = { .part = part, .parts = parts, .room = room };
	struct buffers b;

	buffers_init(&b);
	buffers_add(&b, work, STARPU_R);
	buffers_add(&b, values, STARPU_W);
	task_submit(to, flops((double)n, (double)room / (double)parts), &codelet, &a, sizeof(a), &b);
}
