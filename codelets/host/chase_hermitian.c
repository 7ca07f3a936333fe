/* The chase of bulges that turns a Hermitian band of b subdiagonals into a tridiagonal, on the CPU, on the lower triangle.
 *
 * Sweep s clears column s below its subdiagonal and chases the bulge that this makes out of the band.  Its step t has rows
 * j1 = s + 1 + t b .. j2 = min(j1 + b, n) - 1 and, of two blocks in these rows,
 *
 *	E: columns j1 - b .. j1 - 1    E := K^H E G    G from step t - 1; K clears the first column of E (t = 0: E is column s, G = I)
 *	D: columns j1 .. j2            D := K^H D K    Hermitian, its lower triangle; K is the G of step t + 1
 *
 * so that E is read twice, to find K, and written once.  With K = I - sigma u u^H and p = D u
 *
 *	D := D - z u^H - u z^H,    z = sigma p - |sigma|^2 / 2 (u^H p) u.
 *
 * Where the part of a task ends, K waits in the band for the next step: u in the last row of that step's E, which is zero until then
 * but for its last element, sigma in the unused first element of its first column.  E and D need the blocks of sweep s - 1 up to its
 * step t + 1. */
#include "codelets/host/chase_block.h"
#include "codelets/host/chase_triangle.h"
#include "codelets/host/kernels.h"

/* Groups that are not whole are few. */
static __attribute__((noinline)) void products_of_some(int columns, int64_t count, int64_t first, struct pair u, const real *v,
						       const real *q, int64_t ld, struct pair y, real *w)
{
	switch (columns) {
	case 1: triangle_products(1, count, first, u, v, q, ld, y, w); break;
#if !IS_COMPLEX
	case 2: triangle_products(2, count, first, u, v, q, ld, y, w); break;
	case 3: triangle_products(3, count, first, u, v, q, ld, y, w); break;
#endif
	}
}

static __attribute__((noinline)) void rank_two_of_some(int columns, int64_t count, int64_t first, struct pair z, const real *v,
						       struct pair u, const real *w, real *q, int64_t ld)
{
	switch (columns) {
	case 1: triangle_rank_two(1, count, first, z, v, u, w, q, ld); break;
#if !IS_COMPLEX
	case 2: triangle_rank_two(2, count, first, z, v, u, w, q, ld); break;
	case 3: triangle_rank_two(3, count, first, z, v, u, w, q, ld); break;
#endif
	}
}

/* Some columns of D from the vector on that holds the first one's diagonal.  Groups end where whole vectors do, or halves of them. */
struct group {
	int columns;
	int64_t count, first;    /* vectors; where the diagonal is in the first one */
	int64_t at;              /* rows before the first vector */
};

static struct group group_at(const struct block *d, int64_t c, int64_t phase)
{
	int64_t elements = LANES / PARTS, left = NARROW - (c + phase) % NARROW, columns = d->columns - c;
	struct group g = { .columns = (int)(left < columns ? left : columns), .at = (d->above + c) / elements * elements };

	g.count = d->count - g.at / elements;
	g.first = d->above + c - g.at;
	return g;
}

/* y := p = D u, zero outside the block.  Returns u^H p, a real number. */
static real find_p(const struct space *x, const struct block *d, int64_t j1)
{
	struct pair u = pair(x->u, x->iu), y = pair(x->y, x->iy);
	const scalar *corner = d->corner - d->above;
	const real *w = (const real *)x->w;
	int64_t length = d->count * LANES, ld = stride(x) * PARTS;
	struct group g;

	for (int64_t i = 0; i < length; i += LANES) {
		store(y.x + i, (vec){ 0 });
		if (IS_COMPLEX)
			store(y.ix + i, (vec){ 0 });
	}
	for (int64_t c = 0; c < d->columns; c += g.columns) {
		g = group_at(d, c, j1);
		struct pair ug = pair_at(u, g.at * PARTS), yg = pair_at(y, g.at * PARTS);
		const real *v = (const real *)(x->u + d->above + c), *q = (const real *)(corner + c * stride(x) + g.at);
		real *wg = (real *)(x->w + d->above + c);
		if (g.columns == NARROW)
			triangle_products(NARROW, g.count, g.first, ug, v, q, ld, yg, wg);
		else
			products_of_some(g.columns, g.count, g.first, ug, v, q, ld, yg, wg);
	}
	for (int64_t i = 0; i < length; i += LANES) {
		vec p = load(y.x + i) + load(w + i);
		if (IS_COMPLEX)
			p += times_i(load(y.ix + i));
		store(y.x + i, masked(p, inside(d, i)));
	}
	return real_part(dot(d->count, u, y.x));
}

