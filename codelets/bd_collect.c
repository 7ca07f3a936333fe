/* bd_collect: the parts of the wanted singular values, one after the other, into s.
 *   0       work   R   a struct bidiagonal from bd_prepare
 *   then    parts  R   from bisect
 *   then    s      RW  tiles; W where nothing of it has to stay                                                  */
#include <string.h>
#include "codelets/host/bidiagonal.h"
#include "codelets/codelets.h"
#include "runtime/task.h"

struct args {
	int64_t parts, tiles;
};

static void bd_collect_cpu(void *buffers[], void *arg)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	int64_t count = ((const struct bidiagonal *)STARPU_MATRIX_GET_PTR(buffers[0]))->count, at = 0, tile = 1 + a->parts;

	for (int64_t p = 0; p < a->parts; p++) {
		const real *values = (const real *)STARPU_MATRIX_GET_PTR(buffers[1 + p]);
		int64_t left = count * (p + 1) / a->parts - count * p / a->parts;
		while (left > 0) {
			int64_t room = (int64_t)STARPU_MATRIX_GET_NX(buffers[tile]) - at, some = left < room ? left : room;
			real *s = (real *)STARPU_MATRIX_GET_PTR(buffers[tile]);
			memcpy(s + at, values, (size_t)some * sizeof(real));
			values += some;
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
	.symbol = TRACE_NAME("bd_collect"),
	.footprint = task_footprint,
};
static struct starpu_codelet codelet = {
	.cpu_funcs = { bd_collect_cpu },
	.nbuffers = STARPU_VARIABLE_NBUFFERS,
	.name = TRACE_NAME("bd_collect"),
	.model = &model,
};

void NAME(bd_collect)(struct submit to, handle work, const heddle_matrix *values, const heddle_matrix *s, int64_t room,
		      bool certain)
{
	struct args a = { .parts = values->nt, .tiles = (room + s->mb - 1) / s->mb };
	struct buffers b;

	buffers_init(&b);
	buffers_add(&b, work, STARPU_R);
	for (int64_t p = 0; p < a.parts; p++)
		buffers_add(&b, values->tiles[p], STARPU_R);
	for (int64_t t = 0; t < a.tiles; t++) {
		int64_t end = (t + 1) * s->mb < s->m ? (t + 1) * s->mb : s->m;
		bool whole = s->temporary || (certain && end <= room);
		buffers_add(&b, s->tiles[t], whole ? STARPU_W : STARPU_RW);
	}
	task_submit(to, 0, &codelet, &a, sizeof(a), &b);
}
