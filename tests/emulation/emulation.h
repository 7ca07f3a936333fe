/* What a device kernel sees when the host's C++ compiler translates it: a thread is a fiber of the processor that launches the kernel, a
 * block is a set of fibers, and blocks run one after the other or a few at a time.  codelets/device/port.h includes this file and
 * documents the common subset; README.md beside it says what is found in which build. */
#ifndef TESTS_EMULATION_EMULATION_H
#define TESTS_EMULATION_EMULATION_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <tuple>

#define __global__
#define __device__
#define __host__
#undef __forceinline__
#define __forceinline__ inline __attribute__((always_inline))
#define __restrict__ __restrict

struct uint3 {
	unsigned x, y, z;
};
struct dim3 {
	unsigned x, y, z;
	constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};

extern "C" {
/* Device memory, filled with the bytes of NaNs; NULL if there is no more. */
void *gpu_emu_malloc(size_t bytes, const char *name);
void gpu_emu_free(void *p);
/* Keys: order (0 forward, 1 reverse, from 2 on the seed of a random order of threads and blocks), resident (blocks that run
 * interleaved; 0: one by one), shared_limit (bytes a block may have), copy_early (asynchronous copies happen at once, not when waited
 * for), spin_limit (turns of the scheduler without progress until that is a deadlock), foreign (1: memory of others may be touched;
 * the default where a stand-in runtime is loaded), quiet, maxprint, strict (abort at the first error), race (0: do not look for races). */
void gpu_emu_set(const char *key, long value);
/* Keys: errors (races among them), races, launches, blocks, barriers, switches, spins, accesses, max_shared, race_build, asan_build. */
long gpu_emu_get(const char *key);
/* Forget counts and messages. */
void gpu_emu_reset(void);
/* The first error since then, an empty string if there was none. */
void gpu_emu_message(char *text, size_t size);
}

/* Functions of this file are not part of the kernel that race detection looks at. */
#if defined(__SANITIZE_THREAD__)
#define EMU_PLAIN __attribute__((no_sanitize("thread")))
#else
#define EMU_PLAIN
#endif

/* The most threads a block may have, as that many unused bytes in front of the kernel, found again at its launch. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define EMU_BOUNDS_KNOWN 1
#define GPU_BOUNDS(threads) __attribute__((patchable_function_entry((threads), (threads))))
extern "C" const uintptr_t __start___patchable_function_entries[] __attribute__((weak, visibility("hidden")));
extern "C" const uintptr_t __stop___patchable_function_entries[] __attribute__((weak, visibility("hidden")));
#else
#define EMU_BOUNDS_KNOWN 0
#define GPU_BOUNDS(threads)
#endif

namespace emu {
/* Where a thread is. */
struct place {
	uint3 thread, block;
	int flat; /* the thread's number in its block */
};
extern __thread place *here;
extern __thread uint3 block_size, grid_size;

EMU_PLAIN inline uint3 thread_index() { return here->thread; }
EMU_PLAIN inline uint3 block_index() { return here->block; }
EMU_PLAIN inline uint3 block_shape() { return block_size; }
EMU_PLAIN inline uint3 grid_shape() { return grid_size; }
EMU_PLAIN inline int lane() { return here->flat & 31; }

enum reduction { ANY, ALL, COUNT };
void barrier(int line);
int barrier_reduce(int line, int value, reduction what);
void *shared_array(const void *key, size_t bytes, const char *name);
void *dynamic_shared();
void warp_exchange(const void *in, void *out, size_t bytes, int from, int line);
unsigned warp_ballot(int p, int line);
void pause();
int load_acquire(const int *p);
void store_release(int *p, int v);
void fence();
void atomic_begin(const void *p, size_t bytes);
void atomic_end(bool changed);
void copy_async(void *to, const void *from, size_t bytes);
void copy_commit();
void copy_wait(int groups);

/* A kernel that is being launched.  most: threads that its GPU_BOUNDS allows, 0 if that is not known. */
struct kernel {
	const char *name;
	const void *code;
	long most;
};
void allow_shared(const void *code, long bytes);
void launch(kernel k, dim3 grid, dim3 block, size_t bytes, void (*run)(void *), void *arguments);

#if EMU_BOUNDS_KNOWN
static inline long bounds_of(const void *code)
{
	const unsigned char *entry = static_cast<const unsigned char *>(code), *start = nullptr;

	for (const uintptr_t *p = __start___patchable_function_entries; p < __stop___patchable_function_entries; p++) {
		const unsigned char *q = reinterpret_cast<const unsigned char *>(*p);
		if (q < entry && q > start)
			start = q;
	}
	for (const unsigned char *q = start; start && q < entry; q++)
		if (*q != 0x90)
			return 0; /* it belongs to another function */
	return start ? entry - start : 0;
}
#else
static inline long bounds_of(const void *) { return 0; }
#endif

/* Set where a stand-in of the device runtime is loaded: launches are queued on its streams, and device pointers among their arguments
 * are translated when they run. */
