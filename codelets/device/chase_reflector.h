/* For the chase on a device: reflectors, found and applied by a block.
 *
 * K = I - tau v v^H is kept as the vector x in shared memory that it was found from, v = (1, factor x[1], factor x[2], ...), so that
 * nothing has to be written between finding and applying it.  LANES threads share a row or column; each holds HELD of its elements in
 * registers, and those of v, or if HELD is 0 reads them twice.                                                              */
#ifndef CODELETS_DEVICE_CHASE_REFLECTOR_H
#define CODELETS_DEVICE_CHASE_REFLECTOR_H

#include <float.h>
#include "codelets/device/scalar.h"

template <int LANES_, int HELD_> struct form {
	static const int LANES = LANES_, HELD = HELD_, ROWS = GPU_WARP / LANES_;
};

struct reflection {
	const number *x;
	number tau, factor;
	real beta;

	__device__ __forceinline__ number v(int k) const { return k == 0 ? from_real(1) : factor * x[k]; }
};

/* Of window or band alike: an element as a number, and back. */
#if defined(PREC_h)
static __device__ __forceinline__ number get(const number *x) { return *x; }
static __device__ __forceinline__ void put(number *x, number value) { *x = value; }
#endif
static __device__ __forceinline__ number get(const scalar *x) { return load(*x); }
static __device__ __forceinline__ void put(scalar *x, number value) { *x = store(value); }

/* Sums over lanes whose numbers differ in the bits from `low` up to `high` - 1. */
static __device__ __forceinline__ number lanes_sum(number x, int low, int high)
{
	for (int d = low; d < high; d *= 2)
		x = x + from_parts(gpu_shuffle_xor(real_part(x), d), IS_COMPLEX ? gpu_shuffle_xor(imaginary_part(x), d) : 0);
	return x;
}

static __device__ __forceinline__ real tail_squares(int length, const number *x)
{
	real sum = 0;

	for (int k = 1 + threadIdx.x % GPU_WARP; k < length; k += GPU_WARP)
		sum += square_size(x[k]);
	return warp_sum(sum);
}

/* tau and factor of the vector with this head and this sum of squares of its tail: as in codelets/host/reflector.h */
static __device__ __forceinline__ void reflector_numbers(number head, real tail, reflection *k)
{
	real re = real_part(head), im = imaginary_part(head);

	k->tau = from_real(0);
	k->factor = from_real(1);
	k->beta = re;
	if (tail == 0 && im == 0)
		return;
	k->beta = -copysign(sqrt(re * re + im * im + tail), re);
	real distance = re - k->beta, square = distance * distance + im * im;
	k->tau = from_parts(-distance / k->beta, -im / k->beta);
	k->factor = IS_COMPLEX ? from_parts(distance / square, -im / square) : from_real(1 / distance);
}

/* For x whose squares over- or underflow: it is scaled first.  The whole block comes here or none of it. */
static __device__ __forceinline__ void reflect_scaled(int length, number *x, bool is_number, reflection *k)
{
	real largest = 0;
	int exponent = 0;

	for (int i = threadIdx.x % GPU_WARP; i < length; i += GPU_WARP) {
		real re = fabs(real_part(x[i])), im = fabs(imaginary_part(x[i]));
		largest = re > largest ? re : largest;
		largest = im > largest ? im : largest;
	}
	largest = warp_largest(largest);
	bool hopeless = !(is_number && largest > 0 && largest <= (REAL_IS_SINGLE ? (real)FLT_MAX : (real)DBL_MAX));
	(void)frexp(largest, &exponent);
	__syncthreads();
	for (int i = threadIdx.x; i < length && !hopeless; i += blockDim.x)
		x[i] = from_parts(ldexp(real_part(x[i]), -exponent), ldexp(imaginary_part(x[i]), -exponent));
	__syncthreads();
	k->beta = real_part(x[0]); /* of zeros, or there is no hope */
	if (hopeless)
		return;
	reflector_numbers(x[0], tail_squares(length, x), k);
	k->beta = ldexp(k->beta, exponent);
}

/* K such that K^H x = (beta, 0, ..., 0)^T, found by every warp; tau = 0 if x is that already. */
static __device__ __forceinline__ reflection reflect(int length, number *x)
{
	const real least = REAL_IS_SINGLE ? FLT_MIN / FLT_EPSILON : (real)(DBL_MIN / DBL_EPSILON);
	const real most = REAL_IS_SINGLE ? FLT_MAX / 16 : (real)(DBL_MAX / 16);
	real tail = tail_squares(length, x), all = tail + square_size(x[0]);
	reflection k = { x, from_real(0), from_real(1), 0 };

	if (all >= least && all <= most)
		reflector_numbers(x[0], tail, &k);
	else
		reflect_scaled(length, x, all == all, &k);
	return k;
}

