/* What both reductions share: scaling, sums over a block, and reflectors.
 *
 * A step is a launch or two.  What the next column or row becomes is computed by every block for itself, in the same way, so that no block
 * waits for another; nothing is written that another block of the launch reads.  Once little is left, one block goes on alone. */
#ifndef CODELETS_DEVICE_SMALL_STEPS_H
#define CODELETS_DEVICE_SMALL_STEPS_H

#include <float.h>
#include "codelets/device/small.h"

enum {
	STEP_THREADS = 512,  /* at most, of a block that works alone or on rows; */
	COLUMN_THREADS = 128, /* and of blocks that share columns */
	STEP_WARPS = STEP_THREADS / GPU_WARP,
	LARGEST_BLOCKS = 64, /* and partial maxima */
	ALONE = 96           /* an order that one block reduces on its own */
};

/* Entries are scaled to at most 2.  A tail whose squares add up to no more than this is zero beside them; the squares of others lose
 * nothing to underflow that counts. */
#define NOTHING (REAL_IS_SINGLE ? (real)(FLT_MIN / FLT_EPSILON) : (real)(DBL_MIN / DBL_EPSILON))
#define LARGEST_REAL (REAL_IS_SINGLE ? (real)FLT_MAX : (real)DBL_MAX)

/* Sum over the block, in every thread. */
template <class T> static __device__ __forceinline__ T block_sum(T x, T *shared)
{
	x = warp_sum(x);
	__syncthreads();
	if (threadIdx.x % GPU_WARP == 0)
		shared[threadIdx.x / GPU_WARP] = x;
	__syncthreads();
	x = shared[0];
	for (int w = 1; w < (int)blockDim.x / GPU_WARP; w++)
		x = x + shared[w];
	return x;
}

/* H = I - tau v v', v = 1 before factor * tail, with H' (alpha, tail) = (beta, 0). */
struct small_reflector {
	number tau, factor;
	real beta;
};

static __device__ __forceinline__ small_reflector reflector_for(number alpha, real tail)
{
	small_reflector h = { from_real(0), from_real(0), sqrt(square_size(alpha)) };

	if (!(tail > NOTHING))
		return h;
	real norm = sqrt(square_size(alpha) + tail);
	h.beta = real_part(alpha) >= 0 ? -norm : norm;
	h.tau = (1 / h.beta) * (from_real(h.beta) - alpha);
	h.factor = from_real(1) / (alpha - from_real(h.beta));
	return h;
}

/* What is stored of a Hermitian matrix, or all. */
enum stored { ALL_STORED, LOWER_STORED, UPPER_STORED };

static __device__ __forceinline__ bool is_stored(int stored, int64_t i, int64_t j)
{
	return stored == ALL_STORED || (stored == LOWER_STORED ? i >= j : i <= j);
}

/* partial: the largest real or imaginary part of a block's share, infinite if there is a NaN. */
static __global__ void GPU_BOUNDS(STEP_THREADS) largest_parts(int stored, int64_t m, int64_t n, const scalar *a, int64_t lda, real *partial)
{
	GPU_SHARED(real, shared, STEP_WARPS);
	real most = 0;

	for (int64_t k = (int64_t)blockIdx.x * STEP_THREADS + threadIdx.x; k < m * n; k += (int64_t)gridDim.x * STEP_THREADS) {
		int64_t i = k % m, j = k / m;
		if (!is_stored(stored, i, j))
			continue;
		number x = a[i + j * lda];
		real re = (real)fabs(real_part(x)), im = stored != ALL_STORED && i == j ? 0 : (real)fabs(imaginary_part(x));
		if (!(re <= LARGEST_REAL && im <= LARGEST_REAL))
			re = (real)INFINITY;
		most = re > most ? re : most;
		most = im > most ? im : most;
	}
	most = warp_largest(most);
	if (threadIdx.x % GPU_WARP == 0)
		shared[threadIdx.x / GPU_WARP] = most;
	__syncthreads();
	for (int w = 0; w < STEP_WARPS; w++)
		most = shared[w] > most ? shared[w] : most;
	if (threadIdx.x == 0)
		partial[blockIdx.x] = most;
}

/* Multiply A with a power of two that brings the largest part to 1 .. 2, and fill a triangle that is not stored; zeros if not all is finite. */
static __global__ void GPU_BOUNDS(STEP_THREADS)
scale_small(int stored, int64_t m, int64_t n, scalar *a, int64_t lda, const real *partial, int partials, real *scale, int *verdict)
{
	real most = 0;

	for (int k = 0; k < partials; k++)
		most = partial[k] > most ? partial[k] : most;
	bool finite = most <= LARGEST_REAL;
	int e = 0, lowest = REAL_IS_SINGLE ? -126 : -1022;
	if (finite && most > 0) {
		frexp((double)most, &e);
		e = e - 1 < lowest ? lowest : e - 1;
	}
	real half = finite ? (real)ldexp(1.0, -e / 2) : 0, rest = (real)ldexp(1.0, -e + e / 2);
	if (blockIdx.x == 0 && threadIdx.x == 0) {
		scale[0] = (real)ldexp(1.0, -e);
		scale[1] = (real)ldexp(1.0, e);
		if (!finite && verdict)
			*verdict = HEDDLE_EINPUT;
	}
	for (int64_t k = (int64_t)blockIdx.x * STEP_THREADS + threadIdx.x; k < m * n; k += (int64_t)gridDim.x * STEP_THREADS) {
		int64_t i = k % m, j = k / m;
		if (!is_stored(stored, i, j))
			continue;
		number x = rest * (half * a[i + j * lda]);
		if (!finite)
			x = from_real(0);
		if (stored != ALL_STORED && i == j)
			x = from_real(real_part(x));
		a[i + j * lda] = x;
		if (stored != ALL_STORED && i != j)
			a[j + i * lda] = conjugate(x);
	}
}

static void scale_to_one(gpu_stream stream, enum stored stored, int64_t m, int64_t n, scalar *a, int64_t lda, real *partial, real *scale,
			 int *verdict)
{
	int64_t blocks = (m * n + STEP_THREADS - 1) / STEP_THREADS;
	int partials = blocks < LARGEST_BLOCKS ? (int)blocks : (int)LARGEST_BLOCKS;

	GPU_LAUNCH(largest_parts, dim3((unsigned)partials), dim3(STEP_THREADS), 0, stream, (int)stored, m, n, a, lda, partial);
	GPU_LAUNCH(scale_small, dim3((unsigned)(blocks < 512 ? blocks : 512)), dim3(STEP_THREADS), 0, stream, (int)stored, m, n, a, lda, partial,
		   partials, scale, verdict);
}

#endif
