#include "codelets/host/bidiagonal.h"

#include <lapacke.h>
#include <stdlib.h>
#include "codelets/host/kernels.h"

static real result(const struct bidiagonal *b, double x)
{
	return (real)(ldexp(x, b->shift) * b->scale);
}

/* Singular values `first` .. `last`, smallest first, counted from 1. */
static int find(const struct bidiagonal *b, int64_t first, int64_t last, double *x)
{
	if (!b->known)
		return NAME(bisection)(b, first, last, x);
	for (int64_t i = first; i <= last; i++)
		x[i - first] = bidiagonal_squares(b)[b->n - i];
	return HEDDLE_OK;
}

/* A guess of how many results are <= v. */
static int64_t guess(const struct bidiagonal *b, double v)
{
	struct sturm_point p = { .x = ldexp(v / b->scale, -b->shift) };

	if (!(p.x > 0))
		return v < 0 ? 0 : b->zeros;
	if (!(p.x < b->bound))
		return b->n;
	(p.x < b->floor ? NAME(host)()->sturm_careful : NAME(host)()->sturm_count)(b, 1, &p);
	return p.below;
}

/* How many results are <= v, from the results themselves: first the two beside the guess, then further ones in growing steps,
 * then by halving. */
static int at_most(const struct bidiagonal *b, double v, int64_t probe, int64_t *number)
{
	int64_t low = 0, high = v < 0 ? 1 : b->n + 1, step = 1; /* result(low) <= v < result(high) */

	while (high - low > 1) {
		double x[2];
		if (probe <= low || probe >= high)
			probe = low + (high - low) / 2;
		int64_t last = probe + 1 < high ? probe + 1 : probe;
		int code = find(b, probe, last, x);
		if (code != HEDDLE_OK)
			return code;
		if ((double)result(b, x[0]) > v) {
			high = probe;
			probe -= step;
		} else if ((double)result(b, x[last - probe]) > v) {
			low = probe;
			high = last;
		} else {
			low = last;
			probe = last + step;
		}
		step *= 2;
	}
	*number = low;
	return HEDDLE_OK;
}

/* Order of the blocks the matrix falls into where e is negligible, squared and added up: dqds takes time in proportion.  Infinite
 * where dqds would lose small entries. */
static double dqds_work(const struct bidiagonal *b)
{
	enum { DIGITS = 106, RANGE = 970 };
	const double *c = bidiagonal_careful(b), lowest = 2 * b->exponent - 2 * RANGE;
	double sum = 0, order = 0;

	for (int64_t k = 0; k < b->n; k++, c += 4) { /* e^2, its exponent, d^2, its exponent */
		if ((c[0] != 0 && c[1] < lowest) || (c[2] != 0 && c[3] < lowest))
			return INFINITY;
		if (c[0] == 0 || c[-2] == 0 || 2 * c[1] < c[-1] + c[3] - 2 * DIGITS) {
			sum += order * order;
			order = 0;
		}
		order++;
	}
	return sum + order * order;
}

/* The one place that decides between dqds and bisection: by the matrix alone, so that results depend neither on the number of
 * workers nor on which values are wanted.  Seconds measured on one core of an EPYC with AVX2, double, random bidiagonals:
 *
 *	n          16     32     64    256      1024    4096
 *	dqds       8e-6   23e-6  80e-6 1.03e-3  16e-3   236e-3
 *	bisection  12e-6  25e-6  51e-6 0.29e-3  2.3e-3  30e-3
 *
 * dqds finds all values or none, so beyond small n it has to be faster by much; it is where the matrix falls into blocks, or
 * where its entries range over so many powers of 10 that bisection is the careful one, which takes 70e-9 n^2. */
static bool dqds_is_better(const struct bidiagonal *b)
{
	enum { SMALL = 24, MUCH = 8 };
	bool careful = b->floor > b->bound;
	double n = (double)b->n, dqds = (careful ? 5e-9 : 20e-9) * dqds_work(b);
	double bisection = n * (0.65e-6 + (careful ? 70e-9 : 2.2e-9) * n);

	return b->n <= SMALL ? isfinite(dqds) : MUCH * dqds < bisection;
}

/* All values by LAPACK.  Known afterwards, unless it fails or there are values as small as it could not find. */
static int dqds(struct bidiagonal *b)
{
	int64_t n = b->n;
	double *x = malloc((size_t)(6 * n) * sizeof(*x)), *known = bidiagonal_squares(b), none;
	const double *entries = bidiagonal_entries(b);

	if (!x)
		return HEDDLE_ENOMEM;
	for (int64_t k = 0; k < n; k++) {
		x[k] = entries[2 * k + 1];
		x[n + k] = k + 1 < n ? entries[2 * k + 2] : 0;
	}
	int info = LAPACKE_dbdsqr_work(LAPACK_COL_MAJOR, 'U', (int)n, 0, 0, 0, x, x + n, &none, 1, &none, 1, &none, 1, x + 2 * n);
	double least = b->zeros < n ? ldexp(x[n - 1 - b->zeros], -b->shift) : 1;
	if (info == 0 && (b->zeros == n || least > ldexp(1, b->exponent - 970))) {
		for (int64_t k = 0; k < n; k++)
			known[k] = k < n - b->zeros ? ldexp(x[k], -b->shift) : 0;
		b->known = true;
	}
	free(x);
	return HEDDLE_OK;
}

int NAME(bidiagonal_prepare)(struct bidiagonal *b, double scale, const heddle_select *select)
{
	int64_t n = b->n, below = 0, last = n;
	int code = HEDDLE_OK;

	b->scale = scale;
	b->known = false;
	if (!NAME(sturm_prepare)(b))
		return HEDDLE_EINPUT;
	if (select->kind == HEDDLE_INDEX) {
		below = n - select->iu;
		last = n - select->il + 1;
	} else if (select->kind == HEDDLE_VALUE) {
		below = guess(b, select->vl);
		last = guess(b, select->vu);
	}
	if (dqds_is_better(b))
		code = dqds(b);
	if (select->kind == HEDDLE_VALUE) {
		if (code == HEDDLE_OK)
			code = at_most(b, select->vl, below, &below);
		if (code == HEDDLE_OK)
			code = at_most(b, select->vu, last, &last);
	}
	b->first = n - last;
	b->count = last - below;
	return code;
}

int NAME(bidiagonal_values)(const struct bidiagonal *b, int64_t begin, int64_t end, real *values)
{
	enum { CHUNK = 1024 };
	double x[CHUNK];

	for (; begin < end; begin += CHUNK, values += CHUNK) {
		int64_t size = end - begin < CHUNK ? end - begin : CHUNK, top = b->n - b->first - begin;
		int code = find(b, top - size + 1, top, x);
		if (code != HEDDLE_OK)
			return code;
		for (int64_t i = 0; i < size; i++)
			values[i] = result(b, x[size - 1 - i]);
	}
	return HEDDLE_OK;
}
