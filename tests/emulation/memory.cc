/* Device memory: an arena of the emulation's own with red zones between allocations, in which freed memory is not used again for long.
 * AddressSanitizer has all that itself; there the memory is malloc's. */
#include "tests/emulation/internal.h"
#include <algorithm>
#include <map>
#include <mutex>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

namespace emu {
char *device_base;

void fill_red(char *p, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		p[i] = (char)((reinterpret_cast<uintptr_t>(p) + i) % 2 ? RED_PATTERN >> 8 : RED_PATTERN & 0xff);
}

bool red_intact(const char *p, size_t bytes)
{
	for (; bytes > 0 && reinterpret_cast<uintptr_t>(p) % sizeof(uint64_t); p++, bytes--)
		if (*p != (char)(reinterpret_cast<uintptr_t>(p) % 2 ? RED_PATTERN >> 8 : RED_PATTERN & 0xff))
			return false;
	for (; bytes >= sizeof(uint64_t); p += sizeof(uint64_t), bytes -= sizeof(uint64_t))
		if (*reinterpret_cast<const uint64_t *>(p) != RED_PATTERN * 0x0001000100010001ull)
			return false;
	return true;
}

#if EMU_ASAN
const allocation *find_allocation(const char *) { return nullptr; }
void describe_device(const char *, char *text, size_t size) { snprintf(text, size, "?"); }
void check_red_zones() {}
}

extern "C" void *gpu_emu_malloc(size_t bytes, const char *)
{
	void *p = malloc(bytes);

	if (p)
		memset(p, 0xff, bytes);
	return p;
}

extern "C" void gpu_emu_free(void *p) { free(p); }

#else
enum : size_t { GRANULE = 256, GRANULES = DEVICE_ARENA / GRANULE, EDGE = 64 << 10, KEPT = 64 << 20 };

static std::mutex lock;
static uint32_t *owners;       /* of each granule: the one its allocation begins at, 0: none */
static allocation *beginnings; /* by the granule they begin at */
static std::map<char *, size_t> live;
static size_t cursor = GRANULE, since_turn, live_bytes;

static void *reserve(size_t bytes)
{
	void *p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED) {
		perror("emulation: mmap");
		abort();
	}
	madvise(p, bytes, MADV_NOHUGEPAGE);
	return p;
}

static size_t granule_of(const char *p) { return (size_t)(p - device_base) / GRANULE; }

/* With the red zone behind it. */
static size_t extent(size_t bytes) { return (bytes + GRANULE - 1) / GRANULE * GRANULE + RED; }

/* A place that has been free longest, more or less: the cursor goes round. */
static char *find_place(size_t bytes)
{
	if (since_turn > std::max<size_t>(KEPT, 4 * live_bytes)) {
		cursor = GRANULE;
		since_turn = 0;
	}
	for (auto next = live.lower_bound(device_base + cursor); next != live.end(); ++next) {
		if (device_base + cursor + extent(bytes) <= next->first)
			break;
		cursor = (size_t)(next->first - device_base) + extent(next->second);
	}
	if (cursor + extent(bytes) > DEVICE_ARENA)
		return nullptr;
	char *p = device_base + cursor;
	cursor += extent(bytes);
	since_turn += extent(bytes);
	return p;
}

const allocation *find_allocation(const char *p)
{
	if (!device_base || p < device_base || p >= device_base + DEVICE_ARENA)
		return nullptr;
	uint32_t first = owners[granule_of(p)];
	return first ? &beginnings[first] : nullptr;
}

void describe_device(const char *p, char *text, size_t size)
{
	const allocation *a = find_allocation(p);

	if (!a)
		snprintf(text, size, "%p, where no allocation is", static_cast<const void *>(p));
	else if (p < a->p + a->bytes)
		snprintf(text, size, "%s+%zu%s", a->name, (size_t)(p - a->p), a->live ? "" : ", which has been freed");
	else
		snprintf(text, size, "%zu bytes past the end of %s", (size_t)(p - a->p - a->bytes), a->name);
}

/* A write past the end that stayed within the red zone, or before the beginning, into the zone of the allocation before. */
static void check_red_zone(char *p, size_t bytes)
{
	if (red_intact(p + bytes, extent(bytes) - bytes))
		return;
	report(ERROR, "memory next to %s has been written: out of bounds", beginnings[granule_of(p)].name);
	fill_red(p + bytes, extent(bytes) - bytes);
}

void check_red_zones()
{
	std::lock_guard<std::mutex> guard(lock);

	for (auto &a : live)
		check_red_zone(a.first, a.second);
}
}

using namespace emu;

extern "C" void *gpu_emu_malloc(size_t bytes, const char *name)
{
	std::lock_guard<std::mutex> guard(lock);

	if (!device_base) {
		owners = static_cast<uint32_t *>(reserve(GRANULES * sizeof(*owners)));
		beginnings = static_cast<allocation *>(reserve(GRANULES * sizeof(*beginnings)));
		device_base = static_cast<char *>(reserve(DEVICE_ARENA));
	}
	char *p = bytes < DEVICE_ARENA ? find_place(bytes) : nullptr;
	if (!p)
		return nullptr;
	memset(p, 0xff, bytes);
	fill_red(p - RED, RED);
	fill_red(p + bytes, extent(bytes) - bytes);
	size_t first = granule_of(p);
	std::fill_n(owners + first, extent(bytes) / GRANULE, (uint32_t)first);
	allocation &a = beginnings[first];
	a = { p, bytes, true, "" };
	snprintf(a.name, sizeof(a.name), "%s", name ? name : "memory");
	live[p] = bytes;
	live_bytes += extent(bytes);
	return p;
}

extern "C" void gpu_emu_free(void *pointer)
{
	std::lock_guard<std::mutex> guard(lock);
	char *p = static_cast<char *>(pointer);

	if (!p)
		return;
	auto found = live.find(p);
	if (found == live.end()) {
		report(ERROR, "%p is freed, which is not the beginning of device memory in use", pointer);
		return;
	}
	size_t bytes = found->second, edge = std::min<size_t>(bytes, EDGE);
	check_red_zone(p, bytes);
	live.erase(found);
	live_bytes -= extent(bytes);
	beginnings[granule_of(p)].live = false;
	forget_shadow(p, bytes);
	/* who reads it still reads NaNs; the middle of large ones goes back to the system */
	memset(p, 0xff, edge);
	memset(p + bytes - edge, 0xff, edge);
	char *low = p + edge, *high = p + bytes - edge;
	low += (4096 - reinterpret_cast<uintptr_t>(low) % 4096) % 4096;
	high -= reinterpret_cast<uintptr_t>(high) % 4096;
	if (high > low)
		madvise(low, (size_t)(high - low), MADV_DONTNEED);
}
#endif
