/* The common subset of CUDA and HIP that device kernels are written in.  Four compilers read them: nvcc, hipcc, and the host's C++ compiler
 * with HEDDLE_EMULATE, where tests/emulation makes a thread of a fiber.
 *
 * Warps are logical ones of GPU_WARP lanes; on hardware with wider ones they are parts of those.  Warp operations are reached by all lanes of
 * a warp or by none.  Blocks are one- to three-dimensional, but lanes count along x: a block that uses warp operations has one dimension.
 *
 *	GPU_SHARED(T, name, n)          T name[n] in shared memory; also with sizes that depend on template arguments
 *	GPU_SHARED2(T, name, n, m)      T name[n][m]
 *	GPU_DYNAMIC_SHARED(T, name)     T *name, as many bytes as the launch says, aligned to 16
 *	GPU_BOUNDS(threads)             behind __global__: a block has at most so many threads
 *	GPU_BOUNDS_FEW(threads)         the same; few blocks run side by side, so that each may have all registers
 *	GPU_LAUNCH(kernel, grid, block, bytes, stream, arguments...)   a kernel with template arguments in parentheses; arguments have
 *	                                exactly the kernel's types; pointers to device memory are arguments of their own or in a
 *	                                struct gpu_list, which the emulation translates
 *	GPU_UNROLL                      before a loop with a constant number of turns
 *	GPU_ROLLED                      before a loop that is to stay one: its body is long, or its turns' loads would all go ahead of it
 *	gpu_shuffle(v, lane), gpu_shuffle_down(v, d), gpu_shuffle_xor(v, mask)   of this warp; v of up to 16 bytes
 *	gpu_ballot(p), gpu_sync_warp()
 *	gpu_copy_async(to, from), gpu_copy_commit(), gpu_copy_wait<N>()   shared := device memory, one element of 4, 8 or 16 bytes; at most N
 *	                                groups are left in flight; a barrier then makes them visible to others
 *	gpu_load_acquire(p), gpu_store_release(p, v)   flags (int) between blocks; gpu_publish() by all threads and a barrier before the
 *	                                release, and a barrier after the acquire, make them the whole block's
 *	gpu_pause()                     in a loop that waits for such a flag
 *	gpu_allow_shared(kernel, bytes) before the launch of a kernel that uses more than 48 KiB of dynamic shared memory
 * and CUDA's own __syncthreads (and _or, _and, _count), atomicAdd, atomicMax, atomicExch, atomicCAS.                            */
#ifndef CODELETS_DEVICE_PORT_H
#define CODELETS_DEVICE_PORT_H

#include <math.h>
#include <stdint.h>

enum { GPU_WARP = 32 };

#if defined(HEDDLE_EMULATE)
#include "tests/emulation/emulation.h"
#define GPU_UNROLL
#define GPU_ROLLED
#define GPU_BOUNDS_FEW(threads) GPU_BOUNDS(threads)
static inline void gpu_publish() {}
typedef _Float16 gpu_half;

#else
#if defined(__HIPCC__)
#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>
typedef hipStream_t gpu_native_stream;
#elif defined(__CUDACC__)
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <cuda_pipeline_primitives.h>
typedef cudaStream_t gpu_native_stream;
#else
#error "compile with nvcc, with hipcc, or with -DHEDDLE_EMULATE"
#endif
typedef __half gpu_half;

#define GPU_UNROLL _Pragma("unroll")
#define GPU_ROLLED _Pragma("unroll 1")
#define GPU_BOUNDS(threads) __launch_bounds__(threads)
#if defined(__HIPCC__)
#define GPU_BOUNDS_FEW(threads) __launch_bounds__(threads)
#else
#define GPU_BOUNDS_FEW(threads) __launch_bounds__(threads, 1)
#endif
#define GPU_SHARED(T, name, n) __shared__ T name[n]
#define GPU_SHARED2(T, name, n, m) __shared__ T name[n][m]
#define GPU_DYNAMIC_SHARED(T, name)                                              \
	extern __shared__ __align__(16) unsigned char gpu_dynamic_shared_memory[]; \
	T *name = reinterpret_cast<T *>(gpu_dynamic_shared_memory)
#define GPU_LAUNCH(kernel, grid, block, bytes, stream, ...) \
	((kernel)<<<(grid), (block), (bytes), (gpu_native_stream)(stream)>>>(__VA_ARGS__))

