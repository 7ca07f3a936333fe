/* Fills, the largest modulus, and scaling of tiles. */
#include <string.h>
#include <type_traits>
#include "codelets/device/tile.h"
#include "codelets/device/tile_elements.h"

static __global__ void GPU_BOUNDS(TILE_THREADS)
set_kernel(int64_t m, int64_t n, scalar off_diagonal, scalar diagonal, scalar *a, int64_t lda)
{
	for_elements(m, n, [=](int64_t i, int64_t j) { a[i + j * lda] = i == j ? diagonal : off_diagonal; });
}

static __global__ void GPU_BOUNDS(TILE_THREADS) clear_kernel(int64_t m, int64_t n, int64_t diagonal, bool above, scalar *a, int64_t lda)
{
	for_elements(m, n, [=](int64_t i, int64_t j) {
		if ((above ? j - i : i - j) > diagonal)
			a[i + j * lda] = store(from_real(0));
	});
}

static __global__ void GPU_BOUNDS(TILE_THREADS)
scale_kernel(enum whole_or_triangle which, int64_t m, int64_t n, const real *factor, scalar *a, int64_t lda)
{
	real f = *factor;

	if (f != 1)
		for_elements(m, n, [=](int64_t i, int64_t j) {
			if (in_triangle(which, i, j))
				a[i + j * lda] = store(load(a[i + j * lda]) * f);
		});
}

/* Bits of a modulus, which are ordered as moduli are, and those of NaNs above all others. */
typedef std::conditional<REAL_IS_SINGLE, unsigned, unsigned long long>::type modulus_bits;

static __device__ __forceinline__ modulus_bits bits_of(real x)
{
	modulus_bits bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits << 1 >> 1;
}

