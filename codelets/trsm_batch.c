/* trsm_batch: several independent triangular solves of one shape, in the caller's memory.  No buffers: only a blocking call makes such tasks, and
 * it waits for them. */
#include "codelets/part.h"
#include "runtime/task.h"

struct args {
	struct NAME(batch) batch;
	int64_t first, count;
};

static void trsm_batch_cpu(void *buffers[], void *arg)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;

	(void)buffers;
	NAME(solve_batch)(&a->batch, a->first, a->count);
}

static double flops(const struct args *a)
{
	double k = (double)(a->batch.kind.side == HEDDLE_LEFT ? a->batch.m : a->batch.n);

	return FLOPS_PER_PAIR * k * (double)a->batch.m * (double)a->batch.n * (double)a->count;
}

static struct starpu_perfmodel model = { .type = STARPU_HISTORY_BASED, .symbol = TRACE_NAME("trsm_batch"), .footprint = task_footprint };
static struct starpu_codelet codelet = {
	.cpu_funcs = { trsm_batch_cpu },
	.nbuffers = 0,
	.name = TRACE_NAME("trsm_batch"),
	.model = &model,
};

void NAME(trsm_batch)(struct submit to, const struct NAME(batch) *batch, int64_t first, int64_t count)
{
	struct args a = { .batch = *batch, .first = first, .count = count };
	struct buffers none;

	buffers_init(&none);
	task_submit(to, flops(&a), &codelet, &a, sizeof(a), &none);
}