extern void (*enqueue_hook)(void *stream, void (*run)(void *), void *job);
extern void *(*translate_hook)(void *p);

template <class T> struct translated {
	static T of(T v) { return v; }
};
template <class T> struct translated<T *> {
	static T *of(T *p) { return translate_hook ? (T *)translate_hook((void *)p) : p; }
};

template <class F> void call(void *p) { (*static_cast<F *>(p))(); }
template <class J> void run_job(void *p)
{
	J *job = static_cast<J *>(p);

	(*job)();
	delete job;
}

template <class F, class... A> void enqueue(void *stream, kernel k, dim3 grid, dim3 block, size_t bytes, F f, A... a)
{
	auto job = [=]() {
		auto arguments = std::make_tuple(translated<A>::of(a)...);
		auto run = [&]() { std::apply(f, arguments); };
		launch(k, grid, block, bytes, call<decltype(run)>, &run);
	};

	if (enqueue_hook)
		enqueue_hook(stream, run_job<decltype(job)>, new auto(job));
	else
		job();
}
}

#define threadIdx (emu::thread_index())
#define blockIdx (emu::block_index())
#define blockDim (emu::block_shape())
#define gridDim (emu::grid_shape())
#define __syncthreads() emu::barrier(__LINE__)
#define __syncthreads_or(p) emu::barrier_reduce(__LINE__, (p), emu::ANY)
#define __syncthreads_and(p) emu::barrier_reduce(__LINE__, (p), emu::ALL)
#define __syncthreads_count(p) emu::barrier_reduce(__LINE__, (p), emu::COUNT)
#define __threadfence() emu::fence()
#define __threadfence_block() emu::fence()

#define GPU_SHARED(T, name, n)    \
	static char name##_key_;  \
	T(&name)[n] = *static_cast<T(*)[n]>(emu::shared_array(&name##_key_, sizeof(T[n]), #name))
#define GPU_SHARED2(T, name, n, m) \
	static char name##_key_;   \
	T(&name)[n][m] = *static_cast<T(*)[n][m]>(emu::shared_array(&name##_key_, sizeof(T[n][m]), #name))
#define GPU_DYNAMIC_SHARED(T, name) T *name = static_cast<T *>(emu::dynamic_shared())
#define GPU_LAUNCH(code, grid, block, bytes, stream, ...)                                                                               \
	emu::enqueue((void *)(stream), emu::kernel{ #code, (const void *)(code), emu::bounds_of((const void *)(code)) }, (grid), (block), \
		     (bytes), [](auto... a_) { (code)(a_...); }, ##__VA_ARGS__)

template <class T> inline T gpu_shuffle(T v, int from, int line = __builtin_LINE())
{
	T other;

	emu::warp_exchange(&v, &other, sizeof(v), from & 31, line);
	return other;
}
template <class T> inline T gpu_shuffle_down(T v, int d, int line = __builtin_LINE())
{
	int from = emu::lane() + d;

	return gpu_shuffle(v, from > 31 ? emu::lane() : from, line);
}
template <class T> inline T gpu_shuffle_xor(T v, int mask, int line = __builtin_LINE()) { return gpu_shuffle(v, emu::lane() ^ mask, line); }
inline unsigned gpu_ballot(int p, int line = __builtin_LINE()) { return emu::warp_ballot(p, line); }
inline void gpu_sync_warp(int line = __builtin_LINE()) { emu::warp_ballot(0, line); }
inline void gpu_pause() { emu::pause(); }
inline int gpu_load_acquire(const int *p) { return emu::load_acquire(p); }
inline void gpu_store_release(int *p, int v) { emu::store_release(p, v); }
template <class T> inline void gpu_copy_async(T *to, const T *from) { emu::copy_async(to, from, sizeof(T)); }
inline void gpu_copy_commit() { emu::copy_commit(); }
template <int N> inline void gpu_copy_wait() { emu::copy_wait(N); }
template <class K> inline void gpu_allow_shared(K *kernel, int bytes) { emu::allow_shared((const void *)kernel, bytes); }

template <class T> EMU_PLAIN inline T emu_exchange(T *p, T old, T v)
{
	*p = v;
	emu::atomic_end(memcmp(&old, &v, sizeof(T)) != 0);
	return old;
}
template <class T> EMU_PLAIN inline T emu_begin(const T *p)
{
	emu::atomic_begin(p, sizeof(T));
	return *p;
}
template <class T> EMU_PLAIN inline T atomicAdd(T *p, T v)
{
	T old = emu_begin(p);

	return emu_exchange(p, old, (T)(old + v));
}
template <class T> EMU_PLAIN inline T atomicMax(T *p, T v)
{
	T old = emu_begin(p);

	return emu_exchange(p, old, v > old ? v : old);
}
template <class T> EMU_PLAIN inline T atomicExch(T *p, T v) { return emu_exchange(p, emu_begin(p), v); }
template <class T> EMU_PLAIN inline T atomicCAS(T *p, T expected, T v)
{
	T old = emu_begin(p);

	return emu_exchange(p, old, old == expected ? v : old);
}

#endif
