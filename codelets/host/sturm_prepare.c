#include "codelets/host/sturm.h"

/* With the largest entry in [1/2, 1), points of a bidiagonal are up to 2, of a tridiagonal up to 3.  A step makes the larger of f and
 * h grow at most 6 times, or 5.  It makes it shrink at most 9 / (e^2 d^2) times, or 5 / e^2: the determinants of the 2 by 2 matrices
 * are e^2 d^2 and e^2.  Squares, of entries and points, are at least 2^-SMALL, and parts so short that f and h do not shrink below
 * 2^-SHRINK: no product that matters falls below 2^-(SMALL + SHRINK + 53). */
enum {
	SMALL = 315,
	SHRINK = 640,
	LONGEST = 96, /* steps of a part */
	MARGIN = 4    /* log2 9 */
};

/* Exponents of the entries where sums and products of a few of them, and their reciprocals, are safe. */
enum { SAFE = 1000 };

/* Exponent of a zero square: below all others, even where it is divided by a pivot that stands for zero. */
enum { ZERO = -(1 << 30) };

static double largest(const double *entries, int64_t n, bool *finite)
{
	double most = 0, poison = 0;

	for (int64_t i = 0; i < 2 * n; i++) {
		double size = fabs(entries[i]);
		most = size > most ? size : most;
		poison += entries[i] * 0;
	}
	*finite = poison == 0;
	return most;
}

/* Zero singular values.  The entries link left and right singular directions into a chain, v(1) d(1) u(1) e(1) v(2) d(2) u(2) ..;
 * where it breaks, at zeros, into pieces, there is a zero singular value for each piece with one v more than u. */
static int64_t count_zeros(const double *entries, int64_t n)
{
	int64_t zeros = 0;
	int more = 0; /* v than u in this piece */

	for (int64_t i = 0; i < 2 * n; i++) { /* entry i is before v or u */
		if (entries[i] == 0) {
			zeros += more > 0;
			more = 0;
		}
		more += i % 2 == 0 ? 1 : -1;
	}
	return zeros + (more > 0);
}

/* Zero for those e of a tridiagonal that a relative change of 2^-55 of its diagonal outweighs: with t^2 = |d(k) / d(k+1)|,
 * taking e away changes T by less than diag(|e| t, |e| / t) either way. */
static void drop_negligible(double *entries, int64_t n)
{
	for (double *e = entries + 2; e < entries + 2 * n; e += 2)
		if (fabs(e[0]) <= 0x1p-55 * (sqrt(fabs(e[-1])) * sqrt(fabs(e[1]))))
			e[0] = 0;
}

/* Coefficients of both forms, and the bound: no singular value exceeds the largest sum of adjacent entries, no eigenvalue that of a
 * row.  Returns whether no square is too small. */
static bool coefficients(struct sturm *m)
{
	/* in two factors, since one could overflow; where a square underflows it is too small */
	int exponent = m->exponent + m->shift;
	double half = ldexp(1, -exponent / 2), rest = ldexp(1, -exponent + exponent / 2), least = ldexp(1, -SMALL);
	double before[2] = { 0 }, most = 0;
	const double *entries = sturm_entries(m);
	double *c = sturm_coefficients(m), *careful = sturm_careful(m);
	bool small = false;

	for (int64_t i = 0; i < 2 * m->n; i++) {
		bool diagonal = i % 2 == 1, squared = m->kind == BIDIAGONAL || !diagonal;
		double x = fabs(entries[i]) * half * rest, sum = before[0] + x;
		int e;
		double mantissa = frexp(entries[i], &e);
		c[i] = squared ? x * x : -entries[i] * half * rest;
		careful[2 * i] = squared ? mantissa * mantissa : -ldexp(entries[i], -m->shift);
		careful[2 * i + 1] = !squared ? 0 : mantissa == 0 ? ZERO : 2 * (e - m->shift);
		small |= squared && mantissa != 0 && c[i] < least;
		if (m->kind != BIDIAGONAL) /* a row ends with its e */
			sum = diagonal ? 0 : sum + before[1];
		most = sum > most ? sum : most;
		before[1] = before[0];
		before[0] = x;
	}
	if (m->kind != BIDIAGONAL)
		most = fmax(most, before[0] + before[1]);
	m->bound = ldexp(most * (1 + 0x1p-40), m->exponent);
	return !small;
}

/* At most so many powers of 2 are lost by an entry. */
static int loss(double square)
{
	return square == 0 ? 0 : -ilogb(square);
}

/* A part ends where f and h could become too small, at zeros of e, and after zeros of a bidiagonal's d. */
static void plan(struct sturm *m)
{
	bool bidiagonal = m->kind == BIDIAGONAL;
	struct sturm_part *part = sturm_parts(m);
	const double *c = sturm_coefficients(m);
	int64_t begin = 0;
	int lost = 0;

	m->parts = 0;
	for (int64_t k = 0; k < m->n; k++) {
		int more = loss(c[2 * k]) + (bidiagonal ? loss(c[2 * k + 1]) : 0) + MARGIN;
		bool split = c[2 * k] == 0, zero = bidiagonal && k > 0 && c[2 * k - 1] == 0;
		if (k > 0 && (split || zero || lost + more > SHRINK || k - begin == LONGEST)) {
			part[m->parts++] = (struct sturm_part){ (int32_t)k, split };
			begin = k;
			lost = 0;
		}
		lost += more;
	}
	part[m->parts++] = (struct sturm_part){ (int32_t)m->n, 0 };
}

/* How many eigenvalues are negative, and how many are zero; where the coefficients may be used at all, all that is near 0 is
 * counted at the floor first, which is often enough. */
static void count_signs(struct sturm *m)
{
	struct sturm_point near[2] = { { .x = -SMALLEST_POINT }, { .x = SMALLEST_POINT } };
	struct sturm_point far[2] = { { .x = -m->floor }, { .x = m->floor } };
	bool usable = m->floor < m->bound;

	if (usable)
		NAME(sturm_evaluate)(m, true, 2, far);
	if (usable && far[0].below == far[1].below) {
		near[0] = far[0];
		near[1] = far[1];
	} else {
		NAME(sturm_evaluate)(m, true, 2, near);
	}
	m->negative = near[0].below;
	m->zeros = near[1].below > near[0].below ? near[1].below - near[0].below : 0;
	m->lowest = usable && far[0].below == near[0].below && far[1].below == near[1].below ? m->floor : SMALLEST_POINT;
}

bool NAME(sturm_prepare)(struct sturm *m)
{
	double *entries = sturm_entries(m);
	bool bidiagonal = m->kind == BIDIAGONAL, finite;
	int e, low = bidiagonal ? -SAFE : 0;

	entries[0] = 0;
	double most = largest(entries, m->n, &finite);
	if (!finite)
		return false;
	frexp(most, &e);
	m->shift = e > SAFE ? e - SAFE : e < low ? e - low : 0;
	m->exponent = e - m->shift;
	if (!bidiagonal)
		drop_negligible(entries, m->n);
	m->floor = coefficients(m) ? ldexp(1, m->exponent - SMALL / 2) : (double)INFINITY;
	plan(m);
	m->negative = 0;
	m->lowest = 0;
	if (bidiagonal)
		m->zeros = count_zeros(entries, m->n);
	else
		count_signs(m);
	return true;
}
