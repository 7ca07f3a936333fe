#include "codelets/host/bidiagonal.h"

/* With the largest entry in [1/2, 1) and points up to 2 a step makes the larger of f and h grow at most 6 times, and shrink at
 * most 9 / (e^2 d^2) times: their 2 by 2 matrix has determinant e^2 d^2.  Squares, of entries and points, are at least 2^-SMALL,
 * and parts so short that f and h do not shrink below 2^-SHRINK: no product that matters falls below 2^-(SMALL + SHRINK + 53). */
enum {
	SMALL = 315,
	SHRINK = 640,
	LONGEST = 96, /* steps of a part */
	MARGIN = 4    /* log2 9 */
};

/* Exponents of the entries where sums and products of a few of them, and their reciprocals, are safe. */
enum { SAFE = 1000 };

/* Exponent of a zero: below all others. */
enum { ZERO = -(1 << 20) };

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


/* Squares in units of 2^exponent, and their mantissas and exponents, and the bound: no singular value exceeds the largest sum of
 * adjacent entries.  Returns whether no square is too small. */
static bool square(struct bidiagonal *b)
{
	/* in two factors, since one could overflow; where the product underflows the square is too small */
	int exponent = b->exponent + b->shift;
	double half = ldexp(1, -exponent / 2), rest = ldexp(1, -exponent + exponent / 2), least = ldexp(1, -SMALL), before = 0, sum = 0;
	const double *entries = bidiagonal_entries(b);
	double *squares = bidiagonal_squares(b), *careful = bidiagonal_careful(b);
	bool small = false;

	for (int64_t i = 0; i < 2 * b->n; i++) {
		int e;
		double m = frexp(entries[i], &e), x = fabs(entries[i]) * half * rest;
		careful[2 * i] = m * m;
		careful[2 * i + 1] = m == 0 ? ZERO : 2 * (e - b->shift);
		squares[i] = x * x;
		small |= m != 0 && squares[i] < least;
		sum = before + x > sum ? before + x : sum;
		before = x;
	}
	b->bound = ldexp(sum * (1 + 0x1p-40), b->exponent);
	return !small;
}

/* At most so many powers of 2 are lost by an entry. */
static int loss(double square)
{
	return square == 0 ? 0 : -ilogb(square);
}

/* A part ends where f and h could become too small, at zeros of e, and after zeros of d. */
static void plan(struct bidiagonal *b)
{
	struct sturm_part *part = bidiagonal_parts(b);
	const double *squares = bidiagonal_squares(b);
	int64_t begin = 0;
	int lost = 0;

	b->parts = 0;
	for (int64_t k = 0; k < b->n; k++) {
		int more = loss(squares[2 * k]) + loss(squares[2 * k + 1]) + MARGIN;
		bool split = squares[2 * k] == 0;
		if (k > 0 && (split || squares[2 * k - 1] == 0 || lost + more > SHRINK || k - begin == LONGEST)) {
			part[b->parts++] = (struct sturm_part){ (int32_t)k, split };
			begin = k;
			lost = 0;
		}
		lost += more;
	}
	part[b->parts++] = (struct sturm_part){ (int32_t)b->n, 0 };
}

bool NAME(sturm_prepare)(struct bidiagonal *b)
{
	double *entries = bidiagonal_entries(b);
	bool finite;
	int e;

	entries[0] = 0;
	double most = largest(entries, b->n, &finite);
	if (!finite)
		return false;
	frexp(most, &e);
	b->shift = e > SAFE ? e - SAFE : e < -SAFE ? e + SAFE : 0;
	b->exponent = e - b->shift;
	b->zeros = count_zeros(entries, b->n);
	b->floor = square(b) ? ldexp(1, b->exponent - SMALL / 2) : (double)INFINITY;
	plan(b);
	return true;
}
