/* trsm_batch: several independent triangular solves of one shape, in the caller's memory.  No buffers: only a blocking call makes such tasks, and
 * it waits for them. */
#include "codelets/gpu.h"
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

#if WITH_GPU
#include "codelets/device/trsm.h"

/* Device memory for a part of the batch at a time: the matrices one after the other, with the caller's leading dimensions. */
static const int64_t WORK_BYTES = 64 << 20;

static int64_t extent(int64_t rows, int64_t columns, int64_t ld) { return (columns - 1) * ld + rows; }

static scalar *b_of(const struct NAME(batch) *x, int64_t i) { return x->b_list ? x->b_list[i] : x->b + i * x->stride_b; }
static const scalar *a_of(const struct NAME(batch) *x, int64_t i) { return x->a_list ? x->a_list[i] : x->a + i * x->stride_a; }

/* Only B's elements are written: what lies between its columns may be somebody else's. */
static void take(const struct NAME(batch) *x, scalar *to, const scalar *from)
{
	if (x->ldb == x->m)
		gpu_transfer(to, from, (size_t)(x->m * x->n) * sizeof(*to), false);
	else
		for (int64_t j = 0; j < x->n; j++)
			gpu_transfer(to + j * x->ldb, from + j * x->ldb, (size_t)x->m * sizeof(*to), false);
}

/* Problems that lie one after the other without a gap go in one piece, others one by one. */
static void solve_part(const struct NAME(batch) *x, int64_t k, int64_t first, int64_t count, scalar *a, scalar *b)
{
	int64_t a_size = extent(k, k, x->lda), b_size = extent(x->m, x->n, x->ldb), each = !x->a_list && x->stride_a == 0 ? 0 : a_size;
	bool one_a = each == 0 || count == 1, whole_a = !x->a_list && x->stride_a == a_size;
	bool whole_b = !x->b_list && x->ldb == x->m && x->stride_b == b_size;

	for (int64_t i = 0; i < (one_a || whole_a ? 1 : count); i++)
		gpu_transfer(a + i * each, a_of(x, first + i), (size_t)(whole_a ? count * a_size : a_size) * sizeof(*a), true);
	for (int64_t i = 0; i < (whole_b ? 1 : count); i++)
		gpu_transfer(b + i * b_size, b_of(x, first + i), (size_t)(whole_b ? count * b_size : b_size) * sizeof(*b), true);
	NAME(gpu_trsm_batch)(gpu_here(), x->kind, x->m, x->n, x->alpha, a, x->lda, each, b, x->ldb, b_size, count);
	if (whole_b)
		gpu_transfer(b_of(x, first), b, (size_t)(count * b_size) * sizeof(*b), false);
	else
		for (int64_t i = 0; i < count; i++)
			take(x, b_of(x, first + i), b + i * b_size);
}

GPU_TASK(trsm_batch_gpu)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	const struct NAME(batch) *x = &a->batch;
	int64_t k = x->kind.side == HEDDLE_LEFT ? x->m : x->n, a_size = extent(k, k, x->lda), b_size = extent(x->m, x->n, x->ldb);
	int64_t part = WORK_BYTES / (int64_t)sizeof(scalar) / (a_size + b_size);

	(void)buffers;
	if (x->alpha == 0) { /* A may not be there */
		NAME(solve_batch)(x, a->first, a->count);
		return;
	}
	part = part < 1 ? 1 : part < a->count ? part : a->count;
	scalar *work = gpu_work(arg, (size_t)(part * (a_size + b_size)) * sizeof(scalar));
	for (int64_t i = 0; work && i < a->count; i += part)
		solve_part(x, k, a->first + i, a->count - i < part ? a->count - i : part, work, work + part * a_size);
}
#endif

static double flops(const struct args *a)
{
	double k = (double)(a->batch.kind.side == HEDDLE_LEFT ? a->batch.m : a->batch.n);

	return FLOPS_PER_PAIR * k * (double)a->batch.m * (double)a->batch.n * (double)a->count;
}

static struct starpu_perfmodel model = { .type = STARPU_HISTORY_BASED, .symbol = TRACE_NAME("trsm_batch"), .footprint = task_footprint };
static struct starpu_codelet codelet = {
	.cpu_funcs = { trsm_batch_cpu },
	ON_GPU(trsm_batch_gpu)
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
