/* A launch: its limits, and the scheduler of the blocks that are resident. */
#include "tests/emulation/internal.h"
#include <algorithm>
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>

namespace emu {
void (*enqueue_hook)(void *, void (*)(void *), void *);
void *(*translate_hook)(void *);

/* A stand-in for the device runtime, where the program has one. */
__attribute__((constructor)) static void find_hooks()
{
	enqueue_hook = reinterpret_cast<decltype(enqueue_hook)>(dlsym(RTLD_DEFAULT, "standin_enqueue"));
	translate_hook = reinterpret_cast<decltype(translate_hook)>(dlsym(RTLD_DEFAULT, "standin_xlat"));
}

static context *own_context()
{
	static thread_local std::unique_ptr<context> owner;
	pthread_attr_t attributes;
	void *low;
	size_t size;

	if (!owner) {
		owner.reset(new context());
		pthread_getattr_np(pthread_self(), &attributes);
		pthread_attr_getstack(&attributes, &low, &size);
		pthread_attr_destroy(&attributes);
		owner->stack_low = static_cast<char *>(low);
		owner->stack_high = owner->stack_low + size;
	}
	return owner.get();
}

/* Hardware refuses such launches. */
static bool possible(const kernel &k, dim3 grid, dim3 block, size_t bytes)
{
	uint64_t threads = (uint64_t)block.x * block.y * block.z, blocks = (uint64_t)grid.x * grid.y * grid.z;
	long allowed = std::max<long>(STATIC_SHARED, mine->allowed);

	if (threads < 1 || threads > MOST_THREADS || block.x > 1024 || block.y > 1024 || block.z > 64)
		report(ERROR, "a launch with blocks of %u x %u x %u threads", block.x, block.y, block.z);
	else if (k.most > 0 && threads > (uint64_t)k.most)
		report(ERROR, "a launch with %llu threads a block, its GPU_BOUNDS allow %ld", (unsigned long long)threads, k.most);
	else if (blocks < 1 || grid.y > 65535 || grid.z > 65535 || blocks > INT_MAX)
		report(ERROR, "a launch of %u x %u x %u blocks", grid.x, grid.y, grid.z);
	else if ((long)bytes > allowed || (long)bytes > mine->o.shared_limit)
		report(ERROR, "a launch with %zu bytes of dynamic shared memory, %ld are allowed", bytes, std::min(allowed, mine->o.shared_limit));
	else
		return true;
	return false;
}

static std::vector<int> start_order(int blocks, bool interleave)
{
	std::vector<int> order((size_t)blocks);
	context *c = mine;

	for (int i = 0; i < blocks; i++)
		order[(size_t)i] = c->o.order == 1 && !interleave ? blocks - 1 - i : i;
	if (c->o.order >= 2 && !interleave)
		std::shuffle(order.begin(), order.end(), c->random);
	return order;
}

static void report_deadlock(const std::vector<thread_block *> &resident, int waiting)
{
	std::string text;

	for (size_t i = 0; i < resident.size() && i < 3; i++)
		text += "; " + describe_waiting(resident[i]);
	report(ERROR, "deadlock with %zu blocks resident and %d not yet started%s", resident.size(), waiting, text.c_str());
	for (auto &b : mine->pool)
		b.release(); /* their threads are still somewhere in the kernel */
	mine->pool.clear();
}

static bool all_stuck(const std::vector<thread_block *> &resident)
{
	return std::none_of(resident.begin(), resident.end(), [](const thread_block *b) { return b->queued > 0 || b->spinning > 0; });
}

/* Let one of the resident blocks go on until its threads wait; true if it has ended. */
static bool step(thread_block *b)
{
	if (b->queued == 0 && b->spinning > 0)
		wake_spinning(b);
	fiber *f = next_fiber(b);
	if (f) {
		mine->n.switches.add(1);
		switch_fiber(&mine->main, f);
	}
	return b->live == 0;
}

static void run_blocks()
{
	context *c = mine;
	size_t together = (size_t)std::max(1l, std::min<long>(c->o.resident, c->blocks)), at = 0, next = 0;
	long idle = 0, progress = 0;
	std::vector<int> order = start_order(c->blocks, c->interleave = together > 1);
	std::vector<thread_block *> resident;

	while (c->pool.size() < together)
		c->pool.emplace_back(new thread_block());
	for (; next < together; next++) {
		resident.push_back(c->pool[next].get());
		start_block(resident.back(), order[next]);
	}
	while (!resident.empty()) {
		at = c->o.order >= 2 ? c->random() % resident.size() : (at + 1) % resident.size();
		if (step(resident[at])) {
			end_shared(resident[at]);
			if (next < order.size())
				start_block(resident[at], order[next++]);
			else
				resident.erase(resident.begin() + (long)at);
			idle = 0;
		} else if (c->progress != progress) {
			progress = c->progress;
			idle = 0;
		} else if (++idle > c->o.spin_limit || all_stuck(resident)) {
			report_deadlock(resident, (int)(order.size() - next));
			break;
		}
	}
}

void launch(kernel k, dim3 grid, dim3 block, size_t bytes, void (*run)(void *), void *arguments)
{
	static std::atomic<uint32_t> launches;
	context *c = mine = own_context();

	c->n.launches.add(1);
	c->o = chosen;
	c->k = k;
	c->allowed = allowed_shared(k.code);
	if (possible(k, grid, block, bytes)) {
		c->run = run;
		c->arguments = arguments;
		c->dynamic_bytes = bytes;
		c->blocks = (int)(grid.x * grid.y * grid.z);
		c->generation = ++launches;
		c->flags.clear();
		grid_size = { grid.x, grid.y, grid.z };
		block_size = { block.x, block.y, block.z };
		if (c->o.order >= 2)
			c->random.seed((unsigned)(c->o.order + c->generation));
		if (c->o.foreign < 0)
			c->o.foreign = enqueue_hook != nullptr;
		run_blocks();
		here = nullptr;
		check_red_zones();
	}
	c->k.name = nullptr;
}
}
