/* The runtime's functions on devices and errors. */
#include <stdio.h>
#include <string.h>
#include "tests/standin/internal.h"

static _Thread_local runtime_error last;

runtime_error failed(runtime_error error)
{
	last = error;
	return error;
}

static bool no_device(int device)
{
	return device < 0 || device >= settings.devices;
}

EXPORTED runtime_error RUNTIME(GetLastError)(void)
{
	runtime_error error = last;

	last = RUNTIME(Success);
	return error;
}

EXPORTED runtime_error RUNTIME(PeekAtLastError)(void)
{
	return last;
}

EXPORTED const char *RUNTIME(GetErrorString)(runtime_error error)
{
	static _Thread_local char text[48];

	snprintf(text, sizeof(text), "stand-in " RUNTIME_NAME " error %d", (int)error);
	return text;
}

EXPORTED const char *RUNTIME(GetErrorName)(runtime_error error)
{
	return RUNTIME(GetErrorString)(error);
}

EXPORTED runtime_error RUNTIME(GetDeviceCount)(int *devices)
{
	*devices = settings.devices;
	return settings.devices > 0 ? RUNTIME(Success) : failed(RUNTIME(ErrorNoDevice));
}

EXPORTED runtime_error RUNTIME(SetDevice)(int device)
{
	if (no_device(device))
		return failed(RUNTIME(ErrorInvalidDevice));
	current_device = device;
	return RUNTIME(Success);
}

EXPORTED runtime_error RUNTIME(GetDevice)(int *device)
{
	*device = current_device;
	return RUNTIME(Success);
}

EXPORTED runtime_error RUNTIME(SetDeviceFlags)(unsigned flags)
{
	(void)flags;
	return RUNTIME(Success);
}

enum { MULTIPROCESSORS = 4, THREADS = 1024, SHARED = 48 << 10, SHARED_MOST = 227 << 10, SHARED_HIP = 64 << 10, CLOCK_KHZ = 1000000 };

EXPORTED runtime_error RUNTIME(GetDeviceProperties)(runtime_properties *p, int device)
{
	if (no_device(device))
		return failed(RUNTIME(ErrorInvalidDevice));
	memset(p, 0, sizeof(*p));
	snprintf(p->name, sizeof(p->name), RUNTIME_NAME " stand-in %d", device);
	p->totalGlobalMem = settings.memory;
	p->multiProcessorCount = MULTIPROCESSORS;
	p->maxThreadsPerBlock = THREADS;
	p->concurrentKernels = 1;
	p->pciBusID = device + 1;
	p->major = 9;
#if defined(STANDIN_HIP)
	p->warpSize = 64;
	p->sharedMemPerBlock = SHARED_HIP;
#else
	p->warpSize = 32;
	p->sharedMemPerBlock = SHARED;
	p->sharedMemPerBlockOptin = SHARED_MOST;
	p->unifiedAddressing = 1;
	p->asyncEngineCount = 2;
#endif
	return RUNTIME(Success);
}

#if defined(STANDIN_HIP)
EXPORTED hipError_t hipInit(unsigned flags)
{
	(void)flags;
	return hipSuccess;
}

EXPORTED hipError_t hipDeviceGetAttribute(int *value, hipDeviceAttribute_t attribute, int device)
{
	if (no_device(device))
		return failed(hipErrorInvalidDevice);
	*value = attribute == hipDeviceAttributeMultiprocessorCount ? MULTIPROCESSORS :
		attribute == hipDeviceAttributeWarpSize ? 64 :
		attribute == hipDeviceAttributeMaxThreadsPerBlock ? THREADS :
		attribute == hipDeviceAttributeMaxSharedMemoryPerBlock ? SHARED_HIP : 0;
	return hipSuccess;
}
#else
EXPORTED cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
	static const struct {
		enum cudaDeviceAttr attribute;
		int value;
	} known[] = {
		{ cudaDevAttrAsyncEngineCount, 2 },
		{ cudaDevAttrConcurrentKernels, 1 },
		{ cudaDevAttrUnifiedAddressing, 1 },
		{ cudaDevAttrMultiProcessorCount, MULTIPROCESSORS },
		{ cudaDevAttrMaxThreadsPerBlock, THREADS },
		{ cudaDevAttrMaxSharedMemoryPerBlock, SHARED },
		{ cudaDevAttrMaxSharedMemoryPerBlockOptin, SHARED_MOST },
		{ cudaDevAttrWarpSize, 32 },
		{ cudaDevAttrClockRate, CLOCK_KHZ },
		{ cudaDevAttrComputeCapabilityMajor, 9 },
	};

	if (no_device(device))
		return failed(cudaErrorInvalidDevice);
	*value = 0;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (known[i].attribute == attribute)
			*value = known[i].value;
	return cudaSuccess;
}

EXPORTED cudaError_t cudaDeviceDisablePeerAccess(int other)
{
	if (no_device(other))
		return failed(cudaErrorInvalidDevice);
	return memory_set_peer(current_device, other, false) ? cudaSuccess : failed(cudaErrorPeerAccessNotEnabled);
}
#endif

EXPORTED runtime_error RUNTIME(DeviceCanAccessPeer)(int *can, int device, int other)
{
	if (no_device(device) || no_device(other))
		return failed(RUNTIME(ErrorInvalidDevice));
	*can = device != other && settings.peer;
	return RUNTIME(Success);
}

EXPORTED runtime_error RUNTIME(DeviceEnablePeerAccess)(int other, unsigned flags)
{
	(void)flags;
	if (no_device(other) || other == current_device || !settings.peer)
		return failed(RUNTIME(ErrorInvalidDevice));
	return memory_set_peer(current_device, other, true) ? failed(RUNTIME(ErrorPeerAccessAlreadyEnabled)) : RUNTIME(Success);
}

EXPORTED runtime_error RUNTIME(DeviceSynchronize)(void)
{
	streams_finish(current_device);
	return RUNTIME(Success);
}

/* What is still queued would be cut off. */
EXPORTED runtime_error RUNTIME(DeviceReset)(void)
{
	long unfinished = streams_unfinished(current_device);

	if (unfinished > 0)
		report("device %d is reset with %ld operations that nobody waited for", current_device, unfinished);
	streams_finish(current_device);
	return RUNTIME(Success);
}

EXPORTED runtime_error RUNTIME(RuntimeGetVersion)(int *version)
{
#if defined(STANDIN_HIP)
	*version = HIP_VERSION;
#else
	*version = CUDART_VERSION;
#endif
	return RUNTIME(Success);
}

EXPORTED runtime_error RUNTIME(DriverGetVersion)(int *version)
{
	return RUNTIME(RuntimeGetVersion)(version);
}
