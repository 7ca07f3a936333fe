/* Counts and determinants of codelets/host/sturm.h, a point a thread.  The block goes through the matrix in step: its coefficients
 * pass through shared memory, a tile ahead of the arithmetic. */
#ifndef CODELETS_DEVICE_STURM_COUNT_H
#define CODELETS_DEVICE_STURM_COUNT_H

#include <string.h>
#include "codelets/device/sturm.h"

enum {
	STURM_TILE = 512, /* doubles: 256 steps of two coefficients, or 128 of the careful form's four */
	STURM_BIAS = 1023,
	RENORMALIZE = 128 /* careful steps, each of which multiplies the determinant's mantissa by 1/4 .. 4 */
};

#define ZERO_PIVOT -0x1p20 /* the exponent of a pivot in place of one that is zero because both its terms are, */
#define ZERO_TERM -0x1p25  /* and of such a term */

GPU_FUNCTION double *entries_of(const struct sturm *m) { return (double *)m->data; }
GPU_FUNCTION double *coefficients_of(const struct sturm *m) { return (double *)m->data + 2 * m->n; }
GPU_FUNCTION double *careful_of(const struct sturm *m) { return (double *)m->data + 4 * m->n; }
GPU_FUNCTION struct sturm_part *parts_of(const struct sturm *m) { return (struct sturm_part *)(m->data + 8 * m->n); }

GPU_FUNCTION uint64_t bits_of(double x)
{
	uint64_t b;

	memcpy(&b, &x, sizeof(b));
	return b;
}

GPU_FUNCTION double from_bits(uint64_t b)
{
	double x;

	memcpy(&x, &b, sizeof(x));
	return x;
}

GPU_FUNCTION unsigned sign_changes(double a, double b) { return (unsigned)((bits_of(a) ^ bits_of(b)) >> 63); }
GPU_FUNCTION int exponent_of(double x) { return (int)(bits_of(x) >> 52 & 2047) - STURM_BIAS; }
GPU_FUNCTION double mantissa_of(double x) { return from_bits((bits_of(x) & 0x800fffffffffffff) | bits_of(1.0)); }

/* A point, as struct sturm_point. */
struct device_point {
	double x, mantissa, exponent;
	int below;
};

/* Call steps(coefficients, begin, end) for all n steps of so many doubles, a tile at a time. */
template <int WIDTH, class STEPS> static __device__ __forceinline__ void through(const double *c, int n, double *tiles, STEPS steps)
{
	enum { LONG = STURM_TILE / WIDTH };
	int count = (n + LONG - 1) / LONG, t = (int)threadIdx.x, all = n * WIDTH;

	for (int i = t; i < STURM_TILE && i < all; i += (int)blockDim.x)
		gpu_copy_async(tiles + i, c + i);
	gpu_copy_commit();
	for (int k = 0; k < count; k++) {
		double *now = tiles + k % 2 * STURM_TILE, *next = tiles + (k + 1) % 2 * STURM_TILE;
		int after = (k + 1) * STURM_TILE;
		for (int i = t; i < STURM_TILE && after + i < all; i += (int)blockDim.x)
			gpu_copy_async(next + i, c + after + i);
		gpu_copy_commit();
		gpu_copy_wait<1>();
		__syncthreads();
		steps(now, k * LONG, k * LONG + LONG < n ? k * LONG + LONG : n);
		__syncthreads();
	}
	gpu_copy_wait<0>();
}

struct sturm_lane {
	double y, f, h; /* y: x^2 or x */
	int kept, exponent;
	bool zero;
};

/* The next part of a matrix begins: bring f and h near 1.  Both can only be zero where an entry is, which parts end at. */
static __device__ __forceinline__ void rescale(sturm_lane *l, bool split)
{
	double h = split ? 0 : l->h, size = fabs(l->f) + fabs(h);

	if (size == 0) {
		l->zero = true;
		l->f = from_bits(bits_of(l->f) | bits_of(1.0));
		h = split ? 0 : l->f;
		size = fabs(l->f) + fabs(h);
	}
	int exponent = exponent_of(size);
	double factor = from_bits((uint64_t)(STURM_BIAS - exponent) << 52);
	l->exponent += exponent;
	l->f *= factor;
	l->h = h * factor;
}

template <bool BIDIAGONAL_KIND> static __device__ __forceinline__ void sturm_step(sturm_lane *l, double e, double d)
{
	double before = l->f;

	if (BIDIAGONAL_KIND) {
		l->h = l->y * before - e * l->h;
		l->f = l->h - d * before;
	} else { /* d is the entry's negative */
		l->f = (l->y + d) * before - e * l->h;
		l->h = before;
	}
	l->kept += (int)sign_changes(l->f, before);
}