static __device__ __forceinline__ real from_bits(modulus_bits bits)
{
	real x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

static __device__ __forceinline__ bool is_finite(modulus_bits bits)
{
	return bits < bits_of((real)INFINITY);
}

static __device__ __forceinline__ modulus_bits warp_largest_bits(modulus_bits x)
{
	for (int d = GPU_WARP / 2; d > 0; d /= 2) {
		modulus_bits other = gpu_shuffle_xor(x, d);
		x = other > x ? other : x;
	}
	return x;
}

static __global__ void GPU_BOUNDS(TILE_THREADS)
amax_kernel(enum whole_or_triangle which, int64_t m, int64_t n, const scalar *a, int64_t lda, modulus_bits *largest)
{
	GPU_SHARED(modulus_bits, of_warps, TILE_THREADS / GPU_WARP);
	modulus_bits mine = 0;

	for_elements(m, n, [&](int64_t i, int64_t j) {
		if (!in_triangle(which, i, j))
			return;
		number x = load(a[i + j * lda]);
		modulus_bits re = bits_of(real_part(x)), im = which != WHOLE && i == j ? 0 : bits_of(imaginary_part(x));
		mine = re > mine ? re : mine;
		mine = im > mine ? im : mine;
	});
	mine = warp_largest_bits(mine);
	if (threadIdx.x % GPU_WARP == 0)
		of_warps[threadIdx.x / GPU_WARP] = mine;
	__syncthreads();
	if (threadIdx.x != 0)
		return;
	for (int w = 1; w < TILE_THREADS / GPU_WARP; w++)
		mine = of_warps[w] > mine ? of_warps[w] : mine;
	if (mine > 0)
		atomicMax(largest, mine);
}

static __global__ void GPU_BOUNDS(1) amax_begin_kernel(real *largest) { *largest = 0; }

static __global__ void GPU_BOUNDS(1) amax_verdict_kernel(const real *largest, int *verdict)
{
	if (!is_finite(bits_of(*largest)))
		*verdict = HEDDLE_EINPUT;
}

/* A warp, a lane a maximum.  Between launches scale[0] holds the largest of the maxima so far; the last launch turns it into the scale. */
static __global__ void GPU_BOUNDS(GPU_WARP)
safe_scale_kernel(gpu_list<const real> maxima, int count, bool first, bool last, real *scale, int *verdict)
{
	int lane = threadIdx.x;
	modulus_bits bits = warp_largest_bits(lane < count ? bits_of(*maxima.p[lane]) : 0);

	if (lane != 0)
		return;
	if (!first && bits_of(scale[0]) > bits)
		bits = bits_of(scale[0]);
	scale[0] = from_bits(bits);
	if (!last)
		return;
	int middle = REAL_IS_SINGLE ? 40 : 400, exponent = 0; /* as in codelets/safe_scale.c */
	double largest = (double)scale[0];
	if (!is_finite(bits))
		*verdict = HEDDLE_EINPUT;
	else
		(void)frexp(largest, &exponent);
	int shift = exponent > middle ? middle - exponent : exponent < -middle ? -middle - exponent : 0;
	scale[0] = (real)ldexp(1.0, shift);
	scale[1] = (real)ldexp(1.0, -shift);
}

void NAME(gpu_set)(gpu_stream stream, int64_t m, int64_t n, scalar off_diagonal, scalar diagonal, scalar *a, int64_t lda)
{
	if (m > 0 && n > 0)
		GPU_LAUNCH(set_kernel, tile_grid(m, n), dim3(TILE_THREADS), 0, stream, m, n, off_diagonal, diagonal, a, lda);
}

void NAME(gpu_clear)(gpu_stream stream, int64_t m, int64_t n, int64_t diagonal, bool above, scalar *a, int64_t lda)
{
	if (m > 0 && n > 0)
		GPU_LAUNCH(clear_kernel, tile_grid(m, n), dim3(TILE_THREADS), 0, stream, m, n, diagonal, above, a, lda);
}

void NAME(gpu_scale)(gpu_stream stream, enum whole_or_triangle which, int64_t m, int64_t n, const real *factor, scalar *a, int64_t lda)
{
	if (m > 0 && n > 0)
		GPU_LAUNCH(scale_kernel, tile_grid(m, n), dim3(TILE_THREADS), 0, stream, which, m, n, factor, a, lda);
}

void NAME(gpu_amax_begin)(gpu_stream stream, real *largest)
{
	GPU_LAUNCH(amax_begin_kernel, dim3(1), dim3(1), 0, stream, largest);
}

void NAME(gpu_amax)(gpu_stream stream, enum whole_or_triangle which, int64_t m, int64_t n, const scalar *a, int64_t lda, real *largest)
{
	enum { ROUNDS = 4 }; /* squares a block looks at before it has an atomic operation */

	if (m <= 0 || n <= 0)
		return;
	dim3 grid = tile_grid(m, n);
	grid.y = (grid.y + ROUNDS - 1) / ROUNDS;
	GPU_LAUNCH(amax_kernel, grid, dim3(TILE_THREADS), 0, stream, which, m, n, a, lda, reinterpret_cast<modulus_bits *>(largest));
}

void NAME(gpu_amax_verdict)(gpu_stream stream, const real *largest, int *verdict)
{
	GPU_LAUNCH(amax_verdict_kernel, dim3(1), dim3(1), 0, stream, largest, verdict);
}

void NAME(gpu_safe_scale)(gpu_stream stream, int64_t count, const real *const *maxima, real *scale, int *verdict)
{
	int64_t done = 0;

	do {
		gpu_list<const real> list = {};
		int turn = count - done < GPU_LIST ? (int)(count - done) : (int)GPU_LIST;
		for (int i = 0; i < turn; i++)
			list.p[i] = maxima[done + i];
		GPU_LAUNCH(safe_scale_kernel, dim3(1), dim3(GPU_WARP), 0, stream, list, turn, done == 0, done + turn >= count, scale, verdict);
		done += turn;
	} while (done < count);
}
