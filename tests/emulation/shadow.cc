/* Race detection.  Kernels alone are compiled with -fsanitize=thread, and the calls which the compiler puts before every access to memory
 * are answered here, not by the sanitizer's library: threads are fibers, and what orders them is known exactly.  Every access is also
 * checked to lie where a kernel may reach. */
#include "tests/emulation/internal.h"
#include <algorithm>
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

namespace emu {
/* A stamp: one bit for atomic accesses, the block, the thread, the tick, and which of the two bytes. */
enum { TICK_BITS = 34, THREAD_BITS = 10, BLOCK_BITS = 17 };
enum : uint64_t { ATOMIC_STAMP = (uint64_t)1 << 63, MOST_BLOCKS = (uint64_t)1 << BLOCK_BITS };

static inline uint64_t stamp_of(const fiber *f)
{
	return (uint64_t)f->b->flat << (TICK_BITS + THREAD_BITS + 2) | (uint64_t)f->flat << (TICK_BITS + 2) |
	       (f->tick & (((uint64_t)1 << TICK_BITS) - 1)) << 2;
}
static inline int stamp_block(uint64_t s) { return (int)(s >> (TICK_BITS + THREAD_BITS + 2) & (MOST_BLOCKS - 1)); }
static inline int stamp_thread(uint64_t s) { return (int)(s >> (TICK_BITS + 2) & (MOST_THREADS - 1)); }
static inline uint64_t stamp_tick(uint64_t s) { return s >> 2 & (((uint64_t)1 << TICK_BITS) - 1); }

/* The common cases first. */
static inline bool ordered(const fiber *f, uint64_t stamp)
{
	if (stamp_block(stamp) == f->b->flat) {
		if (stamp_thread(stamp) == f->flat || stamp_tick(stamp) < f->b->tick)
			return true;
		if (!f->known && !f->b->known && stamp_thread(stamp) / WARP != f->flat / WARP)
			return false;
	}
	return knows(f, stamp_block(stamp), stamp_thread(stamp), stamp_tick(stamp));
}

static cell *device_cells;

void reserve_shadow()
{
	if (device_cells)
		return;
	void *p = mmap(nullptr, DEVICE_ARENA / 2 * sizeof(cell), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED) {
		perror("emulation: mmap");
		abort();
	}
	madvise(p, DEVICE_ARENA / 2 * sizeof(cell), MADV_NOHUGEPAGE);
	device_cells = static_cast<cell *>(p);
}

static cell *device_cell(const char *p) { return device_cells + (p - device_base) / 2; }

/* Old cells are of other launches and mean nothing: only their memory matters. */
void forget_shadow(char *p, size_t bytes)
{
	enum : uintptr_t { PAGE = 4096 };

	if (!device_cells)
		return;
	uintptr_t low = (reinterpret_cast<uintptr_t>(device_cell(p)) + PAGE - 1) / PAGE * PAGE;
	uintptr_t high = reinterpret_cast<uintptr_t>(device_cell(p + bytes)) / PAGE * PAGE;
	if (high > low)
		madvise(reinterpret_cast<void *>(low), high - low, MADV_DONTNEED);
}

/* The place in the program, as addr2line takes it. */
struct place_name {
	char text[120];
	explicit place_name(const void *code)
	{
		Dl_info info;

		if (dladdr(code, &info) && info.dli_fname) {
			const char *slash = strrchr(info.dli_fname, '/');
			snprintf(text, sizeof(text), "%s+0x%zx", slash ? slash + 1 : info.dli_fname,
				 (size_t)(static_cast<const char *>(code) - static_cast<const char *>(info.dli_fbase)));
		} else {
			snprintf(text, sizeof(text), "%p", code);
		}
	}
};

static void describe(const fiber *f, const char *p, char *text, size_t size)
{
	const array *a = find_shared(f->b, p, 1);

	if (a)
		snprintf(text, size, "shared %s+%zu", a->name, (size_t)(p - a->p));
	else
		describe_device(p, text, size);
}

static void report_race(const fiber *f, const char *p, int kind, uint64_t other, bool other_wrote, const void *from)
{
	char text[200];

	describe(f, p, text, sizeof(text));
	report(RACE, "%s after %s of %s: block %d thread %d against block %d thread %d, which nothing orders [%s]", kind & WRITE ? "write" : "read",
	       other_wrote ? "write" : "read", text, f->b->flat, f->flat, stamp_block(other), stamp_thread(other), place_name(from).text);
}

/* Of readers that nothing orders two are kept, as far apart as possible. */
static inline void note_read(const fiber *f, cell *c, uint64_t me)
{
	if (c->read == 0 || c->read == me || ordered(f, c->read)) {
		c->read = me;
	} else if (c->read_too == 0 || c->read_too == me || ordered(f, c->read_too)) {
		c->read_too = me;
	} else {
		int mine = f->b->flat, first = stamp_block(c->read), second = stamp_block(c->read_too);
		bool replace_first = first == mine && (second != mine || stamp_thread(c->read) / WARP == f->flat / WARP);
		(replace_first ? c->read : c->read_too) = me;
	}
}

static inline bool conflict(const fiber *f, uint64_t other, uint64_t me)
{
	return other && (other & me & 3) && !(other & me & ATOMIC_STAMP) && !ordered(f, other);
}

/* One cell; true if there was a race. */
static inline bool touch(const fiber *f, cell *c, uint32_t generation, uint64_t me, const char *p, int kind, bool told, const void *from)
{
	uint64_t race = 0;

	if (c->generation != generation)
		*c = { 0, 0, 0, generation, 0 };
	else if (!(kind & WRITE) && (c->read == me || c->read_too == me) && !(c->write & ATOMIC_STAMP))
		return false; /* no write since that read */
	if (conflict(f, c->write, me))
		race = c->write;
	bool wrote = race != 0;
	if (!race && (kind & WRITE)) {
		if (conflict(f, c->read, me))
			race = c->read;
		else if (conflict(f, c->read_too, me))
			race = c->read_too;
	}
	if (race && !told)
		report_race(f, p, kind, race, wrote, from);
	if (!(kind & WRITE)) {
		note_read(f, c, me);
		return race != 0;
	}
	/* who is later than this write is later than what it came after */
	if (!(kind & ATOMIC) && (me & 3) == 3)
		c->read = c->read_too = 0;
	c->write = me;
	return race != 0;
}

static inline bool same(const cell &a, const cell &b)
{
	return a.write == b.write && a.read == b.read && a.read_too == b.read_too && a.generation == b.generation;
}

/* Most elements have cells that are all alike: what has been found for the first holds for the others. */
static void touch_cells(const fiber *f, cell *c, uint32_t generation, const char *p, size_t bytes, int kind, const void *from)
{
	uint64_t me = stamp_of(f) | (kind & ATOMIC ? (uint64_t)ATOMIC_STAMP : 0);
	const char *end = p + bytes;
	bool told = false;

	if ((reinterpret_cast<uintptr_t>(p) | bytes) & 1) {
		for (; p < end; c++) {
			uint64_t which = reinterpret_cast<uintptr_t>(p) & 1 ? 2 : end - p == 1 ? 1 : 3;
			told = touch(f, c, generation, me | which, p, kind, told, from) || told; /* one report an access */
			p += which == 3 ? 2 : 1;
		}
		return;
	}
	cell before = *c;
	told = touch(f, c, generation, me | 3, p, kind, false, from);
	const cell after = *c;
	for (c++, p += 2; p < end; c++, p += 2) {
		if (same(*c, before))
			*c = after;
		else
			told = touch(f, c, generation, me | 3, p, kind, told, from) || told;
	}
}

/* Whether the bytes have been written, and no copy into them is under way. */
static void check_states(const fiber *f, const array *a, const char *p, size_t bytes, int kind, const void *from)
{
	unsigned char *state = shared_states(f->b) + (p - f->b->arena);
	const char *what = nullptr;

	static const unsigned char written[16] = { WRITTEN, WRITTEN, WRITTEN, WRITTEN, WRITTEN, WRITTEN, WRITTEN, WRITTEN,
						   WRITTEN, WRITTEN, WRITTEN, WRITTEN, WRITTEN, WRITTEN, WRITTEN, WRITTEN };
	if (bytes <= sizeof(written) && !(kind & COPY) && memcmp(state, written, bytes) == 0)
		return;
	for (size_t i = 0; i < bytes; i++) {
		if (state[i] == IN_FLIGHT)
			what = kind & WRITE ? "is written while" : "is read while";
		else if (state[i] == UNWRITTEN && (!(kind & WRITE) || (kind & ATOMIC)) && !what)
			what = "";
	}
	if (what && *what)
		report(ERROR, "block %d thread %d: shared %s+%zu %s an asynchronous copy into it has not been waited for [%s]", f->b->flat, f->flat,
		       a->name, (size_t)(p - a->p), what, place_name(from).text);
	else if (what)
		report(ERROR, "block %d thread %d: uninitialised shared memory is read: %s+%zu [%s]", f->b->flat, f->flat, a->name,
		       (size_t)(p - a->p), place_name(from).text);
	if ((kind & WRITE) || what)
		memset(state, kind & COPY ? (int)IN_FLIGHT : (int)WRITTEN, bytes);
}

static void access_shared(const fiber *f, const char *p, size_t bytes, int kind, const void *from)
{
	const thread_block *b = f->b;
	const array *a = find_shared(b, p, bytes);

	if (!a) {
		report(ERROR, "block %d thread %d: %s out of bounds of its shared arrays [%s]", b->flat, f->flat, kind & WRITE ? "write" : "read",
		       place_name(from).text);
		return;
	}
	check_states(f, a, p, bytes, kind, from);
	touch_cells(f, shared_cells(b) + (p - b->arena) / 2, b->generation, p, bytes, kind, from);
}

static void access_device(const fiber *f, const char *p, size_t bytes, int kind, const void *from)
{
	const allocation *a = find_allocation(p);
	char text[200];

	if (a && a->live && p + bytes <= a->p + a->bytes) {
		touch_cells(f, device_cell(p), mine->generation, p, bytes, kind, from);
		return;
	}
	describe_device(p, text, sizeof(text));
	report(ERROR, "block %d thread %d: %s out of bounds: %s [%s]", f->b->flat, f->flat, kind & WRITE ? "write" : "read", text, place_name(from).text);
}

struct segment {
	const char *p, *low, *high;
};

static int find_segment(dl_phdr_info *info, size_t, void *argument)
{
	segment *s = static_cast<segment *>(argument);

	for (int i = 0; i < info->dlpi_phnum; i++) {
		const char *low = reinterpret_cast<const char *>(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
		const char *high = low + info->dlpi_phdr[i].p_memsz;
		if (info->dlpi_phdr[i].p_type == PT_LOAD && s->p >= low && s->p < high) {
			s->low = low;
			s->high = high;
		}
	}
	return s->low != nullptr;
}

/* Constants and the like: any loaded part of the program. */
static bool is_static(const char *p)
{
	static __thread const char *low, *high;
	segment s = { p, nullptr, nullptr };

	if (p >= low && p < high)
		return true;
	if (!dl_iterate_phdr(find_segment, &s))
		return false;
	low = s.low;
	high = s.high;
	return true;
}

/* Memory of the host: the arguments of the launch and constants may be read. */
static void access_other(const fiber *f, const char *p, int kind, const void *from)
{
	const char *stacks = f->b->stacks;

	if (p >= mine->stack_low && p < mine->stack_high)
		return;
	if (p >= stacks && p < stacks + (size_t)MOST_THREADS * STACK_STRIDE)
		report(ERROR, "block %d thread %d: %s out of bounds: a local variable of thread %d [%s]", f->b->flat, f->flat,
		       kind & WRITE ? "write" : "read", (int)((p - stacks) / STACK_STRIDE), place_name(from).text);
	else if (!mine->o.foreign && !is_static(p))
		report(ERROR, "block %d thread %d: %s out of bounds: %p is not device memory [%s]", f->b->flat, f->flat, kind & WRITE ? "write" : "read",
		       static_cast<const void *>(p), place_name(from).text);
}

void access(const void *pointer, size_t bytes, int kind, const void *from)
{
	const char *p = static_cast<const char *>(pointer);
	fiber *f = current();

	if (!f || !f->b || (p >= f->stack && p < f->stack + STACK) || !mine->o.race)
		return;
	mine->n.accesses.add(1);
	if (p >= f->b->arena && p < f->b->arena + SHARED_ARENA)
		access_shared(f, p, bytes, kind, from);
	else if (p >= device_base && p < device_base + DEVICE_ARENA && device_base)
		access_device(f, p, bytes, kind, from);
	else
		access_other(f, p, kind, from);
}
}

using namespace emu;

#define ANSWER(name, bytes, kind) \
	extern "C" void __tsan_##name##bytes(void *p) { access(p, bytes, kind, __builtin_return_address(0)); }
#define ANSWERS(bytes)                        \
	ANSWER(read, bytes, READ)             \
	ANSWER(write, bytes, WRITE)           \
	ANSWER(unaligned_read, bytes, READ)   \
	ANSWER(unaligned_write, bytes, WRITE) \
	ANSWER(volatile_read, bytes, READ)    \
	ANSWER(volatile_write, bytes, WRITE)
ANSWERS(1)
ANSWERS(2)
ANSWERS(4)
ANSWERS(8)
ANSWERS(16)
extern "C" void __tsan_read_range(void *p, long bytes) { access(p, (size_t)bytes, READ, __builtin_return_address(0)); }
extern "C" void __tsan_write_range(void *p, long bytes) { access(p, (size_t)bytes, WRITE, __builtin_return_address(0)); }
extern "C" void __tsan_func_entry(void *) {}
extern "C" void __tsan_func_exit(void *) {}
extern "C" void __tsan_vptr_update(void *, void *) {}
extern "C" void __tsan_init(void)
{
	race_build = true;
	reserve_shadow();
}