/* Structures, of words each, are shuffled word by word. */
#define GPU_BY_WORDS(T, v, operation)                                \
	int words[sizeof(T) / sizeof(int)];                          \
	__builtin_memcpy(words, &v, sizeof(T));                      \
	_Pragma("unroll") for (unsigned i = 0; i < sizeof(T) / sizeof(int); i++) words[i] = operation; \
	__builtin_memcpy(&v, words, sizeof(T));                      \
	return v

#if defined(__HIPCC__)
template <class T> __device__ __forceinline__ T gpu_shuffle(T v, int lane) { GPU_BY_WORDS(T, v, __shfl(words[i], lane, GPU_WARP)); }
template <class T> __device__ __forceinline__ T gpu_shuffle_down(T v, int d) { GPU_BY_WORDS(T, v, __shfl_down(words[i], (unsigned)d, GPU_WARP)); }
template <class T> __device__ __forceinline__ T gpu_shuffle_xor(T v, int mask) { GPU_BY_WORDS(T, v, __shfl_xor(words[i], mask, GPU_WARP)); }
__device__ __forceinline__ unsigned gpu_ballot(int p) { return (unsigned)(__ballot(p) >> (__lane_id() & 32u)); }
__device__ __forceinline__ void gpu_sync_warp()
{
	__builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
	__builtin_amdgcn_wave_barrier();
	__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}
__device__ __forceinline__ void gpu_pause() { __builtin_amdgcn_s_sleep(2); }
/* A release waits for the stores of its own wavefront; a barrier need not wait for those of the others. */
__device__ __forceinline__ void gpu_publish() { __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent"); }
template <class T> __device__ __forceinline__ void gpu_copy_async(T *to, const T *from) { *to = *from; }
__device__ __forceinline__ void gpu_copy_commit() {}
template <int N> __device__ __forceinline__ void gpu_copy_wait() {}
__device__ __forceinline__ int gpu_load_acquire(const int *p) { return __hip_atomic_load(p, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT); }
__device__ __forceinline__ void gpu_store_release(int *p, int v) { __hip_atomic_store(p, v, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT); }
template <class K> static inline void gpu_allow_shared(K *kernel, int bytes)
{
	(void)hipFuncSetAttribute(reinterpret_cast<const void *>(kernel), hipFuncAttributeMaxDynamicSharedMemorySize, bytes);
}
#else
template <class T> __device__ __forceinline__ T gpu_shuffle(T v, int lane) { GPU_BY_WORDS(T, v, __shfl_sync(0xffffffffu, words[i], lane)); }
template <class T> __device__ __forceinline__ T gpu_shuffle_down(T v, int d) { GPU_BY_WORDS(T, v, __shfl_down_sync(0xffffffffu, words[i], d)); }
template <class T> __device__ __forceinline__ T gpu_shuffle_xor(T v, int mask) { GPU_BY_WORDS(T, v, __shfl_xor_sync(0xffffffffu, words[i], mask)); }
__device__ __forceinline__ unsigned gpu_ballot(int p) { return __ballot_sync(0xffffffffu, p); }
__device__ __forceinline__ void gpu_sync_warp() { __syncwarp(); }
__device__ __forceinline__ void gpu_pause() { __nanosleep(40); }
__device__ __forceinline__ void gpu_publish() {} /* a release behind a barrier is one of all that came before the barrier */
template <class T> __device__ __forceinline__ void gpu_copy_async(T *to, const T *from)
{
	if constexpr (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16)
		__pipeline_memcpy_async(to, from, sizeof(T));
	else
		*to = *from;
}
__device__ __forceinline__ void gpu_copy_commit() { __pipeline_commit(); }
template <int N> __device__ __forceinline__ void gpu_copy_wait() { __pipeline_wait_prior(N); }
__device__ __forceinline__ int gpu_load_acquire(const int *p)
{
	int v;
	asm volatile("ld.acquire.gpu.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
	return v;
}
__device__ __forceinline__ void gpu_store_release(int *p, int v)
{
	asm volatile("st.release.gpu.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}
template <class K> static inline void gpu_allow_shared(K *kernel, int bytes)
{
	(void)cudaFuncSetAttribute(reinterpret_cast<const void *>(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
}
#endif
#endif

/* Device pointers in an argument of a kernel. */
enum { GPU_LIST = 32 };
template <class T> struct gpu_list {
	T *p[GPU_LIST];
	int64_t ld[GPU_LIST];
};
#if defined(HEDDLE_EMULATE)
namespace emu {
template <class T> struct translated<gpu_list<T>> {
	static gpu_list<T> of(gpu_list<T> list)
	{
		for (T *&p : list.p)
			p = translated<T *>::of(p);
		return list;
	}
};
}
#endif

#endif
