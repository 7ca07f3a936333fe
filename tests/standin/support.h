/* What the tests of the stand-in share. */
#ifndef TESTS_STANDIN_SUPPORT_H
#define TESTS_STANDIN_SUPPORT_H

#include <check.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "tests/standin/names.h"
#include "tests/standin/standin.h"
#include "tests/suite.h"

#define ok(call) ck_assert_int_eq((call), RUNTIME_SUCCESS)

static inline void *device_new(size_t bytes)
{
	void *p = NULL;

	ok(RUNTIME(Malloc)(&p, bytes));
	return p;
}

static inline double *pinned_new(size_t n)
{
	void *p = NULL;

	ok(RUNTIME_HOST_ALLOC(&p, n * sizeof(double), 0));
	return p;
}

static inline runtime_stream stream_of(int device)
{
	runtime_stream s;

	ok(RUNTIME(SetDevice)(device));
	ok(RUNTIME(StreamCreateWithFlags)(&s, RUNTIME(StreamNonBlocking)));
	return s;
}

/* Device memory with n numbers, all x; waited for. */
static inline double *device_numbers(size_t n, double x)
{
	double *host = malloc(n * sizeof(*host)), *device = device_new(n * sizeof(*host));

	for (size_t i = 0; i < n; i++)
		host[i] = x;
	ok(RUNTIME(Memcpy)(device, host, n * sizeof(*host), RUNTIME(MemcpyHostToDevice)));
	free(host);
	return device;
}

static inline double device_number(const double *device)
{
	double x = 0;

	ok(RUNTIME(Memcpy)(&x, device, sizeof(x), RUNTIME(MemcpyDeviceToHost)));
	return x;
}

#endif
