/* What tasks on a CUDA or HIP device need of the runtime.  With neither, these do nothing. */
#ifndef RUNTIME_GPU_H
#define RUNTIME_GPU_H

#include <stddef.h>
#include <stdint.h>

typedef struct gpu_stream_s *gpu_stream; /* a cudaStream_t or hipStream_t */

/* In a codelet's GPU function: the stream of the worker this is called in. */
gpu_stream gpu_here(void);

/* In a codelet's GPU function, called with arg: device memory of the worker's for the kernels of this task; later tasks of the worker are
 * given the same memory, after these on the stream.  Ask once a task.  NULL if there is none: the task has then failed. */
void *gpu_work(void *arg, size_t bytes);

/* The same: where kernels of this task write the code the sequence is to fail with, a device pointer to 0; and a number that goes to *to
 * when the task is done.  NULL if there is no memory: the task has then failed. */
int *gpu_verdict(void *arg);
int64_t *gpu_result(void *arg, int64_t *to);

/* Around what a codelet's GPU function launches: the task fails if something could not be launched. */
void gpu_launches_begin(void);
void gpu_launches_end(void *arg);

/* Put a copy between the host's memory and the device's on the stream.  Pageable host memory may have been read or written only once
 * the stream has got there. */
void gpu_transfer(void *to, const void *from, size_t bytes, int to_device);

/* Devices of the kind that Heddle was built for, 0 where there is no driver. */
int gpu_devices(void);

/* Host memory that kernels write to, one for each task that asks for it. */
struct gpu_slot {
	int verdict;
	int64_t result, *to;
	struct gpu_slot *next;
};

/* For the runtime: give a slot back, having done what it says (returns the verdict); once StarPU runs, before it stops, and after somebody
 * else has stopped it. */
int gpu_slot_done(struct gpu_slot *slot);
void gpu_start(void);
void gpu_stop(void);
void gpu_forget(void);

#endif
