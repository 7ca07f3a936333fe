/* Eigenvalues of a symmetric or Hermitian matrix: argument checks, and the way: LAPACK's tridiagonal form in one task, or the graph of
 * algorithms/dense_vals.c. */
#include "algorithms/algorithms.h"

#include <stdlib.h>
#include <string.h>
#include <heddle/eig.h>
#include "algorithms/blocking.h"
#include "codelets/host/blas.h"
#include "codelets/host/gesdd_vals.h"
#include "codelets/host/hetrd.h"
#include "runtime/error.h"
#include "runtime/runtime.h"

/* One stage: the tridiagonal by LAPACK, its values as usual. */
static int submit_one_stage(struct submit to, const struct view *a, const heddle_select *select, heddle_matrix *w, int64_t *found)
{
	int64_t n = a->n;
	heddle_matrix *d = matrix_temporary(REAL_TYPE, n, 1, n, 1), *e = matrix_temporary(REAL_TYPE, n, 1, n, 1);
	int code = d && e ? HEDDLE_OK : HEDDLE_ENOMEM;

	if (code == HEDDLE_OK) {
		NAME(hetrd_lapack)(submit_stage(to, STAGE_SY2SB), a, matrix_tile(d, 0, 0), matrix_tile(e, 0, 0));
		code = REAL_NAME(st_vals_submit)(submit_stage(to, STAGE_VALUES), d, e, select, w, found, NULL);
	}
	matrix_release(d);
	matrix_release(e);
	if (code != HEDDLE_OK)
		sequence_fail(to.sequence, code);
	return code;
}

int API(BY_FIELD(syev_vals_async, heev_vals_async))(heddle_sequence *sequence, heddle_uplo uplo, heddle_matrix *A, const heddle_select *select,
						    heddle_matrix *w, int64_t *found, const heddle_options *options)
{
	heddle_select all = { .kind = HEDDLE_ALL };
	heddle_options o = options ? *options : (heddle_options){ 0 };
	int code;

	CHECK_ARGUMENT(sequence, 1, "sequence", 0, "a sequence");
	CHECK_ARGUMENT(uplo_valid(uplo), 2, "uplo", uplo, "HEDDLE_UPPER or HEDDLE_LOWER");
	CHECK_ARGUMENT(A && A->type == TYPE && A->m == A->n, 3, "A", A ? A->n : 0, "a square matrix of the function's type");
	int64_t n = A->n;
	code = check_select(__func__, 4, select, n);
	if (code != HEDDLE_OK)
		return code;
	select = select ? select : &all;
	CHECK_ARGUMENT(w && w->type == REAL_TYPE && w->m >= select_room(select, n) && (w->n == 1 || select_room(select, n) == 0), 5, "w", w ? w->m : 0,
		       "a real one-column matrix with room for the values");
	code = check_options(__func__, 7, options);
	if (code != HEDDLE_OK)
		return code;
	code = check_running(__func__);
	if (code != HEDDLE_OK)
		return code;
	if (n == 0) {
		if (found)
			*found = 0;
		return HEDDLE_OK;
	}
	heddle_eig_options(TYPE, n, &o);
	struct submit to = { .sequence = sequence, .stage = STAGE_VALUES, .priority = o.priority };
	struct view a = triangle_of(A, uplo);
	if (o.route == HEDDLE_ROUTE_LAPACK)
		code = submit_one_stage(to, &a, select, w, found);
	else
		code = NAME(dense_vals_submit)(to, a, select, w, found, &o);
	return code == HEDDLE_OK ? code : error_set(code, "%s: no memory", __func__);
}

/* A dense matrix defines its values no better than sterf finds them, which is the faster way for small orders. */
static int by_sterf(int64_t n, real *d, real *e, const heddle_select *select, int64_t *found, real *w)
{
	int64_t first;

	if (REAL_LAPACK(sterf)((int)n, d, e) != 0)
		return HEDDLE_ENOCONV;
	REAL_NAME(select_values)(select, true, n, d, &first, found);
	memcpy(w, d + first, (size_t)*found * sizeof(*w));
	return HEDDLE_OK;
}

