/* What the two chases share: blocks of the band, and A := K^H A G on one of them.
 *
 * Blocks are widened to whole aligned vectors.  The rows beyond belong to the same columns of the band, thus to the same task, and are
 * not changed since the vectors that multiply them are zero there. */
#ifndef CODELETS_HOST_CHASE_BLOCK_H
#define CODELETS_HOST_CHASE_BLOCK_H

#include <string.h>
#include "codelets/host/chase.h"
#include "codelets/host/reflector.h"
#include "codelets/host/vector.h"

/* Vectors along the rows of a block: u of the reflector on the left, su = sigma u, y = tau (block) v of the one on the right; and along
 * its columns: v, w = conj(sigma) u^H (block).  i u, i su and i y if complex. */
struct space {
	const struct chase_part *part;
	scalar *columns;
	scalar *u, *iu, *su, *isu, *y, *iy, *v, *w;
};

static inline struct space space(const struct chase_part *part, scalar *columns, scalar *work)
{
	int64_t l = chase_vector(part->b);

	return (struct space){ part, columns, work, work + l, work + 2 * l, work + 3 * l, work + 4 * l, work + 5 * l,
			       work + 6 * l, work + 7 * l };
}

/* Rows row .. row + rows - 1 of some columns, and where they lie in vectors that cover them. */
struct block {
	scalar *corner;        /* of the first row */
	int64_t rows, columns;
	int64_t above, count;  /* rows before the first one, vectors */
};

static inline int64_t stride(const struct space *x)
{
	return x->part->ld - 1;
}

static inline scalar *element(const struct space *x, int64_t i, int64_t j)
{
	return x->columns + (j - x->part->column) * x->part->ld + x->part->above + i - j;
}

static inline scalar *unused(const struct space *x, int64_t j)
{
	return x->columns + (j - x->part->column) * x->part->ld;
}

/* Vectors begin where they would if the band began at a cache line, so that results do not depend on where it lies. */
static inline struct block block_at(const struct space *x, int64_t row, int64_t rows, int64_t column, int64_t columns)
{
	struct block a = { .corner = element(x, row, column), .rows = rows, .columns = columns };

	a.above = (column * stride(x) + x->part->above + row) % (LANES / PARTS);
	a.count = ((a.above + rows) * PARTS + LANES - 1) / LANES;
	return a;
}

/* Zeros before and after the rows of a block, in a vector as long as its vectors. */
static inline void clear_ends(const struct block *a, scalar *x)
{
	for (int64_t i = 0; i < a->above; i++)
		x[i] = 0;
	for (int64_t i = a->above + a->rows; i < a->count * LANES / PARTS; i++)
		x[i] = 0;
}

static inline struct pair pair(scalar *x, scalar *ix)
{
	return (struct pair){ (real *)x, (real *)ix };
}

/* Columns c .. c + columns - 1: block := block - y v^H - u w */
static inline void apply(const struct space *x, const struct block *a, int64_t c, int64_t columns)
{
	real *q = (real *)(a->corner - a->above);
	int64_t ld = stride(x) * PARTS, end = c + columns;
	struct pair u = pair(x->u, x->iu), y = pair(x->y, x->iy);

	for (; c + NARROW <= end; c += NARROW)
		rank_two(NARROW, a->count, y, (real *)(x->v + c), u, (real *)(x->w + c), q + c * ld, ld);
	for (; c < end; c++)
		rank_two(1, a->count, y, (real *)(x->v + c), u, (real *)(x->w + c), q + c * ld, ld);
}

static inline void product_of(int count, int64_t columns, const real *q, int64_t ld, const real *v, real *y)
{
	switch (count) {
	case 1: product(1, columns, q, ld, v, y); break;
	case 2: product(2, columns, q, ld, v, y); break;
	case 3: product(3, columns, q, ld, v, y); break;
	case 4: product(4, columns, q, ld, v, y); break;
	case 5: product(5, columns, q, ld, v, y); break;
	case 6: product(6, columns, q, ld, v, y); break;
#if !IS_COMPLEX
	case 7: product(7, columns, q, ld, v, y); break;
	case 8: product(8, columns, q, ld, v, y); break;
	case 9: product(9, columns, q, ld, v, y); break;
	case 10: product(10, columns, q, ld, v, y); break;
	case 11: product(11, columns, q, ld, v, y); break;
	case 12: product(12, columns, q, ld, v, y); break;
#endif
	}
}

