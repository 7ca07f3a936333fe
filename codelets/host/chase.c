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
 * s - 1 up to its step t + 1, and one column that its step t + 2 reads K from. */
#include "codelets/host/chase_block.h"
#include "codelets/host/kernels.h"

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
	find_w(x, &a, pair(x->u, x->iu), 0, l);
	for (int64_t j = 0; j < l; j++) {
		x->w[j] = times(conjugate(sigma), x->w[j]);
		x->v[j] = a.corner[j * stride(x)] - x->w[j];
	}
	real beta = reflect_row(x, l, &tau);

	find_y(x, &a); /* of U, not of H^H U = U - u w */
	clear_ends(&a, x->y);
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
	scalar sigma;

	two_sided(x, &a, tau, &sigma);
	if (last) {
		memset(a.corner + 1, 0, (size_t)(l - 1) * sizeof(scalar));
	} else {
		memcpy(a.corner + 1, x->u + a.above + 1, (size_t)(l - 1) * sizeof(scalar));
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
	struct space x = space(p, columns, work);

	for (int64_t s = p->s0; s < p->s1; s++)
		for (int64_t t = chase_first(p, s); t < chase_end(p, s); t++)
			step(&x, s, t);
}
