/* Solves with a triangle of order 64 at most, in one launch: the whole triangle in shared memory, the unknowns in registers. */
#include "codelets/device/trsm_tile.h"

enum { THREADS = 128, FEW_SIDES = 1024, ENOUGH_BLOCKS = 2048 };

/* Where panel p of a triangle begins; its columns are ORDER - PANEL p + 1 apart, so that rows lie in different banks. */
template <int ORDER> static __host__ __device__ constexpr int panel_begin(int p)
{
	return PANEL * p * (ORDER + 1) - PANEL * PANEL * (p * (p - 1) / 2);
}

/* Column s of T: element i is [i] of it. */
template <int ORDER> static __device__ __forceinline__ const number *column_of(const number *tile, int s)
{
	int p = s / PANEL;

	return tile + panel_begin<ORDER>(p) + s % PANEL * (ORDER - PANEL * p + 1) - PANEL * p;
}

template <int ORDER, int GROUP>
static __device__ __forceinline__ void stage(number *tile, const struct tile_shape &t, const scalar *corner, int64_t row, int64_t column)
{
	bool across = adjacent(column);

	GPU_UNROLL
	for (int p = 0; p < ORDER / PANEL; p++) {
		const int rows = ORDER - PANEL * p;
		for (int e = threadIdx.x % GROUP; e < PANEL * rows; e += GROUP) {
			int i = across ? e / PANEL : e % rows, s = across ? e % PANEL : e / rows;
			if (i >= s)
				fetch(tile + panel_begin<ORDER>(p) + s * (rows + 1) + i, t.k, t.unit, corner, row, column, PANEL * p + i, PANEL * p + s);
		}
		gpu_copy_commit();
	}
}

/* All but the last `left` panels are there for the whole group. */
template <int GROUP> static __device__ __forceinline__ void wait_for_panels(int left)
{
	if (left == 3)
		gpu_copy_wait<3>();
	else if (left == 2)
		gpu_copy_wait<2>();
	else if (left == 1)
		gpu_copy_wait<1>();
	else
		gpu_copy_wait<0>();
	if (GROUP == GPU_WARP)
		gpu_sync_warp();
	else
		__syncthreads();
}

/* x := T b in place, from the last unknown to the first: what b_s changes are unknowns that are done with. */
template <int LANES, int ROWS, int EACH>
static __device__ __forceinline__ void multiply(number (&y)[EACH][ROWS], const struct tile_shape &t, const number *tile)
{
	int lane = threadIdx.x % LANES, group = threadIdx.x % GPU_WARP - lane;

	GPU_UNROLL
	for (int back = 0; back < ROWS; back++) {
		const int q = ROWS - 1 - back;
		if (q * LANES >= t.k)
			continue;
		GPU_ROLLED
		for (int r = LANES - 1; r >= 0; r--) {
			const number *column = column_of<LANES * ROWS>(tile, q * LANES + r);
			GPU_UNROLL
			for (int e = 0; e < EACH; e++) {
				number x = from_real(0) - gpu_shuffle(y[e][q], group + r);
				if (lane == r)
					y[e][q] = from_real(0);
				if (lane >= r)
					y[e][q] = subtract_product(y[e][q], column[q * LANES + lane], x);
				GPU_UNROLL
				for (int later = 0; later < ROWS; later++)
					if (later > q)
						y[e][later] = subtract_product(y[e][later], column[later * LANES + lane], x);
			}
		}
	}
}

template <int LANES, int ROWS, int EACH>
static __device__ __forceinline__ void put_row(const number (&y)[EACH][ROWS], int q, const struct tile_shape &t, scalar *b, int64_t side,
					       int64_t apart)
{
	int row = q * LANES + threadIdx.x % LANES;

	GPU_UNROLL
	for (int e = 0; e < EACH; e++)
		if (row < t.k && side + e * apart < t.many)
			b[row * t.b_down + (side + e * apart) * t.b_across] = unscaled(t, y[e][q]);
}

/* GROUP threads, a warp or the block, take an item: a triangle, and of its right-hand sides every chunks-th GROUP / LANES * EACH.
 * good: NULL, or where the inverse's mark is; an inverse that is good is multiplied with. */
