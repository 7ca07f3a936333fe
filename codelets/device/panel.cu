/* QR of a panel in blocks of 16 columns: each is factored by TSQR; one kernel finds its V's inner products with all other columns, the next
 * updates those to its right, whose first rows are R's, and from those to its left merges T (Elmroth and Gustavson). */
#include "codelets/device/panel.h"
#include "codelets/device/panel_warp.h"

enum { THREADS = 128, STAGE = 64 /* rows at a time */, GROUPS = 8 /* of threads that share the rows */, PART = 128 /* rows at least */, PARTS = 16 };

/* Where the columns are: `before` ones, the block's own w, and `after` ones; column q of the others is this one. */
static __device__ __forceinline__ int64_t column_of(int64_t q, int64_t before, int w) { return q < before ? q : q + w; }

/* Rows row .. row + STAGE - 1 (below `end`) of 16 columns, from q on of `columns`, into shared memory. */
static __device__ __forceinline__ void stage_rows(number *to, const scalar *a, int64_t lda, int64_t row, int64_t end, int64_t q, int64_t columns,
						  int64_t before, int w)
{
	int i = (int)threadIdx.x % STAGE;

	for (int c = (int)threadIdx.x / STAGE; c < WIDTH; c += THREADS / STAGE)
		to[i * STRIDE + c] = row + i < end && q + c < columns ? load(a[row + i + column_of(q + c, before, w) * lda]) : zero();
}

/* Part blockIdx.y of V^H times 16 of the other columns, sums[part][column][16]; a begins with V's first row, V is w columns behind `before`. */
static __global__ void GPU_BOUNDS(THREADS) products(int64_t m, int w, int64_t before, int64_t columns, int64_t rows, const scalar *a, int64_t lda,
						     scalar *sums)
{
	GPU_SHARED(number, stage, 2 * STAGE * STRIDE);
	number *v = stage, *x = stage + STAGE * STRIDE, sum[4][4];
	int thread = (int)threadIdx.x, group = thread / WIDTH, i0 = thread % 4 * 4, c0 = thread % WIDTH / 4 * 4;
	int64_t q = (int64_t)blockIdx.x * WIDTH, begin = blockIdx.y * rows, end = begin + rows < m ? begin + rows : m;

	GPU_UNROLL
	for (int i = 0; i < 16; i++)
		sum[i / 4][i % 4] = zero();
	for (int64_t row = begin; row < end; row += STAGE) {
		stage_rows(v, a + before * lda, lda, row, end, 0, w, w, 0);
		stage_rows(x, a, lda, row, end, q, columns, before, w);
		__syncthreads();
		for (int l = group; l < STAGE; l += GROUPS) {
			GPU_UNROLL
			for (int i = 0; i < 16; i++)
				sum[i / 4][i % 4] += conjugate(v[l * STRIDE + i0 + i / 4]) * x[l * STRIDE + c0 + i % 4];
		}
		__syncthreads();
	}
	static_assert(GROUPS * WIDTH * WIDTH <= 2 * STAGE * STRIDE, "the groups' sums fit");
	GPU_UNROLL
	for (int i = 0; i < 16; i++)
		stage[group * WIDTH * WIDTH + i0 + i / 4 + (c0 + i % 4) * WIDTH] = sum[i / 4][i % 4];
	__syncthreads();
	for (int i = thread; i < WIDTH * WIDTH; i += THREADS) {
		number s = zero();
		for (int g = 0; g < GROUPS; g++)
			s += stage[g * WIDTH * WIDTH + i];
		if (q + i / WIDTH < columns)
			sums[((int64_t)blockIdx.y * columns + q) * WIDTH + i] = store(s);
	}
}

/* The sum over all parts for the 16 columns from q on: z[column][16]. */
static __device__ __forceinline__ void sum_parts(number *z, const scalar *sums, int parts, int64_t q, int64_t columns)
{
	for (int i = (int)threadIdx.x; i < WIDTH * WIDTH; i += THREADS) {
		number s = zero();
		for (int part = 0; part < parts && q + i / WIDTH < columns; part++)
			s += load(sums[(part * columns + q) * WIDTH + i]);
		z[i / WIDTH * STRIDE + i % WIDTH] = s;
	}
}

/* C -= V T^H W for a row a thread of 16 columns from q on (of all others); the first w rows go to r, and zeros stand there. */
static __device__ __forceinline__ void update_rows(int64_t row, int64_t m, int w, int64_t before, int64_t columns, int64_t q, const number *z,
						   const number *tt, number *y, scalar *a, int64_t lda, scalar *r, int64_t ldr)
{
	number x[WIDTH];

	for (int i = (int)threadIdx.x; i < WIDTH * WIDTH; i += THREADS) {
		int k = i / WIDTH, c = i % WIDTH;
		number s = zero();
		for (int p = 0; p <= k; p++)
			s += conjugate(tt[p * STRIDE + k]) * z[c * STRIDE + p];
		y[k * WIDTH + c] = s;
	}
	__syncthreads();
	if (row >= m)
		return;
	scalar *own = a + row + (q + w) * lda;
	GPU_UNROLL
	for (int c = 0; c < WIDTH; c++)
		x[c] = q + c < columns ? load(own[c * lda]) : zero();
	GPU_ROLLED
	for (int k = 0; k < w; k++) {
		number v = load(a[row + (before + k) * lda]);
		GPU_UNROLL
		for (int c = 0; c < WIDTH; c++)
			x[c] -= v * y[k * WIDTH + c];
	}
	GPU_UNROLL
	for (int c = 0; c < WIDTH; c++)
		if (q + c < columns) {
			own[c * lda] = store(row < w ? zero() : x[c]);
			if (row < w)
				r[row + (q + w + c) * ldr] = store(x[c]);
		}
}

