/* Bisection, the paper's section 7 with a group of lanes a value, and collecting what was found. */
#include "codelets/device/sturm_search.h"

enum {
	FIND_THREADS = 128,
	COLLECT_THREADS = 256
};

static __global__ void GPU_BOUNDS(2 * FIND_THREADS) /* with the smaller bound nvcc spills */
find_values(const struct sturm *m, int64_t part, int64_t parts, int lanes, int64_t room, real *values)
{
	GPU_SHARED(double, tiles, 2 * STURM_TILE);
	int64_t begin = m->count * part / parts, count = m->count * (part + 1) / parts - begin;
	int64_t at = (int64_t)blockIdx.x * (FIND_THREADS / lanes) + (int)threadIdx.x / lanes;

	count = count < room ? count : room;
	if ((int64_t)blockIdx.x * (FIND_THREADS / lanes) >= count)
		return; /* all threads of the block */
	int64_t place = m->first + begin + at, index = m->kind == BIDIAGONAL ? m->n - place : place + 1;
	double x = search_value(m, tiles, at < count ? (int)index : 0, lanes);
	if (at < count && (int)threadIdx.x % lanes == 0)
		values[at] = result_of(m, x);
}

DEVICE_API void REAL_NAME(gpu_values_find)(gpu_stream stream, const struct sturm *m, int64_t part, int64_t parts, int64_t room, real *values)
{
	int lanes = lanes_for(room);
	int64_t here = (room + parts - 1) / parts;

	if (room > 0)
		GPU_LAUNCH(find_values, dim3((unsigned)((here * lanes + FIND_THREADS - 1) / FIND_THREADS)), dim3(FIND_THREADS), 0, stream, m, part,
			   parts, lanes, here, values);
}

/* Pieces from `piece` on and tiles from `tile` on, as many as the lists hold; before the first piece, if it is not the first of all, is
 * the one before it.  Where host and device searched parts of one matrix, a part may begin beyond the end of the one before, by a rounding:
 * it is moved there. */
static __global__ void GPU_BOUNDS(COLLECT_THREADS)
collect_values(const struct sturm *m, int64_t parts, int64_t piece, int pieces_here, gpu_list<real> pieces, int64_t rows, int64_t tile,
	       int tiles_here, gpu_list<real> tiles, int64_t room)
{
	int64_t all = m->count < room ? m->count : room, step = (int64_t)gridDim.x * COLLECT_THREADS;
	int before = piece > 0;

	for (int p = 0; p < pieces_here; p++) {
		int64_t begin = m->count * (piece + p) / parts, end = m->count * (piece + p + 1) / parts;
		int64_t earlier = piece + p > 0 ? m->count * (piece + p - 1) / parts : begin;
		for (int64_t i = begin + (int64_t)blockIdx.x * COLLECT_THREADS + threadIdx.x; i < end && i < all; i += step) {
			real x = pieces.p[before + p][i - begin];
			if (earlier < begin) {
				real last = pieces.p[before + p - 1][begin - earlier - 1];
				x = (m->kind == BIDIAGONAL ? last < x : last > x) ? last : x;
			}
			int64_t t = i / rows - tile;
			if (t >= 0 && t < tiles_here)
				tiles.p[t][i % rows] = x;
		}
	}
}

DEVICE_API void REAL_NAME(gpu_values_collect)(gpu_stream stream, const struct sturm *m, int64_t parts, real *const *pieces, int64_t room,
					      real *const *tiles, int64_t rows)
{
	int64_t count = rows > 0 ? (room + rows - 1) / rows : 0, blocks = (room / parts + COLLECT_THREADS) / COLLECT_THREADS;

	for (int64_t p = 0; p < parts; p += GPU_LIST - 1)
		for (int64_t t = 0; t < count; t += GPU_LIST) {
			gpu_list<real> from = {}, to = {};
			int some = parts - p < GPU_LIST - 1 ? (int)(parts - p) : (int)GPU_LIST - 1, before = p > 0;
			int targets = count - t < GPU_LIST ? (int)(count - t) : (int)GPU_LIST;
			for (int i = 0; i < some + before; i++)
				from.p[i] = pieces[p - before + i];
			for (int i = 0; i < targets; i++)
				to.p[i] = tiles[t + i];
			GPU_LAUNCH(collect_values, dim3((unsigned)(blocks < 64 ? blocks : 64)), dim3(COLLECT_THREADS), 0, stream, m, parts, p, some, from,
				   rows, t, targets, to, room);
		}
}
