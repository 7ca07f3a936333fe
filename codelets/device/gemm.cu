/* C := alpha op(A) op(B) + beta C.
 *
 * A block computes a square of C, a thread ROWS by COLUMNS elements of it in registers.  Slabs of A and B, DEPTH long in k, pass through
 * shared memory twice buffered: while one is multiplied the next is on its way.  Where C is too small to occupy a device, the square is
 * smaller and GROUPS of a block's threads share k: group g takes every GROUPS-th slab, and the groups' sums are added in the order of
 * g at the end, so that results do not depend on the schedule.
 *
 * One kernel serves all op: an operand is contiguous in k or along its other index, which only decides what its threads fetch, and
 * conj(A) op(B) is conj(A conj(op(B))), so that conjugation is a sign for B's elements and one for the sum. */
#include "codelets/device/gemm.h"

/* sum += a b by fused operations alone; the operators' formula needs one operation more */
static __device__ __forceinline__ void multiply_add(number &sum, number a, number b)
{
#if IS_COMPLEX
	sum.re += a.re * b.re;
	sum.im += a.re * b.im;
	sum.re -= a.im * b.im;
	sum.im += a.im * b.re;
#else
	sum += a * b;
#endif
}

static __device__ __forceinline__ number with_sign(number x, real sign) { return from_parts(real_part(x), sign * imaginary_part(x)); }

template <int TILE_, int ROWS_, int COLUMNS_, int GROUPS_, int DEPTH_, int BYTES = sizeof(scalar)> struct gemm_shape {
	static constexpr int TILE = TILE_, ROWS = ROWS_, COLUMNS = COLUMNS_, GROUPS = GROUPS_, DEPTH = DEPTH_;
	static constexpr int ACROSS = TILE / ROWS, THREADS = ACROSS * (TILE / COLUMNS); /* of a group */
	static constexpr int PITCH = TILE + 16 / BYTES, SLAB = DEPTH * PITCH, FETCHED = TILE * DEPTH / THREADS;
	static constexpr int SLABS = GROUPS * 4 * SLAB, SUMS = GROUPS > 1 ? TILE * TILE : 0, SHARED = SLABS > SUMS ? SLABS : SUMS;
};

/* An operand as the square sees it: element (o, p), o along C and p along k, is x[o + p ld] or, inner, x[p + o ld]. */
struct gemm_operand {
	const scalar *x;
	int64_t ld;
	int outer, k; /* how many there are from here on, and in all */
	bool inner;
};

/* Begin to fetch p = p0 .. p0+DEPTH-1 into a slab, zeros where there is nothing, by the THREADS of a group. */
template <class S> static __device__ __forceinline__ void fetch(scalar *slab, const gemm_operand &f, int p0, int thread)
{
	int o = f.inner ? thread / S::DEPTH : thread % S::TILE, o_step = f.inner ? S::THREADS / S::DEPTH : 0;
	int p = f.inner ? thread % S::DEPTH : thread / S::TILE, p_step = f.inner ? 0 : S::THREADS / S::TILE;
	const scalar *from = f.x + (f.inner ? p0 + p + o * f.ld : o + (p0 + p) * f.ld);

	GPU_UNROLL
	for (int i = 0; i < S::FETCHED; i++) {
		if (o < f.outer && p0 + p < f.k)
			gpu_copy_async(slab + p * S::PITCH + o, from);
		else
			slab[p * S::PITCH + o] = store(from_real(0));
		o += o_step;
		p += p_step;
		from += (o_step + p_step) * f.ld;
	}
}

template <class S>
static __device__ __forceinline__ void multiply_slabs(number (&sum)[S::ROWS][S::COLUMNS], const scalar *a, const scalar *b, real sign)
{
	GPU_UNROLL
	for (int p = 0; p < S::DEPTH; p++) {
		number x[S::ROWS], y[S::COLUMNS];
		GPU_UNROLL
		for (int r = 0; r < S::ROWS; r++)
			x[r] = load(a[p * S::PITCH + r * S::ACROSS]);
		GPU_UNROLL
		for (int c = 0; c < S::COLUMNS; c++)
			y[c] = with_sign(load(b[p * S::PITCH + c]), sign);
		GPU_UNROLL
		for (int r = 0; r < S::ROWS; r++)
			GPU_UNROLL
			for (int c = 0; c < S::COLUMNS; c++)
				multiply_add(sum[r][c], x[r], y[c]);
	}
}

/* The groups' sums, one after the other, to group 0. */
template <class S> static __device__ __forceinline__ void add_groups(number (&sum)[S::ROWS][S::COLUMNS], scalar *shared, int group, int thread)
{
	for (int g = 1; g < S::GROUPS; g++) {
		__syncthreads();
		if (group == g)
			GPU_UNROLL
			for (int i = 0; i < S::ROWS * S::COLUMNS; i++)
				shared[i * S::THREADS + thread] = store(sum[i / S::COLUMNS][i % S::COLUMNS]);
		__syncthreads();
		if (group == 0)
			GPU_UNROLL
			for (int i = 0; i < S::ROWS * S::COLUMNS; i++)
				sum[i / S::COLUMNS][i % S::COLUMNS] += load(shared[i * S::THREADS + thread]);
	}
}

