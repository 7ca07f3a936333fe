/* Argument checks of gesvd_vals and syev_vals, and the way: LAPACK for small matrices, or the graph of algorithms/dense_vals.c. */
#include "algorithms/dense_vals.h"

#include "algorithms/blocking.h"
#include "runtime/error.h"
#include "runtime/runtime.h"

static const heddle_select everything = { .kind = HEDDLE_ALL };

static void choose(bool hermitian, int64_t m, int64_t n, heddle_options *o)
{
	if (hermitian)
		heddle_eig_options(TYPE, n, o);
	else
		heddle_svd_options(TYPE, m, n, o);
}

/* All arguments are legal, and there is something to do. */
static int submit(heddle_sequence *sequence, struct view a, const heddle_select *select, heddle_matrix *values, int64_t *found,
		  const heddle_options *options)
{
	heddle_options o = options ? *options : (heddle_options){ 0 };

	choose(a.hermitian, a.a->m, a.a->n, &o);
	struct submit to = { .sequence = sequence, .stage = STAGE_VALUES, .priority = o.priority };
	if (o.route == HEDDLE_ROUTE_GRAPH)
		return NAME(dense_vals_submit)(to, a, select, values, found, &o);
	if (a.hermitian)
		return NAME(one_stage_submit)(to, &a, select, values, found);
	NAME(gesvd_lapack)(to, a.a, select, values, found);
	return HEDDLE_OK;
}

int NAME(dense_vals_async)(const char *function, int index, heddle_sequence *sequence, struct view a, const heddle_select *select,
			   heddle_matrix *values, int64_t *found, const heddle_options *options)
{
	int code = check_select(function, index, select, a.n);

	if (code != HEDDLE_OK)
		return code;
	int64_t room = select_room(select, a.n);
	if (!values || values->type != REAL_TYPE || values->m < room || (values->n != 1 && room > 0))
		return error_argument(function, index + 1, a.hermitian ? "w" : "s", values ? values->m : 0,
				      "a real one-column matrix with room for the values");
	code = check_options(function, index + 3, options);
	if (code == HEDDLE_OK)
		code = check_running(function);
	if (code != HEDDLE_OK)
		return code;
	if (a.n == 0) {
		if (found)
			*found = 0;
		return HEDDLE_OK;
	}
	code = submit(sequence, a, select ? select : &everything, values, found, options);
	return code == HEDDLE_OK ? code : error_set(code, "%s: no memory", function);
}

static int blocking(const struct dense *a, const heddle_select *select, int64_t *found, real *values)
{
	int64_t room = select_room(select, least(a->m, a->n));
	heddle_options o = { 0 };
	struct blocking b = { 0 };
	heddle_matrix *matrix, *result;

	choose(a->hermitian, a->m, a->n, &o);
	if (o.route == HEDDLE_ROUTE_LAPACK)
		return a->hermitian ? NAME(heev_direct)(a, select, found, values) : NAME(gesvd_direct)(a, select, found, values);
	int code = blocking_begin(&b);
	if (code == HEDDLE_OK)
		code = blocking_matrix(&b, &matrix, TYPE, a->m, a->n, a->a, a->lda, o.tile);
	if (code == HEDDLE_OK)
		code = blocking_matrix(&b, &result, REAL_TYPE, room, 1, values, room > 1 ? room : 1, 0);
	if (code == HEDDLE_OK)
		code = submit(b.sequence, a->hermitian ? triangle_of(matrix, a->uplo) : view_of(matrix), select, result, found, &o);
	return blocking_end(&b, code);
}

int NAME(dense_vals)(const char *function, int index, const struct dense *a, const heddle_select *select, int64_t *found, real *values)
{
	int64_t k = least(a->m, a->n), ignored;

	if (a->n < 0 || a->n > INT32_MAX)
		return error_argument(function, 2, "n", a->n, "0 .. 2^31 - 1");
	if (!a->a && k > 0)
		return error_argument(function, 3, "A", 0, "a pointer");
	if (a->lda < (a->m > 1 ? a->m : 1) || a->lda > INT32_MAX)
		return error_argument(function, 4, "lda", a->lda, "at least 1 and A's rows, at most 2^31 - 1");
	int code = check_select(function, 5, select, k);
	if (code != HEDDLE_OK)
		return code;
	select = select ? select : &everything;
	if (!values && select_room(select, k) > 0)
		return error_argument(function, index, a->hermitian ? "w" : "s", 0, "a pointer");
	found = found ? found : &ignored;
	*found = 0;
	code = k > 0 ? blocking(a, select, found, values) : HEDDLE_OK;
	return code == HEDDLE_OK || code == HEDDLE_ERUNTIME ? code : error_set(code, "%s: %s", function, heddle_strerror(code));
}
