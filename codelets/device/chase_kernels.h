/* For the chase on a device: its kernels.  One launch a cycle; one a pass, in the band; one a pass, in windows of it. */
#ifndef CODELETS_DEVICE_CHASE_KERNELS_H
#define CODELETS_DEVICE_CHASE_KERNELS_H

#include <limits.h>
#include "codelets/device/chase_window.h"

enum { MOST_THREADS = 256, DISTANCE = 2 };

/* Numbers that the vectors of some sweeps take in shared memory. */
GPU_FUNCTION int vector_numbers(int tile, int sweeps)
{
	return sweeps * (tile + 2) + 2 * (tile + 1);
}

static __device__ __forceinline__ vectors vectors_at(const pass &p, number *shared, int sweeps, int sweep)
{
	number *x = shared + sweeps * (p.tile + 2);

	return vectors{ shared + sweep * (p.tile + 2), x, x + p.tile + 1 };
}

static __global__ void GPU_BOUNDS(MOST_THREADS) chase_clear(int *progress, int count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < count)
		progress[i] = 0;
}

/* Cycle q of a pass: sweep s does step q - DISTANCE (s - s0), for `count` sweeps from `first` on, a block each.  Between cycles a sweep's
 * reflector is in the place of it in `kept`, of which there are as many as sweeps under way. */
template <bool HERMITIAN, class FORM>
static __global__ void GPU_BOUNDS_FEW(MOST_THREADS) chase_cycle(scalar *columns, pass p, int q, int first, int count, number *kept, int places)
{
	GPU_DYNAMIC_SHARED(number, shared);
	const band_view a(columns, p);
	vectors v = vectors_at(p, shared, 1, 0);

	for (int s = first + blockIdx.x; s < first + count; s += gridDim.x) {
		int t = q - DISTANCE * (s - p.s0);
		number *mine = kept + (int64_t)(s % places) * (p.tile + 2);
		if (t < 0 || t >= p.steps(s))
			continue;
		for (int i = threadIdx.x; t > 0 && i < p.tile + 2; i += blockDim.x)
			v.h[i] = mine[i];
		__syncthreads();
		step<HERMITIAN, FORM>(p, a, s, t, v);
		for (int i = threadIdx.x; t + 1 < p.steps(s) && i < p.tile + 2; i += blockDim.x)
			mine[i] = v.h[i];
		__syncthreads();
	}
}

/* The next of the tasks that blocks draw, in their order: what a block waits for belongs to tasks that are running or done, however few
 * blocks run at once. */
static __device__ __forceinline__ int draw(int *ticket, int *mine)
{
	if (threadIdx.x == 0)
		*mine = atomicAdd(ticket, 1);
	__syncthreads();
	int drawn = *mine;
	__syncthreads();
	return drawn;
}

static __device__ __forceinline__ int wait_for(const int *progress, int least)
{
	int seen = gpu_load_acquire(progress);

	while (seen < least) {
		gpu_pause();
		seen = gpu_load_acquire(progress);
	}
	return seen;
}

/* Where H waits in the band between two parts of a sweep, as on the host: its elements 1, 2, ... at which(i), sigma in the unused first
 * element of column j. */
struct waiting_place {
	int row, column, down, j;
};

template <bool HERMITIAN> static __device__ __forceinline__ waiting_place place_of(const pass &p, int c)
{
	return HERMITIAN ? waiting_place{ c + 2 * p.b - 1, c - 1, 0, c } : waiting_place{ c, c, 1, c };
}

static __device__ __forceinline__ scalar *waiting_at(const band_view &a, const waiting_place &w, int i)
{
	return a.at(w.row + w.down * i, w.column + !w.down * i);
}

static __device__ __forceinline__ void take(const pass &p, const band_view &a, const waiting_place &w, const vectors &v)
{
	for (int i = threadIdx.x; i < p.b; i += blockDim.x) {
		v.h[i] = i == 0 ? from_real(1) : get(waiting_at(a, w, i));
		if (i > 0)
			put(waiting_at(a, w, i), from_real(0));
	}
	if (threadIdx.x == 0) {
		v.h[p.tile + 1] = get(a.unused(w.j));
		put(a.unused(w.j), from_real(0));
	}
	__syncthreads();
}

static __device__ __forceinline__ void leave(const pass &p, const band_view &a, const waiting_place &w, const vectors &v)
{
	for (int i = 1 + threadIdx.x; i < p.b; i += blockDim.x)
		put(waiting_at(a, w, i), v.h[i]);
	if (threadIdx.x == 0)
		put(a.unused(w.j), v.h[p.tile + 1]);
	__syncthreads();
}

