/* The chase of bulges that turns an upper band of b superdiagonals into a bidiagonal, on the CPU.
 *
 * Sweep s clears row s right of its superdiagonal and chases the bulge that this makes out of the band.  Its step t has
 * columns j1 = s + 1 + t b .. j2 = min(j1 + b, n) - 1 and, of two b by b blocks in these columns,
 *
 *	U: rows j1 - b .. j1 - 1    U := H^H U G    H from step t - 1; G clears the first row of U (t = 0: U is row s, H = I)
 *	D: rows j1 .. j2            D := K^H D G    K clears the first column of D; it is the H of step t + 1
 *
 * so that each block is read twice, to find G and K, and written once.  K = I - sigma u u^H waits in the band for the next
 * step: u where it has cleared the column, sigma in the unused first element of the column.  D needs the blocks of sweep
 * s - 1 up to its step t + 1, and one column that its step t + 2 reads K from.
 *
 * Blocks are widened to whole aligned vectors.  The rows beyond belong to the same columns of the band, thus to the same
 * task, and are not changed since H, G and K are zero there. */
#include <string.h>
#include "codelets/host/kernels.h"
#include "codelets/host/reflector.h"
#include "codelets/host/vector.h"

/* Vectors along the rows of a block: u of the reflector on the left, y = tau (block) v of the one on the right; and along its
 * columns: v, w = conj(sigma) u^H (block).  i u and i y if complex. */
struct space {
	const struct chase_part *part;
	scalar *columns;
	scalar *u, *iu, *y, *iy, *v, *w;
};

/* Rows row .. row + rows - 1 of some columns, and where they lie in vectors that cover them. */
struct block {
	scalar *corner;        /* of the first row */
	int64_t rows, columns;
	int64_t above, count;  /* rows before the first one, vectors */
};

static int64_t stride(const struct space *x)
{
	return x->part->ld - 1;
}

static scalar *element(const struct space *x, int64_t i, int64_t j)
{
	return x->columns + (j - x->part->column) * x->part->ld + x->part->above + i - j;
}

static scalar *unused(const struct space *x, int64_t j)
{
	return x->columns + (j - x->part->column) * x->part->ld;
}

/* Vectors begin where they would if the band began at a cache line, so that results do not depend on where it lies. */
static struct block block_at(const struct space *x, int64_t row, int64_t rows, int64_t column, int64_t columns)
{
	struct block a = { .corner = element(x, row, column), .rows = rows, .columns = columns };

	a.above = (column * stride(x) + x->part->above + row) % (LANES / PARTS);
	a.count = ((a.above + rows) * PARTS + LANES - 1) / LANES;
	return a;
}

/* Zeros before and after the rows of a block, in a vector as long as its vectors. */
static void clear_ends(const struct block *a, scalar *x)
{
	for (int64_t i = 0; i < a->above; i++)
		x[i] = 0;
	for (int64_t i = a->above + a->rows; i < a->count * LANES / PARTS; i++)
		x[i] = 0;
}

/* Sum of x[i] y[i] */
static scalar sum_of_products(int64_t n, const scalar *restrict x, const scalar *restrict y)
{
	real re = 0, im = 0;

#pragma omp simd reduction(+ : re, im)
	for (int64_t i = 0; i < n; i++) {
		scalar p = times(x[i], y[i]);
		re += real_part(p);
		im += imaginary_part(p);
	}
	return make_scalar(re, im);
}

static struct pair pair(scalar *x, scalar *ix)
{
	return (struct pair){ (real *)x, (real *)ix };
}

/* Columns c .. c + columns - 1: block := block - y v^H - u w */
static void apply(const struct space *x, const struct block *a, int64_t c, int64_t columns)
{
	real *q = (real *)(a->corner - a->above);
	int64_t ld = stride(x) * PARTS, end = c + columns;
	struct pair u = pair(x->u, x->iu), y = pair(x->y, x->iy);

	for (; c + NARROW <= end; c += NARROW)
		rank_two(NARROW, a->count, y, (real *)(x->v + c), u, (real *)(x->w + c), q + c * ld, ld);
	for (; c < end; c++)
		rank_two(1, a->count, y, (real *)(x->v + c), u, (real *)(x->w + c), q + c * ld, ld);
}

static void product_of(int count, int64_t columns, const real *q, int64_t ld, const real *v, real *y)
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

/* y := block v, zero outside the block */
static void find_y(const struct space *x, const struct block *a)
{
	const real *q = (const real *)(a->corner - a->above);
	int64_t parts = (a->count + TALL - 1) / TALL, first = 0;

	for (int64_t k = 1; k <= parts; k++) { /* parts of about as many vectors */
		int64_t end = a->count * k / parts;
		product_of((int)(end - first), a->columns, q + first * LANES, stride(x) * PARTS, (real *)x->v,
			   (real *)x->y + first * LANES);
		first = end;
	}
	clear_ends(a, x->y);
}

/* Columns c .. c + columns - 1: w := u^H block */
static void find_w(const struct space *x, const struct block *a, int64_t c, int64_t columns)
{
	const real *q = (const real *)(a->corner - a->above);
	int64_t ld = stride(x) * PARTS, end = c + columns;
	struct pair u = pair(x->u, x->iu);

	for (; c + WIDE <= end; c += WIDE)
		dots(WIDE, a->count, u, q + c * ld, ld, (real *)(x->w + c));
	for (; c + NARROW <= end; c += NARROW)
		dots(NARROW, a->count, u, q + c * ld, ld, (real *)(x->w + c));
	for (; c < end; c++)
		dots(1, a->count, u, q + c * ld, ld, (real *)(x->w + c));
}