/* What a lane has of v, zero beyond its end. */
template <class FORM> static __device__ __forceinline__ void hold(number *held, const reflection &k, int length, int lane)
{
	GPU_UNROLL
	for (int h = 0; h < FORM::HELD; h++) {
		int i = lane + h * FORM::LANES;
		held[h] = i < length ? k.v(i) : from_real(0);
	}
}

/* Elements lane, lane + LANES, ... of a line: at(i) says where element i is.  line := line - (sum over line[i] weight(i)) change(i). */
template <class FORM, class AT, class WEIGHT, class CHANGE>
static __device__ __forceinline__ number turn_long(bool mine, int length, int lane, int low, int high, number factor, AT at, WEIGHT weight,
						   CHANGE change)
{
	number sum = from_real(0), first = from_real(0);

	for (int i = lane; mine && i < length; i += FORM::LANES)
		sum += get(at(i)) * weight(i);
	sum = factor * lanes_sum(sum, low, high);
	for (int i = lane; mine && i < length; i += FORM::LANES) {
		number value = get(at(i)) - sum * change(i);
		if (i == 0)
			first = value;
		put(at(i), value);
	}
	return first;
}

template <class FORM, class AT>
static __device__ __forceinline__ number turn_held(bool mine, int length, int lane, int low, int high, number factor, bool left,
						   const number *held, AT at)
{
	const int count = FORM::HELD > 0 ? FORM::HELD : 1;
	number a[count], sum = from_real(0);

	GPU_UNROLL
	for (int h = 0; h < FORM::HELD; h++) {
		int i = lane + h * FORM::LANES;
		a[h] = mine && i < length ? get(at(i)) : from_real(0);
		sum += a[h] * (left ? conjugate(held[h]) : held[h]);
	}
	sum = factor * lanes_sum(sum, low, high);
	GPU_UNROLL
	for (int h = 0; h < FORM::HELD; h++) {
		int i = lane + h * FORM::LANES;
		a[h] -= sum * (left ? held[h] : conjugate(held[h]));
		if (mine && i < length)
			put(at(i), a[h]);
	}
	return a[0];
}

/* K^H from the left on `count` columns from `column` on, rows row .. row + length - 1.  The first elements of columns from the one with
 * index `from` on go, conjugated, to `first`. */
template <class FORM, class VIEW>
static __device__ __forceinline__ void from_left(const VIEW &a, int row, int length, int column, int count, const reflection &k,
						 number *first, int from)
{
	const int lane = threadIdx.x % FORM::LANES, lines = blockDim.x / FORM::LANES;
	number held[FORM::HELD > 0 ? FORM::HELD : 1], value, factor = conjugate(k.tau);

	hold<FORM>(held, k, length, lane);
	for (int base = threadIdx.x / GPU_WARP * FORM::ROWS; base < count; base += lines) {
		int j = base + threadIdx.x % GPU_WARP / FORM::LANES;
		bool mine = j < count;
		auto *top = a.at(row, column + (mine ? j : 0));
		auto at = [=](int i) { return top + i; };
		if (FORM::HELD > 0)
			value = turn_held<FORM>(mine, length, lane, 1, FORM::LANES, factor, true, held, at);
		else
			value = turn_long<FORM>(mine, length, lane, 1, FORM::LANES, factor, at,
						[=](int i) { return conjugate(k.v(i)); }, [=](int i) { return k.v(i); });
		if (lane == 0 && mine && j >= from)
			first[j - from] = conjugate(value);
	}
}

/* K from the right on `count` rows from `row` on, columns column .. column + length - 1.  The first elements of rows from the one with
 * index `from` on go to `first`. */
template <class FORM, class VIEW>
static __device__ __forceinline__ void from_right(const VIEW &a, int row, int count, int column, int length, const reflection &k,
						  number *first, int from)
{
	const int lane = threadIdx.x % GPU_WARP / FORM::ROWS, lines = blockDim.x / FORM::LANES;
	number held[FORM::HELD > 0 ? FORM::HELD : 1], value;

	hold<FORM>(held, k, length, lane);
	for (int base = threadIdx.x / GPU_WARP * FORM::ROWS; base < count; base += lines) {
		int i = base + threadIdx.x % FORM::ROWS;
		bool mine = i < count;
		auto at = [=](int j) { return a.at(row + i, column + j); };
		if (FORM::HELD > 0)
			value = turn_held<FORM>(mine, length, lane, FORM::ROWS, GPU_WARP, k.tau, false, held, at);
		else
			value = turn_long<FORM>(mine, length, lane, FORM::ROWS, GPU_WARP, k.tau, at,
						[=](int j) { return k.v(j); }, [=](int j) { return conjugate(k.v(j)); });
		if (lane == 0 && mine && i >= from)
			first[i - from] = value;
	}
}

#endif
