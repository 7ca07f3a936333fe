/* Singular values of a dense matrix; algorithms/dense_forms.c has what they share with eigenvalues. */
#include <stdlib.h>
#include <string.h>
#include <heddle/svd.h>
#include "algorithms/dense_vals.h"
#include "codelets/host/gesdd_vals.h"
#include "runtime/error.h"

int NAME(gesvd_direct)(const struct dense *a, const heddle_select *select, int64_t *found, real *s)
{
	int64_t k = least(a->m, a->n), first;
	real *all = malloc((size_t)k * sizeof(*all));
	int code = all ? NAME(gesdd_vals)(a->m, a->n, a->a, a->lda, all) : HEDDLE_ENOMEM;

	if (code == HEDDLE_OK) {
		REAL_NAME(select_values)(select, k, all, &first, found);
		memcpy(s, all + first, (size_t)*found * sizeof(*s));
	}
	free(all);
	return code;
}

int API(gesvd_vals_async)(heddle_sequence *sequence, heddle_matrix *A, const heddle_select *select, heddle_matrix *s, int64_t *found,
			  const heddle_options *options)
{
	CHECK_ARGUMENT(sequence, 1, "sequence", 0, "a sequence");
	CHECK_ARGUMENT(A && A->type == TYPE, 2, "A", A ? A->type : 0, "a matrix of the function's type");
	return NAME(dense_vals_async)(__func__, 3, sequence, view_of(A), select, s, found, options);
}

int API(gesvd_vals_select)(int64_t m, int64_t n, scalar *A, int64_t lda, const heddle_select *select, int64_t *found, real *s)
{
	struct dense a = { .m = m, .n = n, .a = A, .lda = lda };

	CHECK_ARGUMENT(m >= 0 && m <= INT32_MAX, 1, "m", m, "0 .. 2^31 - 1");
	return NAME(dense_vals)(__func__, 7, &a, select, found, s);
}

int API(gesvd_vals)(int64_t m, int64_t n, scalar *A, int64_t lda, real *s)
{
	struct dense a = { .m = m, .n = n, .a = A, .lda = lda };

	CHECK_ARGUMENT(m >= 0 && m <= INT32_MAX, 1, "m", m, "0 .. 2^31 - 1");
	return NAME(dense_vals)(__func__, 5, &a, NULL, NULL, s);
}