/* y := tau (y - alpha u), the rows of a block */
static void finish_y(int64_t rows, scalar tau, scalar alpha, const scalar *restrict u, scalar *restrict y)
{
	for (int64_t i = 0; i < rows; i++)
		y[i] = times(tau, y[i] - times(alpha, u[i]));
}

/* G from its row in v: v and tau.  Returns what remains of the row. */
static real reflect_row(const struct space *x, int64_t l, scalar *tau)
{
	for (int64_t j = 0; j < l; j++)
		x->v[j] = conjugate(x->v[j]);
	return reflector(l, x->v, tau);
}

static void store_row(const struct space *x, int64_t row, int64_t j1, int64_t l, real beta)
{
	scalar *to = element(x, row, j1);

	to[0] = beta;
	for (int64_t j = 1; j < l; j++)
		to[j * stride(x)] = 0;
}

/* The first step of a sweep: there is only row s.  Returns tau of G. */
static scalar first_row(const struct space *x, int64_t s, int64_t l)
{
	const scalar *from = element(x, s, s + 1);
	scalar tau;

	for (int64_t j = 0; j < l; j++)
		x->v[j] = from[j * stride(x)];
	store_row(x, s, s + 1, l, reflect_row(x, l, &tau));
	return tau;
}

/* U := H^H U G with H from the band.  Returns tau of G. */
static scalar upper(const struct space *x, int64_t j1, int64_t l)
{
	int64_t b = x->part->b, row = j1 - b;
	struct block a = block_at(x, row, b, j1, l);
	scalar *h = element(x, row, row), *u = x->u + a.above, sigma = *unused(x, row), tau;

	*unused(x, row) = 0;
	clear_ends(&a, x->u);
	u[0] = 1;
	memcpy(u + 1, h + 1, (size_t)(b - 1) * sizeof(scalar));
	memset(h + 1, 0, (size_t)(b - 1) * sizeof(scalar));
	pair_complete(pair(x->u, x->iu), a.count);
	find_w(x, &a, 0, l);
	for (int64_t j = 0; j < l; j++) {
		x->w[j] = times(conjugate(sigma), x->w[j]);
		x->v[j] = a.corner[j * stride(x)] - x->w[j];
	}
	real beta = reflect_row(x, l, &tau);

	find_y(x, &a); /* of U, not of H^H U = U - u w */
	finish_y(b, tau, sum_of_products(l, x->w, x->v), u, x->y + a.above);
	pair_complete(pair(x->y, x->iy), a.count);
	apply(x, &a, 0, l);
	store_row(x, row, j1, l, beta);
	return tau;
}

/* D := K^H D G with G in v and tau; K stays in the band unless this is the last step of the sweep. */
static void diagonal(const struct space *x, int64_t j1, int64_t l, scalar tau, bool last)
{
	struct block a = block_at(x, j1, l, j1, l);
	scalar *u = x->u + a.above, *y = x->y + a.above, sigma, alpha;

	find_y(x, &a);
	memset(x->u, 0, (size_t)(a.count * LANES / PARTS) * sizeof(scalar));
	finish_y(l, tau, 0, u, y);
	pair_complete(pair(x->y, x->iy), a.count);
	for (int64_t i = 0; i < l; i++)
		u[i] = a.corner[i] - y[i];
	real beta = reflector(l, u, &sigma);

	pair_complete(pair(x->u, x->iu), a.count);
	dots(1, a.count, pair(x->u, x->iu), (real *)x->y, 0, (real *)&alpha);
	for (int64_t c = 0; c < l; c += WIDE) {
		int64_t columns = l - c < WIDE ? l - c : WIDE;
		find_w(x, &a, c, columns); /* of D, not of D G = D - y v^H */
		for (int64_t j = c; j < c + columns; j++)
			x->w[j] = times(conjugate(sigma), x->w[j] - times(alpha, conjugate(x->v[j])));
		apply(x, &a, c, columns);
	}
	a.corner[0] = beta;
	if (last) {
		memset(a.corner + 1, 0, (size_t)(l - 1) * sizeof(scalar));
	} else {
		memcpy(a.corner + 1, u + 1, (size_t)(l - 1) * sizeof(scalar));
		*unused(x, j1) = sigma;
	}
}

static void step(const struct space *x, int64_t s, int64_t t)
{
	int64_t n = x->part->n, b = x->part->b, j1 = s + 1 + t * b, l = n - j1 < b ? n - j1 : b;
	scalar tau = t == 0 ? first_row(x, s, l) : upper(x, j1, l);

	diagonal(x, j1, l, tau, j1 + l == n);
}

void HOST(chase)(const struct chase_part *p, scalar *columns, scalar *work)
{
	int64_t length = chase_vector(p->b);
	struct space x = { p, columns, work, work + length, work + 2 * length, work + 3 * length, work + 4 * length, work + 5 * length };

	for (int64_t s = p->s0; s < p->s1; s++)
		for (int64_t t = chase_first(p, s); t < chase_end(p, s); t++)
			step(&x, s, t);
}