/* Row `row` of -T1 (V1^H V2) T2, and zeros in the column of T below it. */
static __device__ __forceinline__ void merge_t(int64_t row, int w, int64_t before, int64_t columns, int parts, const scalar *sums, number *z,
					       const number *tt, number *y, scalar *t, int64_t ldt)
{
	number x[WIDTH];

	GPU_UNROLL
	for (int c = 0; c < WIDTH; c++)
		x[c] = zero();
	for (int64_t q = 0; q < before; q += WIDTH) {
		sum_parts(z, sums, parts, q, columns);
		__syncthreads();
		for (int i = (int)threadIdx.x; i < WIDTH * WIDTH; i += THREADS) {
			int k = i / WIDTH, c = i % WIDTH;
			number s = zero();
			for (int p = 0; p <= c; p++)
				s += conjugate(z[k * STRIDE + p]) * tt[p * STRIDE + c];
			y[k * WIDTH + c] = s;
		}
		__syncthreads();
		GPU_ROLLED
		for (int k = 0; k < WIDTH && row < before; k++) {
			number element = q + k >= row && q + k < before ? load(t[row + (q + k) * ldt]) : zero();
			GPU_UNROLL
			for (int c = 0; c < WIDTH; c++)
				x[c] -= element * y[k * WIDTH + c];
		}
		__syncthreads();
	}
	GPU_UNROLL
	for (int c = 0; c < WIDTH; c++)
		if (c < w && row < before) {
			t[row + (before + c) * ldt] = store(x[c]);
			t[before + c + row * ldt] = store(zero());
		}
}

/* Blocks of rows of 16 columns each to the right, then blocks of rows of T.  a and r begin with V's first row. */
static __global__ void GPU_BOUNDS_FEW(THREADS) update(int64_t m, int w, int64_t before, int64_t columns, int parts, const scalar *sums, scalar *a,
						   int64_t lda, scalar *r, int64_t ldr, scalar *t, int64_t ldt)
{
	GPU_SHARED(number, z, WIDTH * STRIDE);
	GPU_SHARED(number, tt, WIDTH * STRIDE);
	GPU_SHARED(number, y, WIDTH * WIDTH);
	int64_t row_blocks = (m + THREADS - 1) / THREADS, tiles = (columns - before + WIDTH - 1) / WIDTH, block = blockIdx.x;

	for (int i = (int)threadIdx.x; i < WIDTH * WIDTH; i += THREADS) {
		int p = i % WIDTH, c = i / WIDTH;
		tt[p * STRIDE + c] = p <= c && c < w ? load(t[before + p + (before + c) * ldt]) : zero();
	}
	if (block < tiles * row_blocks) {
		int64_t q = before + block / row_blocks * WIDTH;
		sum_parts(z, sums, parts, q, columns);
		__syncthreads();
		update_rows(block % row_blocks * THREADS + threadIdx.x, m, w, before, columns, q, z, tt, y, a, lda, r, ldr);
	} else {
		merge_t((block - tiles * row_blocks) * THREADS + threadIdx.x, w, before, columns, parts, sums, z, tt, y, t, ldt);
	}
}

static int64_t parts_of(int64_t m)
{
	int64_t parts = (m + PART - 1) / PART;

	return parts < PARTS ? parts : (int64_t)PARTS;
}

/* The block's V with the other columns. */
static void update_others(gpu_stream stream, int64_t m, int w, int64_t before, int64_t columns, scalar *a, int64_t lda, scalar *r, int64_t ldr,
			  scalar *t, int64_t ldt, scalar *sums)
{
	int64_t parts = parts_of(m), rows = ((m + parts - 1) / parts + STAGE - 1) / STAGE * STAGE, after = columns - before;
	int64_t blocks = (after + WIDTH - 1) / WIDTH * ((m + THREADS - 1) / THREADS) + (before + THREADS - 1) / THREADS;

	parts = (m + rows - 1) / rows;
	GPU_LAUNCH(products, dim3((unsigned)((columns + WIDTH - 1) / WIDTH), (unsigned)parts), dim3(THREADS), 0, stream, m, w, before, columns, rows,
		   (const scalar *)a, lda, sums);
	GPU_LAUNCH(update, dim3((unsigned)blocks), dim3(THREADS), 0, stream, m, w, before, columns, (int)parts, (const scalar *)sums, a, lda, r, ldr,
		   t, ldt);
}

size_t NAME(gpu_geqrt_work)(int64_t m, int64_t n)
{
	return NAME(gpu_tsqr_work)(m) + (size_t)(parts_of(m) * n * WIDTH) * sizeof(scalar);
}

void NAME(gpu_geqrt)(gpu_stream stream, int64_t m, int64_t n, scalar *a, int64_t lda, scalar *r, int64_t ldr, scalar *t, int64_t ldt, void *work)
{
	int64_t k = m < n ? m : n;
	scalar *sums = (scalar *)((char *)work + NAME(gpu_tsqr_work)(m));

	for (int64_t j = 0; j < k; j += WIDTH) {
		int w = k - j < WIDTH ? (int)(k - j) : (int)WIDTH;
		NAME(gpu_tsqr)(stream, m - j, w, a + j + j * lda, lda, r + j + j * ldr, ldr, t + j + j * ldt, ldt, work);
		if (n > w)
			update_others(stream, m - j, w, j, n - w, a + j, lda, r + j, ldr, t, ldt, sums);
	}
}
