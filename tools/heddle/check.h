/* Compares computed values with reference values. */
#ifndef HEDDLE_CHECK_H
#define HEDDLE_CHECK_H

#include "tools/heddle/kind.h"

/* All k values, in the order of the library: largest first, or ascending. */
struct reference {
	const double *values;
	int64_t k;
	bool ascending;
};

/* The largest |value - reference| over eps times the largest reference modulus; infinity if the count is wrong.
 * values: found of them, those of the selection.  Values of an interval whose ends are as near to a reference value as `bound`
 * units may or may not be among them. */
double check_error(const struct kind *kind, const void *values, int64_t found, const heddle_select *select,
		   const struct reference *reference, double bound);

/* What the error may be for an m by n matrix: 8 sqrt(max(m, n)). */
double check_bound(int64_t m, int64_t n);

#endif
