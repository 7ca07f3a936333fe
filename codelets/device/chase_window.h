/* For the chase on a device: which columns a group of sweeps has in shared memory.
 *
 * A block runs sweeps s0 .. s0 + group - 1 of a group, each one step behind the one before: in cycle q sweep s0 + i does step q - i.  Then it
 * needs columns begin(q) .. end(q) - 1; in the next cycle all that is b columns further on.                                  */
#ifndef CODELETS_DEVICE_CHASE_WINDOW_H
#define CODELETS_DEVICE_CHASE_WINDOW_H

#include "codelets/device/chase_step.h"

struct window_shape {
	int group, up, height, pitch, width; /* rows above the diagonal, rows in all; distance of columns in memory; columns */

	/* The columns for a cycle, and b more that are loaded meanwhile.  Threads on neighbouring elements along columns, rows and diagonals
	 * find them in different banks. */
	__host__ __device__ __forceinline__ window_shape(const pass &p, bool hermitian, int sweeps) : group(sweeps)
	{
		up = hermitian ? 0 : p.b + p.tile;
		height = p.b + p.tile + 1 + (hermitian ? 0 : p.tile);
		pitch = height + (13 - height % 8) % 8;
		width = (hermitian ? (group + 1) * p.b - group - p.kept + 2 : group * (p.b - 1) + 1) + p.b;
	}
	__host__ __device__ __forceinline__ int64_t numbers() const { return (int64_t)width * pitch; }
};

struct group_of_sweeps {
	int s0, count, cycles;

	__device__ __forceinline__ group_of_sweeps(const pass &p, int group, int index) : s0(p.s0 + index * group)
	{
		count = at_most(group, p.s1 - s0);
		cycles = p.steps(s0 + count - 1) + count - 1;
	}
	__device__ __forceinline__ int begin(const pass &p, bool hermitian, int q) const
	{
		int j = p.column_of(s0 + count - 1, q - (count - 1)) - (hermitian ? p.b : p.kept - 1);
		int first = s0 + !hermitian; /* of row s0 the first step needs what it clears */
		return at_most(j > first ? j : first, p.n);
	}
	__device__ __forceinline__ int end(const pass &p, int q) const { return at_most(s0 + (q + 1) * p.b + 1, p.n); }
};

/* Columns from .. to - 1 of the band into the window, or back.  Loads are under way until they have been waited for. */
static __device__ __forceinline__ void load_columns(const window_view &w, const window_shape &shape, const band_view &a, int from, int to)
{
	for (int j = from + threadIdx.x / GPU_WARP; j < to; j += blockDim.x / GPU_WARP) {
		number *in = w.top(j);
		const scalar *out = a.at(j - shape.up, j);
		for (int i = threadIdx.x % GPU_WARP; i < shape.height; i += GPU_WARP)
#if defined(PREC_h)
			in[i] = load(out[i]);
#else
			gpu_copy_async(in + i, out + i);
#endif
	}
	gpu_copy_commit();
}

static __device__ __forceinline__ void store_columns(const window_view &w, const window_shape &shape, const band_view &a, int from, int to)
{
	for (int j = from + threadIdx.x / GPU_WARP; j < to; j += blockDim.x / GPU_WARP) {
		const number *out = w.top(j);
		scalar *in = a.at(j - shape.up, j);
		for (int i = threadIdx.x % GPU_WARP; i < shape.height; i += GPU_WARP)
			in[i] = store(out[i]);
	}
}

#endif