template <int LANES, int ROWS, int EACH, int GROUP>
static __global__ void GPU_BOUNDS(THREADS)
solve_tile(struct tile_shape t, scalar alpha, const scalar *a, scalar *b, const scalar *inverse, const scalar *good)
{
	constexpr int ORDER = LANES * ROWS, PANELS = ORDER / PANEL, ELEMENTS = panel_begin<ORDER>(PANELS), APART = GROUP / LANES;
	GPU_SHARED(number, tiles, THREADS / GROUP * ELEMENTS);
	int64_t item = (int64_t)blockIdx.x * (THREADS / GROUP) + threadIdx.x / GROUP;

	if (item >= t.items)
		return;
	number *tile = tiles + threadIdx.x / GROUP * ELEMENTS;
	int lane = threadIdx.x % LANES;
	bool by_inverse = good && real_part(*good) == 1, staged = false;
	const scalar *corner = by_inverse ? inverse : a + item / t.chunks * t.stride_a;

	b += item / t.chunks * t.stride_b;
	stage<ORDER, GROUP>(tile, t, corner, by_inverse ? t.inverse_row : t.row, by_inverse ? t.inverse_column : t.column);
	for (int64_t first = item % t.chunks * (APART * EACH); first < t.many; first += t.chunks * (APART * EACH)) {
		int64_t side = first + threadIdx.x % GROUP / LANES;
		number y[EACH][ROWS];
		GPU_UNROLL
		for (int q = 0; q < ROWS; q++)
			GPU_UNROLL
			for (int e = 0; e < EACH; e++) {
				int row = q * LANES + lane;
				bool there = row < t.k && side + e * APART < t.many;
				y[e][q] = there ? scaled(t, alpha, b[row * t.b_down + (side + e * APART) * t.b_across]) : from_real(0);
			}
		if (by_inverse) {
			if (!staged)
				wait_for_panels<GROUP>(0);
			multiply<LANES, ROWS, EACH>(y, t, tile);
			GPU_UNROLL
			for (int q = 0; q < ROWS; q++)
				put_row<LANES, ROWS, EACH>(y, q, t, b, side, APART);
		} else {
			GPU_UNROLL
			for (int q = 0; q < ROWS; q++) {
				if (q * LANES >= t.k)
					break;
				if (!staged && q * LANES % PANEL == 0)
					wait_for_panels<GROUP>(PANELS - 1 - q * LANES / PANEL);
				GPU_ROLLED
				for (int r = 0; r < LANES; r++)
					eliminate<LANES, ROWS, EACH>(y, q, r, t.unit, column_of<ORDER>(tile, q * LANES + r));
				put_row<LANES, ROWS, EACH>(y, q, t, b, side, APART);
			}
		}
		staged = true;
	}
}

template <int LANES, int ROWS, int EACH, int GROUP> static void launch(gpu_stream stream, const struct tile_solve *t)
{
	constexpr int64_t SIDES = GROUP / LANES * EACH, GROUPS = THREADS / GROUP;
	int64_t chunks = (t->many + SIDES - 1) / SIDES, enough = (ENOUGH_BLOCKS * GROUPS + t->count - 1) / t->count;
	struct tile_shape shape = shape_of(t, chunks < enough ? chunks : enough);
	const scalar *inverse = t->inverse ? corner_of(t, t->inverse, t->ld_inverse) : NULL;
	const scalar *good = t->inverse ? t->inverse + GPU_SOLVE_BLOCK * t->ld_inverse : NULL;

	GPU_LAUNCH((solve_tile<LANES, ROWS, EACH, GROUP>), (unsigned)((shape.items + GROUPS - 1) / GROUPS), THREADS, 0, stream, shape, t->alpha,
		   corner_of(t, t->a, t->lda), first_unknown(t), inverse, good);
}

/* Many lanes a right-hand side where there are few of those; one warp a problem where it is small. */
void NAME(gpu_solve_tile)(gpu_stream stream, const struct tile_solve *t)
{
	constexpr int EACH = sizeof(number) <= sizeof(float) ? 2 : 1; /* wider ones would not fit into registers */

	if (t->k <= 0 || t->many <= 0 || t->count <= 0)
		return;
#if defined(PREC_z)
	if (!t->inverse && t->k > TILE_ORDER / 2) {
		NAME(gpu_solve_pipelined)(stream, t);
		return;
	}
#endif
	if (!t->inverse && t->k <= PANEL)
		launch<4, 4, 1, GPU_WARP>(stream, t);
	else if (!t->inverse && t->k <= TILE_ORDER / 2)
		launch<4, 8, 1, THREADS>(stream, t);
	else if (t->many * t->count <= FEW_SIDES)
		launch<16, 4, 1, THREADS>(stream, t);
	else
		launch<4, 16, EACH, THREADS>(stream, t);
}
