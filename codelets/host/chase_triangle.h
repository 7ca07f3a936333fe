/* Two products with columns of the lower triangle of a Hermitian matrix D, at most NARROW at once, as in codelets/host/vector.h.
 *
 * The diagonal is in element `first` of the first column and one further down in each of the next, within the first EDGE vectors.  What
 * lies above it is neither used nor changed. */
#ifndef CODELETS_HOST_CHASE_TRIANGLE_H
#define CODELETS_HOST_CHASE_TRIANGLE_H

#include "codelets/host/vector.h"

enum { EDGE = NARROW * PARTS > LANES ? NARROW * PARTS / LANES : 1 };

struct sums {
	vec re[WIDE], im[WIDE];
};

INLINE struct pair pair_at(struct pair p, int64_t i)
{
	return (struct pair){ p.x + i, p.ix + i };
}

/* One vector of each column, and of u and y.  The columns are added up in pairs, since y has to wait for what the columns before these
 * have left in it. */
INLINE void triangle_products_row(const int columns, const bool edge, int64_t first, struct pair u, const struct factors *f,
				  const real *q, int64_t stride, struct pair y, struct sums *s)
{
	vec u0 = load(u.x), iu0 = load(u.ix), re = load(y.x), im = load(y.ix);

	UNROLL
	for (int c = 0; c < columns; c += 2) {
		vec here[2], below[2], pair_re, pair_im;
		for (int k = 0; k < 2 && c + k < columns; k++) {
			here[k] = below[k] = load_once(q + (c + k) * stride);
			if (edge) {
				here[k] = masked(here[k], from_element(first + c + k));
				below[k] = masked(below[k], from_element(first + c + k + 1));
			}
			s->re[c + k] += u0 * below[k];
			if (IS_COMPLEX)
				s->im[c + k] += iu0 * below[k];
		}
		pair_re = f->vr[c] * here[0];
		pair_im = f->vi[c] * here[0];
		if (c + 1 < columns) {
			pair_re += f->vr[c + 1] * here[1];
			pair_im += f->vi[c + 1] * here[1];
		}
		re += pair_re;
		im += pair_im;
	}
	store(y.x, re);
	if (IS_COMPLEX)
		store(y.ix, im);
}

/* y.x + i y.ix := y.x + i y.ix + (the columns of D, from the diagonal down) v;  w = (the columns, below the diagonal)^H u */
INLINE void triangle_products(const int columns, int64_t count, int64_t first, struct pair u, const real *v, const real *q,
			      int64_t stride, struct pair y, real *w)
{
	struct factors f = factors(columns, v, v, false);
	struct sums s;
	int64_t i = 0;

	UNROLL
	for (int c = 0; c < WIDE; c++)
		s.re[c] = s.im[c] = (vec){ 0 };
	for (; i < EDGE * LANES && i < count * LANES; i += LANES)
		triangle_products_row(columns, true, first - i / PARTS, pair_at(u, i), &f, q + i, stride, pair_at(y, i), &s);
	for (; i < count * LANES; i += LANES)
		triangle_products_row(columns, false, 0, pair_at(u, i), &f, q + i, stride, pair_at(y, i), &s);
	UNROLL
	for (int c = 0; c < columns; c++)
		s.im[c] = -s.im[c];
	put_sums(columns, s.re, s.im, w);
}

/* The columns of D - z u^H - u z^H, v and w being the columns' elements of u and z; the diagonal stays real. */
INLINE void triangle_rank_two(const int columns, int64_t count, int64_t first, struct pair z, const real *v, struct pair u,
			      const real *w, real *q, int64_t stride)
{
	struct factors f = factors(columns, v, w, true);
	int64_t i = 0;

	for (; i < EDGE * LANES && i < count * LANES; i += LANES) {
		struct row r = row(i, z, u);
		UNROLL
		for (int c = 0; c < columns; c++) {
			vec before = load(q + c * stride + i), after = minus_two(&f, c, r, before);
			store(q + c * stride + i, merged(before, after, from_element(first + c - i / PARTS)));
		}
	}
	for (; i < count * LANES; i += LANES) {
		struct row r = row(i, z, u);
		UNROLL
		for (int c = 0; c < columns; c++)
			store(q + c * stride + i, minus_two(&f, c, r, load(q + c * stride + i)));
	}
	for (int c = 0; IS_COMPLEX && c < columns; c++)
		q[c * stride + (first + c) * PARTS + 1] = 0;
}

#endif
