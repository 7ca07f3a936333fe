/* The element type a source file is compiled for: -DPREC_s, _d, _c or _z.
 *
 *   scalar, real     the element type and the real type beside it
 *   NAME(x)          an internal symbol of this precision, d_x
 *   REAL_NAME(x)     the same of the real precision beside it
 *   API(x), REAL_API(x)   a public symbol, heddle_dx
 *   BY_FIELD(x, y)   x for real, y for complex: API(BY_FIELD(sy2sb, he2hb))
 *   CBLAS(x), LAPACK(x)   cblas_dx, LAPACKE_dx_work                                                                */
#ifndef RUNTIME_PREC_H
#define RUNTIME_PREC_H

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <heddle/types.h>

#define PREC_CAT_(a, b) a##b
#define PREC_CAT(a, b) PREC_CAT_(a, b)

#if defined(PREC_s)
#define PREC_LETTER s
#define REAL_LETTER s
typedef float scalar;
typedef float real;
#define TYPE HEDDLE_S
#elif defined(PREC_d)
#define PREC_LETTER d
#define REAL_LETTER d
typedef double scalar;
typedef double real;
#define TYPE HEDDLE_D
#elif defined(PREC_c)
#define PREC_LETTER c
#define REAL_LETTER s
#define IS_COMPLEX 1
typedef float _Complex scalar;
typedef float real;
#define TYPE HEDDLE_C
#elif defined(PREC_z)
#define PREC_LETTER z
#define REAL_LETTER d
#define IS_COMPLEX 1
typedef double _Complex scalar;
typedef double real;
#define TYPE HEDDLE_Z
#else
#error "compile with -DPREC_s, -DPREC_d, -DPREC_c or -DPREC_z"
#endif

#ifndef IS_COMPLEX
#define IS_COMPLEX 0
#endif

#if defined(PREC_s) || defined(PREC_c)
#define REAL_TYPE HEDDLE_S
#define REAL_EPS FLT_EPSILON /* distance from 1 to the next number */
#define REAL_MIN FLT_MIN
#define REAL_MAX FLT_MAX
#else
#define REAL_TYPE HEDDLE_D
#define REAL_EPS DBL_EPSILON
#define REAL_MIN DBL_MIN
#define REAL_MAX DBL_MAX
#endif

/* A multiplication and an addition of scalars, counted in real operations as LAPACK's users do, over two. */
#define FLOPS_PER_PAIR (IS_COMPLEX ? 4.0 : 1.0)

#define NAME(x) PREC_CAT(PREC_LETTER, PREC_CAT(_, x))
#define REAL_NAME(x) PREC_CAT(REAL_LETTER, PREC_CAT(_, x))
#define API(x) PREC_CAT(heddle_, PREC_CAT(PREC_LETTER, x))
#define REAL_API(x) PREC_CAT(heddle_, PREC_CAT(REAL_LETTER, x))
#define BY_FIELD(symmetric, hermitian) PREC_CAT(BY_FIELD_, IS_COMPLEX)(symmetric, hermitian)
#define BY_FIELD_0(symmetric, hermitian) symmetric
#define BY_FIELD_1(symmetric, hermitian) hermitian
#define CBLAS(x) PREC_CAT(cblas_, PREC_CAT(PREC_LETTER, x))
#define LAPACK(x) PREC_CAT(LAPACKE_, PREC_CAT(PREC_LETTER, PREC_CAT(x, _work)))
#define REAL_LAPACK(x) PREC_CAT(LAPACKE_, PREC_CAT(REAL_LETTER, PREC_CAT(x, _work)))
#define PREC_STRING_(x) #x
#define PREC_STRING(x) PREC_STRING_(x)
#define TRACE_NAME(x) PREC_STRING(PREC_LETTER) x

#if IS_COMPLEX
static inline scalar conjugate(scalar x) { return __builtin_complex(__real__ x, -__imag__ x); }
#else
static inline scalar conjugate(scalar x) { return x; }
#endif
static inline real real_part(scalar x) { return __real__ x; }

#endif
