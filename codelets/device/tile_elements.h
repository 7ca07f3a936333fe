/* For kernels on tiles: a block of TILE_THREADS goes over squares of an m by n matrix, a warp along a column, four columns a thread. */
#ifndef CODELETS_DEVICE_TILE_ELEMENTS_H
#define CODELETS_DEVICE_TILE_ELEMENTS_H

#include "codelets/device/device.h"
#include "codelets/host/whole.h"

enum { TILE_SIDE = 32, TILE_THREADS = 256 };

/* Blocks for it: as many as there are squares, up to what a grid may have in y. */
static inline dim3 tile_grid(int64_t m, int64_t n)
{
	int64_t x = (m + TILE_SIDE - 1) / TILE_SIDE, y = (n + TILE_SIDE - 1) / TILE_SIDE;

	return dim3((unsigned)x, (unsigned)(y < 65535 ? y : 65535));
}

static inline enum whole_or_triangle triangle_of(heddle_uplo uplo) { return uplo == HEDDLE_LOWER ? LOWER_TRIANGLE : UPPER_TRIANGLE; }

static __device__ __forceinline__ bool in_triangle(enum whole_or_triangle which, int64_t i, int64_t j)
{
	return which == WHOLE || (which == LOWER_TRIANGLE ? i >= j : i <= j);
}

template <class F> static __device__ __forceinline__ void for_elements(int64_t m, int64_t n, F f)
{
	int64_t i = (int64_t)blockIdx.x * TILE_SIDE + threadIdx.x % TILE_SIDE;

	for (int64_t j0 = (int64_t)blockIdx.y * TILE_SIDE; j0 < n; j0 += (int64_t)gridDim.y * TILE_SIDE)
		GPU_UNROLL
		for (int c = 0; c < TILE_SIDE; c += TILE_THREADS / TILE_SIDE) {
			int64_t j = j0 + threadIdx.x / TILE_SIDE + c;
			if (i < m && j < n)
				f(i, j);
		}
}

#endif
