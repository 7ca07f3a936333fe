/* Bugs of what orders threads beside barriers: copies, flags, warps; see planted.h. */
#include "tests/emulation/planted_threads.h"
#include <stdlib.h>

static __global__ void GPU_BOUNDS(MOST) copies(int no_wait, int no_commit, const double *from, double *to)
{
	GPU_SHARED2(double, s, 2, MOST);
	int turns = 4;

	/* double-buffered, the same numbers again and again */
	gpu_copy_async(&s[0][own()], &from[at(own())]);
	if (!no_commit)
		gpu_copy_commit();
	for (int i = 0; i < turns; i++) {
		if (i + 1 < turns)
			gpu_copy_async(&s[(i + 1) % 2][own()], &from[at(own())]);
		gpu_copy_commit();
		if (!no_wait)
			gpu_copy_wait<1>();
		__syncthreads();
		to[at(own())] = i == 0 ? s[0][next()] : to[at(own())] + 0 * s[i % 2][next()];
		__syncthreads();
	}
	gpu_copy_wait<0>();
}

static __global__ void GPU_BOUNDS(MOST) copy_into_use(int bad, const double *from, double *to, int *)
{
	GPU_SHARED(double, s, MOST);

	s[own()] = from[at(own())];
	__syncthreads();
	to[at(own())] = s[next()];
	if (!bad)
		__syncthreads();
	gpu_copy_async(&s[own()], &from[at(next())]);
	gpu_copy_commit();
	gpu_copy_wait<0>();
}

/* The blocks' numbers are drawn, so that who is waited for is always running: the second of two waits for the first. */
static __device__ int draw(int *flags)
{
	GPU_SHARED(int, number, 1);

	if (own() == 0)
		number[0] = atomicAdd(flags, 1);
	__syncthreads();
	return number[0];
}

static __device__ void wait_for(int *flag)
{
	while (gpu_load_acquire(flag) == 0)
		gpu_pause();
}

/* Of two blocks: the first copies, the second rotates what it copied.  All blocks' parts are the first's in the end. */
static __global__ void GPU_BOUNDS(MOST) release(int before_barrier, int no_acquire, int write_late, const double *from, double *to, int *flags)
{
	int number = draw(flags), n = (int)blockDim.x;

	if (number == 0) {
		to[n + own()] = from[n + own()];
		if (before_barrier && own() == 0)
			gpu_store_release(flags + 1, 1);
		__syncthreads();
		if (!before_barrier && own() == 0)
			gpu_store_release(flags + 1, 1);
		if (write_late && own() == 0)
			to[n] = from[n];
		to[own()] = from[next()];
	} else {
		if (own() == 0 && no_acquire)
			while (atomicAdd(flags + 1, 0) == 0)
				;
		else if (own() == 0)
			wait_for(flags + 1);
		__syncthreads();
		double x = to[n + next()];
		__syncthreads();
		to[n + own()] = x;
	}
}

/* The same by warps. */
static __global__ void GPU_BOUNDS(MOST) release_of_a_warp(int bad, const double *from, double *to, int *flags)
{
	int number = draw(flags), n = (int)blockDim.x, warp = own() / 32, lane = own() % 32, right = own() - lane + (lane + 1) % 32;

	if (number == 0) {
		to[own()] = from[next()];
		to[n + own()] = from[n + next()];
		if (!bad)
			gpu_sync_warp();
		if (lane == 0)
			gpu_store_release(flags + 1 + warp, 1);
	} else {
		if (lane == 0)
			wait_for(flags + 1 + warp);
		gpu_sync_warp();
		double x = to[n + right];
		gpu_sync_warp();
		if (x < 0)
			to[n + own()] = x;
	}
}

/* Warps of a block wait for each other through flags in shared memory. */
static __global__ void GPU_BOUNDS(MOST) release_within_block(int bad, const double *from, double *to, int *)
{
	GPU_SHARED(double, s, MOST);
	GPU_SHARED(int, ready, MOST / 32);
	int warp = own() / 32, lane = own() % 32, warps = ((int)blockDim.x + 31) / 32;

	if (lane == 0)
		ready[warp] = 0;
	s[own()] = 0;
	__syncthreads();
	s[own()] = from[at(own())];
	if (!bad)
		gpu_sync_warp();
	if (lane == 0)
		gpu_store_release(&ready[warp], 1);
	wait_for(&ready[warp]);
	wait_for(&ready[(warp + 1) % warps]);
	to[at(own())] = s[next()];
}

static __global__ void GPU_BOUNDS(MOST) fences(int bad, const double *from, double *to, int *flags)
{
	GPU_SHARED(int, last, 1);
	int n = (int)blockDim.x;

	to[at(own())] = from[at(own())];
	__syncthreads();
	if (own() == 0) {
		if (!bad)
			__threadfence();
		last[0] = atomicAdd(flags, 1) == (int)gridDim.x - 1;
		__threadfence();
	}
	__syncthreads();
	for (int b = 0; last[0] && b < (int)gridDim.x; b++) {
		double x = to[b * n + next()];
		__syncthreads();
		to[b * n + own()] = x;
	}
}

