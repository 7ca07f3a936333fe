/* Eigenvalues of a symmetric tridiagonal: codelets/host/sturm.h says how. */
#include <heddle/eig.h>
#include "algorithms/values.h"

int API(st_vals_async)(heddle_sequence *sequence, heddle_matrix *d, heddle_matrix *e, const heddle_select *select, heddle_matrix *w,
		       int64_t *found, const heddle_options *options)
{
	struct values_call call = { sequence, d, e, select, w, found, options };

	return NAME(values_async)(TRIDIAGONAL, __func__, &call);
}

int API(st_vals_select)(int64_t n, const real *d, const real *e, const heddle_select *select, int64_t *found, real *w)
{
	return NAME(values_select)(TRIDIAGONAL, __func__, n, d, e, select, found, w);
}

int API(st_vals)(int64_t n, const real *d, const real *e, real *w)
{
	return NAME(values_all)(TRIDIAGONAL, __func__, n, d, e, w);
}
