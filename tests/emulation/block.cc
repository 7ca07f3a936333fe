/* Threads of a block: barriers, waiting, and what becomes of a thread that returns. */
#include "tests/emulation/internal.h"
#include <algorithm>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

namespace emu {
static char *reserve(size_t bytes)
{
	void *p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED) {
		perror("emulation: mmap");
		abort();
	}
	madvise(p, bytes, MADV_NOHUGEPAGE); /* little of each stack is used */
	return static_cast<char *>(p);
}

/* Shared memory, a state for each byte of it, and the cells. */
static size_t arena_bytes() { return 2 * SHARED_ARENA + SHARED_ARENA / 2 * sizeof(cell); }

thread_block::thread_block() : arena(reserve(arena_bytes())), stacks(reserve((size_t)MOST_THREADS * STACK_STRIDE))
{
	dynamic = {};
}

thread_block::~thread_block()
{
	for (auto &f : fibers)
		drop_switchable(f.get());
	munmap(arena, arena_bytes());
	munmap(stacks, (size_t)MOST_THREADS * STACK_STRIDE);
}

void grow_block(thread_block *b, int threads)
{
	for (int t = (int)b->fibers.size(); t < threads; t++) {
		b->fibers.emplace_back(new fiber());
		fiber *f = b->fibers.back().get();
		f->flat = t;
		f->b = b;
		f->stack = b->stacks + (size_t)t * STACK_STRIDE;
		make_switchable(f);
	}
}

static void start_thread(thread_block *b, fiber *f)
{
	unsigned t = (unsigned)f->flat;

	f->thread = { t % block_size.x, t / block_size.x % block_size.y, t / (block_size.x * block_size.y) };
	f->block = b->index;
	f->state = READY;
	f->line = 0;
	f->tick = b->tick;
	f->known = f->fenced = f->to_acquire = nullptr;
	f->flag = nullptr;
	f->idle_atomics = 0;
	f->copies.clear();
	f->group = 0;
	prepare_fiber(f);
}

void start_block(thread_block *b, int flat)
{
	context *c = mine;
	unsigned i = (unsigned)flat;

	b->threads = (int)(block_size.x * block_size.y * block_size.z);
	grow_block(b, b->threads);
	b->flat = flat;
	b->index = { i % grid_size.x, i / grid_size.x % grid_size.y, i / (grid_size.x * grid_size.y) };
	b->live = b->threads;
	b->at_barrier = b->spinning = b->head = b->queued = 0;
	b->told_early = b->told_warp = false;
	b->tick = ++c->tick;
	b->known = nullptr;
	start_shared(b, c->dynamic_bytes);
	b->queue.resize((size_t)b->threads);
	b->order.resize((size_t)b->threads);
	for (int t = 0; t < b->threads; t++) {
		b->order[(size_t)t] = c->o.order == 1 ? b->threads - 1 - t : t;
		start_thread(b, b->fibers[(size_t)t].get());
	}
	if (c->o.order >= 2)
		std::shuffle(b->order.begin(), b->order.end(), c->random);
	b->warps.resize((size_t)(b->threads + WARP - 1) / WARP);
	for (int w = 0; w < (int)b->warps.size(); w++) {
		warp &x = b->warps[(size_t)w];
		x.size = x.live = std::min<int>(WARP, b->threads - WARP * w);
		x.arrived = x.at_barrier = x.turn = 0;
		x.tick = b->tick;
	}
	for (int t : b->order)
		enqueue_fiber(b, t);
	c->n.blocks.add(1);
}

static void open_barrier(thread_block *b)
{
	b->at_barrier = 0;
	barrier_clock(b);
	for (warp &w : b->warps)
		w.at_barrier = 0;
	if (mine->o.order >= 2)
		std::shuffle(b->order.begin(), b->order.end(), mine->random);
	for (int t : b->order) {
		fiber *f = b->fibers[(size_t)t].get();
		if (f->state == AT_BARRIER) {
			f->state = READY;
			enqueue_fiber(b, t);
		}
	}
	mine->n.barriers.add(1);
	mine->progress++;
}

