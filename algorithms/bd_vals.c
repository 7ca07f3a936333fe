/* Singular values of a bidiagonal: codelets/host/sturm.h says how. */
#include <heddle/svd.h>
#include "algorithms/values.h"

int API(bd_vals_async)(heddle_sequence *sequence, heddle_matrix *d, heddle_matrix *e, const heddle_select *select, heddle_matrix *s,
		       int64_t *found, const heddle_options *options)
{
	struct values_call call = { sequence, d, e, select, s, found, options };

	return NAME(values_async)(BIDIAGONAL, __func__, &call);
}

int API(bd_vals_select)(int64_t n, const real *d, const real *e, const heddle_select *select, int64_t *found, real *s)
{
	return NAME(values_select)(BIDIAGONAL, __func__, n, d, e, select, found, s);
}

int API(bd_vals)(int64_t n, const real *d, const real *e, real *s)
{
	return NAME(values_all)(BIDIAGONAL, __func__, n, d, e, s);
}
