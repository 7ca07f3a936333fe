/* collect_values: the parts of the wanted values, one after the other.
 *   0       work    R   a struct sturm from prepare_values
 *   then    pieces  R   from bisect
 *   then    values  RW  tiles; W where nothing of it has to stay                                               */
#include <string.h>
#include "codelets/codelets.h"
#include "runtime/task.h"

struct args {
	int64_t parts, tiles;
};

static void collect_values_cpu(void *buffers[], void *arg)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	int64_t count = ((const struct sturm *)STARPU_MATRIX_GET_PTR(buffers[0]))->count, at = 0, tile = 1 + a->parts;

	for (int64_t p = 0; p < a->parts; p++) {
		const real *piece = (const real *)STARPU_MATRIX_GET_PTR(buffers[1 + p]);
		int64_t left = count * (p + 1) / a->parts - count * p / a->parts;
		while (left > 0) {
			int64_t room = (int64_t)STARPU_MATRIX_GET_NX(buffers[tile]) - at, some = left < room ? left : room;
			real *values = (real *)STARPU_MATRIX_GET_PTR(buffers[tile]);
			memcpy(values + at, piece, (size_t)some * sizeof(real));
			piece += some;
			left -= some;
			at += some;
			if (some == room) {
				tile++;
				at = 0;
			}
		}
	}
}

static struct starpu_perfmodel model = {
	.type = STARPU_HISTORY_BASED,
	.symbol = TRACE_NAME("collect_values"),
	.footprint = task_footprint,
};
static struct starpu_codelet codelet = {
	.cpu_funcs = { collect_values_cpu },
	.nbuffers = STARPU_VARIABLE_NBUFFERS,
	.name = TRACE_NAME("collect_values"),
	.model = &model,
};

void NAME(collect_values)(struct submit to, handle work, const heddle_matrix *pieces, const heddle_matrix *values, int64_t room,
			  bool certain)
{
	struct args a = { .parts = pieces->nt, .tiles = (room + values->mb - 1) / values->mb };
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
