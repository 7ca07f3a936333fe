#include "codelets/host/sturm.h"

static real result(const struct sturm *m, double x)
{
	return (real)(ldexp(x, m->shift) * m->scale);
}

/* Values `first` .. `last`, smallest first, counted from 1. */
static int find(const struct sturm *m, int64_t first, int64_t last, double *x)
{
	if (!m->known)
		return NAME(bisection)(m, first, last, x);
	for (int64_t i = first; i <= last; i++)
		x[i - first] = sturm_coefficients(m)[i - 1];
	return HEDDLE_OK;
}

/* A guess of how many results are <= v. */
static int64_t guess(const struct sturm *m, double v)
{
	struct sturm_point p = { .x = ldexp(v / m->scale, -m->shift) };

	if (!(p.x < m->bound))
		return m->n;
	if (!(p.x > -m->bound) || (v < 0 && m->negative == 0))
		return 0;
	if (fabs(p.x) < SMALLEST_POINT)
		return m->negative + (v < 0 ? 0 : m->zeros);
	NAME(sturm_evaluate)(m, true, 1, &p);
	return p.below;
}

/* How many results are <= v, from the results themselves: first the two beside the guess, then further ones in growing steps,
 * then by halving. */
static int at_most(const struct sturm *m, double v, int64_t probe, int64_t *number)
{
	int64_t low = 0, high = m->n + 1, step = 1; /* result(low) <= v < result(high) */

	while (high - low > 1) {
		double x[2];
		if (probe <= low || probe >= high)
			probe = low + (high - low) / 2;
		int64_t last = probe + 1 < high ? probe + 1 : probe;
		int code = find(m, probe, last, x);
		if (code != HEDDLE_OK)
			return code;
		if ((double)result(m, x[0]) > v) {
			high = probe;
			probe -= step;
		} else if ((double)result(m, x[last - probe]) > v) {
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

int NAME(values_init)(struct sturm *m, double scale, const heddle_select *select)
{
	bool downwards = m->kind == BIDIAGONAL;
	int64_t n = m->n, below = 0, last = n;

	m->scale = scale;
	m->known = false;
	if (!NAME(sturm_prepare)(m))
		return HEDDLE_EINPUT;
	if (select->kind == HEDDLE_INDEX) {
		below = downwards ? n - select->iu : select->il - 1;
		last = downwards ? n - select->il + 1 : select->iu;
	} else if (select->kind == HEDDLE_VALUE) {
		below = guess(m, select->vl);
		last = guess(m, select->vu);
	}
	int code = NAME(values_lapack)(m);
	if (select->kind == HEDDLE_VALUE) {
		if (code == HEDDLE_OK)
			code = at_most(m, select->vl, below, &below);
		if (code == HEDDLE_OK)
			code = at_most(m, select->vu, last, &last);
	}
	m->first = downwards ? n - last : below;
	m->count = last - below;
	return code;
}

int NAME(values_find)(const struct sturm *m, int64_t begin, int64_t end, real *results)
{
	enum { CHUNK = 1024 };
	bool downwards = m->kind == BIDIAGONAL;
	double x[CHUNK];

	for (; begin < end; begin += CHUNK, results += CHUNK) {
		int64_t size = end - begin < CHUNK ? end - begin : CHUNK, at = m->first + begin;
		int64_t first = downwards ? m->n - at - size + 1 : at + 1;
		int code = find(m, first, first + size - 1, x);
		if (code != HEDDLE_OK)
			return code;
		for (int64_t i = 0; i < size; i++)
			results[i] = result(m, x[downwards ? size - 1 - i : i]);
	}
	return HEDDLE_OK;
}