template <class S>
static __global__ void GPU_BOUNDS(S::THREADS *S::GROUPS)
gemm_kernel(int m, int n, int k, scalar alpha, const scalar *a, int64_t lda, bool a_inner, const scalar *b, int64_t ldb, bool b_inner,
	    real sign_b, real sign, scalar beta, scalar *c, int64_t ldc)
{
	GPU_SHARED(scalar, shared, S::SHARED);
	int group = threadIdx.x / S::THREADS, thread = threadIdx.x % S::THREADS, row = thread % S::ACROSS, column = thread / S::ACROSS * S::COLUMNS;
	int i0 = blockIdx.x * S::TILE, j0 = blockIdx.y * S::TILE, turns = (k + S::DEPTH * S::GROUPS - 1) / (S::DEPTH * S::GROUPS);
	gemm_operand fa = { a + (a_inner ? i0 * lda : i0), lda, m - i0, k, a_inner };
	gemm_operand fb = { b + (b_inner ? j0 * ldb : j0), ldb, n - j0, k, b_inner };
	scalar *slabs = shared + group * 4 * S::SLAB; /* A's and B's of this turn and of the next */
	number sum[S::ROWS][S::COLUMNS];

	GPU_UNROLL
	for (int i = 0; i < S::ROWS * S::COLUMNS; i++)
		sum[i / S::COLUMNS][i % S::COLUMNS] = from_real(0);
	for (int turn = -1; turn < turns; turn++) {
		if (turn >= 0) { /* what was fetched is there for all, and the slabs of the turn before are free */
			gpu_copy_wait<0>();
			__syncthreads();
		}
		if (turn + 1 < turns) {
			scalar *next = slabs + (turn + 1) % 2 * 2 * S::SLAB;
			int p0 = ((turn + 1) * S::GROUPS + group) * S::DEPTH;
			fetch<S>(next, fa, p0, thread);
			fetch<S>(next + S::SLAB, fb, p0, thread);
			gpu_copy_commit();
		}
		if (turn >= 0) {
			const scalar *now = slabs + turn % 2 * 2 * S::SLAB;
			multiply_slabs<S>(sum, now + row, now + S::SLAB + column, sign_b);
		}
	}
	add_groups<S>(sum, shared, group, thread);
	if (group != 0)
		return;
	bool reads = !(load(beta) == from_real(0));
	GPU_UNROLL
	for (int q = 0; q < S::COLUMNS; q++)
		GPU_UNROLL
		for (int r = 0; r < S::ROWS; r++) {
			int i = i0 + row + r * S::ACROSS, j = j0 + column + q;
			if (i >= m || j >= n)
				continue;
			number x = load(alpha) * with_sign(sum[r][q], sign);
			c[i + j * ldc] = store(reads ? x + load(beta) * load(c[i + j * ldc]) : x);
		}
}

/* Depths keep a block's shared memory below 48 KiB. */
enum { GEMM_DEPTH = sizeof(scalar) == 16 ? 8 : 16 };
typedef gemm_shape<64, sizeof(scalar) == 4 ? 8 : 4, 4, 1, GEMM_DEPTH> gemm_large;
typedef gemm_shape<32, 4, 4, 4, GEMM_DEPTH / 2> gemm_medium;
typedef gemm_shape<16, 2, 2, 4, GEMM_DEPTH> gemm_small;

static int64_t squares(int64_t m, int64_t n, int64_t tile) { return ((m + tile - 1) / tile) * ((n + tile - 1) / tile); }

template <class S>
static void launch(gpu_stream stream, heddle_trans ta, heddle_trans tb, int64_t m, int64_t n, int64_t k, scalar alpha, const scalar *a,
		   int64_t lda, const scalar *b, int64_t ldb, scalar beta, scalar *c, int64_t ldc)
{
	bool conjugate_a = ta == HEDDLE_CONJ_TRANS, conjugate_b = tb == HEDDLE_CONJ_TRANS;
	dim3 grid((unsigned)((m + S::TILE - 1) / S::TILE), (unsigned)((n + S::TILE - 1) / S::TILE));

	GPU_LAUNCH((gemm_kernel<S>), grid, dim3(S::THREADS * S::GROUPS), 0, stream, (int)m, (int)n, (int)k, alpha, a, lda, ta != HEDDLE_NO_TRANS, b,
		   ldb, tb == HEDDLE_NO_TRANS, (real)(conjugate_a != conjugate_b ? -1 : 1), (real)(conjugate_a ? -1 : 1), beta, c, ldc);
}

void NAME(gpu_gemm_own)(gpu_stream stream, heddle_trans ta, heddle_trans tb, int64_t m, int64_t n, int64_t k, scalar alpha, const scalar *a,
			int64_t lda, const scalar *b, int64_t ldb, scalar beta, scalar *c, int64_t ldc)
{
	enum { ENOUGH = 96 }; /* blocks that occupy a device */

	if (load(alpha) == from_real(0))
		k = 0;
	if (m <= 0 || n <= 0 || (k <= 0 && load(beta) == from_real(1)))
		return;
	if (squares(m, n, gemm_large::TILE) >= ENOUGH)
		launch<gemm_large>(stream, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
	else if (squares(m, n, gemm_medium::TILE) >= ENOUGH)
		launch<gemm_medium>(stream, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
	else
		launch<gemm_small>(stream, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
