#include "tools/heddle/check.h"

#include <math.h>

double check_bound(int64_t m, int64_t n)
{
	return 8 * sqrt((double)(m > n ? m : n));
}

/* The largest modulus of the finite ones: a norm may overflow. */
static double norm_of(const struct reference *r)
{
	double norm = 0;

	for (int64_t i = 0; i < r->k; i++)
		if (isfinite(r->values[i]))
			norm = fmax(norm, fabs(r->values[i]));
	return norm;
}

/* The largest error if the first of the values is reference value number first (from 0). */
static double error_from(const struct kind *kind, const void *values, int64_t found, const struct reference *r, int64_t first)
{
	double worst = 0, norm = norm_of(r);

	for (int64_t i = 0; i < found; i++) {
		double value = real_get(kind, values, i), expected = r->values[first + i];
		double difference = value == expected ? 0 : fabs(value - expected); /* infinite ones may be equal */

		if (!(difference <= 0)) /* NaN, too */
			worst = fmax(worst, isnan(difference) ? INFINITY : difference / norm / kind->eps);
	}
	return worst;
}

/* How many of the references come before limit. */
static int64_t count_before(const struct reference *r, double limit)
{
	int64_t count = 0;

	while (count < r->k && (r->ascending ? r->values[count] <= limit : r->values[count] > limit))
		count++;
	return count;
}

double check_error(const struct kind *kind, const void *values, int64_t found, const heddle_select *select,
		   const struct reference *r, double bound)
{
	if (r->k == 0)
		return found == 0 ? 0 : INFINITY;
	if (select->kind != HEDDLE_VALUE) {
		int64_t first = select->kind == HEDDLE_INDEX ? select->il - 1 : 0;
		int64_t last = select->kind == HEDDLE_INDEX ? select->iu : r->k;

		return found == last - first ? error_from(kind, values, found, r, first) : INFINITY;
	}
	/* Of the interval (vl, vu]: which reference is the first and which the last, at the most and at the least. */
	double slack = bound * kind->eps * norm_of(r), later = r->ascending ? slack : -slack, best = INFINITY;
	double begin = r->ascending ? select->vl : select->vu, end = r->ascending ? select->vu : select->vl;
	int64_t first_least = count_before(r, begin - later), first_most = count_before(r, begin + later);
	int64_t end_least = count_before(r, end - later), end_most = count_before(r, end + later);

	for (int64_t first = first_least; first <= first_most; first++)
		if (first + found >= end_least && first + found <= end_most)
			best = fmin(best, error_from(kind, values, found, r, first));
	return best;
}