/* y := block v, undefined outside the block */
static inline void find_y(const struct space *x, const struct block *a)
{
	const real *q = (const real *)(a->corner - a->above);
	int64_t parts = (a->count + TALL - 1) / TALL, first = 0;

	for (int64_t k = 1; k <= parts; k++) { /* parts of about as many vectors */
		int64_t end = a->count * k / parts;
		product_of((int)(end - first), a->columns, q + first * LANES, stride(x) * PARTS, (real *)x->v,
			   (real *)x->y + first * LANES);
		first = end;
	}
}

/* Columns c .. c + columns - 1: w := u^H block */
static inline void find_w(const struct space *x, const struct block *a, struct pair u, int64_t c, int64_t columns)
{
	const real *q = (const real *)(a->corner - a->above);
	int64_t ld = stride(x) * PARTS, end = c + columns;

	for (; c + WIDE <= end; c += WIDE)
		dots(WIDE, a->count, u, q + c * ld, ld, (real *)(x->w + c));
	for (; c + NARROW <= end; c += NARROW)
		dots(NARROW, a->count, u, q + c * ld, ld, (real *)(x->w + c));
	for (; c < end; c++)
		dots(1, a->count, u, q + c * ld, ld, (real *)(x->w + c));
}

/* The lanes of vector i that belong to a block. */
static inline lanes inside(const struct block *a, int64_t i)
{
	return from_element(a->above - i / PARTS) & ~from_element(a->above + a->rows - i / PARTS);
}

/* K = I - sigma u u^H from the column it clears, which is in u with zeros outside the block: sigma, and u in its place.  Returns what
 * remains of the column. */
static inline real reflect(const struct space *x, const struct block *a, scalar *sigma)
{
	static const real one[16] = { 1, !IS_COMPLEX, 1, !IS_COMPLEX, 1, !IS_COMPLEX, 1, !IS_COMPLEX,
				      1, !IS_COMPLEX, 1, !IS_COMPLEX, 1, !IS_COMPLEX, 1, !IS_COMPLEX };
	struct pair u = pair(x->u, x->iu);
	scalar head = x->u[a->above], factor;
	real tail = squares_after(a->count, a->above, u.x), beta;

	if (reflector_in_range(tail + sum_of_squares(1, &head))) {
		beta = reflector_numbers(head, tail, sigma, &factor);
		pair_complete(u, a->count);
		for (int64_t i = 0; i < a->count * LANES; i += LANES)
			store(u.x + i, multiple(factor, u, i));
		store(u.x, merged(load(u.x), load(one), from_element(a->above) & ~from_element(a->above + 1)));
	} else {
		beta = reflector(a->rows, x->u + a->above, sigma);
	}
	pair_complete(u, a->count);
	return beta;
}

/* A := K^H A G with G in v and tau, where K clears the first column of A below its first element: a real number.  K is left
 * in u and sigma, and the rest of the column undefined.  With y = tau A v,
 *
 *	K^H A G = A - (y - conj(sigma) (u^H y) u) v^H - u (sigma u)^H A                                                      */
static inline void two_sided(const struct space *x, const struct block *a, scalar tau, scalar *sigma)
{
	struct pair u = pair(x->u, x->iu), y = pair(x->y, x->iy), su = pair(x->su, x->isu);
	const real *first = (const real *)(a->corner - a->above);
	int64_t length = a->count * LANES;

	find_y(x, a);
	pair_complete(y, a->count);
	for (int64_t i = 0; i < length; i += LANES)
		store(u.x + i, masked(load(first + i) - multiple(tau, y, i), inside(a, i)));
	real beta = reflect(x, a, sigma);

	for (int64_t i = 0; i < length; i += LANES)
		store(su.x + i, multiple(*sigma, u, i));
	pair_complete(su, a->count);
	int64_t last = (a->columns - 1) / WIDE * WIDE;

	find_w(x, a, su, last, a->columns - last);
	scalar alpha = times(times(conjugate(*sigma), tau), dot(a->count, u, y.x));

	for (int64_t i = 0; i < length; i += LANES)
		store(y.x + i, masked(multiple(tau, y, i) - multiple(alpha, u, i), inside(a, i)));
	pair_complete(y, a->count);
	/* Last columns first, which are still in the cache; and the sums for the next columns are under way while these are changed. */
	for (int64_t c = last; c >= 0; c -= WIDE) {
		if (c > 0)
			find_w(x, a, su, c - WIDE, WIDE);
		apply(x, a, c, a->columns - c < WIDE ? a->columns - c : WIDE);
	}
	a->corner[0] = beta;
}

#endif