static __global__ void GPU_BOUNDS(MOST) co_residency(int by_index, int pause, const double *from, double *to, int *flags)
{
	int number = by_index ? (int)(gridDim.x - 1 - blockIdx.x) : draw(flags);

	if (own() == 0 && number > 0)
		while (gpu_load_acquire(flags + number) == 0)
			if (pause)
				gpu_pause();
	__syncthreads();
	to[at(own())] = from[at(next())];
	if (own() == 0)
		gpu_store_release(flags + number + 1, 1);
}

static __global__ void GPU_BOUNDS(MOST) divergent_warp(int bad, const double *from, double *to, int *)
{
	double x = 0;

	if (!bad || own() % 32 < 16)
		x = gpu_shuffle_xor(1.0, 1);
	to[at(own())] = from[at(next())] + (x - 1);
}

static __global__ void GPU_BOUNDS(MOST) divergent_warp_at_barrier(int bad, const double *from, double *to, int *)
{
	if (!bad || own() % 32 < 16)
		gpu_sync_warp();
	__syncthreads();
	to[at(own())] = from[at(next())];
}

static __global__ void GPU_BOUNDS(MOST) divergent_warp_lines(int bad, const double *from, double *to, int *)
{
	if (!bad || own() % 32 < 16)
		gpu_sync_warp();
	else
		gpu_sync_warp();
	to[at(own())] = from[at(next())];
}

static __global__ void GPU_BOUNDS(MOST) warp_after_exit(int bad, const double *from, double *to, int *)
{
	to[at(own())] = from[at(next())];
	if (bad && own() == 0)
		return;
	gpu_sync_warp();
}

static __global__ void GPU_BOUNDS(MOST) missing_warp_sync(int bad, const double *from, double *to, int *)
{
	GPU_SHARED(double, s, MOST);
	int lane = own() % 32, right = own() - lane + (lane + 1) % 32;

	s[own()] = from[at(own())];
	if (!bad)
		gpu_sync_warp();
	double x = s[right];
	gpu_sync_warp();
	s[own()] = x;
	__syncthreads();
	/* the last lane of a warp got the warp's first number */
	to[at(own())] = lane == 31 ? from[at(next())] : x;
}

/* Sums and bits of a warp's lanes; 0 if they are right. */
static __global__ void GPU_BOUNDS(MOST) warp_operations(double *to)
{
	int lane = own() % 32, wrong = 0;
	struct pair {
		double x, y;
	} p = { (double)own(), (double)-own() };

	for (int i = 0; i < 32; i++) {
		pair q = gpu_shuffle(p, i);
		wrong += q.x != own() - lane + i || q.y != -q.x;
		wrong += gpu_shuffle_down(own(), i) != (lane + i < 32 ? own() + i : own());
		wrong += gpu_shuffle_xor((short)own(), i) != own() - lane + (lane ^ i);
	}
	wrong += warp_sum(1.0) != 32 || warp_largest(own()) != own() - lane + 31;
	wrong += gpu_ballot(lane % 3 == 0) != 0x49249249 || gpu_ballot(1) != 0xffffffff || gpu_ballot(0) != 0;
	to[own()] = wrong;
}

DEVICE_API void run_warp_operations(gpu_stream stream, int threads, double *to)
{
	GPU_LAUNCH(warp_operations, 1, threads, 0, stream, to);
}

#define RUN(kernel) GPU_LAUNCH(kernel, blocks, threads, 0, stream, bad, from, to, flags)
#define RUN3(kernel, a, b, c) GPU_LAUNCH(kernel, blocks, threads, 0, stream, (int)(a), (int)(b), (int)(c), from, to, flags)

DEVICE_API void run_planted_order(gpu_stream stream, enum planted what, int bad, int blocks, int threads, const double *from, double *to, int *flags)
{
	switch (what) {
	case MISSING_COPY_WAIT:
	case MISSING_COPY_COMMIT:
		return GPU_LAUNCH(copies, blocks, threads, 0, stream, (int)(bad && what == MISSING_COPY_WAIT), (int)(bad && what == MISSING_COPY_COMMIT), from, to);
	case COPY_INTO_USE:
		return RUN(copy_into_use);
	case RELEASE_BEFORE_BARRIER:
	case NO_ACQUIRE:
	case WRITE_AFTER_RELEASE:
		return RUN3(release, bad && what == RELEASE_BEFORE_BARRIER, bad && what == NO_ACQUIRE, bad && what == WRITE_AFTER_RELEASE);
	case RELEASE_OF_A_WARP:
		return RUN(release_of_a_warp);
	case RELEASE_WITHIN_BLOCK:
		return RUN(release_within_block);
	case MISSING_FENCE:
		return RUN(fences);
	case CO_RESIDENCY:
	case CO_RESIDENCY_WITHOUT_PAUSE:
		return GPU_LAUNCH(co_residency, blocks, threads, 0, stream, bad, (int)(what == CO_RESIDENCY), from, to, flags);
	case DIVERGENT_WARP:
		return RUN(divergent_warp);
	case DIVERGENT_WARP_AT_BARRIER:
		return RUN(divergent_warp_at_barrier);
	case DIVERGENT_WARP_LINES:
		return RUN(divergent_warp_lines);
	case WARP_AFTER_EXIT:
		return RUN(warp_after_exit);
	case MISSING_WARP_SYNC:
		return RUN(missing_warp_sync);
	default:
		abort();
	}
}
