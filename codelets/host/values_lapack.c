/* LAPACK's dqds and sterf in place of bisection, and when: the matrix alone decides, so that results depend neither on the number
 * of workers nor on which values are wanted.  Both find all values or none. */
#include <lapacke.h>
#include <stdlib.h>
#include "codelets/host/sturm.h"

enum { MUCH = 8 }; /* times faster LAPACK has to be where the matrix is not small */

/* Order of the blocks the matrix falls into where e is negligible, squared and added up: dqds takes time in proportion.  Infinite
 * where dqds would lose small entries. */
static double dqds_work(const struct sturm *m)
{
	enum { DIGITS = 106, RANGE = 970 };
	const double *c = sturm_careful(m), lowest = 2 * m->exponent - 2 * RANGE;
	double sum = 0, order = 0;

	for (int64_t k = 0; k < m->n; k++, c += 4) { /* e^2, its exponent, d^2, its exponent */
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

/* Seconds measured on one core of an EPYC with AVX2, double, random bidiagonals:
 *
 *	n          16     32     64    256      1024    4096
 *	dqds       8e-6   23e-6  80e-6 1.03e-3  16e-3   236e-3
 *	bisection  12e-6  25e-6  51e-6 0.29e-3  2.3e-3  30e-3
 *
 * Beyond small n dqds is faster where the matrix falls into blocks, or where its entries range over so many powers of 10 that
 * bisection is the careful one, which takes 70e-9 n^2. */
static bool dqds_is_better(const struct sturm *m)
{
	bool careful = m->floor > m->bound;
	double n = (double)m->n, dqds = (careful ? 5e-9 : 20e-9) * dqds_work(m);
	double bisection = n * (0.65e-6 + (careful ? 70e-9 : 2.2e-9) * n);

	return m->n <= SMALL_ORDER ? isfinite(dqds) : MUCH * dqds < bisection;
}

/* All values by LAPACK.  Known afterwards, unless it fails or there are values as small as it could not find. */
static int dqds(struct sturm *m)
{
	int64_t n = m->n;
	double *x = malloc((size_t)(6 * n) * sizeof(*x)), *known = sturm_coefficients(m), none;
	const double *entries = sturm_entries(m);

	if (!x)
		return HEDDLE_ENOMEM;
	for (int64_t k = 0; k < n; k++) {
		x[k] = entries[2 * k + 1];
		x[n + k] = k + 1 < n ? entries[2 * k + 2] : 0;
	}
	int info = LAPACKE_dbdsqr_work(LAPACK_COL_MAJOR, 'U', (int)n, 0, 0, 0, x, x + n, &none, 1, &none, 1, &none, 1, x + 2 * n);
	double least = m->zeros < n ? ldexp(x[n - 1 - m->zeros], -m->shift) : 1;
	if (info == 0 && (m->zeros == n || least > ldexp(1, m->exponent - 970))) {
		for (int64_t k = 0; k < n; k++)
			known[n - 1 - k] = k < n - m->zeros ? ldexp(x[k], -m->shift) : 0;
		m->known = true;
	}
	free(x);
	return HEDDLE_OK;
}

/* A block of a tridiagonal, between two places where e is zero. */
struct block {
	int64_t begin, end;
	int exponent; /* its largest entry is in [1/2, 1) times 2^exponent */
	bool graded;  /* a small entry on the diagonal may define a small value, which sterf would lose */
};

static struct block block_at(const struct sturm *m, int64_t begin)
{
	enum { RATIO = 16 };
	const double *entries = sturm_entries(m);
	struct block b = { .begin = begin, .end = begin + 1 };
	double least = fabs(entries[2 * begin + 1]), most = least;

	for (; b.end < m->n && entries[2 * b.end] != 0; b.end++) {
		double d = fabs(entries[2 * b.end + 1]);
		least = fmin(least, d);
		most = fmax(most, fmax(d, fabs(entries[2 * b.end])));
	}
	frexp(most, &b.exponent);
	b.graded = least < most / RATIO;
	return b;
}

/* Seconds measured as above, random tridiagonals:
 *
 *	n          16     24     32     64    256      1024    4096
 *	sterf      7e-6   14e-6  22e-6  75e-6 1.1e-3   17e-3   226e-3
 *	bisection  12e-6  18e-6  20e-6  46e-6 0.24e-3  2.0e-3  21e-3
 *
 * The errors of bisection stay below 2 eps |T|, those of sterf reach 10 eps |T| in blocks this small and 90 at order 4096: it gets small
 * blocks only, which the matrix is, or falls into.  Blocks of order 1 cost nothing and have no error. */
static bool sterf_is_better(const struct sturm *m)
{
	bool careful = m->floor > m->bound;
	double n = (double)m->n, sterf = 0;

	for (int64_t k = 0; k < m->n;) {
		struct block b = block_at(m, k);
		double order = (double)(b.end - b.begin);
		if (order > SMALL_ORDER || (order > 1 && b.graded && m->kind == TRIDIAGONAL))
			return false;
		sterf += order > 1 ? 14e-9 * order * order + 0.3e-6 : 0;
		k = b.end;
	}
	return m->n <= SMALL_ORDER || MUCH * sterf < n * (0.8e-6 + (careful ? 33e-9 : 1.1e-9) * n);
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* All values, a block at a time.  Known afterwards, unless LAPACK fails. */
static int sterf(struct sturm *m)
{
	int64_t n = m->n;
	double *x = malloc((size_t)(2 * n) * sizeof(*x));
	const double *entries = sturm_entries(m);
	int info = 0;

	if (!x)
		return HEDDLE_ENOMEM;
	for (int64_t k = 0; k < n && info == 0;) {
		struct block b = block_at(m, k);
		int order = (int)(b.end - b.begin);
		for (; k < b.end; k++) {
			x[k] = ldexp(entries[2 * k + 1], -b.exponent);
			x[n + k] = k + 1 < b.end ? ldexp(entries[2 * k + 2], -b.exponent) : 0;
		}
		if (order > 1)
			info = LAPACKE_dsterf_work(order, x + b.begin, x + n + b.begin);
		for (k = b.begin; k < b.end; k++)
			x[k] = ldexp(x[k], b.exponent - m->shift) + 0.0; /* no -0 */
	}
	if (info == 0) {
		qsort(x, (size_t)n, sizeof(*x), by_size);
		for (int64_t k = 0; k < n; k++)
			sturm_coefficients(m)[k] = x[k];
		m->known = true;
	}
	free(x);
	return HEDDLE_OK;
}

int NAME(values_lapack)(struct sturm *m)
{
	if (m->kind == BIDIAGONAL)
		return dqds_is_better(m) ? dqds(m) : HEDDLE_OK;
	return sterf_is_better(m) ? sterf(m) : HEDDLE_OK;
}
