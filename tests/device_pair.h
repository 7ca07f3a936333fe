/* For tests of device functions on tiles: matrices on the host with copies on the device. */
#ifndef TESTS_DEVICE_PAIR_H
#define TESTS_DEVICE_PAIR_H

#include "tests/device_support.h"
#include "tests/support.h"
#include "codelets/device/tile.h"

enum { PAD = 3 }; /* rows that a matrix has more than those in use */

/* A matrix on the host and a copy of it on the device. */
struct pair {
	int64_t rows, columns, ld;
	size_t bytes;
	scalar *host, *device;
};

static inline struct pair pair_new(int64_t rows, int64_t columns, uint64_t seed)
{
	struct pair p = { .rows = rows, .columns = columns, .ld = rows + PAD };

	p.bytes = (size_t)(p.ld * columns) * sizeof(scalar);
	p.host = malloc(p.bytes + 1);
	fill(RANDOM, rows, columns, p.host, p.ld, seed);
	p.device = device_copy(p.host, p.bytes, "matrix");
	return p;
}

static inline void pair_drop(struct pair *p)
{
	device_free(p->device);
	free(p->host);
}

/* The device's matrix is the host's, bit by bit but for the sign of zeros. */
static inline void pair_same(const struct pair *p)
{
	scalar *x = malloc(p->bytes + 1);

	device_finish();
	device_from(x, p->device, p->bytes);
	for (int64_t i = 0; i < p->ld * p->columns; i++)
		ck_assert_msg(x[i] == p->host[i], "%ld by %ld: element (%ld, %ld) is %g%+gi, not %g%+gi", (long)p->rows, (long)p->columns,
			      (long)(i % p->ld), (long)(i / p->ld), (double)__real__ x[i], (double)__imag__ x[i], (double)__real__ p->host[i],
			      (double)__imag__ p->host[i]);
	free(x);
}

static inline bool inside(enum whole_or_triangle which, int64_t i, int64_t j)
{
	return which == WHOLE || (which == LOWER_TRIANGLE ? i >= j : i <= j);
}

static inline scalar with_parts(real re, real im)
{
#if IS_COMPLEX
	return __builtin_complex(re, im);
#else
	(void)im;
	return re;
#endif
}

#endif
