/* Complex double solves of order 33 to 64.  The triangle and a useful number of right-hand sides do not fit into 48 KiB of shared memory together,
 * so one group of threads moves memory while another computes.  The triangle is cut into row panels, four at most, and panel p passes through
 *	stage p      its right-hand sides are asked for
 *	stage p + 1  its rows of the triangle are asked for, into the one of two buffers that the panel before last has left; all has arrived
 *	stage p + 2  it is solved for
 *	stage p + 3  its unknowns are written back
 * which makes seven stages, with a barrier after each. */
#include "codelets/device/trsm_tile.h"

#if defined(PREC_z)

enum {
	LANES = 4,
	SIDES = 16,
	OWN = PANEL / LANES, /* unknowns of a panel that a lane has */
	SOLVERS = SIDES * LANES,
	MOVERS = 64,
	DEPTH = 3,           /* stages between a panel's first and last */
	ACROSS = SIDES + 1,  /* distance of unknowns in shared memory, and of the triangle's columns: rows lie in different banks */
	DOWN = PANEL + 1,
	EVEN_PANEL = 3 * PANEL * DOWN, /* the largest panels with an even number, and with an odd one */
	ODD_PANEL = 4 * PANEL * DOWN
};

static __device__ __forceinline__ number *panel_of(number *panels, int p) { return panels + p % 2 * EVEN_PANEL; }

static __device__ void move_triangle(number *to, int p, int mover, const struct tile_shape &t, const scalar *corner)
{
	int columns = PANEL * (p + 1);
	bool across = adjacent(t.column);

	for (int e = mover; e < PANEL * columns; e += MOVERS) {
		int i = PANEL * p + (across ? e / columns : e % PANEL), s = across ? e % columns : e / PANEL;
		if (i >= s)
			fetch(to + s * DOWN + i % PANEL, t.k, t.unit, corner, t.row, t.column, i, s);
	}
}

/* Rows of panel p between device memory and the block's right-hand sides, `count` of them. */
static __device__ void move_sides(number *sides, int p, int mover, const struct tile_shape &t, scalar *b, int count, bool back)
{
	bool down = adjacent(t.b_down);

	for (int e = mover; e < PANEL * SIDES; e += MOVERS) {
		int i = PANEL * p + (down ? e % PANEL : e / SIDES), side = down ? e / PANEL : e % SIDES;
		number *at = sides + i * ACROSS + side;
		bool there = i < t.k && side < count;
		if (there && back)
			b[i * t.b_down + side * t.b_across] = unscaled(t, *at);
		else if (there)
			gpu_copy_async(at, b + i * t.b_down + side * t.b_across);
		else if (!back)
			*at = from_real(0);
	}
}

static __device__ void solve_panel(number *sides, int p, const struct tile_shape &t, number alpha, const number *panel)
{
	int lane = threadIdx.x % LANES;
	number *side = sides + threadIdx.x / LANES, y[1][OWN];

	GPU_UNROLL
	for (int q = 0; q < OWN; q++)
		y[0][q] = scaled(t, alpha, side[(PANEL * p + q * LANES + lane) * ACROSS]);
	for (int s = 0; s < PANEL * p; s++) {
		number x = side[s * ACROSS];
		GPU_UNROLL
		for (int q = 0; q < OWN; q++)
			y[0][q] = subtract_product(y[0][q], panel[s * DOWN + q * LANES + lane], x);
	}
	GPU_UNROLL
	for (int q = 0; q < OWN; q++) {
		GPU_ROLLED
		for (int r = 0; r < LANES; r++)
			eliminate<LANES, OWN, 1>(y, q, r, t.unit, panel + (PANEL * p + q * LANES + r) * DOWN);
		side[(PANEL * p + q * LANES + lane) * ACROSS] = y[0][q];
	}
}

static __global__ void GPU_BOUNDS(SOLVERS + MOVERS) solve_pipelined(struct tile_shape t, scalar alpha, const scalar *a, scalar *b)
{
	GPU_SHARED(number, sides, TILE_ORDER * ACROSS);
	GPU_SHARED(number, panels, EVEN_PANEL + ODD_PANEL);
	int64_t problem = blockIdx.x / t.chunks, first = blockIdx.x % t.chunks * SIDES;
	int count = t.many - first < SIDES ? (int)(t.many - first) : SIDES, last = (t.k - 1) / PANEL, mover = (int)threadIdx.x - SOLVERS;

	a += problem * t.stride_a;
	b += problem * t.stride_b + first * t.b_across;
	for (int stage = 0; stage <= last + DEPTH; stage++) {
		if (mover < 0) {
			int p = stage - 2;
			if (p >= 0 && p <= last)
				solve_panel(sides, p, t, alpha, panel_of(panels, p));
		} else {
			if (stage >= 1 && stage - 1 <= last)
				move_triangle(panel_of(panels, stage - 1), stage - 1, mover, t, a);
			gpu_copy_commit();
			if (stage <= last)
				move_sides(sides, stage, mover, t, b, count, false);
			gpu_copy_commit();
			if (stage >= DEPTH)
				move_sides(sides, stage - DEPTH, mover, t, b, count, true);
			gpu_copy_wait<1>();
		}
		__syncthreads();
	}
}

void NAME(gpu_solve_pipelined)(gpu_stream stream, const struct tile_solve *t)
{
	struct tile_shape shape = shape_of(t, (t->many + SIDES - 1) / SIDES);

	GPU_LAUNCH(solve_pipelined, (unsigned)shape.items, SOLVERS + MOVERS, 0, stream, shape, t->alpha, corner_of(t, t->a, t->lda), first_unknown(t));
}

#endif
