#include "tools/gpu/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(HEDDLE_CUDA) || defined(HEDDLE_HIP)
#if defined(HEDDLE_CUDA)
#include <cuda_runtime_api.h>
#define RT(name) cuda##name
static const char kind[] = "CUDA";
typedef struct cudaDeviceProp properties;
#else
#ifndef __HIP_PLATFORM_AMD__
#define __HIP_PLATFORM_AMD__
#endif
#include <hip/hip_runtime_api.h>
#define RT(name) hip##name
static const char kind[] = "HIP";
typedef hipDeviceProp_t properties;
#endif

static RT(Stream_t) stream;
static RT(Event_t) marks[2];
static RT(Error_t) first_error; /* of a call of this file */

static void note(RT(Error_t) error)
{
	if (first_error == RT(Success))
		first_error = error;
}

static int clock_rate(int device)
{
	int khz = 0;

#if defined(HEDDLE_CUDA)
	if (cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, device) != cudaSuccess)
#else
	if (hipDeviceGetAttribute(&khz, hipDeviceAttributeClockRate, device) != hipSuccess)
#endif
		khz = 0;
	(void)RT(GetLastError)();
	return khz;
}

bool device_open(int device, struct device_facts *facts, const char **why)
{
	RT(Error_t) error = RT(GetDeviceCount)(&facts->devices);
	properties p;

	if (error == RT(Success) && device >= facts->devices) {
		*why = "there is no device of this number";
		return false;
	}
	if (error == RT(Success))
		error = RT(SetDevice)(device);
	if (error == RT(Success))
		error = RT(GetDeviceProperties)(&p, device);
	if (error == RT(Success))
		error = RT(StreamCreateWithFlags)(&stream, RT(StreamNonBlocking));
	for (int i = 0; i < 2 && error == RT(Success); i++)
		error = RT(EventCreateWithFlags)(&marks[i], 0);
	if (error != RT(Success)) {
		*why = RT(GetErrorString)(error);
		return false;
	}
	snprintf(facts->name, sizeof(facts->name), "%.120s", p.name);
	snprintf(facts->kind, sizeof(facts->kind), "%s", kind);
	facts->processors = p.multiProcessorCount;
	facts->memory = (double)p.totalGlobalMem;
	facts->clock = 1e3 * clock_rate(device);
	(void)RT(RuntimeGetVersion)(&facts->runtime);
	(void)RT(DriverGetVersion)(&facts->driver);
	return true;
}

void *device_new(size_t bytes)
{
	void *p = NULL;

	if (RT(Malloc)(&p, bytes > 0 ? bytes : 1) != RT(Success)) {
		(void)RT(GetLastError)();
		return NULL;
	}
	return p;
}

void device_free(void *p)
{
	if (p)
		note(RT(Free)(p));
}

void device_to(void *device, const void *host, size_t bytes)
{
	note(RT(StreamSynchronize)(stream));
	note(RT(Memcpy)(device, host, bytes, RT(MemcpyHostToDevice)));
}

void device_from(void *host, const void *device, size_t bytes)
{
	note(RT(StreamSynchronize)(stream));
	note(RT(Memcpy)(host, device, bytes, RT(MemcpyDeviceToHost)));
}

void device_copy(gpu_stream to_stream, void *to, const void *from, size_t bytes)
{
	note(RT(MemcpyAsync)(to, from, bytes, RT(MemcpyDeviceToDevice), (RT(Stream_t))to_stream));
}

gpu_stream device_stream(void)
{
	return (gpu_stream)stream;
}

void device_mark(int which)
{
	note(RT(EventRecord)(marks[which], stream));
}

double device_seconds(void)
{
	float milliseconds = 0;

	note(RT(EventSynchronize)(marks[1]));
	note(RT(EventElapsedTime)(&milliseconds, marks[0], marks[1]));
	return 1e-3 * (double)milliseconds;
}

const char *device_error(void)
{
	note(RT(DeviceSynchronize)());
	note(RT(GetLastError)());
	RT(Error_t) error = first_error;

	first_error = RT(Success);
	return error == RT(Success) ? NULL : RT(GetErrorString)(error);
}

#else
#include "tools/gpu/bench.h"

void *gpu_emu_malloc(size_t bytes, const char *name);
void gpu_emu_free(void *p);
long gpu_emu_get(const char *key);

static double marks[2];
static long errors; /* seen so far */

bool device_open(int device, struct device_facts *facts, const char **why)
{
	*facts = (struct device_facts){ .devices = 1, .processors = 8, .memory = 0x1p30 };
	snprintf(facts->name, sizeof(facts->name), "emulation on the host");
	snprintf(facts->kind, sizeof(facts->kind), "emulation");
	*why = "there is no device of this number";
	return device == 0;
}

void *device_new(size_t bytes) { return gpu_emu_malloc(bytes > 0 ? bytes : 1, "bench"); }
void device_free(void *p)
{
	if (p)
		gpu_emu_free(p);
}
void device_to(void *device, const void *host, size_t bytes) { memcpy(device, host, bytes); }
void device_from(void *host, const void *device, size_t bytes) { memcpy(host, device, bytes); }
void device_copy(gpu_stream stream, void *to, const void *from, size_t bytes)
{
	(void)stream;
	memcpy(to, from, bytes);
}
gpu_stream device_stream(void) { return NULL; }
void device_mark(int which) { marks[which] = bench_clock(); }
double device_seconds(void) { return marks[1] - marks[0]; }

const char *device_error(void)
{
	long now = gpu_emu_get("errors"), before = errors;

	errors = now;
	return now > before ? "the emulation found an error" : NULL;
}
#endif