/* D := K^H D K */
static void diagonal(const struct space *x, const struct block *d, int64_t j1, scalar sigma)
{
	struct pair u = pair(x->u, x->iu), z = pair(x->y, x->iy);
	scalar *corner = d->corner - d->above;
	int64_t ld = stride(x) * PARTS;
	scalar alpha = find_p(x, d, j1) * sum_of_squares(1, &sigma) / 2;
	struct group g;

	pair_complete(z, d->count);
	for (int64_t i = 0; i < d->count * LANES; i += LANES)
		store(z.x + i, multiple(sigma, z, i) - multiple(alpha, u, i));
	pair_complete(z, d->count);
	for (int64_t c = 0; c < d->columns; c += g.columns) {
		g = group_at(d, c, j1);
		struct pair ug = pair_at(u, g.at * PARTS), zg = pair_at(z, g.at * PARTS);
		const real *v = (const real *)(x->u + d->above + c), *w = (const real *)(x->y + d->above + c);
		real *q = (real *)(corner + c * stride(x) + g.at);
		if (g.columns == NARROW)
			triangle_rank_two(NARROW, g.count, g.first, zg, v, ug, w, q, ld);
		else
			rank_two_of_some(g.columns, g.count, g.first, zg, v, ug, w, q, ld);
	}
}

/* The first step of a sweep: there is only column s.  Returns sigma of K. */
static scalar first_column(const struct space *x, int64_t s, const struct block *d)
{
	scalar *from = element(x, s + 1, s), *u = x->u + d->above, sigma;

	clear_ends(d, x->u);
	memcpy(u, from, (size_t)d->rows * sizeof(scalar));
	from[0] = reflect(x, d, &sigma);
	memset(from + 1, 0, (size_t)(d->rows - 1) * sizeof(scalar));
	return sigma;
}

/* E := K^H E G with G in v and sigma.  Returns sigma of K. */
static scalar off_diagonal(const struct space *x, int64_t j1, int64_t l, scalar sigma)
{
	int64_t b = x->part->b;
	struct block e = block_at(x, j1, l, j1 - b, b);

	two_sided(x, &e, sigma, &sigma);
	memset(e.corner + 1, 0, (size_t)(l - 1) * sizeof(scalar));
	return sigma;
}

/* Take G for the step with rows from j1 on out of the band, or leave it there. */
static scalar take(const struct space *x, int64_t j1)
{
	int64_t b = x->part->b;
	scalar *from = element(x, j1 + b - 1, j1 - b), sigma = *unused(x, j1 - b);

	*unused(x, j1 - b) = 0;
	x->v[0] = 1;
	for (int64_t k = 1; k < b; k++) {
		x->v[k] = from[(k - 1) * stride(x)];
		from[(k - 1) * stride(x)] = 0;
	}
	return sigma;
}

static void leave(const struct space *x, int64_t j1, scalar sigma)
{
	int64_t b = x->part->b;
	scalar *to = element(x, j1 + b - 1, j1 - b);

	*unused(x, j1 - b) = sigma;
	for (int64_t k = 1; k < b; k++)
		to[(k - 1) * stride(x)] = x->v[k];
}

/* Steps t .. end - 1 of sweep s, at least one */
static void sweep(const struct space *x, int64_t s, int64_t t, int64_t end)
{
	int64_t n = x->part->n, b = x->part->b, j1 = s + 1 + t * b;
	scalar sigma = t > 0 ? take(x, j1) : 0;

	for (; t < end; t++, j1 += b) {
		int64_t l = n - j1 < b ? n - j1 : b;
		struct block d = block_at(x, j1, l, j1, l);
		sigma = t == 0 ? first_column(x, s, &d) : off_diagonal(x, j1, l, sigma);
		diagonal(x, &d, j1, sigma);
		memcpy(x->v, x->u + d.above, (size_t)l * sizeof(scalar));
	}
	if (end < chase_steps(x->part, s))
		leave(x, j1, sigma);
}

void HOST(chase_hermitian)(const struct chase_part *p, scalar *columns, scalar *work)
{
	struct space x = space(p, columns, work);

	for (int64_t s = p->s0; s < p->s1; s++)
		if (chase_first(p, s) < chase_end(p, s))
			sweep(&x, s, chase_first(p, s), chase_end(p, s));
}
