#include "runtime/gpu.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "runtime/task.h"

#if defined(HEDDLE_CUDA)
#include <cuda_runtime_api.h>
#define DEVICE(name) cuda##name
#define here() starpu_cuda_get_local_stream()
#define host_memory(p, bytes) cudaHostAlloc(p, bytes, cudaHostAllocPortable)
#define host_free(p) cudaFreeHost(p)
#elif defined(HEDDLE_HIP)
#include <hip/hip_runtime_api.h>
#define DEVICE(name) hip##name
#define here() starpu_hip_get_local_stream()
#define host_memory(p, bytes) hipHostMalloc(p, bytes, hipHostMallocPortable)
#define host_free(p) hipHostFree(p)
#endif

#if defined(DEVICE)
enum { SLOTS = 128 }; /* made at once */
static const size_t LEAST_WORK = 1 << 20, SHARE = 64, LARGEST_SHARE = 4; /* of the device's memory */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct gpu_slot *slots; /* not in use */
static struct page {
	struct page *next;
	struct gpu_slot slots[SLOTS];
} *pages;

/* A worker's memory for its tasks. */
static struct work {
	void *p;
	size_t bytes;
	unsigned node;
} works[STARPU_NMAXWORKERS];

gpu_stream gpu_here(void)
{
	return (gpu_stream)here();
}

static void free_work(struct work *w)
{
	if (w->p)
		starpu_free_on_node_flags(w->node, (uintptr_t)w->p, w->bytes, STARPU_MALLOC_COUNT);
	*w = (struct work){ 0 };
}

/* What a worker has from the start on, so that it hardly ever has to grow: there may be no room once the device is full of tiles. */
static size_t usual_work(starpu_ssize_t total)
{
	size_t least = LEAST_WORK, memory = total > 0 ? (size_t)total : LEAST_WORK;

	least = memory / LARGEST_SHARE < least ? memory / LARGEST_SHARE : least;
	return memory / SHARE > least ? memory / SHARE : least;
}

static bool allocate(struct work *w, unsigned node, size_t bytes)
{
	*w = (struct work){ (void *)starpu_malloc_on_node_flags(node, bytes, STARPU_MALLOC_COUNT), bytes, node };
	if (!w->p)
		*w = (struct work){ 0 };
	return w->p;
}

static void first_work(void *none)
{
	unsigned node = starpu_worker_get_memory_node((unsigned)starpu_worker_get_id());
	struct work *w = &works[starpu_worker_get_id()];

	(void)none;
	if (!w->p)
		(void)allocate(w, node, usual_work(starpu_memory_get_total(node)));
}

void gpu_start(void)
{
	if (starpu_cuda_worker_get_count() + starpu_hip_worker_get_count() > 0)
		starpu_execute_on_each_worker(first_work, NULL, STARPU_CUDA | STARPU_HIP);
}

static void grow(struct work *w, size_t bytes)
{
	unsigned node = starpu_worker_get_memory_node((unsigned)starpu_worker_get_id());
	size_t before = w->bytes;

	(void)DEVICE(StreamSynchronize)(here()); /* kernels may still use what there is */
	free_work(w);
	if (allocate(w, node, 2 * before > bytes ? 2 * before : bytes) || allocate(w, node, bytes))
		return;
	starpu_memchunk_tidy(node); /* what nobody uses */
	if (!allocate(w, node, bytes))
		(void)allocate(w, node, before);
}

void *gpu_work(void *arg, size_t bytes)
{
	struct work *w = &works[starpu_worker_get_id()];

	if (w->bytes < bytes || !w->p) {
		grow(w, bytes > 0 ? bytes : 1);
		(void)DEVICE(GetLastError)(); /* of tries that found no memory */
	}
	if (w->bytes >= bytes && w->p)
		return w->p;
	task_fail(arg, HEDDLE_ENOMEM);
	return NULL;
}

/* Called with the lock held. */
static void more_slots(void)
{
	struct page *page;

	if (host_memory((void **)&page, sizeof(*page)) != DEVICE(Success))
		return;
	page->next = pages;
	pages = page;
	for (int i = 0; i < SLOTS; i++) {
		page->slots[i].next = slots;
		slots = &page->slots[i];
	}
}

static struct gpu_slot *slot_of(void *arg)
{
	struct gpu_slot **of_task = task_slot(arg);

	if (!*of_task) {
		pthread_mutex_lock(&lock);
		if (!slots)
			more_slots();
		struct gpu_slot *s = slots;
		slots = s ? s->next : NULL;
		pthread_mutex_unlock(&lock);
		if (s)
			*s = (struct gpu_slot){ 0 };
		else
			task_fail(arg, HEDDLE_ENOMEM);
		*of_task = s;
	}
	return *of_task;
}

int *gpu_verdict(void *arg)
{
	struct gpu_slot *s = slot_of(arg);

	return s ? &s->verdict : NULL;
}

int64_t *gpu_result(void *arg, int64_t *to)
{
	struct gpu_slot *s = slot_of(arg);

	if (!s)
		return NULL;
	s->to = to;
	return &s->result;
}

int gpu_slot_done(struct gpu_slot *s)
{
	int verdict = s->verdict;

	if (s->to && verdict == HEDDLE_OK)
		*s->to = s->result;
	pthread_mutex_lock(&lock);
	s->next = slots;
	slots = s;
	pthread_mutex_unlock(&lock);
	return verdict;
}

void gpu_transfer(void *to, const void *from, size_t bytes, int to_device)
{
	(void)DEVICE(MemcpyAsync)(to, from, bytes, to_device ? DEVICE(MemcpyHostToDevice) : DEVICE(MemcpyDeviceToHost), here());
}

void gpu_launches_begin(void)
{
	(void)DEVICE(GetLastError)(); /* of StarPU's calls */
}

/* A query for an event that has not come yet, which StarPU makes while it finds memory, is taken for an error too. */
void gpu_launches_end(void *arg)
{
	int error = (int)DEVICE(GetLastError)();

	if (error != (int)DEVICE(Success) && error != (int)DEVICE(ErrorNotReady))
		task_fail(arg, HEDDLE_ERUNTIME);
}

int gpu_devices(void)
{
	int count = 0;

	if (DEVICE(GetDeviceCount)(&count) != DEVICE(Success))
		(void)DEVICE(GetLastError)(); /* of which nobody else is to hear */
	return count > 0 ? count : 0;
}

void gpu_stop(void)
{
	for (int i = 0; i < STARPU_NMAXWORKERS; i++)
		free_work(&works[i]);
	for (struct page *p = pages, *next; p; p = next) {
		next = p->next;
		(void)host_free(p);
	}
	pages = NULL;
	slots = NULL;
}

void gpu_forget(void)
{
	memset(works, 0, sizeof(works));
}

#else
int gpu_devices(void)
{
	return 0;
}

int gpu_slot_done(struct gpu_slot *slot)
{
	return slot->verdict;
}

void gpu_start(void)
{
}

void gpu_stop(void)
{
}

void gpu_forget(void)
{
}
#endif
