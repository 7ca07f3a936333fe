/* The public forms of gesvd_vals and syev_vals once the arguments that differ are known to be right. */
#ifndef ALGORITHMS_DENSE_VALS_H
#define ALGORITHMS_DENSE_VALS_H

#include "algorithms/algorithms.h"

/* The asynchronous form of `function`, whose select is argument `index`, values the next one and options the one after found. */
int NAME(dense_vals_async)(const char *function, int index, heddle_sequence *sequence, struct view a, const heddle_select *select,
			   heddle_matrix *values, int64_t *found, const heddle_options *options);

/* A matrix in the caller's memory: of a Hermitian one a triangle, m = n. */
struct dense {
	bool hermitian;
	heddle_uplo uplo;
	int64_t m, n;
	scalar *a;
	int64_t lda;
};

/* The blocking form; select is argument 5 (NULL: all), values argument `index`.  n, a and lda are checked here, as arguments 2 to 4. */
int NAME(dense_vals)(const char *function, int index, const struct dense *a, const heddle_select *select, int64_t *found, real *values);

/* The values of a small matrix, in the calling thread. */
int NAME(gesvd_direct)(const struct dense *a, const heddle_select *select, int64_t *found, real *s);
int NAME(heev_direct)(const struct dense *a, const heddle_select *select, int64_t *found, real *w);

#endif
