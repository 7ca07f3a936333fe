/* collect_values: the parts of the wanted values, one after the other.  Where host and device searched parts of one matrix, a part may
 * begin beyond the end of the one before, by a rounding: it is moved there.
 *   0       work    R   a struct sturm from prepare_values
 *   then    pieces  R   from bisect
 *   then    values  RW  tiles; W where nothing of it has to stay                                               */
#include <stdlib.h>
#include "codelets/codelets.h"
#include "codelets/gpu.h"
#include "runtime/task.h"
#if WITH_GPU
#include "codelets/device/sturm.h"
#endif

struct args {
	int64_t parts, tiles, room;
};

static void collect_values_cpu(void *buffers[], void *arg)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	const struct sturm *m = (const struct sturm *)STARPU_MATRIX_GET_PTR(buffers[0]);
	int64_t count = m->count, at = 0, tile = 1 + a->parts;
	bool downwards = m->kind == BIDIAGONAL;
	real last = downwards ? (real)INFINITY : -(real)INFINITY; /* of the part before */

	for (int64_t p = 0; p < a->parts; p++) {
		const real *piece = (const real *)STARPU_MATRIX_GET_PTR(buffers[1 + p]), *begin = piece;
		int64_t left = count * (p + 1) / a->parts - count * p / a->parts;
		while (left > 0) {
			int64_t room = (int64_t)STARPU_MATRIX_GET_NX(buffers[tile]) - at, some = left < room ? left : room;
			real *values = (real *)STARPU_MATRIX_GET_PTR(buffers[tile]);
			for (int64_t i = 0; i < some; i++)
				values[at + i] = (downwards ? last < piece[i] : last > piece[i]) ? last : piece[i];
			piece += some;
			left -= some;
			at += some;
			if (some == room) {
				tile++;
				at = 0;
			}
		}
		if (piece != begin)
			last = piece[-1];
	}
}

#if WITH_GPU
GPU_TASK(collect_values_gpu)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	real **x = malloc((size_t)(a->parts + a->tiles) * sizeof(*x));

	for (int64_t i = 0; i < a->parts + a->tiles && x; i++)
		x[i] = (real *)STARPU_MATRIX_GET_PTR(buffers[1 + i]);
	if (x)
		NAME(gpu_values_collect)(gpu_here(), (const struct sturm *)STARPU_MATRIX_GET_PTR(buffers[0]), a->parts, x, a->room, x + a->parts,
					 (int64_t)STARPU_MATRIX_GET_NX(buffers[1 + a->parts]));
	else
		task_fail(arg, HEDDLE_ENOMEM);
	free(x);
}
#endif

static struct starpu_perfmodel model = {
	.type = STARPU_HISTORY_BASED,
	.symbol = TRACE_NAME("collect_values"),
	.footprint = task_footprint,
};
static struct starpu_codelet codelet = {
	.cpu_funcs = { collect_values_cpu },
	ON_GPU(collect_values_gpu)
	.nbuffers = STARPU_VARIABLE_NBUFFERS,
	.name = TRACE_NAME("collect_values"),
	.model = &model,
};

void NAME(collect_values)(struct submit to, handle work, const heddle_matrix *pieces, const heddle_matrix *values, int64_t room,
			  bool certain)
{
	struct args a = { .parts = pieces->nt, .tiles = (room + values->mb - 1) / values->mb, .room = room };
	struct buffers b;

	buffers_init(&b);
	buffers_add(&b, work, STARPU_R);
	for (int64_t p = 0; p < a.parts; p++)
		buffers_add(&b, pieces->tiles[p], STARPU_R);
	for (int64_t t = 0; t < a.tiles; t++) {
		int64_t end = least((t + 1) * values->mb, values->m);
		bool whole = values->temporary || (certain && end <= room);
		buffers_add(&b, values->tiles[t], whole ? STARPU_W : STARPU_RW);
	}
	task_submit(to, 0, &codelet, &a, sizeof(a), &b);
}
