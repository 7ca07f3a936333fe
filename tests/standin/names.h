/* The stand-in is one source for both runtimes: RUNTIME(Malloc) is cudaMalloc, or with -DSTANDIN_HIP hipMalloc.  What the two
 * name differently beyond that stands here. */
#ifndef TESTS_STANDIN_NAMES_H
#define TESTS_STANDIN_NAMES_H

#if defined(STANDIN_HIP)
#ifndef __HIP_PLATFORM_AMD__
#define __HIP_PLATFORM_AMD__
#endif
#include <hip/hip_runtime_api.h>
#define RUNTIME(x) hip##x
#define RUNTIME_NAME "HIP"
#define RUNTIME_HOST_ALLOC hipHostMalloc
#define RUNTIME_HOST_FREE hipHostFree
typedef hipDeviceProp_t runtime_properties;
typedef hipMemcpyKind runtime_copy_kind;
#else
#include <cuda_runtime_api.h>
#define RUNTIME(x) cuda##x
#define RUNTIME_NAME "CUDA"
#define RUNTIME_HOST_ALLOC cudaHostAlloc
#define RUNTIME_HOST_FREE cudaFreeHost
typedef struct cudaDeviceProp runtime_properties;
typedef enum cudaMemcpyKind runtime_copy_kind;
#endif

typedef RUNTIME(Error_t) runtime_error;
typedef RUNTIME(Stream_t) runtime_stream;
typedef RUNTIME(Event_t) runtime_event;

#define RUNTIME_SUCCESS RUNTIME(Success)

#endif
