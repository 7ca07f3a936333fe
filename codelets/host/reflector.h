/* Householder reflectors, as LAPACK's ?larfg makes them. */
#ifndef CODELETS_HOST_REFLECTOR_H
#define CODELETS_HOST_REFLECTOR_H

#include <tgmath.h>
#include "runtime/prec.h"

/* a b without the checks for infinities that C's complex product makes */
static inline scalar times(scalar a, scalar b)
{
#if IS_COMPLEX
	real ar = __real__ a, ai = __imag__ a, br = __real__ b, bi = __imag__ b;

	return __builtin_complex(ar * br - ai * bi, ar * bi + ai * br);
#else
	return a * b;
#endif
}

static inline real imaginary_part(scalar x)
{
#if IS_COMPLEX
	return __imag__ x;
#else
	return (void)x, (real)0;
#endif
}

static inline scalar make_scalar(real re, real im)
{
#if IS_COMPLEX
	return __builtin_complex(re, im);
#else
	return (void)im, re;
#endif
}

/* Sum of |x[i]|^2 */
static inline real sum_of_squares(int64_t n, const scalar *x)
{
	const real *parts = (const real *)x;
	real sum = 0;

	n *= (int64_t)(sizeof(scalar) / sizeof(real));
#pragma omp simd reduction(+ : sum)
	for (int64_t i = 0; i < n; i++)
		sum += parts[i] * parts[i];
	return sum;
}

/* beta and tau of the x that has this head and this sum of squares of its tail, and the factor that makes its tail that of v; where
 * nothing over- or underflows. */
static inline real reflector_numbers(scalar head, real tail, scalar *tau, scalar *factor)
{
	real re = real_part(head), im = imaginary_part(head);

	*tau = 0;
	*factor = 1;
	if (tail == 0 && im == 0)
		return re;
	real beta = -copysign(sqrt(re * re + im * im + tail), re);
	scalar distance = head - beta;
	*tau = -distance / beta;
#if IS_COMPLEX
	*factor = conjugate(distance) / ((re - beta) * (re - beta) + im * im);
#else
	*factor = 1 / distance;
#endif
	return beta;
}

/* Whether nothing does, the sum of squares of all of x given. */
static inline bool reflector_in_range(real all)
{
	return all >= REAL_MIN / REAL_EPS && all <= REAL_MAX / 16;
}

static inline real reflector_scaled(int64_t n, scalar *x, real tail, scalar *tau)
{
	scalar factor;
	real beta = reflector_numbers(x[0], tail, tau, &factor);

	for (int64_t i = 1; i < n; i++)
		x[i] = times(x[i], factor);
	return beta;
}

/* The same for an x so large or small that it has to be done on a multiple of it. */
static real reflector_out_of_range(int64_t n, scalar *x, scalar *tau)
{
	int64_t count = n * (int64_t)(sizeof(scalar) / sizeof(real));
	real *parts = (real *)x, largest = 0;
	int exponent;

	for (int64_t i = 0; i < count; i++)
		largest = fmax(largest, fabs(parts[i]));
	*tau = 0;
	if (!(largest > 0 && largest <= REAL_MAX))
		return real_part(x[0]); /* zero, or there is no hope */
	frexp(largest, &exponent);
	for (int64_t i = 0; i < count; i++)
		parts[i] = ldexp(parts[i], -exponent);
	return ldexp(reflector_scaled(n, x, sum_of_squares(n - 1, x + 1), tau), exponent);
}

/* H = I - tau v v^H, v[0] = 1, such that H^H x = (beta, 0, ..., 0)^T, beta real; tau = 0 if x is that already.
 * x of length n >= 1 is overwritten by v.  Returns beta. */
static inline real reflector(int64_t n, scalar *x, scalar *tau)
{
	real tail = sum_of_squares(n - 1, x + 1), all = tail + sum_of_squares(1, x), beta;

	if (reflector_in_range(all))
		beta = reflector_scaled(n, x, tail, tau);
	else
		beta = reflector_out_of_range(n, x, tau);
	x[0] = 1;
	return beta;
}

#endif