/* Any part: sweep s0 + i does steps first - i .. first - i + steps - 1, those that exist.  progress[1 + i] is the number of its first step that
 * is not done yet, INT_MAX once all of it and of the sweeps before is done; progress[0] gives out the sweeps. */
template <bool HERMITIAN, class FORM>
static __global__ void GPU_BOUNDS_FEW(MOST_THREADS) chase_sweeps(scalar *columns, pass p, int first, int steps, int *progress)
{
	GPU_DYNAMIC_SHARED(number, shared);
	GPU_SHARED(int, mine, 1);
	const band_view a(columns, p);
	vectors v = vectors_at(p, shared, 1, 0);

	for (;;) {
		int index = draw(progress, mine), s = p.s0 + index;
		if (s >= p.s1)
			return;
		int begin = first > index ? first - index : 0, end = at_most(first - index + steps, p.steps(s));
		for (int t = begin; t < end; t++) {
			if (index > 0 && threadIdx.x == 0)
				wait_for(progress + index, t + 2);
			__syncthreads();
			if (t == begin && t > 0)
				take(p, a, place_of<HERMITIAN>(p, p.column_of(s, t - 1)), v);
			step<HERMITIAN, FORM>(p, a, s, t, v);
			if (t == end - 1 && end < p.steps(s))
				leave(p, a, place_of<HERMITIAN>(p, p.column_of(s, t)), v);
			gpu_publish();
			__syncthreads();
			if (threadIdx.x == 0)
				gpu_store_release(progress + 1 + index, t + 1);
		}
		if (threadIdx.x == 0) {
			if (index > 0)
				wait_for(progress + index, INT_MAX);
			gpu_store_release(progress + 1 + index, INT_MAX);
		}
	}
}

/* Columns that a block has read, and until where it knows that the group before is done with them. */
struct progress_of_group {
	int loaded, seen;
};

/* The columns for cycle q are on their way afterwards, and those for the cycle after it if the group before is done with them already. */
static __device__ __forceinline__ void fetch(const pass &p, const group_of_sweeps &g, int q, const window_view &w, const window_shape &shape,
					     const band_view &a, const int *before, int *look, progress_of_group *state)
{
	int now = g.end(p, q), next = g.end(p, q + 1);

	if (state->loaded < now) {
		if (threadIdx.x == 0)
			look[0] = state->seen < now ? wait_for(before, now) : state->seen;
		__syncthreads();
		state->seen = look[0];
		load_columns(w, shape, a, state->loaded, now);
		state->loaded = now;
	}
	if (threadIdx.x == 0)
		look[1] = state->seen < next ? gpu_load_acquire(before) : state->seen;
	gpu_copy_wait<0>();
	__syncthreads();
	state->seen = look[1];
	if (state->loaded < next && state->seen >= next) {
		load_columns(w, shape, a, state->loaded, next);
		state->loaded = next;
	}
}

/* Whole sweeps, in groups.  progress[1 + i] is the column up to which group i is done, n once it is done altogether. */
template <bool HERMITIAN, class FORM>
static __global__ void GPU_BOUNDS_FEW(MOST_THREADS) chase_windows(scalar *columns, pass p, window_shape shape, int *progress)
{
	GPU_DYNAMIC_SHARED(number, shared);
	GPU_SHARED(int, look, 3);
	const band_view a(columns, p);
	window_view w = { shared + vector_numbers(p.tile, shape.group), shape.pitch, shape.up, shape.width, 0 };

	for (;;) {
		int index = draw(progress, look + 2);
		group_of_sweeps g(p, shape.group, index);
		if (g.s0 >= p.s1)
			return;
		int done = g.begin(p, HERMITIAN, 0);
		progress_of_group state = { done, index == 0 ? p.n : 0 };
		w.first = done;
		for (int q = 0; q < g.cycles; q++) {
			int from = g.begin(p, HERMITIAN, q), to = q + 1 < g.cycles ? g.begin(p, HERMITIAN, q + 1) : p.n;
			w.first += from - w.first >= shape.width ? shape.width : 0;
			fetch(p, g, q, w, shape, a, progress + index, look, &state);
			for (int i = 0; i < g.count; i++)
				if (q >= i && q - i < p.steps(g.s0 + i))
					step<HERMITIAN, FORM>(p, w, g.s0 + i, q - i, vectors_at(p, shared, shape.group, i));
			store_columns(w, shape, a, done, at_most(to, state.loaded));
			done = at_most(to, state.loaded);
			gpu_publish();
			__syncthreads();
			if (threadIdx.x == 0)
				gpu_store_release(progress + 1 + index, to);
		}
	}
}

#endif
