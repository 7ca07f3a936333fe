/* Singular values of an upper bidiagonal matrix B of order n, on the CPU: by bisection, or by LAPACK's dqds where that is faster.
 * All arithmetic is double, for single precision too.
 *
 * Bisection counts how many singular values lie below a point x, and finds sign and size of det(x^2 - B^T B), which
 * vanishes at them.  With d the diagonal, e the superdiagonal, y = x^2 and h = 0, f = 1 before the first step, step k is
 *
 *	h := y f - e(k-1)^2 h,  f := h - d(k)^2 f
 *
 * The last f is the determinant, and the steps that keep the sign of f are as many as there are singular values below x.  There
 * is no division and no harmful cancellation: the computed f and h are those of entries that differ from d and e by a few
 * roundings each, so that counts have high relative accuracy however small x is (a tridiagonal with d^2 + e^2 on its diagonal
 * would not have it).  f and h are rescaled now and then, at steps that the entries alone decide: between two of them they may
 * not grow or shrink by more than a double holds.
 *
 * Where squares of entries, or x^2, are too small beside the largest entry for that, the careful form counts: by the pivots of
 * the matrix of order 2n with zero diagonal and d(1), e(1), d(2), .. beside it, mantissas and exponents kept apart.
 *
 * Each value that bisection finds is what a search tree over the points leads to for its index.  The tree depends on the matrix
 * alone, so a value has the same bits whichever others are searched with it, and whoever searches. */
#ifndef CODELETS_HOST_BIDIAGONAL_H
#define CODELETS_HOST_BIDIAGONAL_H

#include <stddef.h>
#include "runtime/prec.h"

/* Steps before f and h are rescaled. */
struct sturm_part {
	int32_t end;   /* first step of the next part */
	int32_t split; /* 1: e is zero there, and h is forgotten */
};

struct bidiagonal {
	int64_t n, parts;
	int64_t zeros;        /* singular values that are exactly 0 */
	int shift;            /* points are in units of 2^shift, */
	int exponent;         /* and the squares are those of entries in units of 2^(exponent + shift) */
	double floor;         /* smallest point at which the squares may be used */
	double bound;         /* all singular values are below */
	double scale;         /* multiplies the results */
	int64_t first, count; /* of the results that are wanted; the largest is 0 */
	bool known;           /* all singular values are in place of the squares, largest first */
	double data[];
};

/* e(k-1), d(k) for k = 1 .. n, where e(0) is not used; their squares; mantissas and exponents (in units of points) of these. */
static inline double *bidiagonal_entries(const struct bidiagonal *b) { return (double *)b->data; }
static inline double *bidiagonal_squares(const struct bidiagonal *b) { return (double *)b->data + 2 * b->n; }
static inline double *bidiagonal_careful(const struct bidiagonal *b) { return (double *)b->data + 4 * b->n; }
static inline struct sturm_part *bidiagonal_parts(const struct bidiagonal *b)
{
	return (struct sturm_part *)(b->data + 8 * b->n);
}

enum { BIDIAGONAL_DOUBLES = 9 }; /* of data, for each row */
static inline size_t bidiagonal_bytes(int64_t n)
{
	return sizeof(struct bidiagonal) + BIDIAGONAL_DOUBLES * (size_t)n * sizeof(double);
}

struct sturm_point {
	double x;                  /* > 0, <= bound */
	double mantissa, exponent; /* of the determinant; mantissa 0: zero, or not known */
	int64_t below;             /* singular values below x */
};

#if !IS_COMPLEX

/* Prepare for a matrix whose order n >= 1 and entries are in place; scale multiplies all results, and a selection by value means
 * the results.  Returns 0, HEDDLE_EINPUT for a NaN or an infinity, or HEDDLE_ENOMEM. */
int NAME(bidiagonal_prepare)(struct bidiagonal *b, double scale, const heddle_select *select);

/* The values begin .. end - 1 of those that are wanted, largest first.  Returns 0 or HEDDLE_ENOMEM. */
int NAME(bidiagonal_values)(const struct bidiagonal *b, int64_t begin, int64_t end, real *values);

/* The steps of bidiagonal_prepare: squares and so on, false if there is a NaN or an infinity; */
bool NAME(sturm_prepare)(struct bidiagonal *b);

/* and singular values `first` .. `last`, smallest first, counted from 1, without scale and shift.  Returns 0 or HEDDLE_ENOMEM. */
int NAME(bisection)(const struct bidiagonal *b, int64_t first, int64_t last, double *values);

#endif
#endif
