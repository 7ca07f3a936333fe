/* Singular values of a dense matrix: argument checks, and the way: one LAPACK call or the graph of algorithms/dense_vals.c. */
#include "algorithms/algorithms.h"

#include <stdlib.h>
#include <heddle/svd.h>
#include "algorithms/blocking.h"
#include "codelets/host/gesdd_vals.h"
#include "runtime/error.h"
#include "runtime/runtime.h"

int API(gesvd_vals_async)(heddle_sequence *sequence, heddle_matrix *A, const heddle_select *select, heddle_matrix *s, int64_t *found,
			  const heddle_options *options)
{
	heddle_select all = { .kind = HEDDLE_ALL };
	heddle_options o = options ? *options : (heddle_options){ 0 };
	int code;

	CHECK_ARGUMENT(sequence, 1, "sequence", 0, "a sequence");
	CHECK_ARGUMENT(A && A->type == TYPE, 2, "A", A ? A->type : 0, "a matrix of the function's type");
	int64_t k = least(A->m, A->n);
	code = check_select(__func__, 3, select, k);
	if (code != HEDDLE_OK)
		return code;
	select = select ? select : &all;
	CHECK_ARGUMENT(s && s->type == REAL_TYPE && s->m >= select_room(select, k) && (s->n == 1 || select_room(select, k) == 0), 4, "s", s ? s->m : 0,
		       "a real one-column matrix with room for the values");
	code = check_options(__func__, 6, options);
	if (code != HEDDLE_OK)
		return code;
	code = check_running(__func__);
	if (code != HEDDLE_OK)
		return code;
	if (k == 0) {
		if (found)
			*found = 0;
		return HEDDLE_OK;
	}
	heddle_svd_options(TYPE, A->m, A->n, &o);
	struct submit to = { .sequence = sequence, .stage = STAGE_VALUES, .priority = o.priority };
	if (o.route == HEDDLE_ROUTE_LAPACK)
		NAME(gesvd_lapack)(to, A, select, s, found);
	else
		code = NAME(dense_vals_submit)(to, view_of(A), select, s, found, &o);
	return code == HEDDLE_OK ? code : error_set(code, "%s: no memory", __func__);
}

/* The blocking forms: small matrices by LAPACK in the calling thread. */
static int blocking(int64_t m, int64_t n, scalar *A, int64_t lda, const heddle_select *select, int64_t *found, real *s)
{
	int64_t k = least(m, n), room = select_room(select, k), first;
	heddle_options o = { 0 };

	heddle_svd_options(TYPE, m, n, &o);
	if (o.route == HEDDLE_ROUTE_LAPACK) {
		real *all = malloc((size_t)(k + 1) * sizeof(*all));
		int code = all ? NAME(gesdd_vals)(m, n, A, lda, all) : HEDDLE_ENOMEM;
		if (code == HEDDLE_OK) {
			REAL_NAME(select_values)(select, false, k, all, &first, found);
			for (int64_t i = 0; i < *found; i++)
				s[i] = all[first + i];
		}
		free(all);
		return code;
	}
	struct blocking b = { 0 };
	heddle_matrix *a, *values;
	int code = blocking_begin(&b);
	if (code == HEDDLE_OK)
		code = blocking_matrix(&b, &a, TYPE, m, n, A, lda, o.tile);
	if (code == HEDDLE_OK)
		code = blocking_matrix(&b, &values, REAL_TYPE, room, 1, s, room > 1 ? room : 1, 0);
	if (code == HEDDLE_OK)
		code = API(gesvd_vals_async)(b.sequence, a, select, values, found, &o);
	return blocking_end(&b, code);
}

/* Check the arguments of either blocking form, function, whose s is argument `s_index`, and do it. */
static int checked(const char *function, int s_index, int64_t m, int64_t n, scalar *A, int64_t lda, const heddle_select *select, int64_t *found,
		   real *s)
{
	static const heddle_select all = { .kind = HEDDLE_ALL };
	int64_t k = least(m, n);

	if (m < 0 || m > INT32_MAX)
		return error_argument(function, 1, "m", m, "0 .. 2^31 - 1");
	if (n < 0 || n > INT32_MAX)
		return error_argument(function, 2, "n", n, "0 .. 2^31 - 1");
	if (!A && k > 0)
		return error_argument(function, 3, "A", 0, "a pointer");
	if (lda < (m > 1 ? m : 1) || lda > INT32_MAX)
		return error_argument(function, 4, "lda", lda, "at least max(1, m), at most 2^31 - 1");
	int code = check_select(function, 5, select, k);
	if (code != HEDDLE_OK)
		return code;
	select = select ? select : &all;
	if (!s && select_room(select, k) > 0)
		return error_argument(function, s_index, "s", 0, "a pointer");
	*found = 0;
	code = k > 0 ? blocking(m, n, A, lda, select, found, s) : HEDDLE_OK;
	return code == HEDDLE_OK || code == HEDDLE_ERUNTIME ? code : error_set(code, "%s: %s", function, heddle_strerror(code));
}

int API(gesvd_vals_select)(int64_t m, int64_t n, scalar *A, int64_t lda, const heddle_select *select, int64_t *found, real *s)
{
	int64_t ignored;

	return checked(__func__, 7, m, n, A, lda, select, found ? found : &ignored, s);
}

int API(gesvd_vals)(int64_t m, int64_t n, scalar *A, int64_t lda, real *s)
{
	int64_t ignored;

	return checked(__func__, 5, m, n, A, lda, NULL, &ignored, s);
}
