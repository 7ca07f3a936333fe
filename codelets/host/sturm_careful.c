/* The careful form of codelets/host/sturm.h: any range of entries and points, by pivots r := a - b^2 / r.
 *
 * Tridiagonal: a = x - d(k), b = e(k-1).  Of the n pivots one is positive for each eigenvalue below x.
 * Bidiagonal: with d(1), e(1), d(2), .. for b x, these are the pivots of the zero-diagonal matrix at x, divided by -x: a = 1, and the
 * first is 1.  Of these 2n pivots n are negative where no singular value lies below x, and one less for each that does.
 *
 * Squares and pivots are mantissas and exponents, both doubles, so that nothing over- or underflows.  Twenty times the work of the
 * other form. */
#include "codelets/host/kernels.h"
#include "codelets/host/vector.h"

typedef double wide __attribute__((vector_size(VECTOR_BYTES)));
typedef uint64_t word __attribute__((vector_size(VECTOR_BYTES)));

enum {
	WIDTH = VECTOR_BYTES / (int)sizeof(double),
	VECTORS = 4,
	RENORMALIZE = 128 /* steps, each of which multiplies the determinant's mantissa by 1/4 .. 4 */
};

#define BIAS 1023.0
#define ZERO_PIVOT -0x1p20 /* exponent of a pivot in place of one that is zero because both its terms are, */
#define ZERO_TERM -0x1p25  /* and of such a term: below what pivots before and after it have */
#define INTEGER 0x1p52 /* added to an integer, it brings its bits to the right */

/* 2^e, e a negative integer or 0; what is less than 2^-1022 does not matter where this is used. */
INLINE wide power(wide e)
{
	word low = (word)(e < -BIAS + 1);
	wide clamped = (wide)((low & (word)((wide){ 0 } - BIAS + 1)) | (~low & (word)e));

	return (wide)((word)(clamped + (INTEGER + BIAS)) << 52);
}

INLINE wide exponent_of(wide x)
{
	const word integer = (word)((wide){ 0 } + INTEGER);

	return (wide)((((word)x << 1) >> 53) | integer) - (INTEGER + BIAS);
}

INLINE wide mantissa_of(wide x)
{
	const word one = (word)((wide){ 0 } + 1.0), rest = (word){ 0 } + 0x800fffffffffffff;

	return (wide)(((word)x & rest) | one);
}

struct lanes {
	wide reciprocal[VECTORS], x[VECTORS]; /* a bidiagonal's x^2: 1 / mantissa, exponent; a tridiagonal's point in x */
	wide r[VECTORS], exponent[VECTORS];   /* the pivot */
	wide product[VECTORS], power[VECTORS]; /* of all pivots */
	word negative[VECTORS];
};

/* Mantissa and exponent of a tridiagonal's x - d, which may be 0. */
INLINE void split(wide a, wide *mantissa, wide *exponent)
{
	word none = (word)(a == 0);

	*mantissa = (wide)((word)mantissa_of(a) & ~none);
	*exponent = (wide)(((word)exponent_of(a) & ~none) | (none & (word)((wide){ 0 } + ZERO_TERM)));
}

/* The next pivot, for the square mantissa * 2^exponent; d is a tridiagonal's, its negative. */
INLINE void next(const enum sturm_kind kind, struct lanes *l, double mantissa, double exponent, double d)
{
	const word tiny = (word)((wide){ 0 } + 0x1p-60);

	UNROLL
	for (int v = 0; v < VECTORS; v++) {
		wide a = (wide){ 0 } + 1.0, power_of_a = { 0 }, square = mantissa - (wide){ 0 }, e = exponent - l->exponent[v];
		if (kind == TRIDIAGONAL) {
			split(l->x[v] + d, &a, &power_of_a);
		} else {
			square *= l->reciprocal[v];
			e -= l->x[v];
		}
		wide q = square / l->r[v];
		word larger = (word)(e > power_of_a);
		wide s = (wide)(((word)e & larger) | ((word)power_of_a & ~larger));
		wide r = a * power(power_of_a - s) - q * power(e - s);
		word none = (word)(r == 0), lost = none & (word)(s < ZERO_PIVOT);
		if (kind == TRIDIAGONAL)
			s = (wide)(((word)s & ~lost) | (lost & (word)((wide){ 0 } + ZERO_PIVOT)));
		r = (wide)((word)r | (none & tiny));
		l->negative[v] += (word)r >> 63;
		l->exponent[v] = s + exponent_of(r);
		l->r[v] = mantissa_of(r);
		l->product[v] *= l->r[v];
		l->power[v] += l->exponent[v];
	}
}

INLINE void renormalize(struct lanes *l)
{
	UNROLL
	for (int v = 0; v < VECTORS; v++) {
		l->power[v] += exponent_of(l->product[v]);
		l->product[v] = mantissa_of(l->product[v]);
	}
}

INLINE void group(const enum sturm_kind kind, const struct sturm *m, int64_t number, struct sturm_point *points)
{
	struct lanes l = { 0 };
	wide square[VECTORS], twice[VECTORS]; /* x^2 as a factor of a bidiagonal's determinant: mantissa, exponent */
	const double *c = sturm_careful(m);

	for (int i = 0; i < VECTORS * WIDTH; i++) {
		int v = i / WIDTH, j = i % WIDTH, e;
		double x = points[i < number ? i : number - 1].x, mantissa = frexp(x, &e);
		square[v][j] = mantissa * mantissa;
		twice[v][j] = 2 * (e - m->exponent);
		l.reciprocal[v][j] = 1 / (mantissa * mantissa);
		l.x[v][j] = kind == BIDIAGONAL ? 2 * e : x;
		l.r[v][j] = l.product[v][j] = 1;
	}
	for (int64_t k = 0; k < m->n; k++, c += 4) {
		next(kind, &l, c[0], c[1], c[2]);
		if (kind == BIDIAGONAL) {
			next(kind, &l, c[2], c[3], 0);
			UNROLL
			for (int v = 0; v < VECTORS; v++) {
				l.product[v] *= square[v];
				l.power[v] += twice[v];
			}
		}
		if (k % RENORMALIZE == RENORMALIZE - 1)
			renormalize(&l);
	}
	for (int i = 0; i < VECTORS * WIDTH && i < number; i++) {
		int v = i / WIDTH, j = i % WIDTH;
		points[i].mantissa = l.product[v][j];
		points[i].exponent = l.power[v][j] - (kind == BIDIAGONAL ? 0 : (double)m->exponent * (double)m->n);
		points[i].below = m->n - (int64_t)l.negative[v][j];
	}
}

void HOST(sturm_careful)(const struct sturm *m, int64_t number, struct sturm_point *points)
{
	for (int64_t i = 0; i < number; i += VECTORS * WIDTH)
		if (m->kind == BIDIAGONAL)
			group(BIDIAGONAL, m, number - i, points + i);
		else
			group(TRIDIAGONAL, m, number - i, points + i);
}
