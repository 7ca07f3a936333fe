/* Singular values of a bidiagonal and eigenvalues of a tridiagonal, in all forms. */
#ifndef ALGORITHMS_VALUES_H
#define ALGORITHMS_VALUES_H

#include "codelets/codelets.h"

/* What an asynchronous public function was called with. */
struct values_call {
	heddle_sequence *sequence;
	heddle_matrix *d, *e;
	const heddle_select *select;
	heddle_matrix *values;
	int64_t *found;
	const heddle_options *options;
};

/* Tasks only: the values times the second real of `scale` (NULL: 1); a selection by value means the scaled values. */
int REAL_NAME(values_submit)(enum sturm_kind kind, struct submit to, const heddle_matrix *d, const heddle_matrix *e, const heddle_select *select,
			const heddle_matrix *values, int64_t *found, handle scale);

/* The asynchronous and the blocking form, argument checks included; `function` names the public function in messages. */
int REAL_NAME(values_async)(enum sturm_kind kind, const char *function, const struct values_call *call);
int REAL_NAME(values_select)(enum sturm_kind kind, const char *function, int64_t n, const real *d, const real *e, const heddle_select *select,
			int64_t *found, real *values);

/* The values times scale, in the calling thread; no checks. */
int REAL_NAME(values_direct)(enum sturm_kind kind, int64_t n, const real *d, const real *e, double scale, const heddle_select *select,
			     int64_t *found, real *values);

/* All values, where values itself is argument 4. */
int REAL_NAME(values_all)(enum sturm_kind kind, const char *function, int64_t n, const real *d, const real *e, real *values);

#endif
