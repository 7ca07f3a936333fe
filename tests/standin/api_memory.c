/* The runtime's functions on memory, and fills. */
#include <stdlib.h>
#include <string.h>
#include "tests/standin/internal.h"

enum { PAGE = 4096 };

EXPORTED runtime_error RUNTIME(Malloc)(void **pointer, size_t bytes)
{
	*pointer = memory_allocate(current_device, bytes);
	return *pointer ? RUNTIME(Success) : failed(RUNTIME(ErrorMemoryAllocation));
}

/* Waits for the device, as the real one does. */
EXPORTED runtime_error RUNTIME(Free)(void *pointer)
{
	if (!pointer)
		return RUNTIME(Success);
	if (memory_device(pointer) >= 0)
		streams_finish(memory_device(pointer));
	if (memory_free(pointer))
		return RUNTIME(Success);
	report("%p is freed, and is no allocation, or was freed before", pointer);
	return failed(RUNTIME(ErrorInvalidValue));
}

EXPORTED runtime_error RUNTIME(MemGetInfo)(size_t *unused, size_t *total)
{
	char name[] = "bytes@0";

	name[sizeof(name) - 2] = (char)('0' + current_device);
	*total = settings.memory;
	*unused = settings.memory - (size_t)standin_get(name);
	return RUNTIME(Success);
}

EXPORTED runtime_error RUNTIME_HOST_ALLOC(void **pointer, size_t bytes, unsigned flags)
{
	(void)flags;
	*pointer = aligned_alloc(PAGE, (bytes + PAGE) / PAGE * PAGE);
	if (*pointer && pinned_add(*pointer, bytes > 0 ? bytes : 1))
		return RUNTIME(Success);
	free(*pointer);
	*pointer = NULL;
	return failed(RUNTIME(ErrorMemoryAllocation));
}

EXPORTED runtime_error RUNTIME(MallocHost)(void **pointer, size_t bytes)
{
	return RUNTIME_HOST_ALLOC(pointer, bytes, 0);
}

EXPORTED runtime_error RUNTIME_HOST_FREE(void *pointer)
{
	if (!pointer)
		return RUNTIME(Success);
	if (pinned_remove(pointer)) {
		free(pointer);
		return RUNTIME(Success);
	}
	report("%p is freed, and is no pinned memory, or was freed before", pointer);
	return failed(RUNTIME(ErrorInvalidValue));
}

EXPORTED runtime_error RUNTIME(HostRegister)(void *pointer, size_t bytes, unsigned flags)
{
	(void)flags;
	if (!pointer || bytes == 0)
		return failed(RUNTIME(ErrorInvalidValue));
	return pinned_add(pointer, bytes) ? RUNTIME(Success) : failed(RUNTIME(ErrorHostMemoryAlreadyRegistered));
}

EXPORTED runtime_error RUNTIME(HostUnregister)(void *pointer)
{
	return pinned_remove(pointer) ? RUNTIME(Success) : failed(RUNTIME(ErrorHostMemoryNotRegistered));
}

EXPORTED runtime_error RUNTIME(HostGetDevicePointer)(void **device, void *host, unsigned flags)
{
	(void)flags;
	*device = pinned_holds(host, 1) ? host : NULL;
	return *device ? RUNTIME(Success) : failed(RUNTIME(ErrorInvalidValue));
}

#if defined(STANDIN_HIP)
EXPORTED hipError_t hipPointerGetAttributes(hipPointerAttribute_t *a, const void *pointer)
{
	int device = memory_device(pointer);

	memset(a, 0, sizeof(*a));
	if (device < 0 && !pinned_holds(pointer, 1))
		return failed(hipErrorInvalidValue);
	a->memoryType = device >= 0 ? hipMemoryTypeDevice : hipMemoryTypeHost;
	a->device = device >= 0 ? device : current_device;
	a->devicePointer = (void *)(uintptr_t)pointer;
	a->hostPointer = device >= 0 ? NULL : a->devicePointer;
	return hipSuccess;
}
#else
EXPORTED cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *a, const void *pointer)
{
	int device = memory_device(pointer);
	bool pinned = device < 0 && pinned_holds(pointer, 1);

	memset(a, 0, sizeof(*a));
	a->type = device >= 0 ? cudaMemoryTypeDevice : pinned ? cudaMemoryTypeHost : cudaMemoryTypeUnregistered;
	a->device = device >= 0 ? device : current_device;
	a->devicePointer = device >= 0 || pinned ? (void *)(uintptr_t)pointer : NULL;
	a->hostPointer = pinned ? (void *)(uintptr_t)pointer : NULL;
	return cudaSuccess;
}
#endif

EXPORTED runtime_error RUNTIME(Memset2DAsync)(void *to, size_t pitch, int value, size_t width, size_t height, runtime_stream stream)
{
	struct stream *s = stream_find(stream);

	if (!s || width > pitch)
		return failed(RUNTIME(ErrorInvalidValue));
	if (width > 0 && height > 0)
		stream_put(s, (struct operation){ .kind = FILL, .rows = { .to = to, .to_pitch = pitch, .width = width, .height = height },
			.value = value });
	return RUNTIME(Success);
}

EXPORTED runtime_error RUNTIME(MemsetAsync)(void *to, int value, size_t bytes, runtime_stream stream)
{
	return RUNTIME(Memset2DAsync)(to, bytes, value, bytes, 1, stream);
}

/* Not waited for either: the real one is asynchronous on device memory. */
EXPORTED runtime_error RUNTIME(Memset)(void *to, int value, size_t bytes)
{
	return RUNTIME(MemsetAsync)(to, value, bytes, NULL);
}
