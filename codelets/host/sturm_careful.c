/* The careful form of codelets/host/bidiagonal.h: any range of entries and points.
 *
 * With b = d(1), e(1), d(2), .. the pivots of the zero-diagonal matrix at x, divided by -x, are 1 and then r := 1 - (b/x)^2 / r.
 * Of these 2n pivots n are negative where no singular value lies below x, and one less for each that does.  Squares and pivots
 * are mantissas and exponents, both doubles, so that nothing over- or underflows.  Twenty times the work of the other form. */
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
	wide reciprocal[VECTORS], x[VECTORS];       /* of the square of x: 1 / mantissa, exponent */
	wide r[VECTORS], exponent[VECTORS];         /* the pivot */
	wide product[VECTORS], power[VECTORS];      /* of all pivots */
	word negative[VECTORS];
};

/* The next pivot, for the entry whose square is mantissa * 2^exponent. */
INLINE void next(struct lanes *l, double mantissa, double exponent)
{
	const word tiny = (word)((wide){ 0 } + 0x1p-60);

	UNROLL
	for (int v = 0; v < VECTORS; v++) {
		wide q = mantissa * l->reciprocal[v] / l->r[v], e = exponent - l->x[v] - l->exponent[v];
		wide s = (wide)((word)e & (word)(e > 0));
		wide r = power(-s) - q * power(e - s);
		r = (wide)((word)r | ((word)(r == 0) & tiny));
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

INLINE void group(const struct bidiagonal *b, int64_t number, struct sturm_point *points)
{
	struct lanes l = { 0 };
	wide square[VECTORS], twice[VECTORS]; /* x^2 as a factor of the determinant: mantissa, exponent */
	const double *c = bidiagonal_careful(b);

	for (int i = 0; i < VECTORS * WIDTH; i++) {
		int v = i / WIDTH, j = i % WIDTH, e;
		double m = frexp(points[i < number ? i : number - 1].x, &e);
		square[v][j] = m * m;
		twice[v][j] = 2 * (e - b->exponent);
		l.reciprocal[v][j] = 1 / (m * m);
		l.x[v][j] = 2 * e;
		l.r[v][j] = l.product[v][j] = 1;
	}
	for (int64_t k = 0; k < b->n; k++, c += 4) {
		next(&l, c[0], c[1]);
		next(&l, c[2], c[3]);
		UNROLL
		for (int v = 0; v < VECTORS; v++) {
			l.product[v] *= square[v];
			l.power[v] += twice[v];
		}
		if (k % RENORMALIZE == RENORMALIZE - 1)
			renormalize(&l);
	}
	for (int i = 0; i < VECTORS * WIDTH && i < number; i++) {
		int v = i / WIDTH, j = i % WIDTH;
		points[i].mantissa = l.product[v][j];
		points[i].exponent = l.power[v][j];
		points[i].below = b->n - (int64_t)l.negative[v][j];
	}
}

void HOST(sturm_careful)(const struct bidiagonal *b, int64_t number, struct sturm_point *points)
{
	for (int64_t i = 0; i < number; i += VECTORS * WIDTH)
		group(b, number - i, points + i);
}
