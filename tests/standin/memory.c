/* Device memory.  Addresses of a device lie in its window, in the order of allocation, and are never used again; their bytes are the
 * emulation's memory where there is one, which checks what kernels touch, else the heap's.  Fresh and freed memory is all NaN. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "tests/standin/internal.h"

#define WINDOW ((size_t)1 << 36)
enum { PAGE = 4096 };

struct allocation {
	char *address, *bytes;
	size_t size;
	bool live;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
	char *window;
	size_t next, used, length, room;
	struct allocation *allocations;
	bool peer[MAX_DEVICES]; /* devices whose memory this one may use */
} devices[MAX_DEVICES];
static void *(*emulation_allocate)(size_t, const char *);
static void (*emulation_free)(void *);

void memory_start(void)
{
	for (int d = 0; d < settings.devices; d++) {
		void *window = mmap(NULL, WINDOW, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (window == MAP_FAILED) {
			perror("standin: address space for a device");
			abort();
		}
		devices[d].window = window;
	}
}

int memory_device(const void *pointer)
{
	uintptr_t p = (uintptr_t)pointer;

	for (int d = 0; d < settings.devices; d++)
		if (p - (uintptr_t)devices[d].window < WINDOW)
			return d;
	return -1;
}

static char *take_bytes(int device, size_t size)
{
	char name[32], *bytes;

	if (!emulation_allocate) {
		void *(*allocate)(size_t, const char *) = (void *(*)(size_t, const char *))(uintptr_t)dlsym(RTLD_DEFAULT, "gpu_emu_malloc");
		emulation_free = (void (*)(void *))(uintptr_t)dlsym(RTLD_DEFAULT, "gpu_emu_free");
		emulation_allocate = emulation_free ? allocate : NULL;
	}
	snprintf(name, sizeof(name), "device %d's memory", device);
	if (emulation_allocate)
		return emulation_allocate(size > 0 ? size : 1, name);
	bytes = aligned_alloc(256, (size + 256) / 256 * 256);
	if (bytes)
		memset(bytes, 0xff, size);
	return bytes;
}

static void give_bytes(struct allocation *a)
{
	memset(a->bytes, 0xff, a->size);
	if (settings.keep_going) /* who uses it all the same gets NaN */
		return;
	if (emulation_allocate)
		emulation_free(a->bytes);
	else
		free(a->bytes);
	a->bytes = NULL;
}

void *memory_allocate(int device, size_t bytes)
{
	size_t extent = (bytes + PAGE - 1) / PAGE * PAGE + PAGE; /* with a gap behind */
	void *address = NULL;

	pthread_mutex_lock(&lock);
	if (bytes > settings.memory - devices[device].used || extent > WINDOW - devices[device].next)
		goto out;
	if (devices[device].length == devices[device].room) {
		size_t room = devices[device].room ? 2 * devices[device].room : 64;
		struct allocation *more = realloc(devices[device].allocations, room * sizeof(*more));
		if (!more)
			goto out;
		devices[device].allocations = more;
		devices[device].room = room;
	}
	struct allocation a = { devices[device].window + devices[device].next, take_bytes(device, bytes), bytes, true };
	if (a.bytes) {
		devices[device].allocations[devices[device].length++] = a;
		devices[device].next += extent;
		devices[device].used += bytes;
		address = a.address;
		count(ALLOCATIONS, device, 1);
		count(BYTES, device, (long)bytes);
		count_most(PEAK, device, (long)devices[device].used);
	}
out:
	if (!address)
		count(REFUSED, device, 1);
	pthread_mutex_unlock(&lock);
	return address;
}

/* The allocation that starts at or before the pointer, NULL if there is none. */
static struct allocation *find(int device, const char *pointer)
{
	size_t low = 0, high = devices[device].length;

	while (low < high) {
		size_t middle = (low + high) / 2;
		if (devices[device].allocations[middle].address <= pointer)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 ? &devices[device].allocations[low - 1] : NULL;
}

bool memory_free(void *pointer)
{
	int device = memory_device(pointer);
	bool was_live = false;

	if (device >= 0) {
		pthread_mutex_lock(&lock);
		struct allocation *a = find(device, pointer);
		if (a && a->address == pointer && a->live) {
			was_live = true;
			a->live = false;
			devices[device].used -= a->size;
			count(FREES, device, 1);
			count(BYTES, device, -(long)a->size);
			give_bytes(a);
		}
		pthread_mutex_unlock(&lock);
	}
	return was_live;
}

void memory_describe(const void *pointer, char *text, size_t size)
{
	int device = memory_device(pointer);
	const struct allocation *a = find(device, pointer);

	if (!a || (const char *)pointer > a->address + a->size)
		snprintf(text, size, "device %d, %p, in no allocation", device, pointer);
	else
		snprintf(text, size, "device %d, allocation of %zu bytes%s, byte %td", device, a->size, a->live ? "" : " (freed)",
			(const char *)pointer - a->address);
}

bool memory_set_peer(int device, int other, bool on)
{
	pthread_mutex_lock(&lock);
	bool was = devices[device].peer[other];
	devices[device].peer[other] = on;
	pthread_mutex_unlock(&lock);
	return was;
}

char *memory_bytes(const void *pointer, size_t n, int device, const char *user)
{
	int owner = memory_device(pointer);
	const char *wrong = NULL;
	char place[160], *bytes = NULL;

	if (owner < 0)
		return (char *)(uintptr_t)pointer;
	pthread_mutex_lock(&lock);
	const struct allocation *a = find(owner, pointer);
	size_t offset = a ? (size_t)((const char *)pointer - a->address) : 0;
	if (!a || offset > a->size)
		wrong = "uses what was never allocated";
	else if (!a->live)
		wrong = "uses freed memory";
	else if (n > a->size - offset)
		wrong = "runs over the end";
	else if (device >= 0 && owner != device && !devices[device].peer[owner])
		wrong = "uses another device's memory without peer access";
	if (a && offset <= a->size && a->bytes && n <= a->size - offset)
		bytes = a->bytes + offset;
	if (wrong)
		memory_describe(pointer, place, sizeof(place));
	pthread_mutex_unlock(&lock);
	if (wrong)
		report("%s of device %d %s: %zu bytes at %s", user, device, wrong, n, place);
	return bytes;
}
