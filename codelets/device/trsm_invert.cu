/* The inverses of diagonal blocks, all in one launch, a thread block each.  A block's 64 columns are solved for at once in registers, eight
 * lanes a column; of the triangle only two panels of columns are in shared memory, the next one on its way while one is eliminated with. */
#include "codelets/device/trsm_tile.h"

enum {
	LANES = 8,
	ROWS = TILE_ORDER / LANES,
	THREADS = TILE_ORDER * LANES,
	WARPS = THREADS / GPU_WARP,
	PANELS = TILE_ORDER / PANEL,
	DOWN = TILE_ORDER + 1 /* distance of columns in shared memory: rows lie in different banks */
};

static __device__ __forceinline__ real larger_or_nan(real x, real y) { return y > x || y != y ? y : x; }

static __device__ void stage(number *panel, int p, int k, int unit, const scalar *corner, int64_t row, int64_t column)
{
	const int first = PANEL * p;

	for (int e = threadIdx.x; e < PANEL * TILE_ORDER; e += THREADS) {
		int i = e % TILE_ORDER, s = first + e / TILE_ORDER;
		if (i >= s)
			fetch(panel + (s - first) * DOWN + i, k, unit, corner, row, column, i, s);
	}
}

/* The triangle's sums of moduli: the largest of its columns that this warp sees; and, in the first threads, that of row threadIdx.x. */
static __device__ void add_sums(const number *panel, int p, int k, real *largest_column, real *row)
{
	int lane = threadIdx.x % GPU_WARP, warp = threadIdx.x / GPU_WARP, i = threadIdx.x;

	for (int c = warp; c < PANEL; c += WARPS) {
		int s = PANEL * p + c;
		real sum = 0;
		for (int l = lane; l < k; l += GPU_WARP)
			if (l >= s)
				sum += modulus(panel[c * DOWN + l]);
		*largest_column = larger_or_nan(*largest_column, warp_sum(sum));
	}
	for (int c = 0; c < PANEL && PANEL * p + c <= i && i < k; c++)
		*row += modulus(panel[c * DOWN + i]);
}

/* Sums of the inverse's moduli: of this thread's column, in all its lanes; in the first threads, of row threadIdx.x. */
static __device__ void inverse_sums(const number (&y)[1][ROWS], real (&parts)[WARPS][TILE_ORDER], real *column, real *row)
{
	int lane = threadIdx.x % GPU_WARP, warp = threadIdx.x / GPU_WARP;

	*column = 0;
	GPU_UNROLL
	for (int q = 0; q < ROWS; q++) {
		real size = modulus(y[0][q]);
		*column += size;
		for (int d = LANES; d < GPU_WARP; d *= 2)
			size += gpu_shuffle_xor(size, d);
		if (lane < LANES)
			parts[warp][q * LANES + lane] = size;
	}
	for (int d = 1; d < LANES; d *= 2)
		*column += gpu_shuffle_xor(*column, d);
	__syncthreads();
	*row = 0;
	if (threadIdx.x < TILE_ORDER)
		for (int w = 0; w < WARPS; w++)
			*row += parts[w][threadIdx.x];
}

/* norms: the largest of each over the block, in thread 0 */
static __device__ void largest_of_block(real (&norms)[4])
{
	GPU_SHARED2(real, parts, 4, WARPS);

	GPU_UNROLL
	for (int c = 0; c < 4; c++) {
		for (int d = GPU_WARP / 2; d > 0; d /= 2)
			norms[c] = larger_or_nan(norms[c], gpu_shuffle_xor(norms[c], d));
		if (threadIdx.x % GPU_WARP == 0)
			parts[c][threadIdx.x / GPU_WARP] = norms[c];
	}
	__syncthreads();
	GPU_UNROLL
	for (int c = 0; c < 4; c++)
		for (int w = 0; w < WARPS; w++)
			norms[c] = larger_or_nan(norms[c], parts[c][w]);
}

/* step: 1 where T is a lower triangle, -1 where it is an upper one seen from its last element. */
static __global__ void GPU_BOUNDS(THREADS)
invert_blocks(int64_t order, int unit, int step, const scalar *a, int64_t lda, scalar *inverses, int64_t ld)
{
	GPU_SHARED(number, panels, 2 * PANEL * DOWN);
	GPU_SHARED2(real, parts, WARPS, TILE_ORDER);
	int64_t first = (int64_t)blockIdx.x * TILE_ORDER;
	int k = order - first < TILE_ORDER ? (int)(order - first) : TILE_ORDER, lane = threadIdx.x % LANES, j = threadIdx.x / LANES;
	const scalar *corner = a + (first + (step < 0 ? k - 1 : 0)) * (lda + 1);
	scalar *out = inverses + first + (step < 0 ? (k - 1) * (ld + 1) : 0);
	real norms[4] = { 0, 0, 0, 0 }; /* the block's and the inverse's, largest column and largest row */
	number y[1][ROWS];

	stage(panels, 0, k, unit, corner, step, step * lda);
	gpu_copy_commit();
	GPU_UNROLL
	for (int q = 0; q < ROWS; q++)
		y[0][q] = from_real(q * LANES + lane == j && j < k);
	GPU_UNROLL
	for (int p = 0; p < PANELS; p++) {
		const number *panel = panels + p % 2 * PANEL * DOWN;
		if (p + 1 < PANELS)
			stage(panels + (p + 1) % 2 * PANEL * DOWN, p + 1, k, unit, corner, step, step * lda);
		gpu_copy_commit();
		gpu_copy_wait<1>();
		__syncthreads();
		add_sums(panel, p, k, &norms[0], &norms[2]);
		GPU_UNROLL
		for (int q = PANEL / LANES * p; q < PANEL / LANES * (p + 1); q++) {
			GPU_ROLLED
			for (int r = 0; r < LANES; r++)
				eliminate<LANES, ROWS, 1>(y, q, r, unit, panel + (q * LANES + r - PANEL * p) * DOWN);
		}
		__syncthreads();
	}
	GPU_UNROLL
	for (int q = 0; q < ROWS; q++) {
		int i = q * LANES + lane;
		if (i >= j && i < k)
			out[step * (i + j * ld)] = y[0][q];
	}
	inverse_sums(y, parts, &norms[1], &norms[3]);
	largest_of_block(norms);
	if (threadIdx.x == 0) /* a NaN is not good either */
		inverses[first + TILE_ORDER * ld] = from_real(norms[0] * norms[1] <= TILE_ORDER && norms[2] * norms[3] <= TILE_ORDER);
}

void NAME(gpu_invert_blocks)(gpu_stream stream, heddle_uplo uplo, heddle_diag diag, int64_t k, const scalar *a, int64_t lda, scalar *inverses,
			     int64_t ld_inverses)
{
	int unit = diag == HEDDLE_UNIT, step = uplo == HEDDLE_LOWER ? 1 : -1;

	if (k > 0)
		GPU_LAUNCH(invert_blocks, (unsigned)((k + TILE_ORDER - 1) / TILE_ORDER), THREADS, 0, stream, k, unit, step, a, lda, inverses,
			   ld_inverses);
}
