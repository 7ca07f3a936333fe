/* The element type a device source is compiled for: -DPREC_s, _d, _c or _z, and _h where the band chase is.
 *
 *   scalar     the element as it is stored
 *   number     the type arithmetic is done in: float for half, else scalar
 *   real       the real type beside it
 *   NAME(x)    d_x, as in runtime/prec.h; these are functions with C linkage, declared in codelets/device/device.h
 *   REAL_NAME(x)   that of the real precision beside it
 *
 * The complex type has the layout of C's and, unlike C++'s, does no more than the formulas say: no checks for infinities, and no
 * constructor, so that it may lie in shared memory.  Kernels are written once for all: conjugate, real_part, imaginary_part, square_size
 * (|x|^2), modulus, from_real and from_parts work on all types. */
#ifndef CODELETS_DEVICE_SCALAR_H
#define CODELETS_DEVICE_SCALAR_H

#include "codelets/device/port.h"

#define PREC_CAT_(a, b) a##b
#define PREC_CAT(a, b) PREC_CAT_(a, b)

#if defined(PREC_s)
#define PREC_LETTER s
#define REAL_LETTER s
#define IS_COMPLEX 0
typedef float real;
#elif defined(PREC_d)
#define PREC_LETTER d
#define REAL_LETTER d
#define IS_COMPLEX 0
typedef double real;
#elif defined(PREC_c)
#define PREC_LETTER c
#define REAL_LETTER s
#define IS_COMPLEX 1
typedef float real;
#elif defined(PREC_z)
#define PREC_LETTER z
#define REAL_LETTER d
#define IS_COMPLEX 1
typedef double real;
#elif defined(PREC_h)
#define PREC_LETTER h
#define REAL_LETTER s
#define IS_COMPLEX 0
typedef float real;
#else
#error "compile with -DPREC_s, -DPREC_d, -DPREC_c, -DPREC_z or -DPREC_h"
#endif

#define NAME(x) PREC_CAT(PREC_LETTER, PREC_CAT(_, x))
#define REAL_NAME(x) PREC_CAT(REAL_LETTER, PREC_CAT(_, x))
#define REAL_IS_SINGLE (sizeof(real) == sizeof(float))

#define GPU_FUNCTION __host__ __device__ __forceinline__

#if IS_COMPLEX
#define complex_number NAME(complex_number) /* a type a precision, so that programs made of several keep their functions apart */
struct alignas(2 * sizeof(real)) complex_number {
	real re, im;
};
typedef complex_number scalar;
typedef complex_number number;
GPU_FUNCTION number from_parts(real re, real im) { return number{ re, im }; }
GPU_FUNCTION number from_real(real x) { return number{ x, 0 }; }
GPU_FUNCTION real real_part(number x) { return x.re; }
GPU_FUNCTION real imaginary_part(number x) { return x.im; }
GPU_FUNCTION number conjugate(number x) { return number{ x.re, -x.im }; }
GPU_FUNCTION real square_size(number x) { return x.re * x.re + x.im * x.im; }
GPU_FUNCTION number operator-(number a) { return number{ -a.re, -a.im }; }
GPU_FUNCTION number operator+(number a, number b) { return number{ a.re + b.re, a.im + b.im }; }
GPU_FUNCTION number operator-(number a, number b) { return number{ a.re - b.re, a.im - b.im }; }
GPU_FUNCTION number operator*(number a, number b) { return number{ a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re }; }
GPU_FUNCTION number operator*(real a, number b) { return number{ a * b.re, a * b.im }; }
GPU_FUNCTION number operator*(number a, real b) { return b * a; }
GPU_FUNCTION number &operator+=(number &a, number b) { return a = a + b; }
GPU_FUNCTION number &operator-=(number &a, number b) { return a = a - b; }
GPU_FUNCTION bool operator==(number a, number b) { return a.re == b.re && a.im == b.im; }
/* a / b without over- or underflow on the way (Smith) */
GPU_FUNCTION number operator/(number a, number b)
{
	bool wide = fabs(b.re) >= fabs(b.im);
	real r = wide ? b.im / b.re : b.re / b.im, d = wide ? b.re + b.im * r : b.re * r + b.im;

	return wide ? number{ (a.re + a.im * r) / d, (a.im - a.re * r) / d } : number{ (a.re * r + a.im) / d, (a.im * r - a.re) / d };
}
#else
#if defined(PREC_h)
typedef gpu_half scalar;
#else
typedef real scalar;
#endif
typedef real number;
GPU_FUNCTION number from_parts(real re, real) { return re; }
GPU_FUNCTION number from_real(real x) { return x; }
GPU_FUNCTION real real_part(number x) { return x; }
GPU_FUNCTION real imaginary_part(number) { return 0; }
GPU_FUNCTION number conjugate(number x) { return x; }
GPU_FUNCTION real square_size(number x) { return x * x; }
#endif

/* |x|, without overflow before the value has any, nor underflow */
GPU_FUNCTION real modulus(number x)
{
#if IS_COMPLEX
	return hypot(x.re, x.im);
#else
	return fabs(x);
#endif
}

/* From and to storage; only half differs. */
#if defined(PREC_h) && !defined(HEDDLE_EMULATE)
GPU_FUNCTION number load(const scalar &x) { return __half2float(x); }
GPU_FUNCTION scalar store(number x) { return __float2half(x); }
#else
GPU_FUNCTION number load(const scalar &x) { return (number)x; }
GPU_FUNCTION scalar store(number x) { return (scalar)x; }
#endif

#if IS_COMPLEX && !defined(HEDDLE_EMULATE) /* there it takes any type */
static __device__ __forceinline__ number gpu_shuffle(number v, int lane) { return number{ gpu_shuffle(v.re, lane), gpu_shuffle(v.im, lane) }; }
static __device__ __forceinline__ number gpu_shuffle_down(number v, int d) { return number{ gpu_shuffle_down(v.re, d), gpu_shuffle_down(v.im, d) }; }
static __device__ __forceinline__ number gpu_shuffle_xor(number v, int m) { return number{ gpu_shuffle_xor(v.re, m), gpu_shuffle_xor(v.im, m) }; }
#endif

/* Sum over a warp, in every lane. */
template <class T> static __device__ __forceinline__ T warp_sum(T x)
{
	for (int d = GPU_WARP / 2; d > 0; d /= 2)
		x = x + gpu_shuffle_xor(x, d);
	return x;
}

static __device__ __forceinline__ real warp_largest(real x)
{
	for (int d = GPU_WARP / 2; d > 0; d /= 2) {
		real other = gpu_shuffle_xor(x, d);
		x = other > x ? other : x;
	}
	return x;
}

#endif