/* Lanes that wait in a warp operation never go on if others of their warp wait elsewhere. */
static void tell_divergent(fiber *f, int line)
{
	warp &w = warp_of(f);

	if (!f->b->told_warp)
		report(ERROR, "block %d: divergent warp operation of line %d: reached by %d of the %d lanes of warp %d, while thread %d is at %s line %d",
		       f->b->flat, w.line, w.arrived, w.live, f->flat / WARP, f->flat, line ? "the barrier of" : "its end after", line ? line : f->line);
	f->b->told_warp = true;
}

void barrier(int line)
{
	fiber *f = current();
	thread_block *b = f->b;
	warp &w = warp_of(f);

	if (b->at_barrier == 0)
		b->line = line;
	else if (b->line != line)
		report(ERROR, "block %d: divergent barrier: thread %d is at line %d, others are at line %d", b->flat, f->flat, line, b->line);
	if (b->live < b->threads && !b->told_early) {
		report(ERROR, "block %d: early exit: the barrier of line %d is reached after %d of %d threads returned", b->flat, line,
		       b->threads - b->live, b->threads);
		b->told_early = true;
	}
	if (w.arrived > 0)
		tell_divergent(f, line);
	w.at_barrier++;
	f->state = AT_BARRIER;
	f->line = line;
	if (++b->at_barrier == b->live) {
		open_barrier(b);
		suspend(f, mine->interleave);
	} else {
		suspend(f);
	}
}

int barrier_reduce(int line, int value, reduction what)
{
	thread_block *b = current()->b;

	if (b->at_barrier == 0)
		b->reduced = what == ALL;
	switch (what) {
	case ANY:
		b->reduced |= value != 0;
		break;
	case ALL:
		b->reduced &= value != 0;
		break;
	case COUNT:
		b->reduced += value != 0;
		break;
	}
	b->reduction_result = b->reduced;
	barrier(line);
	int result = b->reduction_result;
	barrier(line);
	return result;
}

void thread_returned(fiber *f)
{
	thread_block *b = f->b;
	warp &w = warp_of(f);

	f->state = RETURNED;
	b->live--;
	w.live--;
	mine->progress++;
	if (!f->copies.empty())
		report(ERROR, "block %d thread %d: returned without waiting for its asynchronous copies", b->flat, f->flat);
	if (w.arrived > 0)
		tell_divergent(f, 0);
	if (b->at_barrier > 0 && b->at_barrier == b->live) {
		if (!b->told_early)
			report(ERROR, "block %d: early exit: thread %d returned while %d threads wait at the barrier of line %d", b->flat, f->flat,
			       b->at_barrier, b->line);
		b->told_early = true;
		open_barrier(b);
	}
}

void pause()
{
	fiber *f = current();

	mine->n.spins.add(1);
	f->state = SPINNING;
	f->b->spinning++;
	suspend(f);
}

void wake_spinning(thread_block *b)
{
	for (int t : b->order) {
		fiber *f = b->fibers[(size_t)t].get();
		if (f->state == SPINNING) {
			f->state = READY;
			b->spinning--;
			enqueue_fiber(b, t);
		}
	}
}

std::string describe_waiting(const thread_block *b)
{
	static const char *const names[] = { "ready", "at the barrier of line", "in the warp operation of line", "waiting for a flag after line", "returned" };
	std::string text = "block " + std::to_string(b->flat) + ": ";

	for (int t = 0, first = 0, runs = 0; t < b->threads && runs < 6; t++) {
		const fiber *f = b->fibers[(size_t)t].get(), *next = t + 1 < b->threads ? b->fibers[(size_t)t + 1].get() : nullptr;
		if (next && next->state == f->state && next->line == f->line)
			continue;
		text += (runs ? ", threads " : "threads ") + std::to_string(first) + " to " + std::to_string(t) + " " + names[f->state];
		if (f->state != READY && f->state != RETURNED)
			text += " " + std::to_string(f->line);
		first = t + 1;
		runs++;
	}
	return text;
}
}
