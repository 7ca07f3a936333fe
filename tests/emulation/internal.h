/* The emulation's own structures.  Nothing here is seen by kernels. */
#ifndef TESTS_EMULATION_INTERNAL_H
#define TESTS_EMULATION_INTERNAL_H

#include "tests/emulation/emulation.h"
#include <atomic>
#include <memory>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#define EMU_ASAN 1
#else
#define EMU_ASAN 0
#endif

namespace emu {
enum { MOST_THREADS = 1024, WARP = 32, RED = 256 };

/* Stacks of threads: the stride lets their upper ends, which are all that is used as a rule, lie in different lines of the caches. */
enum { STACK = 128 << 10, STACK_STRIDE = STACK + 4096 + 192 };
enum state { READY, AT_BARRIER, AT_WARP, SPINNING, RETURNED };

/* Bytes around arrays: NaNs to whoever reads them, and a change of them shows a write. */
enum : uint16_t { RED_PATTERN = 0xffb7 };

/* --- control.cc: options, counts, messages --- */
struct options {
	long order, resident, shared_limit, copy_early, spin_limit, foreign, quiet, maxprint, strict, race;
};
extern options chosen;
extern bool race_build;

enum kind { ERROR, RACE };
void report(kind what, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A count that one thread changes and any may read. */
struct count {
	std::atomic<long> n{ 0 };
	void add(long k) { n.store(n.load(std::memory_order_relaxed) + k, std::memory_order_relaxed); }
	long get() const { return n.load(std::memory_order_relaxed); }
};
struct counts {
	count launches, blocks, barriers, switches, spins, accesses, max_shared;
};

/* --- clocks.cc: what a thread knows to have happened ---
 * Time is the context's tick, which moves on at barriers, warp operations and releases; accesses bear the tick of their thread.  An entry
 * says of a block's threads (who = block << 11), or of one of them and its warp (who = block << 11 | thread + 1): accesses of the block
 * or the warp are known if earlier than `before`, those of the thread itself if not later than `upto`. */
struct known {
	uint32_t who;
	uint64_t before, upto;
};
typedef std::vector<known> knowledge_list;
typedef std::shared_ptr<const knowledge_list> knowledge;

struct flag {
	knowledge released;
	uint64_t version;
};

/* --- a block --- */
struct thread_block;
struct pending_copy {
	char *to;
	const char *from;
	size_t bytes;
	int group;
};
struct alignas(64) fiber : place {
	/* the first line of the cache has what a switch touches, up to tick */
	void *sp; /* saved stack pointer, or a ucontext_t */
	thread_block *b;
	int state, line;
	uint64_t tick;
	char *stack; /* its lowest byte */
	void *fake;  /* AddressSanitizer's */
	knowledge known, fenced, to_acquire; /* known: beyond what the block's threads know, else empty; the others: see fence */
	const int *flag;
	int flag_value, idle_atomics;
	uint64_t flag_version;
	std::vector<pending_copy> copies;
	int group;
};

struct warp {
	int size, live, arrived, at_barrier, turn, line;
	uint64_t tick;
	unsigned ballot[2];
	unsigned char value[2][WARP][16];
};

struct array {
	const void *key;
	const char *name;
	char *p;
	size_t bytes;
};

struct thread_block {
	uint3 index;
	int flat, threads, live, at_barrier, line, spinning;
	int reduced, reduction_result;
	bool told_early, told_warp;
	uint64_t tick; /* of the last barrier */
	knowledge known;
	std::vector<std::unique_ptr<fiber>> fibers;
	std::vector<int> order, queue;
	int head, queued;
	std::vector<warp> warps;
	std::vector<array> arrays;
	array dynamic;
	char *arena, *stacks;
	size_t arena_used, shared_used;
	uint32_t generation;
	thread_block();
	~thread_block();
	thread_block(const thread_block &) = delete;
	thread_block &operator=(const thread_block &) = delete;
};

/* What one thread of the host works with. */
struct context {
	fiber main{};
	counts n;
	options o;
	kernel k;
	void (*run)(void *);
	void *arguments;
	size_t dynamic_bytes;
	long allowed; /* dynamic shared memory, beyond what all kernels have */
	int blocks;
	long progress;
	bool interleave;
	uint64_t tick = 1;
	uint32_t generation;
	std::mt19937 random;
	std::unordered_map<const void *, flag> flags;
	std::vector<std::unique_ptr<thread_block>> pool;
	char *stack_low = nullptr, *stack_high = nullptr; /* the host thread's own */
	context();
	~context();
};
extern __thread context *mine;

static inline fiber *current() { return static_cast<fiber *>(here); }
static inline warp &warp_of(fiber *f) { return f->b->warps[(size_t)f->flat / WARP]; }

/* --- fibers.cc --- */
#if defined(EMU_UCONTEXT) || !defined(__x86_64__)
#define EMU_BY_HAND 0
#else
#define EMU_BY_HAND 1
extern "C" void gpu_emu_switch(void **save, void *load);
#endif

#if EMU_BY_HAND && !EMU_ASAN
static inline void switch_fiber(fiber *from, fiber *to)
{
	here = to;
	gpu_emu_switch(&from->sp, to->sp);
}
#else
void switch_fiber(fiber *from, fiber *to);
#endif
void prepare_fiber(fiber *f);
void make_switchable(fiber *f);
void drop_switchable(fiber *f);

/* --- block.cc --- */
void grow_block(thread_block *b, int threads);
void start_block(thread_block *b, int flat);
void thread_returned(fiber *f);
void wake_spinning(thread_block *b);
std::string describe_waiting(const thread_block *b);

static inline void enqueue_fiber(thread_block *b, int flat)
{
	int at = b->head + b->queued++;

	b->queue[(size_t)(at >= b->threads ? at - b->threads : at)] = flat;
}

static inline fiber *next_fiber(thread_block *b)
{
	if (b->queued == 0)
		return nullptr;
	int flat = b->queue[(size_t)b->head];
	if (++b->head == b->threads)
		b->head = 0;
	b->queued--;
	return b->fibers[(size_t)flat].get();
}

/* Let the next fiber of the block that can go on do so, else the scheduler. */
static inline void suspend(fiber *f, bool to_scheduler = false)
{
	fiber *next = to_scheduler ? nullptr : next_fiber(f->b);

	if (next == f)
		return;
	mine->n.switches.add(1);
	switch_fiber(f, next ? next : &mine->main);
}

/* --- memory.cc: device memory --- */
struct allocation {
	char *p;
	size_t bytes;
	bool live;
	char name[39];
};
extern char *device_base;
enum : size_t { DEVICE_ARENA = (size_t)8 << 30 };
const allocation *find_allocation(const char *p); /* the one there, or the last before it; nullptr: none */
void describe_device(const char *p, char *text, size_t size);
void check_red_zones();
void fill_red(char *p, size_t bytes);
bool red_intact(const char *p, size_t bytes);

/* --- shared.cc --- */
enum : size_t { SHARED_ARENA = 256 << 10, STATIC_SHARED = 48 << 10, SHARED_MOST = 227 << 10 };
enum byte_state : unsigned char { UNWRITTEN, WRITTEN, IN_FLIGHT };
void start_shared(thread_block *b, size_t dynamic_bytes);
void end_shared(thread_block *b);
const array *find_shared(const thread_block *b, const char *p, size_t bytes);
long allowed_shared(const void *code);

/* --- clocks.cc --- */
bool knows(const fiber *f, int block, int thread, uint64_t tick);
void barrier_clock(thread_block *b);
void warp_clock(fiber *f);

/* --- shadow.cc: the last accesses to every two bytes of device and shared memory --- */
struct cell {
	uint64_t write, read, read_too; /* stamps */
	uint32_t generation, unused;
};
enum access_kind { READ = 0, WRITE = 1, ATOMIC = 2, COPY = 4 };
void access(const void *p, size_t bytes, int kind, const void *from);
void reserve_shadow();
void forget_shadow(char *p, size_t bytes);
static inline cell *shared_cells(const thread_block *b) { return reinterpret_cast<cell *>(b->arena + 2 * SHARED_ARENA); }
static inline unsigned char *shared_states(const thread_block *b) { return reinterpret_cast<unsigned char *>(b->arena + SHARED_ARENA); }
static inline bool looking() { return race_build && mine->o.race; }
}

#endif
