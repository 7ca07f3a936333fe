/* For codelet files: the GPU function of a codelet, one for CUDA and HIP.
 *
 *	#if WITH_GPU
 *	GPU_TASK(thin_gpu)
 *	{
 *		const struct args *a = task_begin(arg);
 *		if (!a)
 *			return;
 *		NAME(gpu_gemm)(gpu_here(), ...);
 *	}
 *	#endif
 *	static struct starpu_codelet codelet = {
 *		.cpu_funcs = { thin_cpu },
 *		ON_GPU(thin_gpu)
 *
 * It runs in StarPU's worker of the device, puts kernels on the worker's stream and returns; StarPU waits for the stream. */
#ifndef CODELETS_GPU_H
#define CODELETS_GPU_H

#if defined(HEDDLE_CUDA)
#define WITH_GPU 1
#define ON_GPU(function) .cuda_funcs = { function }, .cuda_flags = { STARPU_CUDA_ASYNC },
#elif defined(HEDDLE_HIP)
#define WITH_GPU 1
#define ON_GPU(function) .hip_funcs = { function }, .hip_flags = { STARPU_HIP_ASYNC },
#else
#define WITH_GPU 0
#define ON_GPU(function)
#endif

#if WITH_GPU
#include "codelets/device/device.h"
#include "runtime/gpu.h"

/* What has not been launched is to be known before StarPU makes calls of its own, which leave and clear errors. */
#define GPU_TASK(name)                                            \
	static void name##_launches(void *buffers[], void *arg);  \
	static void name(void *buffers[], void *arg)              \
	{                                                         \
		gpu_launches_begin();                             \
		name##_launches(buffers, arg);                    \
		gpu_launches_end(arg);                            \
	}                                                         \
	static void name##_launches(void *buffers[], void *arg)
#endif

#endif
