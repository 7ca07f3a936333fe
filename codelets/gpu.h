/* For codelet files: the GPU function of a codelet, one for CUDA and HIP.
 *
 *	#if WITH_GPU
 *	static void thin_gpu(void *buffers[], void *arg)
 *	{
 *		const struct args *a = task_begin(arg);
 *		if (!a)
 *			return;
 *		NAME(gpu_gemm)(gpu_here(), ...);
 *	}
 *	#endif
 *	static struct starpu_codelet codelet = {
 *		.cpu_funcs = { thin_cpu },
 *		GPU_FUNCTION_OF(thin_gpu)
 *
 * It runs in StarPU's worker of the device, puts kernels on the worker's stream and returns; StarPU waits for the stream. */
#ifndef CODELETS_GPU_H
#define CODELETS_GPU_H

#if defined(HEDDLE_CUDA)
#define WITH_GPU 1
#define GPU_FUNCTION_OF(function) .cuda_funcs = { function }, .cuda_flags = { STARPU_CUDA_ASYNC },
#elif defined(HEDDLE_HIP)
#define WITH_GPU 1
#define GPU_FUNCTION_OF(function) .hip_funcs = { function }, .hip_flags = { STARPU_HIP_ASYNC },
#else
#define WITH_GPU 0
#define GPU_FUNCTION_OF(function)
#endif

#if WITH_GPU
#include "codelets/device/device.h"

/* The stream of the worker this is called in. */
gpu_stream gpu_here(void);

/* Device memory of the worker's, for the kernels of this task: later tasks of the worker are given the same memory, after these on the stream.
 * Ask once a task.  NULL if there is none: the task, whose codelet function was called with arg, has then failed. */
void *gpu_work(void *arg, size_t bytes);

/* Where kernels of this task write the code the sequence is to fail with, a device pointer to 0; read when the task is done.  NULL if
 * there is no memory: the task has then failed. */
int *gpu_verdict(void *arg);

/* Put a copy between the host's memory and the device's on the stream; `to_device` says which way.  Returns at the latest when pageable host
 * memory has been read or written. */
void gpu_transfer(void *to, const void *from, size_t bytes, bool to_device);
#endif

#endif
