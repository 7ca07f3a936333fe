/* Batches of triangular solves.  Orders up to 64 are one launch.  Larger ones go block by block, for all problems at once: what the unknowns
 * found so far contribute to a block's right-hand sides, then the block's solve.  Orders where a product of one problem fills the device
 * are solved problem by problem. */
#include "codelets/device/trsm_tile.h"
#include "codelets/device/blas.h"

enum {
	LARGE_ORDER = 512,
	SIDES = 32,
	ROWS_EACH = 4,
	SIDES_EACH = 4,
	ROW_THREADS = TILE_ORDER / ROWS_EACH,
	THREADS = ROW_THREADS * (SIDES / SIDES_EACH),
	ROWS_APART = TILE_ORDER + 1,
	SIDES_APART = SIDES + 1
};

/* Panels of T and of the unknowns before: element i, s at [s * ROWS_APART + i], unknown s of a side at [s * SIDES_APART + side]. */
static __device__ void stage(number *panel, number *found, const struct tile_shape &t, const scalar *a, const scalar *x, int columns, int sides)
{
	bool across = adjacent(t.column), down = adjacent(t.b_down);

	for (int e = threadIdx.x; e < PANEL * TILE_ORDER; e += THREADS) {
		int i = across ? e / PANEL : e % TILE_ORDER, s = across ? e % PANEL : e / TILE_ORDER;
		number v = i < t.k && s < columns ? a[i * t.row + s * t.column] : from_real(0);
		panel[s * ROWS_APART + i] = t.conjugated ? conjugate(v) : v;
	}
	for (int e = threadIdx.x; e < PANEL * SIDES; e += THREADS) {
		int s = down ? e % PANEL : e / SIDES, side = down ? e / PANEL : e % SIDES;
		found[s * SIDES_APART + side] = s < columns && side < sides ? x[s * t.b_down + side * t.b_across] : from_real(0);
	}
}

/* y := alpha y - T x: t.k rows from unknown `done` on, x the `done` unknowns before.  a, x: unknown 0's row of T from row `done` on, and
 * unknown 0. */
static __global__ void GPU_BOUNDS(THREADS) update_rows(struct tile_shape t, int64_t done, scalar alpha, const scalar *a, scalar *x)
{
	GPU_SHARED(number, panel, PANEL * ROWS_APART);
	GPU_SHARED(number, found, PANEL * SIDES_APART);
	int64_t problem = blockIdx.x / t.chunks, first = blockIdx.x % t.chunks * SIDES;
	int sides = t.many - first < SIDES ? (int)(t.many - first) : SIDES, row = threadIdx.x % ROW_THREADS, side = threadIdx.x / ROW_THREADS;
	number sum[ROWS_EACH][SIDES_EACH];

	a += problem * t.stride_a;
	x += problem * t.stride_b + first * t.b_across;
	GPU_UNROLL
	for (int i = 0; i < ROWS_EACH; i++)
		GPU_UNROLL
		for (int c = 0; c < SIDES_EACH; c++) {
			int l = row + i * ROW_THREADS, r = side + c * (SIDES / SIDES_EACH);
			sum[i][c] = from_real(0);
			if (l < t.k && r < sides)
				sum[i][c] = scaled(t, alpha, x[(done + l) * t.b_down + r * t.b_across]);
			sum[i][c] = unscaled(t, sum[i][c]);
		}
	for (int64_t s0 = 0; s0 < done; s0 += PANEL) {
		stage(panel, found, t, a + s0 * t.column, x + s0 * t.b_down, done - s0 < PANEL ? (int)(done - s0) : PANEL, sides);
		__syncthreads();
		for (int s = 0; s < PANEL; s++)
			GPU_UNROLL
			for (int i = 0; i < ROWS_EACH; i++)
				GPU_UNROLL
				for (int c = 0; c < SIDES_EACH; c++)
					sum[i][c] = subtract_product(sum[i][c], panel[s * ROWS_APART + row + i * ROW_THREADS],
								     found[s * SIDES_APART + side + c * (SIDES / SIDES_EACH)]);
		__syncthreads();
	}
	GPU_UNROLL
	for (int i = 0; i < ROWS_EACH; i++)
		GPU_UNROLL
		for (int c = 0; c < SIDES_EACH; c++) {
			int l = row + i * ROW_THREADS, r = side + c * (SIDES / SIDES_EACH);
			if (l < t.k && r < sides)
				x[(done + l) * t.b_down + r * t.b_across] = sum[i][c];
		}
}

/* whole: of any order */
static void solve_blocks(gpu_stream stream, const struct tile_solve *whole)
{
	bool forward = solves_forward(whole->kind), left = whole->kind.side == HEDDLE_LEFT;

	for (int64_t done = 0, k; done < whole->k; done += k) {
		k = whole->k - done < TILE_ORDER ? whole->k - done : (int64_t)TILE_ORDER;
		struct tile_solve t = *whole;
		int64_t at = forward ? done : whole->k - done - k; /* in memory */
		t.k = k;
		t.a += at * (t.lda + 1);
		t.b += left ? at : at * t.ldb;
		if (done > 0) {
			struct tile_shape shape = shape_of(&t, (t.many + SIDES - 1) / SIDES);
			GPU_LAUNCH(update_rows, (unsigned)shape.items, THREADS, 0, stream, shape, done, t.alpha,
				   corner_of(whole, whole->a, whole->lda) + done * shape.row, first_unknown(whole));
			t.alpha = from_real(1);
		}
		NAME(gpu_solve_tile)(stream, &t);
	}
}

void NAME(gpu_trsm_batch)(gpu_stream stream, struct solve_kind kind, int64_t m, int64_t n, scalar alpha, const scalar *a, int64_t lda,
			  int64_t stride_a, scalar *b, int64_t ldb, int64_t stride_b, int64_t count)
{
	bool left = kind.side == HEDDLE_LEFT;
	int64_t k = left ? m : n, many = left ? n : m;
	struct tile_solve t = { kind, k, many, alpha, a, lda, stride_a, b, ldb, stride_b, count, NULL, 0 };

	if (m <= 0 || n <= 0 || count <= 0)
		return;
	if (k <= LARGE_ORDER && !(alpha == from_real(0))) {
		solve_blocks(stream, &t);
		return;
	}
	for (int64_t i = 0; i < count; i++)
		NAME(gpu_trsm)(stream, kind, m, n, alpha, a + i * stride_a, lda, b + i * stride_b, ldb, NULL, 0, NAME(gpu_trsm_block)(k, many));
}
