/* Singular values of an upper bidiagonal matrix B, or eigenvalues of a symmetric tridiagonal T, of order n, on the CPU: by bisection,
 * or by LAPACK's dqds or sterf where that is faster.  All arithmetic is double, for single precision too.
 *
 * Bisection counts how many values lie below a point x, and finds sign and size of a determinant that vanishes at them,
 * det(x^2 - B^T B) or det(x - T).  With d the diagonal, e the off-diagonal, h = 0 and f = 1 before the first step, step k is
 *
 *	bidiagonal, y = x^2:  h := y f - e(k-1)^2 h,  f := h - d(k)^2 f
 *	tridiagonal:          h := f,  f := (x - d(k)) f - e(k-1)^2 h,  both from what f and h were
 *
 * The last f is the determinant, and the steps that keep the sign of f are as many as there are values below x.  There
 * is no division and no harmful cancellation: the computed f and h are those of entries that differ from d and e (of a tridiagonal:
 * from x - d and e) by a few roundings each, so that counts have high relative accuracy however small x is, where the entries
 * define the values so well (B^T B as a tridiagonal would not).  f and h are rescaled now and then, at steps that the entries
 * alone decide: between two of them they may not grow or shrink by more than a double holds.
 *
 * Where squares of entries, or x^2, are too small beside the largest entry for that, the careful form counts: by pivots whose
 * mantissas and exponents are kept apart.  Those of a bidiagonal are of the matrix of order 2n with zero diagonal and d(1), e(1),
 * d(2), .. beside it.
 *
 * Each value that bisection finds is what a search tree over the points leads to for its index.  The tree depends on the matrix
 * alone, so a value has the same bits whichever others are searched with it, and whoever searches.  Negative eigenvalues are
 * searched as the positive ones of -T. */
#ifndef CODELETS_HOST_STURM_H
#define CODELETS_HOST_STURM_H

#include <stddef.h>
#ifdef __cplusplus /* device code, which shares the layout */
#include "codelets/device/device.h"
#else
#include "runtime/prec.h"
#endif

enum sturm_kind {
	BIDIAGONAL,
	TRIDIAGONAL,
	REDUCED /* a tridiagonal that a dense matrix was reduced to, which defines its values to eps times the norm and no better */
};

enum { SMALL_ORDER = 24 }; /* up to here LAPACK is faster than bisection */

/* Steps before f and h are rescaled. */
struct sturm_part {
	int32_t end;   /* first step of the next part */
	int32_t split; /* 1: e is zero there, and h is forgotten */
};

struct sturm {
	enum sturm_kind kind;
	int64_t n, parts;
	int64_t negative;     /* values below 0, */
	int64_t zeros;        /* and those that are 0 */
	int shift;            /* points are in units of 2^shift, */
	int exponent;         /* and coefficients are those of entries in units of 2^(exponent + shift) */
	double floor;         /* points must be this far from 0 for the coefficients to be used */
	double lowest;        /* no nonzero value is nearer to 0, */
	double bound;         /* and all values are nearer than this */
	double scale;         /* multiplies the results */
	int64_t first, count; /* of the results that are wanted; the first of all is 0 */
	bool known;           /* all values are in place of the coefficients, smallest first */
	double data[];
};

/* For k = 1 .. n: the entries e(k-1), d(k), where e(0) is not used; */
static inline double *sturm_entries(const struct sturm *m) { return (double *)m->data; }

/* what step k multiplies with, e(k-1)^2 and d(k)^2 or -d(k); */
static inline double *sturm_coefficients(const struct sturm *m) { return (double *)m->data + 2 * m->n; }

/* and four numbers for the careful form, in units of points: mantissa and exponent of e(k-1)^2, then of d(k)^2; or -d(k), 0. */
static inline double *sturm_careful(const struct sturm *m) { return (double *)m->data + 4 * m->n; }

static inline struct sturm_part *sturm_parts(const struct sturm *m) { return (struct sturm_part *)(m->data + 8 * m->n); }

enum { STURM_DOUBLES = 9 }; /* of data, for each row */
static inline size_t sturm_bytes(int64_t n)
{
	return sizeof(struct sturm) + STURM_DOUBLES * (size_t)n * sizeof(double);
}

struct sturm_point {
	double x;                  /* at most bound away from 0; > 0 for a bidiagonal, at least SMALLEST_POINT away for a tridiagonal */
	double mantissa, exponent; /* of the determinant; mantissa 0: zero, or not known */
	int64_t below;             /* values below x */
};

/* A point this far from 0 has a normal number, or 0, as its difference from any entry.  Eigenvalues nearer to 0 are taken for 0. */
#define SMALLEST_POINT 0x1p-960

#if !IS_COMPLEX && !defined(__cplusplus)

/* Prepare for a matrix whose kind, order n >= 1 and entries are in place; scale multiplies all results, and a selection by value
 * means the results.  Singular values are largest first, eigenvalues smallest first.  Returns 0, HEDDLE_EINPUT for a NaN or an
 * infinity, or HEDDLE_ENOMEM. */
int NAME(values_init)(struct sturm *m, double scale, const heddle_select *select);

/* The results begin .. end - 1 of those that are wanted.  Returns 0 or HEDDLE_ENOMEM. */
int NAME(values_find)(const struct sturm *m, int64_t begin, int64_t end, real *results);

/* The steps of values_init: coefficients and so on, false if there is a NaN or an infinity; */
bool NAME(sturm_prepare)(struct sturm *m);

/* all values by LAPACK, where that is faster and loses nothing (known says so; returns 0 or HEDDLE_ENOMEM); */
int NAME(values_lapack)(struct sturm *m);

/* and values `first` .. `last`, smallest first, counted from 1, without scale and shift.  Returns 0 or HEDDLE_ENOMEM. */
int NAME(bisection)(const struct sturm *m, int64_t first, int64_t last, double *values);

/* Evaluate points, the careful way those below the floor; counting: not the determinants alone. */
void NAME(sturm_evaluate)(const struct sturm *m, bool counting, int64_t number, struct sturm_point *points);

#endif
#endif
