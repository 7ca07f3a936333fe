/* chase: some steps of some sweeps of the reduction of an upper band to a bidiagonal, each step U := H^H U G, D := K^H D G
 * with Householder reflectors as codelets/host/chase.c explains; or of a Hermitian band to a tridiagonal, each step E := K^H E G,
 * D := K^H D K as codelets/host/chase_hermitian.c explains.
 *   0 ..  columns  RW  the handles of the band that hold the columns these steps touch, in their order
 * Which steps: struct chase_part in codelets/host/chase.h.                                                      */
#include <stdlib.h>
#include <string.h>
#include "codelets/codelets.h"
#include "codelets/gpu.h"
#include "codelets/host/kernels.h"
#include "runtime/task.h"
#if WITH_GPU
#include "codelets/device/chase.h"
#include "codelets/device/tile.h"
#endif

struct args {
	struct chase_part part;
	int64_t count; /* handles */
};

static int64_t scalars(void *buffer)
{
	return (int64_t)STARPU_MATRIX_GET_LD(buffer) * (int64_t)STARPU_MATRIX_GET_NY(buffer);
}

/* The handles are pieces of one array, unless StarPU moved some of them to the memory of another NUMA node. */
static bool adjacent(void *buffers[], int64_t count)
{
	const scalar *end = (const scalar *)STARPU_MATRIX_GET_PTR(buffers[0]);

	for (int64_t h = 0; h < count; end += scalars(buffers[h++]))
		if ((const scalar *)STARPU_MATRIX_GET_PTR(buffers[h]) != end)
			return false;
	return true;
}

static void copy(void *buffers[], int64_t count, scalar *columns, bool back)
{
	for (int64_t h = 0; h < count; columns += scalars(buffers[h++])) {
		scalar *piece = (scalar *)STARPU_MATRIX_GET_PTR(buffers[h]);
		memcpy(back ? piece : columns, back ? columns : piece, (size_t)scalars(buffers[h]) * sizeof(scalar));
	}
}

static void chase_cpu(void *buffers[], void *arg)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	_Alignas(64) char stack[1 << 16]; /* most tasks need no more than this */
	bool in_place = adjacent(buffers, a->count);
	int64_t line = 64 / (int64_t)sizeof(scalar), before = chase_work(a->part.b) + a->part.column * a->part.ld % line;
	int64_t length = before;
	scalar *columns = (scalar *)STARPU_MATRIX_GET_PTR(buffers[0]);
	void *work = stack;

	for (int64_t h = 0; h < a->count && !in_place; h++)
		length += scalars(buffers[h]);
	if ((size_t)length * sizeof(scalar) > sizeof(stack) && posix_memalign(&work, 64, (size_t)length * sizeof(scalar)) != 0) {
		task_fail(arg, HEDDLE_ENOMEM);
		return;
	}
	if (!in_place) {
		columns = (scalar *)work + before; /* aligned as in the band */
		copy(buffers, a->count, columns, false);
	}
	(a->part.hermitian ? NAME(host)()->chase_hermitian : NAME(host)()->chase)(&a->part, columns, work);
	if (!in_place)
		copy(buffers, a->count, columns, true);
	if (work != stack)
		free(work);
}

#if WITH_GPU
static void gather(void *buffers[], const struct args *a, scalar *columns, bool back)
{
	int64_t ld = a->part.ld;

	for (int64_t h = 0; h < a->count; columns += ld * (int64_t)STARPU_MATRIX_GET_NY(buffers[h++])) {
		scalar *piece = (scalar *)STARPU_MATRIX_GET_PTR(buffers[h]);
		int64_t n = STARPU_MATRIX_GET_NY(buffers[h]), piece_ld = STARPU_MATRIX_GET_LD(buffers[h]);
		NAME(gpu_copy)(gpu_here(), ld, n, back ? columns : piece, back ? ld : piece_ld, back ? piece : columns, back ? piece_ld : ld);
	}
}

/* On a device each handle has its own memory: the columns are gathered in front of the kernels' work space. */
GPU_TASK(chase_gpu)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	struct gpu_chase_choice choice = NAME(gpu_chase_choice)(a->part.n, a->part.b, a->part.hermitian);
	bool in_place = adjacent(buffers, a->count);
	size_t bytes = NAME(gpu_chase_work)(&a->part, &choice), before = 0;

	for (int64_t h = 0; h < a->count && !in_place; h++)
		before += (size_t)a->part.ld * STARPU_MATRIX_GET_NY(buffers[h]) * sizeof(scalar);
	before = (before + 255) / 256 * 256;
	char *work = gpu_work(arg, before + bytes);
	if (!work)
		return;
	scalar *columns = in_place ? (scalar *)STARPU_MATRIX_GET_PTR(buffers[0]) : (scalar *)work;
	if (!in_place)
		gather(buffers, a, columns, false);
	NAME(gpu_chase)(gpu_here(), &a->part, &choice, columns, work + before);
	if (!in_place)
		gather(buffers, a, columns, true);
}
#endif

/* 16 b^2 a step, Hermitian 12 b^2; about half of that (Hermitian: a third) for the first step of a sweep, which has no U or E, and half
 * for the last, which the end cuts short. */
static double flops(const struct chase_part *p)
{
	double halves = 0;

	for (int64_t s = p->s0; s < p->s1; s++) {
		int64_t last = chase_steps(p, s) - 1, first = chase_first(p, s), end = chase_end(p, s);
		if (first < end)
			halves += 2 * (double)(end - first) - (first == 0) - (end > last);
	}
	return FLOPS_PER_PAIR * (p->hermitian ? 6 : 8) * (double)p->b * (double)p->b * halves;
}

static struct starpu_perfmodel model = { .type = STARPU_HISTORY_BASED, .symbol = TRACE_NAME("chase"), .footprint = task_footprint };
static struct starpu_codelet codelet = {
	.cpu_funcs = { chase_cpu },
	ON_GPU(chase_gpu)
	.nbuffers = STARPU_VARIABLE_NBUFFERS,
	.name = TRACE_NAME("chase"),
	.model = &model,
};

#if WITH_GPU
static struct starpu_codelet gpu_codelet = {
	ON_GPU(chase_gpu)
	.nbuffers = STARPU_VARIABLE_NBUFFERS,
	.name = TRACE_NAME("chase"),
	.model = &model,
};
#else
#define gpu_codelet codelet
#endif

void NAME(chase)(struct submit to, const heddle_band *band, int64_t s0, int64_t s1, int64_t first, int64_t steps,
		 bool on_gpu)
{
	struct args a = { .part = { .n = band->n, .b = band->kd, .above = band->above, .ld = band->ld, .hermitian = band->hermitian,
				    .s0 = s0, .s1 = s1, .first = first, .steps = steps } };
	int64_t from, to_column;
	struct buffers b;

	if (!chase_columns(&a.part, &from, &to_column))
		return;
	int64_t h0 = from / band->width, h1 = to_column / band->width;
	a.part.column = h0 * band->width;
	a.count = h1 - h0 + 1;
	buffers_init(&b);
	for (int64_t h = h0; h <= h1; h++)
		buffers_add(&b, band->handles[h], STARPU_RW);
	task_submit(to, flops(&a.part), on_gpu ? &gpu_codelet : &codelet, &a, sizeof(a), &b);
}
