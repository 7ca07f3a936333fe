/* What tests of device kernels share.  The same tests run under the emulation, where device memory is checked and threads run in several
 * orders, and on a GPU. */
#ifndef TESTS_DEVICE_SUPPORT_H
#define TESTS_DEVICE_SUPPORT_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "codelets/device/device.h"
#include "tests/suite.h"

/* Orders in which threads run: test loops go over them.  More of them where that is quick. */
enum { ORDER_FORWARD, ORDER_REVERSE, ORDER_SHUFFLED, ORDER_SHUFFLED_AGAIN, ORDERS };

#if defined(HEDDLE_EMULATE)
void *gpu_emu_malloc(size_t bytes, const char *name);
void gpu_emu_free(void *p);
void gpu_emu_set(const char *key, long value);
long gpu_emu_get(const char *key);
void gpu_emu_reset(void);

/* Device memory, its bytes those of NaNs. */
static inline void *device_new(size_t bytes, const char *name) { return gpu_emu_malloc(bytes > 0 ? bytes : 1, name); }
static inline void device_free(void *p) { gpu_emu_free(p); }
static inline void device_to(void *device, const void *host, size_t bytes) { memcpy(device, host, bytes); }
static inline void device_from(void *host, const void *device, size_t bytes) { memcpy(host, device, bytes); }

/* The order from now on, and how many blocks are resident at once (0: one after the other). */
static inline void device_order(int order, int resident)
{
	gpu_emu_set("order", order);
	gpu_emu_set("resident", resident);
}

/* Wait for all launches; fail if one was wrong. */
static inline void device_finish(void)
{
	ck_assert_msg(gpu_emu_get("errors") == 0, "the emulation found %ld errors, %ld of them races", gpu_emu_get("errors"), gpu_emu_get("races"));
}

/* Instrumented builds are slow: tests leave the larger shapes out there. */
static inline bool device_slow(void) { return gpu_emu_get("race_build") == 1; }

#else
#include <cuda_runtime_api.h>

static inline void *device_new(size_t bytes, const char *name)
{
	void *p = NULL;

	(void)name;
	ck_assert_int_eq(cudaMalloc(&p, bytes > 0 ? bytes : 1), cudaSuccess);
	ck_assert_int_eq(cudaMemset(p, 0xff, bytes), cudaSuccess);
	return p;
}
static inline void device_free(void *p) { (void)cudaFree(p); }
static inline void device_to(void *device, const void *host, size_t bytes)
{
	ck_assert_int_eq(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice), cudaSuccess);
}
static inline void device_from(void *host, const void *device, size_t bytes)
{
	ck_assert_int_eq(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost), cudaSuccess);
}
static inline void device_order(int order, int resident) { (void)order, (void)resident; }
static inline void device_finish(void)
{
	ck_assert_msg(cudaDeviceSynchronize() == cudaSuccess && cudaGetLastError() == cudaSuccess, "a kernel failed");
}
static inline bool device_slow(void) { return false; }
#endif

/* Device memory with a copy of these bytes, and back. */
static inline void *device_copy(const void *host, size_t bytes, const char *name)
{
	void *p = device_new(bytes, name);

	device_to(p, host, bytes);
	return p;
}

static inline void device_take(void *host, void *device, size_t bytes)
{
	device_from(host, device, bytes);
	device_free(device);
}

#endif