/* One stage, in the calling thread. */
static int direct(heddle_uplo uplo, int64_t n, scalar *A, int64_t lda, const heddle_select *select, int64_t *found, real *w)
{
	enum { BY_STERF = 24 };
	real *d = malloc((size_t)(2 * n) * sizeof(*d));
	int code = d ? NAME(hetrd)(uplo, n, A, lda, d, d + n) : HEDDLE_ENOMEM;

	if (code == HEDDLE_OK)
		code = n <= BY_STERF ? by_sterf(n, d, d + n, select, found, w) : REAL_API(st_vals_select)(n, d, d + n, select, found, w);
	free(d);
	return code;
}

static int blocking(heddle_uplo uplo, int64_t n, scalar *A, int64_t lda, const heddle_select *select, int64_t *found, real *w)
{
	int64_t room = select_room(select, n);
	heddle_options o = { 0 };
	struct blocking b = { 0 };
	heddle_matrix *a, *values;

	heddle_eig_options(TYPE, n, &o);
	if (o.route == HEDDLE_ROUTE_LAPACK)
		return direct(uplo, n, A, lda, select, found, w);
	int code = blocking_begin(&b);
	if (code == HEDDLE_OK)
		code = blocking_matrix(&b, &a, TYPE, n, n, A, lda, o.tile);
	if (code == HEDDLE_OK)
		code = blocking_matrix(&b, &values, REAL_TYPE, room, 1, w, room > 1 ? room : 1, 0);
	if (code == HEDDLE_OK)
		code = API(BY_FIELD(syev_vals_async, heev_vals_async))(b.sequence, uplo, a, select, values, found, &o);
	return blocking_end(&b, code);
}

/* Check the arguments of either blocking form, function, whose w is argument `w_index`, and do it. */
static int checked(const char *function, int w_index, heddle_uplo uplo, int64_t n, scalar *A, int64_t lda, const heddle_select *select,
		   int64_t *found, real *w)
{
	static const heddle_select all = { .kind = HEDDLE_ALL };

	if (!uplo_valid(uplo))
		return error_argument(function, 1, "uplo", uplo, "HEDDLE_UPPER or HEDDLE_LOWER");
	if (n < 0 || n > INT32_MAX)
		return error_argument(function, 2, "n", n, "0 .. 2^31 - 1");
	if (!A && n > 0)
		return error_argument(function, 3, "A", 0, "a pointer");
	if (lda < (n > 1 ? n : 1) || lda > INT32_MAX)
		return error_argument(function, 4, "lda", lda, "at least max(1, n), at most 2^31 - 1");
	int code = check_select(function, 5, select, n);
	if (code != HEDDLE_OK)
		return code;
	select = select ? select : &all;
	if (!w && select_room(select, n) > 0)
		return error_argument(function, w_index, "w", 0, "a pointer");
	*found = 0;
	code = n > 0 ? blocking(uplo, n, A, lda, select, found, w) : HEDDLE_OK;
	return code == HEDDLE_OK || code == HEDDLE_ERUNTIME ? code : error_set(code, "%s: %s", function, heddle_strerror(code));
}

int API(BY_FIELD(syev_vals_select, heev_vals_select))(heddle_uplo uplo, int64_t n, scalar *A, int64_t lda, const heddle_select *select,
						      int64_t *found, real *w)
{
	int64_t ignored;

	return checked(__func__, 7, uplo, n, A, lda, select, found ? found : &ignored, w);
}

int API(BY_FIELD(syev_vals, heev_vals))(heddle_uplo uplo, int64_t n, scalar *A, int64_t lda, real *w)
{
	int64_t ignored;

	return checked(__func__, 5, uplo, n, A, lda, NULL, &ignored, w);
}
