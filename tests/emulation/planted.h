/* Kernels with one bug each, and the same without it.  All of them give each thread the number of the next thread of its block. */
#ifndef TESTS_EMULATION_PLANTED_H
#define TESTS_EMULATION_PLANTED_H

#include "codelets/device/device.h"

enum planted {
	MISSING_BARRIER,
	MISSING_BARRIER_BEFORE_REUSE,
	DIVERGENT_BARRIER,
	GOOD_REDUCTIONS,
	EARLY_EXIT,
	EXIT_BEHIND_BARRIER,
	WRITE_PAST_GLOBAL,
	READ_PAST_GLOBAL,
	WRITE_PAST_SHARED,
	READ_PAST_SHARED,
	UNINITIALISED_SHARED,
	MISSING_COPY_WAIT,
	MISSING_COPY_COMMIT,
	COPY_INTO_USE,
	RELEASE_BEFORE_BARRIER,
	NO_ACQUIRE,
	WRITE_AFTER_RELEASE,
	RELEASE_OF_A_WARP,
	RELEASE_WITHIN_BLOCK,
	MISSING_FENCE,
	CO_RESIDENCY,
	CO_RESIDENCY_WITHOUT_PAUSE,
	DIVERGENT_WARP,
	DIVERGENT_WARP_AT_BARRIER,
	DIVERGENT_WARP_LINES,
	WARP_AFTER_EXIT,
	MISSING_WARP_SYNC,
	WRITES_OF_BLOCKS,
	PLAIN_BESIDE_ATOMIC,
	SMALL_NEIGHBOURS,
	LOCAL_OF_ANOTHER,
	TOO_MANY_THREADS,
	DYNAMIC_NOT_ALLOWED,
	DECLARED_TOO_MUCH,
	PLANTED
};

/* from and to have a number for each thread; flags are 16 zeros. */
DEVICE_API void run_planted(gpu_stream stream, enum planted what, int bad, int blocks, int threads, const double *from, double *to, int *flags);
DEVICE_API void run_planted_order(gpu_stream stream, enum planted what, int bad, int blocks, int threads, const double *from, double *to, int *flags);

/* The sum of count <= 32 vectors of n. */
DEVICE_API void run_sum_of_list(gpu_stream stream, const double *const *vectors, int count, int n, double *sum);
/* Barriers of one block, and nothing else. */
DEVICE_API void run_barriers(gpu_stream stream, int threads, int barriers, double *to);
/* to[thread] becomes 0 if all the warp operations of that thread gave what they should. */
DEVICE_API void run_warp_operations(gpu_stream stream, int threads, double *to);

#endif
