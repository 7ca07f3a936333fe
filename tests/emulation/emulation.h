/* gpu_emu.h - a thread block on the CPU: every GPU thread is a fiber. C++17, no dependency. */
#ifndef GPU_EMU_H
#define GPU_EMU_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <tuple>
#define __global__
#define __device__
#define __host__
#undef  __forceinline__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __restrict__ __restrict
#define GPU_BOUNDS(threads)
struct uint3 { unsigned x, y, z; };
struct dim3 { unsigned x, y, z; dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {} };

extern "C" {   /* C control interface for the tests */
void  *gpu_emu_malloc(size_t bytes, const char *name);   /* "device" memory, filled with 0xff (NaN) */
void   gpu_emu_free(void *p);
/* keys: order 0 forward, 1 reverse, >=2 seed of a random thread/block order; resident: blocks interleaved (0: one by one);
 * smem_limit: bytes of shared memory per block; quiet: 1 no print; spin_limit; strict: abort on the first error */
void   gpu_emu_set(const char *key, long val);
/* blocks, barriers, switches, errors, races, max_smem, spins */
long   gpu_emu_get(const char *key);
void   gpu_emu_reset(void);
}
namespace emu {
struct Block;
struct Fiber { void *sp; uint3 tid; int flat; Block *blk; int st; int site; void *fake; char *stk; };
struct Ctx;
extern thread_local Fiber *cur;
extern thread_local dim3 g_grid, g_block;
const uint3 &block_id();
void  barrier(int site);
int   barrier_red(int site, int val, int op);
void *shared_static(const void *key, size_t bytes, const char *name);
void *shared_dyn();
void  warp_xchg(const void *in, void *out, size_t sz, int src, int site);   /* publish, then read lane src (in the warp of 32) */
unsigned warp_ballot(int p, int site);
void  spin_pause();
int   ld_acquire(const int *p);
void  st_release(int *p, int v);
void  atomic_mark(const volatile void *p, size_t sz);
void  cp_async(void *d, const void *s, size_t n);
void  cp_commit();
void  cp_wait(int n);
void  launch(const char *name, dim3 g, dim3 b, size_t smem, void (*fn)(void *), void *arg);
template <class F> void tramp(void *p) { (*static_cast<F *>(p))(); }
template <class F> void launch_f(const char *name, dim3 g, dim3 b, size_t smem, F f) { launch(name, g, b, smem, tramp<F>, &f); }
extern void (*enqueue_hook)(void *stream, void (*fn)(void *), void *arg);
extern void *(*xlat_hook)(void *p);
template <class T> T  xl(T v)  { return v; }
template <class T> T *xl(T *p) { return xlat_hook ? (T *)xlat_hook((void *)p) : p; }
template <class J> void run_job(void *p) { J *j = static_cast<J *>(p); (*j)(); delete j; }
template <class F, class... A> void enqueue(void *st, const char *name, dim3 g, dim3 b, size_t smem, F f, A... a)
{
  auto job = [=]() { auto t = std::make_tuple(xl(a)...); launch_f(name, g, b, smem, [&]() { std::apply(f, t); }); };
  if (enqueue_hook) enqueue_hook(st, run_job<decltype(job)>, new auto(job)); else job();
}
}
#define threadIdx (emu::cur->tid)
#define blockIdx  (emu::block_id())
#define blockDim  (emu::g_block)
#define gridDim   (emu::g_grid)
#define __syncthreads()        emu::barrier(__LINE__)
#define __syncthreads_or(p)    emu::barrier_red(__LINE__, (p), 1)
#define __syncthreads_and(p)   emu::barrier_red(__LINE__, (p), 2)
#define __syncthreads_count(p) emu::barrier_red(__LINE__, (p), 3)
#define __threadfence()        ((void)0)
#define __threadfence_block()  ((void)0)
#define GPU_SHARED(T, name, n) static char name##_key_; \
  T (&name)[n] = *static_cast<T (*)[n]>(emu::shared_static(&name##_key_, sizeof(T[n]), #name))
#define GPU_SHARED2(T, name, n, m) static char name##_key_; \
  T (&name)[n][m] = *static_cast<T (*)[n][m]>(emu::shared_static(&name##_key_, sizeof(T[n][m]), #name))
#define GPU_DYNAMIC_SHARED(T, name) T *name = static_cast<T *>(emu::shared_dyn())
/* arguments must have the kernel's own types (no literal 0 for a pointer). With the stand-in CUDA runtime loaded the launch
 * is queued on the stream and pointer arguments are translated when it runs; pointers inside structures are not. */
#define GPU_LAUNCH(kern, grid, block, smem, stream, ...) \
  emu::enqueue((void *)(stream), #kern, (grid), (block), (smem), [](auto... a_) { (kern)(a_...); }, ##__VA_ARGS__)
template <class T> inline T gpu_shuffle(T v, int src)    { T r; emu::warp_xchg(&v, &r, sizeof v, src, 0); return r; }
template <class T> inline T gpu_shuffle_down(T v, int d) { T r; int l = emu::cur->flat & 31; emu::warp_xchg(&v, &r, sizeof v, l + d > 31 ? l : l + d, 0); return r; }
template <class T> inline T gpu_shuffle_xor(T v, int m)  { T r; int l = emu::cur->flat & 31; emu::warp_xchg(&v, &r, sizeof v, l ^ m, 0); return r; }
inline unsigned gpu_ballot(int p) { return emu::warp_ballot(p, 0); }
inline void gpu_sync_warp() { emu::warp_ballot(0, 0); }
inline void gpu_pause() { emu::spin_pause(); }
inline int  gpu_load_acquire(const int *p) { return emu::ld_acquire(p); }
inline void gpu_store_release(int *p, int v) { emu::st_release(p, v); }
template <class T> inline void gpu_copy_async(T *d, const T *s) { emu::cp_async(d, s, sizeof(T)); }
inline void gpu_copy_commit() { emu::cp_commit(); }
template <int N> inline void gpu_copy_wait() { emu::cp_wait(N); }
#if defined(__SANITIZE_THREAD__)
#  define GPU_EMU_NOINSTR __attribute__((no_sanitize("thread")))
#else
#  define GPU_EMU_NOINSTR
#endif
template <class T> GPU_EMU_NOINSTR inline T atomicAdd(T *p, T v) { emu::atomic_mark(p, sizeof(T)); T o = *p; *p = o + v; return o; }
template <class T> GPU_EMU_NOINSTR inline T atomicMax(T *p, T v) { emu::atomic_mark(p, sizeof(T)); T o = *p; if (v > o) *p = v; return o; }
template <class T> GPU_EMU_NOINSTR inline T atomicExch(T *p, T v) { emu::atomic_mark(p, sizeof(T)); T o = *p; *p = v; return o; }
template <class T> GPU_EMU_NOINSTR inline T atomicCAS(T *p, T c, T v) { emu::atomic_mark(p, sizeof(T)); T o = *p; if (o == c) *p = v; return o; }
template <class K> inline void gpu_allow_shared(K *, int) {}
#endif
