/* Decimal to binary.  Most numbers take one of two short ways that are provably exact; the few that do not go to strtod.
 *
 * 1. A mantissa below 2^53 times or over a power of ten up to 10^22: both are doubles, so that one operation rounds once.
 * 2. The mantissa times a 64-bit enclosure of the power of five, in integers, gives an interval that holds the number.  Where
 *    the whole interval rounds to one double, that is the result; else (about one number in 500) the digits decide. */
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "tools/io/number.h"

__extension__ typedef unsigned __int128 wide;

enum { power_min = -330, power_max = 310 };
struct power {
	uint64_t mantissa; /* top bit set; 5^q lies between mantissa and mantissa + 2, times 2^exponent */
	int exponent;
};
static struct power powers[power_max - power_min + 1];

struct decimal {
	uint64_t mantissa; /* the first 19 digits */
	int64_t exponent;  /* of ten */
	bool cut;          /* further digits are not all 0 */
};

static struct power narrow(wide x, int exponent)
{
	return (struct power){ (uint64_t)(x >> 64), exponent + 64 };
}

/* 128 bits are carried and always rounded down; after 330 steps the error is below 2^-115. */
static void make_powers(void)
{
	const wide one = (wide)1 << 127, top = one;
	wide x = one;
	int exponent = -127;
	for (int q = 0; q <= power_max; q++) {
		powers[q - power_min] = narrow(x, exponent);
		x = (x >> 3) * 5;
		for (exponent += 3; !(x & top); exponent--)
			x <<= 1;
	}
	x = one;
	exponent = -127;
	for (int q = 0; q >= power_min; q--) {
		powers[q - power_min] = narrow(x, exponent);
		for (x /= 5; !(x & top); exponent--)
			x <<= 1;
	}
}

static inline bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The digits and exponent at p, which stands behind a sign.  Returns their end, p where there are none. */
static char *scan(char *p, struct decimal *d)
{
	char *begin = p, *point = NULL, *digits;
	int kept = 0;
	*d = (struct decimal){ 0 };
	for (;; p++) {
		if (is_digit(*p)) {
			if (kept < 19) {
				d->mantissa = 10 * d->mantissa + (uint64_t)(*p - '0');
				kept += d->mantissa != 0;
				d->exponent -= point != NULL;
			} else {
				d->cut |= *p != '0';
				d->exponent += point == NULL;
			}
		} else if (*p == '.' && !point) {
			point = p;
		} else {
			break;
		}
	}
	if (p - begin == (point != NULL))
		return begin;
	if (*p == 'e' || *p == 'E' || *p == 'd' || *p == 'D') {
		bool negative = p[1] == '-';
		int64_t exponent = 0;
		digits = p + 1 + (p[1] == '-' || p[1] == '+');
		if (is_digit(*digits)) {
			for (p = digits; is_digit(*p); p++)
				if (exponent < INT64_MAX / 100)
					exponent = 10 * exponent + (*p - '0');
			d->exponent += negative ? -exponent : exponent;
		}
	}
	return p;
}

/* The double that everything between low and high, times 2^exponent, rounds to.  Returns false where there is none, or where
 * it is not a normal number. */
static bool enclose(wide low, wide high, int exponent, double *x)
{
	int shift = 127 - 52 - !(low >> 127);
	wide half = (wide)1 << (shift - 1);
	uint64_t bits, below = (uint64_t)((low - 1 + half) >> shift), above = (uint64_t)((high + half) >> shift);
	int biased = exponent + shift + 52 + 1023;
	if (low >> 127 != high >> 127 || below != above || biased < 1 || biased > 2045)
		return false;
	bits = below + ((uint64_t)(biased - 1) << 52);
	memcpy(x, &bits, sizeof *x);
	return true;
}

static bool convert_fast(const struct decimal *d, double *x)
{
	static const double tens[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
		1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
	const struct power *power;
	uint64_t m = d->mantissa, m_high = m + d->cut;
	int shift;
	if (m == 0) {
		*x = 0;
		return true;
	}
	if (FLT_EVAL_METHOD == 0 && m < (uint64_t)1 << 53 && !d->cut && d->exponent >= -22 && d->exponent <= 22) {
		*x = d->exponent < 0 ? (double)m / tens[-d->exponent] : (double)m * tens[d->exponent];
		return true;
	}
	if (d->exponent < power_min || d->exponent > power_max)
		return false;
	if (powers[-power_min].mantissa == 0)
		make_powers();
	power = &powers[d->exponent - power_min];
	shift = __builtin_clzll(m);
	m <<= shift;
	m_high <<= shift;
	if (m_high < m || power->mantissa > UINT64_MAX - 2)
		return false;
	return enclose((wide)m * power->mantissa, (wide)m_high * (power->mantissa + 2), power->exponent + (int)d->exponent - shift, x);
}

/* strtod, or strtof, of the text from begin to end. */
static double convert_slow(char *begin, char *end, bool single)
{
	static locale_t plain;
	char kept = *end, *letter = NULL, letter_kept = 0;
	locale_t old;
	double x;
	*end = '\0';
	for (char *p = begin; p < end && !letter; p++)
		if (*p == 'd' || *p == 'D')
			letter = p;
	if (letter) {
		letter_kept = *letter;
		*letter = 'e';
	}
	if (!plain)
		plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	old = uselocale(plain);
	x = single ? (double)strtof(begin, NULL) : strtod(begin, NULL);
	uselocale(old);
	if (letter)
		*letter = letter_kept;
	*end = kept;
	return x;
}

static bool read_special(char **at, double *x)
{
	static const char *const words[] = { "infinity", "inf", "nan" };
	for (int i = 0; i < 3; i++) {
		if (strncasecmp(*at, words[i], strlen(words[i])) == 0) {
			*x = i < 2 ? INFINITY : NAN;
			*at += strlen(words[i]);
			return true;
		}
	}
	return false;
}

/* A double halfway between two floats may itself be rounded: the digits must decide.  So they must among tiny floats, which have
 * fewer bits. */
static bool rounds_twice(double x)
{
	uint64_t bits;
	memcpy(&bits, &x, sizeof bits);
	return (bits & 0x1fffffff) == 0x10000000 || (x != 0 && x < 2 * (double)FLT_MIN);
}

enum number_status number_read(char **at, bool single, double *x)
{
	char *p = *at;
	bool negative = *p == '-';
	struct decimal d;
	double value;
	p += *p == '-' || *p == '+';
	if (!is_digit(*p) && *p != '.') {
		if (!read_special(&p, &value))
			return NUMBER_NONE;
	} else {
		char *end = scan(p, &d);
		if (end == p)
			return NUMBER_NONE;
		if (!convert_fast(&d, &value))
			value = convert_slow(p, end, false);
		if (single)
			value = rounds_twice(value) ? convert_slow(p, end, true) : (double)(float)value;
		p = end;
		if (isinf(value)) {
			*at = p;
			return NUMBER_LARGE;
		}
	}
	*at = p;
	*x = negative ? -value : value;
	return NUMBER_OK;
}

enum number_status integer_read(char **at, int64_t *k)
{
	char *p = *at;
	bool negative = *p == '-', large = false;
	int64_t value = 0;
	p += *p == '-' || *p == '+';
	if (!is_digit(*p))
		return NUMBER_NONE;
	for (; is_digit(*p); p++) {
		if (value > (INT64_MAX - 9) / 10)
			large = true;
		else
			value = 10 * value + (*p - '0');
	}
	*at = p;
	*k = negative ? -value : value;
	return large ? NUMBER_LARGE : NUMBER_OK;
}
