/* A stand-in for the CUDA or HIP runtime: emulated GPUs with memory of their own, for tests on a machine without a GPU.
 *
 * Device pointers are addresses in windows that nobody may touch; their bytes lie elsewhere, and kernels and copies translate them.  So a
 * host access to device memory faults, and memory of another device, freed memory and overruns are found.  Streams are queues.
 * What is wrong is printed, counted, and ends the process.
 *
 *	STANDIN_NDEV		devices (2)
 *	STANDIN_MEM_MB		memory of a device (256)
 *	STANDIN_MODE		lazy: an operation runs when somebody waits for it, so that a missing wait shows as stale or NaN data;
 *				eager: at once (lazy)
 *	STANDIN_POLLS		how often a query says "not ready" before it runs what it asks for (2)
 *	STANDIN_PEER		0: no device can access another's memory (1)
 *	STANDIN_KEEP_GOING	errors are printed and counted only
 *	STANDIN_STATS		print the counters at the end                                                                 */
#ifndef TESTS_STANDIN_STANDIN_H
#define TESTS_STANDIN_STANDIN_H

/* A counter's value, or -1 if there is none of this name: errors, kernels, blas, calls (of host functions), fills, staged (copies from or to
 * pageable memory), allocations, frees, refused (allocations that met the limit), bytes (of device memory in use now), peak (the most
 * a device had), pending (operations that have not run), copies_h2d, copies_d2h, copies_d2d, copies_h2h, copies, bytes_h2d and so on.
 * "kernels@1" is what device 1 alone counted. */
long standin_get(const char *name);

/* Emulated kernels: put a function on a stream of the current device; translate a pointer while it runs, which for another device's
 * memory, and for host memory that is not pinned, is an error. */
void standin_enqueue(void *stream, void (*function)(void *), void *argument);
void standin_enqueue_blas(void *stream, void (*function)(void *), void *argument); /* counted as blas */
void *standin_xlat(void *pointer);

#endif
