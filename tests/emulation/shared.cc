/* Shared memory of a block, with red zones between its arrays, and the asynchronous copies into it. */
#include "tests/emulation/internal.h"
#include <algorithm>
#include <mutex>
#include <stdlib.h>
#include <unordered_map>

namespace emu {
static std::mutex lock;
static std::unordered_map<const void *, long> allowed;

void allow_shared(const void *code, long bytes)
{
	std::lock_guard<std::mutex> guard(lock);

	if (bytes < 0 || bytes > (long)SHARED_MOST)
		report(ERROR, "%ld bytes of shared memory are asked for, %ld are the most", bytes, (long)SHARED_MOST);
	else
		allowed[code] = bytes;
}

long allowed_shared(const void *code)
{
	std::lock_guard<std::mutex> guard(lock);
	auto found = allowed.find(code);

	return found == allowed.end() ? 0 : found->second;
}

enum : size_t { GAP = 64 };
static size_t rounded(size_t bytes) { return (bytes + 15) & ~(size_t)15; }

/* What hardware allows: 48 KiB declared; 48 KiB together, or as much as the kernel was allowed beside what it declares. */
static void check_size(const thread_block *b)
{
	long used = (long)b->shared_used, declared = used - (long)rounded(b->dynamic.bytes);
	long limit = std::min(mine->o.shared_limit, std::max<long>(STATIC_SHARED, mine->allowed + declared));

	if (declared > (long)STATIC_SHARED)
		report(ERROR, "%ld bytes of shared memory are declared, %ld are the most", declared, (long)STATIC_SHARED);
	else if (used > limit || used > (long)SHARED_MOST)
		report(ERROR, "%ld bytes of shared memory are used, %ld are allowed", used, std::min<long>(limit, SHARED_MOST));
	if (used > mine->n.max_shared.get())
		mine->n.max_shared.add(used - mine->n.max_shared.get());
}

/* Bytes nobody has written in this block; as numbers they are NaNs. */
static char *new_array(thread_block *b, size_t bytes)
{
	b->shared_used += rounded(bytes);
	check_size(b);
#if EMU_ASAN
	char *p = static_cast<char *>(malloc(bytes));
#else
	size_t at = b->arena_used;
	if (at + rounded(bytes) + GAP > SHARED_ARENA) {
		report(ERROR, "shared memory is exhausted");
		abort();
	}
	char *p = b->arena + at;
	b->arena_used += rounded(bytes) + GAP;
	fill_red(p + bytes, rounded(bytes) - bytes + GAP);
	if (looking())
		memset(shared_states(b) + at, UNWRITTEN, bytes);
#endif
	memset(p, 0xff, bytes);
	return p;
}

void *shared_array(const void *key, size_t bytes, const char *name)
{
	thread_block *b = current()->b;

	for (const array &a : b->arrays)
		if (a.key == key)
			return a.p;
	b->arrays.push_back({ key, name, new_array(b, bytes), bytes });
	return b->arrays.back().p;
}

void *dynamic_shared() { return current()->b->dynamic.p; }

void start_shared(thread_block *b, size_t dynamic_bytes)
{
	static std::atomic<uint32_t> generations;

	b->generation = ++generations;
	b->shared_used = 0;
	b->arena_used = GAP;
	if (!EMU_ASAN)
		fill_red(b->arena, GAP);
	b->arrays.clear();
	b->dynamic = { nullptr, "dynamic memory", nullptr, dynamic_bytes };
	b->dynamic.p = new_array(b, dynamic_bytes);
}

static void end_array(const thread_block *b, const array &a)
{
#if EMU_ASAN
	(void)b;
	free(a.p);
#else
	if (!red_intact(a.p + a.bytes, rounded(a.bytes) - a.bytes + GAP))
		report(ERROR, "block %d: memory next to shared %s has been written: out of bounds", b->flat, a.name);
#endif
}

void end_shared(thread_block *b)
{
	for (const array &a : b->arrays)
		end_array(b, a);
	end_array(b, b->dynamic);
	if (!EMU_ASAN && !red_intact(b->arena, GAP))
		report(ERROR, "block %d: memory before its shared arrays has been written: out of bounds", b->flat);
	b->arrays.clear();
}

const array *find_shared(const thread_block *b, const char *p, size_t bytes)
{
	for (const array &a : b->arrays)
		if (p >= a.p && p + bytes <= a.p + a.bytes)
			return &a;
	return p >= b->dynamic.p && p + bytes <= b->dynamic.p + b->dynamic.bytes ? &b->dynamic : nullptr;
}

/* Copies happen when they are waited for; who reads before that reads NaNs, and with race detection an error is reported.  With
 * copy_early they happen at once, which shows copies into what is still being read. */
void copy_async(void *to, const void *from, size_t bytes)
{
	fiber *f = current();
	pending_copy c = { static_cast<char *>(to), static_cast<const char *>(from), bytes, f->group };

	if (looking()) {
		access(from, bytes, READ, __builtin_return_address(0));
		access(to, bytes, WRITE | COPY, __builtin_return_address(0));
	}
	if (mine->o.copy_early)
		memcpy(c.to, c.from, bytes);
	else
		memset(c.to, 0xff, bytes);
	f->copies.push_back(c);
}

void copy_commit() { current()->group++; }

void copy_wait(int groups)
{
	fiber *f = current();
	size_t done = 0;

	for (; done < f->copies.size() && f->copies[done].group < f->group - groups; done++) {
		const pending_copy &c = f->copies[done];
		if (!mine->o.copy_early)
			memcpy(c.to, c.from, c.bytes);
		if (looking()) {
			access(c.from, c.bytes, READ, __builtin_return_address(0));
			const array *a = find_shared(f->b, c.to, c.bytes);
			if (a)
				memset(shared_states(f->b) + (c.to - f->b->arena), WRITTEN, c.bytes);
			access(c.to, c.bytes, WRITE, __builtin_return_address(0));
		}
	}
	f->copies.erase(f->copies.begin(), f->copies.begin() + (long)done);
}
}
