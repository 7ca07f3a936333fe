/* gpu_emu.cc - fibers, barriers, warps, interleaved blocks, checks. Never compile this file with -fsanitize=thread:
 * in the race build only the kernels are, and the __tsan_* entry points below are ours (no libtsan is linked). */
#include "tests/emulation/emulation.h"
#include <algorithm>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <vector>
#include <stdarg.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <dlfcn.h>
#include <execinfo.h>
#if defined(__SANITIZE_ADDRESS__)
#  include <sanitizer/common_interface_defs.h>
#endif
#if defined(GPU_EMU_UCONTEXT) || !defined(__x86_64__)
#  include <ucontext.h>
#  define USE_UC 1
#endif

namespace emu {
enum { READY, AT_BAR, AT_WARP, SPIN, DONE };
enum { STK = 128 << 10, MAXT = 1024 };

struct Warp { int n, live, arrived, par; unsigned ballot[2], present[2]; unsigned char buf[2][32][16]; };
struct SharedVar { const void *key; const char *name; char *p; size_t n; };
struct Known { uint32_t all, thr, thr_e; };           /* what is known of a block: epoch for all threads; one thread more */
struct Cp { void *d; const void *s; size_t n; int grp; };
struct Block {
  uint3 bid; int flat, n, live, at_bar, bar_site, spinning, red, redop, redout; uint32_t epoch;
  std::vector<Fiber *> f; std::vector<int> q; int qh, qn; std::vector<int> order;
  std::vector<Warp> w; std::vector<SharedVar> sh; char *dyn; size_t dyn_n, sh_used; char *arena; size_t arena_off;
  std::vector<Known> known; std::vector<std::vector<Known>> tknown;   /* race build only */
  std::vector<std::vector<Cp>> cp; std::vector<int> cpgrp;
  bool active;
};
thread_local Fiber *cur; thread_local dim3 g_grid, g_block;
void (*enqueue_hook)(void *, void (*)(void *), void *); void *(*xlat_hook)(void *);
__attribute__((constructor)) static void hooks() { enqueue_hook = (void (*)(void *, void (*)(void *), void *))dlsym(RTLD_DEFAULT, "standin_enqueue"); xlat_hook = (void *(*)(void *))dlsym(RTLD_DEFAULT, "standin_xlat"); }
struct Ctx {
  Fiber main; Block *mb; const char *name; void (*fn)(void *); void *arg; size_t smem; int nblocks;
  std::map<int, std::vector<Block *>> pools; std::mt19937 rng; std::map<const void *, std::vector<Known>> flags;
  long progress; bool interleave; void *main_fake; const void *main_bot; size_t main_sz; int launch_id;
};
static thread_local Ctx *cx;
struct Opt { long order = 0, resident = 0, smem_limit = 227 * 1024, quiet = 0, spin_limit = 2000000, strict = 0, race = 1, maxprint = 10, cp_early = 0; } opt;
struct Stat { long blocks, barriers, switches, errors, races, max_smem, spins, launches, accesses; } st;
static std::mutex g_mtx;

static void report(bool race, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void report(bool race, const char *fmt, ...)
{
  __atomic_add_fetch(&st.errors, 1, __ATOMIC_RELAXED); if (race) __atomic_add_fetch(&st.races, 1, __ATOMIC_RELAXED);
  if (!opt.quiet && st.errors <= opt.maxprint) {
    va_list ap; va_start(ap, fmt);
    fprintf(stderr, "gpu_emu: %s in %s: ", race ? "RACE" : "ERROR", cx && cx->name ? cx->name : "?"); vfprintf(stderr, fmt, ap); fputc('\n', stderr);
    va_end(ap);
  }
  if (opt.strict) abort();
}
/* ------------------------------------------------------------------ switching */
#ifdef USE_UC
static void sw(Fiber *from, Fiber *to) { cur = to; swapcontext((ucontext_t *)from->sp, (ucontext_t *)to->sp); }
#else
extern "C" void gpu_emu_switch(void **save, void *load);
asm(R"(
.text
.globl gpu_emu_switch
.type gpu_emu_switch,@function
gpu_emu_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp,(%rdi)
  movq %rsi,%rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size gpu_emu_switch,.-gpu_emu_switch
)");
static inline void sw(Fiber *from, Fiber *to)
{
  cur = to;
#if defined(__SANITIZE_ADDRESS__)
  if (to == &cx->main) __sanitizer_start_switch_fiber(from->st == DONE ? nullptr : &from->fake, cx->main_bot, cx->main_sz);
  else __sanitizer_start_switch_fiber(&from->fake, to->stk, STK);
  gpu_emu_switch(&from->sp, to->sp);
  const void *b; size_t n; __sanitizer_finish_switch_fiber(from->fake, &b, &n);
#else
  gpu_emu_switch(&from->sp, to->sp);
#endif
}
#endif
static inline void push(Block *b, int t) { int i = b->qh + b->qn++; if (i >= b->n) i -= b->n; b->q[i] = t; }
static inline Fiber *pop(Block *b) { if (!b->qn) return nullptr; int t = b->q[b->qh]; if (++b->qh == b->n) b->qh = 0; b->qn--; return b->f[t]; }
/* give up the processor: the next ready fiber of this block, else the scheduler */
static inline void suspend(Fiber *me, bool to_main = false)
{
  Fiber *nx = to_main ? nullptr : pop(me->blk);
  if (nx == me) return;
  st.switches++;
  sw(me, nx ? nx : &cx->main);
}
static void fiber_main()
{
  for (;;) {
    Fiber *me = cur;
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(me->fake, nullptr, nullptr);
#endif
    cx->fn(cx->arg);
    me = cur; Block *b = me->blk; me->st = DONE; b->live--;
    Warp &w = b->w[me->flat >> 5]; w.live--;
    if (b->at_bar && b->at_bar == b->live + 0) {
      report(false, "block %d: thread %d returned while %d threads wait at the barrier of line %d", b->flat, me->flat, b->at_bar, b->bar_site);
      for (int t : b->order) if (b->f[t]->st == AT_BAR) { b->f[t]->st = READY; push(b, t); }
      b->at_bar = 0; b->epoch++;
    }
    if (w.arrived && w.arrived == w.live) {
      report(false, "block %d: thread %d returned while its warp waits in a warp operation", b->flat, me->flat);
      w.arrived = 0; w.par ^= 1;
      for (int l = 0; l < w.n; l++) { Fiber *g = b->f[(me->flat & ~31) + l]; if (g->st == AT_WARP) { g->st = READY; push(b, g->flat); } }
    }
    cx->progress++;
    suspend(me);
  }
}
static void fiber_reset(Fiber *f)
{
#ifdef USE_UC
  ucontext_t *u = (ucontext_t *)f->sp; getcontext(u); u->uc_stack.ss_sp = f->stk; u->uc_stack.ss_size = STK; u->uc_link = nullptr;
  makecontext(u, fiber_main, 0);
#else
  void **s = (void **)(f->stk + STK - 64); *--s = nullptr; *--s = (void *)fiber_main; for (int i = 0; i < 6; i++) *--s = nullptr; f->sp = s;
#endif
  f->fake = nullptr; f->st = READY; f->site = 0;
}
const uint3 &block_id() { return cur->blk->bid; }
/* ------------------------------------------------------------------ race shadow */
static int race_build;                                  /* set by the instrumented kernels' own constructor */
static const size_t ARENA = 8ull << 30, SHARED_MAX = 256 << 10;
struct Cell { uint64_t w, r1, r2; uint32_t wl, rl; };   /* block:20 thread:12 epoch:32; launch ids */
static char *dev_base; static Cell *dev_shadow; [[maybe_unused]] static size_t dev_off;
struct Alloc { size_t n; std::string name; };
static std::map<char *, Alloc> allocs;
static inline uint64_t pack(int b, int t, uint32_t e) { return (uint64_t)b << 44 | (uint64_t)t << 32 | e; }
static inline int pb(uint64_t x) { return (int)(x >> 44); }
static inline int pt(uint64_t x) { return (int)(x >> 32 & 4095); }
static inline uint32_t pe(uint64_t x) { return (uint32_t)x; }
static bool ordered(Block *b, Fiber *f, uint64_t x)
{
  int ob = pb(x), ot = pt(x); uint32_t e = pe(x);
  if (ob == b->flat) return ot == f->flat || e < b->epoch;
  const Known &k = b->tknown[f->flat][ob];
  return e < k.all || (ot == (int)k.thr && e <= k.thr_e && k.thr_e);
}
static const char *where_is(char *p, char *buf, size_t n)
{
  std::lock_guard<std::mutex> g(g_mtx);
  auto it = allocs.upper_bound(p);
  if (it != allocs.begin()) { --it; if (p < it->first + it->second.n) { snprintf(buf, n, "%s+%zu", it->second.name.c_str(), (size_t)(p - it->first)); return buf; } 
    snprintf(buf, n, "%zu bytes past the end of %s", (size_t)(p - it->first - it->second.n), it->second.name.c_str()); return buf; }
  snprintf(buf, n, "before every allocation"); return buf;
}
static void pcof(void *pc, char *o, size_t n)
{ char **s = backtrace_symbols(&pc, 1); snprintf(o, n, "%s", s ? s[0] : "?"); free(s); }
static inline Cell *shadow_of(char *p)
{
  if (dev_shadow && p >= dev_base && p < dev_base + ARENA) return dev_shadow + ((p - dev_base) >> 1);
  Block *b = cur->blk;
  if (race_build && b->arena && p >= b->arena && p < b->arena + SHARED_MAX) return (Cell *)(b->arena + SHARED_MAX) + ((p - b->arena) >> 1);
  return nullptr;
}
static void access(char *p, size_t n, bool wr, void *pc, bool atomic = false)
{
  Fiber *f = cur; if (!f || !f->blk) return;
  Block *b = f->blk; st.accesses++;
  Cell *c = shadow_of(p);
  if (!c) return;                                       /* stack, constants, host tables */
  int lid = cx->launch_id;
  bool shared = p >= b->arena && p < b->arena + SHARED_MAX;
  if (!shared) {                                        /* inside a live allocation? */
    static thread_local char *lo, *hi;
    if (p < lo || p + n > hi) {
      std::lock_guard<std::mutex> g(g_mtx);
      auto it = allocs.upper_bound(p); bool ok = false;
      if (it != allocs.begin()) { --it; lo = it->first; hi = lo + it->second.n; ok = p >= lo && p + n <= hi; }
      if (!ok) lo = hi = nullptr;
    }
    if (!lo) { char s[128], q[200]; pcof(pc, q, sizeof q); report(false, "block %d thread %d %s out of bounds: %s [%s]", b->flat, f->flat, wr ? "writes" : "reads", where_is(p, s, sizeof s), q); return; }
  } else {
    bool ok = false;
    for (auto &v : b->sh) if (p >= v.p && p + n <= v.p + v.n) ok = true;
    if (p >= b->dyn && p + n <= b->dyn + b->dyn_n) ok = true;
    if (!ok) { char q[200]; pcof(pc, q, sizeof q); report(false, "block %d thread %d %s outside of its shared arrays (offset %ld) [%s]", b->flat, f->flat, wr ? "writes" : "reads", (long)(p - b->arena), q); return; }
  }
  uint64_t me = pack(b->flat, f->flat, b->epoch);
  for (size_t k = 0; k < (n + 1) / 2; k++, c++) {
    if (c->wl != (uint32_t)lid) { c->wl = lid; c->w = ~0ull; }
    if (c->rl != (uint32_t)lid) { c->rl = lid; c->r1 = c->r2 = ~0ull; }
    uint64_t bad = ~0ull; const char *what = "";
    if (c->w != ~0ull && !(atomic && (c->w >> 63)) && !ordered(b, f, c->w & ~(1ull << 63))) bad = c->w & ~(1ull << 63), what = wr ? "write after write" : "read after write";
    else if (wr && !atomic && c->r1 != ~0ull && !ordered(b, f, c->r1)) bad = c->r1, what = "write after read";
    else if (wr && !atomic && c->r2 != ~0ull && !ordered(b, f, c->r2)) bad = c->r2, what = "write after read";
    if (bad != ~0ull) {
      char s[128], q[200] = ""; if (!shared) where_is(p, s, sizeof s); else { snprintf(s, sizeof s, "shared memory");
        for (auto &v : b->sh) if (p >= v.p && p < v.p + v.n) snprintf(s, sizeof s, "shared %s+%ld", v.name, (long)(p - v.p)); }
      pcof(pc, q, sizeof q);
      report(true, "%s of %s: block %d thread %d (epoch %u) against block %d thread %d (epoch %u) [%s]", what, s, b->flat, f->flat, b->epoch, pb(bad), pt(bad), pe(bad), q);
    }
    if (wr) c->w = me | (atomic ? 1ull << 63 : 0);
    else if (c->r1 == ~0ull || (pb(c->r1) == b->flat && (pt(c->r1) == f->flat || pe(c->r1) < b->epoch))) c->r1 = me;
    else if (c->r1 != me) c->r2 = me;
  }
}
/* ------------------------------------------------------------------ barriers and warps */
static void release_bar(Block *b)
{
  b->epoch++; b->at_bar = 0; st.barriers++; cx->progress++;
  if (!b->tknown.empty()) {
    for (int o = 0; o < cx->nblocks; o++) { Known m = b->known[o];
      for (int t = 0; t < b->n; t++) { Known &k = b->tknown[t][o]; if (k.all > m.all) m.all = k.all; if (k.thr_e > m.thr_e) m.thr_e = k.thr_e, m.thr = k.thr; }
      b->known[o] = m; for (int t = 0; t < b->n; t++) b->tknown[t][o] = m; }
  }
  if (opt.order >= 2) std::shuffle(b->order.begin(), b->order.end(), cx->rng);
  for (int t : b->order) if (b->f[t]->st == AT_BAR) { b->f[t]->st = READY; push(b, t); }
}
void barrier(int site)
{
  Fiber *f = cur; Block *b = f->blk;
  if (b->at_bar == 0) b->bar_site = site;
  else if (b->bar_site != site)
    report(false, "block %d: divergent barrier: thread %d is at line %d, others at line %d", b->flat, f->flat, site, b->bar_site);
  if (b->live < b->n && b->at_bar == 0 && b->epoch < 0xffffffffu && b->live != b->n)
    report(false, "block %d: barrier of line %d reached after %d of %d threads returned", b->flat, site, b->n - b->live, b->n);
  f->st = AT_BAR; f->site = site;
  if (++b->at_bar == b->live) { release_bar(b); suspend(f, cx->interleave); }
  else suspend(f);
}
int barrier_red(int site, int v, int op)
{
  Block *b = cur->blk;
  if (b->at_bar == 0) b->red = op == 2 ? 1 : 0;
  if (op == 1) b->red |= v != 0; else if (op == 2) b->red &= v != 0; else b->red += v != 0;
  b->redout = b->red; barrier(site); int r = b->redout; barrier(site); return r;
}
static Warp &warp_meet(const void *in, size_t sz, int p, int &par)
{
  Fiber *f = cur; Block *b = f->blk; Warp &w = b->w[f->flat >> 5]; int l = f->flat & 31; par = w.par;
  if (!w.arrived) { w.ballot[par] = 0; w.present[par] = 0; memset(w.buf[par], 0xff, sizeof w.buf[par]); }
  if (in) memcpy(w.buf[par][l], in, sz);
  w.present[par] |= 1u << l; if (p) w.ballot[par] |= 1u << l;
  if (w.live < w.n) report(false, "block %d: warp operation after some lanes of the warp returned", b->flat);
  if (++w.arrived == w.live) {
    w.arrived = 0; w.par ^= 1; cx->progress++;
    for (int k = 0; k < w.n; k++) { Fiber *g = b->f[(f->flat & ~31) + k]; if (g->st == AT_WARP) { g->st = READY; push(b, g->flat); } }
    f->st = READY;
  } else { f->st = AT_WARP; suspend(f); }
  return w;
}
void warp_xchg(const void *in, void *out, size_t sz, int src, int)
{
  int par; if (sz > 16) abort();
  Warp &w = warp_meet(in, sz, 0, par); memcpy(out, w.buf[par][src & 31], sz);
}
unsigned warp_ballot(int p, int) { int par; Warp &w = warp_meet(nullptr, 0, p, par); return w.ballot[par]; }
void spin_pause()
{
  Fiber *f = cur; Block *b = f->blk; st.spins++;
  f->st = SPIN; b->spinning++; suspend(f); if (f->st == SPIN) { f->st = READY; b->spinning--; }
}
/* release and acquire: block-level clocks, exact for "all write; __syncthreads; one thread releases" */
int ld_acquire(const int *p)
{
  int v = *p; Fiber *f = cur; Block *b = f->blk;
  if (!b->tknown.empty()) { auto it = cx->flags.find(p);
    if (it != cx->flags.end()) for (int o = 0; o < cx->nblocks; o++) { Known &k = b->tknown[f->flat][o], &m = it->second[o];
      if (m.all > k.all) k.all = m.all;
      if (m.thr_e > k.thr_e) k.thr_e = m.thr_e, k.thr = m.thr; } }
  return v;
}
void st_release(int *p, int v)
{
  Fiber *f = cur; Block *b = f->blk;
  if (!b->tknown.empty()) {
    std::vector<Known> k = b->tknown[f->flat]; k[b->flat] = {b->epoch, (uint32_t)f->flat, b->epoch};
    auto &m = cx->flags[p]; if (m.empty()) m = k;
    else for (int o = 0; o < cx->nblocks; o++) { if (k[o].all > m[o].all) m[o].all = k[o].all; if (k[o].thr_e > m[o].thr_e) m[o].thr_e = k[o].thr_e, m[o].thr = k[o].thr; }
  }
  *p = v; cx->progress++;
}
void atomic_mark(const volatile void *p, size_t n) { cx->progress++; if (race_build && opt.race) access((char *)p, n, true, __builtin_return_address(0), true); }
/* asynchronous copies happen at the wait that covers them (late), or with cp_early at the issue; the race check marks both */
static void cp_do(const Cp &c, void *pc, bool data)
{
  if (data) memcpy(c.d, c.s, c.n);
  if (race_build && opt.race) { access((char *)c.s, c.n, false, pc); access((char *)c.d, c.n, true, pc); }
}
void cp_async(void *d, const void *s, size_t n)
{
  Block *b = cur->blk; int t = cur->flat; Cp c{d, s, n, b->cpgrp[t]};
  cp_do(c, __builtin_return_address(0), opt.cp_early); b->cp[t].push_back(c);
}
void cp_commit() { cur->blk->cpgrp[cur->flat]++; }
void cp_wait(int n)
{
  Block *b = cur->blk; int t = cur->flat; auto &v = b->cp[t]; size_t i = 0;
  for (; i < v.size() && v[i].grp < b->cpgrp[t] - n; i++) {
    cp_do(v[i], __builtin_return_address(0), !opt.cp_early);
  }
  v.erase(v.begin(), v.begin() + i);
}
/* ------------------------------------------------------------------ shared memory */
static void *sh_new(Block *b, size_t n)
{
  b->sh_used += (n + 15) & ~15ull;
  if (b->sh_used > (size_t)opt.smem_limit) report(false, "shared memory %zu bytes is over the limit %ld", b->sh_used, opt.smem_limit);
  if ((long)b->sh_used > st.max_smem) st.max_smem = b->sh_used;
#if defined(__SANITIZE_ADDRESS__)
  void *p = malloc(n);
#else
  if (b->arena_off + n + 64 > SHARED_MAX) { fprintf(stderr, "gpu_emu: shared arena exhausted\n"); abort(); }
  void *p = b->arena + b->arena_off; b->arena_off += ((n + 15) & ~15ull) + 32;
#endif
  if (race_build) memset((Cell *)(b->arena + SHARED_MAX) + (((char *)p - b->arena) >> 1), 0xff, (n + 1) / 2 * sizeof(Cell));   /* forget the block before */
  memset(p, 0xff, n);
  return p;
}
void *shared_static(const void *key, size_t n, const char *name)
{
  Block *b = cur->blk; for (auto &v : b->sh) if (v.key == key) return v.p;
  b->sh.push_back({key, name, (char *)sh_new(b, n), n}); return b->sh.back().p;
}
void *shared_dyn() { return cur->blk->dyn; }
/* ------------------------------------------------------------------ launch */
static Block *block_make(int n)
{
  Block *b = new Block(); b->n = n; b->f.resize(n); b->q.resize(n); b->order.resize(n); b->w.resize((n + 31) / 32); b->cp.resize(n); b->cpgrp.resize(n);
  char *stk = (char *)mmap(nullptr, (size_t)n * (STK + 4096), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  for (int t = 0; t < n; t++) { Fiber *f = new Fiber(); f->flat = t; f->blk = b; mprotect(stk + (size_t)t * (STK + 4096), 4096, PROT_NONE);
    f->stk = stk + (size_t)t * (STK + 4096) + 4096;
#ifdef USE_UC
    f->sp = new ucontext_t;
#endif
    b->f[t] = f; }
  if (stk == MAP_FAILED) { perror("gpu_emu: mmap"); abort(); }
  size_t sz = SHARED_MAX + (race_build ? SHARED_MAX / 2 * sizeof(Cell) : 0);
  b->arena = (char *)mmap(nullptr, sz, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return b;
}
static void block_start(Block *b, int flat)
{
  b->flat = flat; b->bid = {flat % g_grid.x, flat / g_grid.x % g_grid.y, flat / (g_grid.x * g_grid.y)};
  b->live = b->n; b->at_bar = b->spinning = 0; b->epoch = 1; b->qh = b->qn = 0; b->active = true; b->sh_used = 0; b->arena_off = 16;
#if defined(__SANITIZE_ADDRESS__)
  for (auto &v : b->sh) free(v.p);
  free(b->dyn);
#endif
  b->sh.clear(); b->dyn_n = cx->smem; b->dyn = (char *)sh_new(b, cx->smem ? cx->smem : 1); if (!cx->smem) b->sh_used = 0;
  if (race_build && opt.race) { b->known.assign(cx->nblocks, Known{0, 0, 0}); b->tknown.assign(b->n, b->known); }
  else b->tknown.clear();
  for (int t = 0; t < b->n; t++) { Fiber *f = b->f[t]; f->tid = {t % g_block.x, t / g_block.x % g_block.y, t / (g_block.x * g_block.y)}; fiber_reset(f);
    b->order[t] = opt.order == 1 ? b->n - 1 - t : t; b->cp[t].clear(); b->cpgrp[t] = 0; }
  if (opt.order >= 2) std::shuffle(b->order.begin(), b->order.end(), cx->rng);
  for (size_t w = 0; w < b->w.size(); w++) { Warp &x = b->w[w]; x.n = x.live = std::min(32, b->n - 32 * (int)w); x.arrived = x.par = 0; }
  for (int t : b->order) push(b, t);
  st.blocks++;
}
static void dump(Block *b)
{
  if (opt.quiet) return;
  for (int t = 0; t < b->n && t < 40; t++) { static const char *nm[] = {"ready", "barrier", "warp op", "spinning", "returned"};
    if (t == 0 || b->f[t]->st != b->f[t - 1]->st || b->f[t]->site != b->f[t - 1]->site) fprintf(stderr, "  block %d thread %d..: %s line %d\n", b->flat, t, nm[b->f[t]->st], b->f[t]->site); }
}
void launch(const char *name, dim3 g, dim3 bd, size_t smem, void (*fn)(void *), void *arg)
{
  static int launch_ids;
  if (!cx) { cx = new Ctx(); cx->rng.seed(12345); }
#if defined(__SANITIZE_ADDRESS__)
  if (!cx->main_bot) { pthread_attr_t a; pthread_getattr_np(pthread_self(), &a); void *p; size_t n; pthread_attr_getstack(&a, &p, &n); cx->main_bot = p; cx->main_sz = n; pthread_attr_destroy(&a); }
#endif
#ifdef USE_UC
  if (!cx->main.sp) cx->main.sp = new ucontext_t;
#endif
  if (opt.order >= 2) cx->rng.seed(opt.order + cx->launch_id);
  g_grid = g; g_block = bd; cx->name = name; cx->fn = fn; cx->arg = arg; cx->smem = smem; cx->nblocks = g.x * g.y * g.z; cx->flags.clear();
  cx->launch_id = __atomic_add_fetch(&launch_ids, 1, __ATOMIC_RELAXED); st.launches++;
  int nt = bd.x * bd.y * bd.z, nb = cx->nblocks;
  if (nt < 1 || nt > MAXT || nb < 1) { report(false, "launch of %d blocks of %d threads", nb, nt); return; }
  int R = opt.resident > 1 ? (int)std::min<long>(opt.resident, nb) : 1; cx->interleave = R > 1;
  std::vector<Block *> &pool = cx->pools[nt];                               /* kept per block size and OS thread */
  while ((int)pool.size() < R) pool.push_back(block_make(nt));
  std::vector<int> bo(nb); for (int i = 0; i < nb; i++) bo[i] = opt.order == 1 && R == 1 ? nb - 1 - i : i;
  if (opt.order >= 2 && R == 1) std::shuffle(bo.begin(), bo.end(), cx->rng);
  int next = 0; std::vector<Block *> res;
  for (int i = 0; i < R; i++) { block_start(pool[i], bo[next++]); res.push_back(pool[i]); }
  size_t rr = 0; long idle = 0; cx->main.blk = nullptr;
  while (!res.empty()) {
    rr = opt.order >= 2 ? cx->rng() % res.size() : (rr + 1) % res.size();
    Block *b = res[rr]; long p0 = cx->progress;
    if (!b->qn && b->spinning) for (int t : b->order) if (b->f[t]->st == SPIN) { b->f[t]->st = READY; b->spinning--; push(b, t); }
    Fiber *f = pop(b);
    if (f) { st.switches++; sw(&cx->main, f); }
    if (b->live == 0) { for (auto &v : b->cp) if (!v.empty()) { report(false, "block %d ended with copies not waited for", b->flat); break; }
      if (next < nb) block_start(b, bo[next++]); else res.erase(res.begin() + rr); idle = 0; continue; }
    if (cx->progress != p0) idle = 0;
    else if (++idle > (opt.spin_limit < 0 ? 1000 : opt.spin_limit) || (idle > 4 * (long)res.size() + 64 && std::none_of(res.begin(), res.end(), [](Block *x) { return x->qn || x->spinning; }))) {
      report(false, "deadlock: %zu blocks resident, %d not started", res.size(), nb - next); for (Block *x : res) dump(x);
      pool.clear(); cur = nullptr; return;   /* the stuck fibers are left behind */
    }
  }
  cur = nullptr;
}
}
using namespace emu;
extern "C" {
void *gpu_emu_malloc(size_t n, const char *name)
{
  std::lock_guard<std::mutex> g(g_mtx);
#if defined(__SANITIZE_ADDRESS__)
  void *p = aligned_alloc(256, (n + 255) & ~255ull); 
  free(p); p = malloc(n);
#else
  if (!dev_base) dev_base = (char *)mmap(nullptr, ARENA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (race_build && !dev_shadow) dev_shadow = (Cell *)mmap(nullptr, ARENA / 2 * sizeof(Cell), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (dev_off + n + 512 > ARENA) return nullptr;
  void *p = dev_base + dev_off; dev_off += ((n + 255) & ~255ull) + 256;   /* never reused: a stale pointer is found */
#endif
  if (p) { memset(p, 0xff, n); allocs[(char *)p] = {n, name ? name : "?"}; }
  return p;
}
void gpu_emu_free(void *p)
{
  std::lock_guard<std::mutex> g(g_mtx); [[maybe_unused]] size_t n = allocs[(char *)p].n; allocs.erase((char *)p);
#if defined(__SANITIZE_ADDRESS__)
  free(p);
#else
  char *lo = (char *)(((uintptr_t)p + 4095) & ~4095ul), *hi = (char *)(((uintptr_t)p + n) & ~4095ul);
  if (hi > lo) madvise(lo, hi - lo, MADV_DONTNEED);
#endif
}
#define K(x) if (!strcmp(k, #x)) 
void gpu_emu_set(const char *k, long v) { K(order) opt.order = v; K(resident) opt.resident = v; K(smem_limit) opt.smem_limit = v; K(quiet) opt.quiet = v; K(spin_limit) opt.spin_limit = v; K(strict) opt.strict = v; K(race) opt.race = v; K(maxprint) opt.maxprint = v; K(cp_early) opt.cp_early = v; }
long gpu_emu_get(const char *k) { K(blocks) return st.blocks; K(barriers) return st.barriers; K(switches) return st.switches; K(errors) return st.errors; K(races) return st.races; K(max_smem) return st.max_smem; K(spins) return st.spins; K(launches) return st.launches; K(accesses) return st.accesses; K(race_build) return race_build; return -1; }
void gpu_emu_reset(void) { st = Stat(); }
/* the compiler's -fsanitize=thread calls, answered by us */
#define RW(n) void __tsan_read##n(void *p) { access((char *)p, n, false, __builtin_return_address(0)); } \
  void __tsan_write##n(void *p) { access((char *)p, n, true, __builtin_return_address(0)); } \
  void __tsan_volatile_read##n(void *p) { access((char *)p, n, false, __builtin_return_address(0)); } \
  void __tsan_volatile_write##n(void *p) { access((char *)p, n, true, __builtin_return_address(0)); } \
  void __tsan_unaligned_read##n(void *p) { access((char *)p, n, false, __builtin_return_address(0)); } \
  void __tsan_unaligned_write##n(void *p) { access((char *)p, n, true, __builtin_return_address(0)); }
RW(1) RW(2) RW(4) RW(8) RW(16)
void __tsan_read_range(void *p, long n) { access((char *)p, n, false, __builtin_return_address(0)); }
void __tsan_write_range(void *p, long n) { access((char *)p, n, true, __builtin_return_address(0)); }
void __tsan_func_entry(void *) {}
void __tsan_func_exit(void *) {}
void __tsan_vptr_update(void *, void *) {}
void __tsan_init(void) { race_build = 1; }
}
