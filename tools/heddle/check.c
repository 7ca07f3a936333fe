#include "tools/heddle/check.h"

#include <math.h>

double check_bound(int64_t m, int64_t n)
{
	return 8 * sqrt((double)(m > n ? m : n));
}

/* The largest error if the first of the values is reference value number first (from 0). */
static double error_from(const struct kind *kind, const void *values, int64_t found, const double *reference, int64_t first)
{
	double worst = 0, norm = reference[0];

	for (int64_t i = 0; i < found; i++) {
		double difference = fabs(real_get(kind, values, i) - reference[first + i]);

		if (!(difference <= 0)) /* NaN, too */
			worst = fmax(worst, isnan(difference) ? INFINITY : difference / norm / kind->eps);
	}
	return worst;
}

/* How many of the references are greater than limit. */
static int64_t count_greater(const double *reference, int64_t k, double limit)
{
	int64_t count = 0;

	while (count < k && reference[count] > limit)
		count++;
	return count;
}

double check_error(const struct kind *kind, const void *values, int64_t found, const heddle_select *select,
		   const double *reference, int64_t k, double bound)
{
	if (k == 0)
		return found == 0 ? 0 : INFINITY;
	if (select->kind != HEDDLE_VALUE) {
		int64_t first = select->kind == HEDDLE_INDEX ? select->il - 1 : 0;
		int64_t last = select->kind == HEDDLE_INDEX ? select->iu : k;

		return found == last - first ? error_from(kind, values, found, reference, first) : INFINITY;
	}
	/* Of the interval (vl, vu]: which reference is the first and which the last, at the most and at the least. */
	double slack = bound * kind->eps * reference[0], best = INFINITY;
	int64_t first_least = count_greater(reference, k, select->vu + slack);
	int64_t first_most = count_greater(reference, k, select->vu - slack);
	int64_t end_least = count_greater(reference, k, select->vl + slack);
	int64_t end_most = count_greater(reference, k, select->vl - slack);

	for (int64_t first = first_least; first <= first_most; first++)
		if (first + found >= end_least && first + found <= end_most)
			best = fmin(best, error_from(kind, values, found, reference, first));
	return best;
}