template <bool BIDIAGONAL_KIND> static __device__ __forceinline__ void count_point(const struct sturm *m, double *tiles, device_point *p)
{
	double x = p->x * ldexp(1.0, -m->exponent);
	const struct sturm_part *part = parts_of(m);
	int n = (int)m->n;
	struct sturm_part now = *part;
	sturm_lane l = { BIDIAGONAL_KIND ? x * x : x, 1, 0, 0, 0, false };

	through<2>(coefficients_of(m), n, tiles, [&](const double *c, int begin, int end) {
		for (int k = begin; k < end;) {
			int stop = now.end < end ? now.end : end;
#if !defined(HEDDLE_EMULATE)
#pragma unroll 4
#endif
			for (const double *a = c + 2 * (k - begin), *last = c + 2 * (stop - begin); a < last; a += 2)
				sturm_step<BIDIAGONAL_KIND>(&l, a[0], a[1]);
			k = stop;
			if (k == now.end) {
				rescale(&l, now.split);
				if (k < n)
					now = *++part;
			}
		}
	});
	p->mantissa = l.zero ? 0 : l.f;
	p->exponent = l.exponent;
	p->below = n - l.kept;
}

struct careful_lane {
	double reciprocal, x;   /* a bidiagonal's x^2: 1 / mantissa, exponent; a tridiagonal's point in x */
	double r, exponent;     /* the pivot */
	double product, power;  /* of all pivots */
	int negative;
};

/* 2^e, e a negative integer or 0; what is less than 2^-1022 does not matter here. */
static __device__ __forceinline__ double small_power(double e)
{
	return from_bits((uint64_t)(STURM_BIAS + (int)(e < 1 - STURM_BIAS ? 1 - STURM_BIAS : e)) << 52);
}

/* The next pivot, r := a - square / r, for the square mantissa * 2^exponent; d is a tridiagonal's, its negative. */
template <bool BIDIAGONAL_KIND>
static __device__ __forceinline__ void next_pivot(careful_lane *l, double mantissa, double exponent, double d)
{
	double a = 1, power_of_a = 0, square = mantissa, e = exponent - l->exponent;

	if (BIDIAGONAL_KIND) {
		square *= l->reciprocal;
		e -= l->x;
	} else {
		double difference = l->x + d;
		a = difference == 0 ? 0 : mantissa_of(difference);
		power_of_a = difference == 0 ? ZERO_TERM : (double)exponent_of(difference);
	}
	double q = square / l->r, s = e > power_of_a ? e : power_of_a;
	double r = a * small_power(power_of_a - s) - q * small_power(e - s);
	if (r == 0) {
		if (!BIDIAGONAL_KIND && s < ZERO_PIVOT)
			s = ZERO_PIVOT;
		r = copysign(0x1p-60, r);
	}
	l->negative += r < 0;
	l->exponent = s + exponent_of(r);
	l->r = mantissa_of(r);
	l->product *= l->r;
	l->power += l->exponent;
}

template <bool BIDIAGONAL_KIND> static __device__ __forceinline__ void careful_point(const struct sturm *m, double *tiles, device_point *p)
{
	int e, n = (int)m->n;
	double mantissa = frexp(p->x, &e), square = mantissa * mantissa, twice = 2.0 * (e - m->exponent);
	careful_lane l = { 1 / square, BIDIAGONAL_KIND ? 2.0 * e : p->x, 1, 0, 1, 0, 0 };

	through<4>(careful_of(m), n, tiles, [&](const double *c, int begin, int end) {
		for (int k = begin; k < end; k++, c += 4) {
			next_pivot<BIDIAGONAL_KIND>(&l, c[0], c[1], c[2]);
			if (BIDIAGONAL_KIND) {
				next_pivot<BIDIAGONAL_KIND>(&l, c[2], c[3], 0);
				l.product *= square;
				l.power += twice;
			}
			if (k % RENORMALIZE == RENORMALIZE - 1) {
				l.power += exponent_of(l.product);
				l.product = mantissa_of(l.product);
			}
		}
	});
	p->mantissa = l.product;
	p->exponent = l.power - (BIDIAGONAL_KIND ? 0 : (double)m->exponent * n);
	p->below = n - l.negative;
}

/* Evaluate this thread's point, if it has one; reached by all threads of the block.  tiles: two of STURM_TILE doubles, shared. */
static __device__ __forceinline__ void evaluate_point(const struct sturm *m, double *tiles, bool active, device_point *p)
{
	bool careful = active && fabs(p->x) < m->floor, usual = active && !careful, bidiagonal = m->kind == BIDIAGONAL;
	device_point q = *p;

	if (__syncthreads_or(usual)) {
		q.x = usual ? p->x : m->bound;
		if (bidiagonal)
			count_point<true>(m, tiles, &q);
		else
			count_point<false>(m, tiles, &q);
		if (usual)
			*p = q;
	}
	if (__syncthreads_or(careful)) {
		q.x = careful ? p->x : m->bound;
		if (bidiagonal)
			careful_point<true>(m, tiles, &q);
		else
			careful_point<false>(m, tiles, &q);
		if (careful)
			*p = q;
	}
}

#endif
