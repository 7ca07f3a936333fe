/* Tridiagonal form of a small Hermitian matrix, both triangles of which are kept.  Step j finds v, tau and y = A v; then A := A - v w' - w v'
 * with w = tau y - |tau|^2 (v'y) v / 2.  This is applied in step j + 1, whose reading of A gives the next y at once: a step reads and writes
 * the matrix once. */
#include "codelets/device/small_steps.h"

/* What step j - 1 left to do; nothing before the first. */
struct pending_pair {
	bool any;
	const scalar *v, *y;
	number tau;
	real half;
};

static __device__ __forceinline__ number pending_v(const pending_pair &p, int i) { return p.any ? p.v[i] : from_real(0); }
static __device__ __forceinline__ number pending_w(const pending_pair &p, int i)
{
	return p.any ? p.tau * p.y[i] - p.half * p.v[i] : from_real(0);
}

/* Element (i, c) of the matrix as it is to be; v_c and w_c are conjugates. */
static __device__ __forceinline__ number updated(const pending_pair &p, number a, int i, number v_c, number w_c)
{
	return a - pending_v(p, i) * w_c - pending_w(p, i) * v_c;
}

/* Update columns j + 1 .. n - 1, a warp a column, and leave v and y, whose places are n apart, for the next step. */
static __device__ void hetrd_columns(const pending_pair &p, int j, int n, scalar *a, int64_t lda, number factor, number v_j, number w_j, scalar *v)
{
	int lane = (int)threadIdx.x % GPU_WARP, warps = (int)blockDim.x / GPU_WARP, warp = (int)blockIdx.x * warps + (int)threadIdx.x / GPU_WARP;
	const scalar *column_j = a + j * lda;

	for (int c = j + 1 + warp; c < n; c += (int)gridDim.x * warps) {
		scalar *column = a + c * lda;
		number v_c = conjugate(pending_v(p, c)), w_c = conjugate(pending_w(p, c)), sum = from_real(0);
		for (int i = j + 1 + lane; i < n; i += GPU_WARP) {
			number x = updated(p, column[i], i, v_c, w_c);
			number next = i == j + 1 ? from_real(1) : factor * updated(p, column_j[i], i, v_j, w_j);
			column[i] = x;
			sum += conjugate(x) * next;
		}
		sum = warp_sum(sum);
		if (lane == 0) {
			v[c] = c == j + 1 ? from_real(1) : factor * updated(p, column_j[c], c, v_j, w_j);
			v[n + c] = sum;
		}
	}
}

/* Steps first .. last - 1.  vectors: v and y of even steps, of odd ones, and tau of both. */
static __global__ void GPU_BOUNDS(STEP_THREADS)
hetrd_steps(int first, int last, int n, scalar *a, int64_t lda, scalar *vectors, real *d, real *e)
{
	GPU_SHARED(real, sums, STEP_WARPS);
	int t = (int)threadIdx.x;

	for (int j = first; j < last; j++) {
		const scalar *before = vectors + (j + 1) % 2 * 2 * n, *column = a + j * lda;
		pending_pair p = { j > 0, before, before + n, from_real(0), 0 };
		real sum = 0, tail = 0;
		for (int i = j + t; j > 0 && i < n; i += (int)blockDim.x)
			sum += real_part(conjugate(p.v[i]) * p.y[i]);
		sum = block_sum(sum, sums);
		if (j > 0) {
			p.tau = vectors[4 * n + (j + 1) % 2];
			p.half = square_size(p.tau) * sum / 2;
		}
		number v_j = conjugate(pending_v(p, j)), w_j = conjugate(pending_w(p, j));
		for (int i = j + 2 + t; i < n; i += (int)blockDim.x)
			tail += square_size(updated(p, column[i], i, v_j, w_j));
		tail = block_sum(tail, sums);
		if (blockIdx.x == 0 && t == 0)
			d[j] = real_part(updated(p, column[j], j, v_j, w_j));
		if (j < n - 1) {
			small_reflector h = reflector_for(updated(p, column[j + 1], j + 1, v_j, w_j), tail);
			if (blockIdx.x == 0 && t == 0) {
				e[j] = (real)fabs(h.beta);
				vectors[4 * n + j % 2] = h.tau;
			}
			hetrd_columns(p, j, n, a, lda, h.factor, v_j, w_j, vectors + j % 2 * 2 * n);
		}
		__syncthreads();
	}
}

DEVICE_API size_t NAME(gpu_hetrd_small_work)(int64_t n)
{
	return (size_t)(4 * n + 2) * sizeof(scalar) + LARGEST_BLOCKS * sizeof(real);
}

DEVICE_API void NAME(gpu_hetrd_small)(gpu_stream stream, heddle_uplo uplo, int64_t n, scalar *a, int64_t lda, real *d, real *e, real *scale,
				      void *work, int *verdict)
{
	scalar *vectors = (scalar *)work;
	int order = (int)n, j = 0;

	if (n == 0)
		return;
	scale_to_one(stream, uplo == HEDDLE_LOWER ? LOWER_STORED : UPPER_STORED, n, n, a, lda, (real *)(vectors + 4 * n + 2), scale, verdict);
	for (; order - j > ALONE; j++) {
		int blocks = (order - j - 1 + COLUMN_THREADS / GPU_WARP - 1) / (COLUMN_THREADS / GPU_WARP);
		GPU_LAUNCH(hetrd_steps, dim3((unsigned)blocks), dim3(COLUMN_THREADS), 0, stream, j, j + 1, order, a, lda, vectors, d, e);
	}
	GPU_LAUNCH(hetrd_steps, dim3(1), dim3(STEP_THREADS), 0, stream, j, order, order, a, lda, vectors, d, e);
}
