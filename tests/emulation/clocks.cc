/* What happened before what: vector clocks, as exact as barriers, warp operations and flags need them. */
#include "tests/emulation/internal.h"
#include <algorithm>

namespace emu {
static uint32_t all_of(int block) { return (uint32_t)block << 11; }
static uint32_t one_of(int block, int thread) { return all_of(block) | (uint32_t)(thread + 1); }
static int thread_of(uint32_t who) { return (int)(who & 2047) - 1; }

static bool in_list(const knowledge_list &list, int block, int thread, uint64_t tick)
{
	auto k = std::lower_bound(list.begin(), list.end(), all_of(block), [](const known &x, uint32_t who) { return x.who < who; });

	for (; k != list.end() && k->who >> 11 == (uint32_t)block; ++k) {
		int t = thread_of(k->who);
		if (tick < k->before && (t < 0 || t / WARP == thread / WARP))
			return true;
		if (t == thread && tick <= k->upto)
			return true;
	}
	return false;
}

bool knows(const fiber *f, int block, int thread, uint64_t tick)
{
	const thread_block *b = f->b;

	if (block == b->flat) {
		if (thread == f->flat || tick < b->tick)
			return true;
		if (thread / WARP == f->flat / WARP && tick < b->warps[(size_t)thread / WARP].tick)
			return true;
	}
	const knowledge &k = f->known ? f->known : b->known;
	return k && in_list(*k, block, thread, tick);
}

/* The union of two; of a thread nothing is kept that is said of its whole block. */
static knowledge unite(const knowledge &a, const knowledge &b)
{
	if (!a || !b || a == b)
		return a ? a : b;
	auto list = std::make_shared<knowledge_list>();
	const known *all = nullptr;
	auto i = a->begin(), j = b->begin();

	list->reserve(a->size() + b->size());
	while (i != a->end() || j != b->end()) {
		known k;
		if (j == b->end() || (i != a->end() && i->who < j->who)) {
			k = *i++;
		} else if (i == a->end() || j->who < i->who) {
			k = *j++;
		} else {
			k = { i->who, std::max(i->before, j->before), std::max(i->upto, j->upto) };
			++i, ++j;
		}
		if (all && all->who == all_of((int)(k.who >> 11)) && k.upto < all->before)
			continue;
		list->push_back(k);
		if (thread_of(k.who) < 0)
			all = &list->back();
	}
	return list;
}

static const knowledge &known_to(const fiber *f) { return f->known ? f->known : f->b->known; }

/* Everything a thread may pass on: what it knows, its block up to the last barrier, its warp up to the last operation, and itself. */
static knowledge snapshot(const fiber *f)
{
	const thread_block *b = f->b;
	uint64_t warp_tick = b->warps[(size_t)f->flat / WARP].tick;
	auto own = std::make_shared<knowledge_list>();

	own->push_back({ all_of(b->flat), b->tick, 0 });
	own->push_back({ one_of(b->flat, f->flat), warp_tick, f->tick });
	return unite(known_to(f), own);
}

/* A barrier makes everybody's knowledge the block's. */
void barrier_clock(thread_block *b)
{
	const uint64_t now = ++mine->tick;

	if (looking())
		for (auto &p : b->fibers) {
			if (p->flat >= b->threads)
				break;
			if (p->known)
				b->known = unite(b->known, p->known);
			p->known = nullptr;
			p->tick = now;
		}
	for (warp &w : b->warps)
		w.tick = now;
	b->tick = now;
}

/* A warp operation does so for the warp. */
void warp_clock(fiber *f)
{
	thread_block *b = f->b;
	warp &w = warp_of(f);
	int first = f->flat / WARP * WARP;
	knowledge together;

	w.tick = ++mine->tick;
	if (!looking())
		return;
	for (int t = first; t < first + w.size; t++) {
		fiber *lane = b->fibers[(size_t)t].get();
		lane->tick = w.tick;
		if (lane->known)
			together = unite(together, lane->known);
	}
	if (together)
		for (int t = first; t < first + w.size; t++)
			b->fibers[(size_t)t]->known = together;
}

static void learn(fiber *f, const knowledge &k)
{
	if (k)
		f->known = unite(known_to(f), k);
}

/* A thread that reads the same value again and again waits for others, whether it pauses or not. */
int load_acquire(const int *p)
{
	fiber *f = current();

	if (looking())
		access(p, sizeof(*p), READ | ATOMIC, __builtin_return_address(0));
	if (f->flag == p && f->flag_value == *p)
		pause();
	int v = *p;
	bool again = f->flag == p;
	f->flag = p;
	f->flag_value = v;
	if (!looking())
		return v;
	auto found = mine->flags.find(p);
	if (found != mine->flags.end() && !(again && f->flag_version == found->second.version)) {
		learn(f, found->second.released);
		f->flag_version = found->second.version;
	}
	return v;
}

void store_release(int *p, int v)
{
	fiber *f = current();

	if (looking()) {
		access(p, sizeof(*p), WRITE | ATOMIC, __builtin_return_address(0));
		flag &own = mine->flags[p];
		own.released = snapshot(f);
		own.version = ++mine->tick;
		f->tick = own.version; /* what it does from here on has not been released */
	}
	*p = v;
	mine->progress++;
}

/* A fence, then an atomic operation, is a release; an atomic operation, then a fence, an acquire. */
void fence()
{
	fiber *f = current();

	if (!looking())
		return;
	learn(f, f->to_acquire);
	f->to_acquire = nullptr;
	f->fenced = snapshot(f);
	f->tick = ++mine->tick;
}

void atomic_begin(const void *p, size_t bytes)
{
	fiber *f = current();

	if (!looking())
		return;
	access(p, bytes, WRITE | ATOMIC, __builtin_return_address(0));
	auto found = mine->flags.find(p);
	if (found != mine->flags.end())
		f->to_acquire = unite(f->to_acquire, found->second.released);
	if (f->fenced) {
		flag &own = mine->flags[p];
		own.released = unite(own.released, f->fenced);
		own.version = ++mine->tick;
	}
}

/* An operation that changes nothing may be one that waits. */
void atomic_end(bool changed)
{
	fiber *f = current();

	if (changed) {
		mine->progress++;
		f->idle_atomics = 0;
	} else if (++f->idle_atomics > 64) {
		f->idle_atomics = 0;
		pause();
	}
}
}
