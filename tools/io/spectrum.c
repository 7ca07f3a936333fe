/* The logarithm, exponential, sine and cosine here are series, good to a few units in the last place: libraries differ in
 * their last bits, and a seed must give one matrix everywhere. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "tools/io/spectrum.h"

static const double pi = 3.14159265358979323846, ln2 = 0.69314718055994530942;

/* ln x, x > 0, from x = 2^e y with y in [sqrt(1/2), sqrt(2)) and ln y = 2 artanh((y - 1)/(y + 1)). */
static double logarithm(double x)
{
	int e;
	double y = frexp(x, &e), t, term, sum = 0;
	if (y < 0.70710678118654752440) {
		y *= 2;
		e--;
	}
	t = (y - 1) / (y + 1);
	term = t;
	for (int i = 1; i < 48; i += 2) {
		sum += term / i;
		term *= t * t;
	}
	return 2 * sum + e * ln2;
}

/* e^x for x <= 0. */
static double exponential(double x)
{
	int e = (int)(x / ln2 - 0.5);
	double r = x - e * ln2, term = 1, sum = 1;
	for (int i = 1; i < 24; i++) {
		term *= r / i;
		sum += term;
	}
	return ldexp(sum, e);
}

/* The sine and cosine of x in [0, pi]. */
static void circle(double x, double *sine, double *cosine)
{
	double half = x / 2, term = half, s = 0, c = 0, even = 1;
	for (int i = 1; i < 30; i += 2) {
		s += term;
		c += even;
		even *= -half * half / (i * (i + 1));
		term *= -half * half / ((i + 1) * (i + 2));
	}
	*sine = 2 * s * c;
	*cosine = c * c - s * s;
}

static void arithmetic(double cond, int64_t k, double *values)
{
	for (int64_t i = 0; i < k; i++)
		values[i] = i == 0 ? 1 : i == k - 1 ? 1 / cond : 1 - (double)i / (double)(k - 1) * (1 - 1 / cond);
}

static void geometric(double cond, int64_t k, double *values)
{
	const double step = k > 1 ? -logarithm(cond) / (double)(k - 1) : 0;
	for (int64_t i = 0; i < k; i++)
		values[i] = i == 0 ? 1 : i == k - 1 ? 1 / cond : exponential((double)i * step);
}

/* The share of values below sin(t/2) is (t + sin t)/pi. */
static double quarter_circle_quantile(double share)
{
	double low = 0, high = pi, sine, cosine;
	for (int i = 0; i < 60; i++) {
		double t = (low + high) / 2;
		circle(t, &sine, &cosine);
		if (t + sine < share * pi)
			low = t;
		else
			high = t;
	}
	circle(low / 2, &sine, &cosine);
	return sine;
}

static void quarter_circle(double cond, int64_t k, double *values)
{
	(void)cond;
	for (int64_t i = 0; i < k; i++)
		values[i] = quarter_circle_quantile(((double)(k - i) - 0.5) / (double)k);
}

bool spectrum_values(const char *name, double cond, int64_t k, double *values)
{
	static const struct {
		const char *name;
		void (*fill)(double cond, int64_t k, double *values);
	} kinds[] = { { "arith", arithmetic }, { "log", geometric }, { "quarter-circle", quarter_circle } };
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		if (strcmp(name, kinds[i].name) == 0) {
			kinds[i].fill(cond, k, values);
			/* rounding must not put neighbours that are all but equal into the wrong order */
			for (int64_t j = 1; j < k; j++)
				if (values[j] > values[j - 1])
					values[j] = values[j - 1];
			return true;
		}
	}
	return false;
}

/* Quantiles of the density sqrt(1 - x^2) on [-1, 1], ascending. */
static void semicircle(int64_t k, double *values)
{
	for (int64_t i = 0; i < k; i++) {
		double share = (double)(2 * i + 1 - k) / (double)k;
		values[i] = share < 0 ? -quarter_circle_quantile(-share) : quarter_circle_quantile(share);
	}
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

bool hermitian_spectrum_values(const char *name, bool positive, double cond, int64_t k, double *values)
{
	if (strcmp(name, "quarter-circle") == 0)
		return false;
	if (strcmp(name, "semicircle") == 0) {
		semicircle(k, values);
		return true;
	}
	if (!spectrum_values(name, cond, k, values))
		return false;
	for (int64_t i = 1; i < k && !positive; i += 2)
		values[i] = -values[i];
	qsort(values, (size_t)k, sizeof(*values), compare);
	return true;
}
