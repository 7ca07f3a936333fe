/* Eigenvalues of a symmetric or Hermitian matrix; algorithms/dense_forms.c has what they share with singular values. */
#include <stdlib.h>
#include <heddle/eig.h>
#include "algorithms/blocking.h"
#include "algorithms/dense_vals.h"
#include "algorithms/values.h"
#include "codelets/host/hetrd.h"
#include "runtime/error.h"

/* LAPACK's tridiagonal, its values as usual. */
int NAME(heev_direct)(const struct dense *a, const heddle_select *select, int64_t *found, real *w)
{
	real *d = malloc((size_t)(2 * a->n) * sizeof(*d));
	real unscale = 1;
	int code = d ? NAME(hetrd)(a->uplo, a->n, a->a, a->lda, d, d + a->n, &unscale) : HEDDLE_ENOMEM;

	if (code == HEDDLE_OK)
		code = REAL_NAME(values_direct)(REDUCED, a->n, d, d + a->n, (double)unscale, select, found, w);
	free(d);
	return code;
}

int API(BY_FIELD(syev_vals_async, heev_vals_async))(heddle_sequence *sequence, heddle_uplo uplo, heddle_matrix *A,
						    const heddle_select *select, heddle_matrix *w, int64_t *found,
						    const heddle_options *options)
{
	CHECK_ARGUMENT(sequence, 1, "sequence", 0, "a sequence");
	CHECK_ARGUMENT(uplo_valid(uplo), 2, "uplo", uplo, "HEDDLE_UPPER or HEDDLE_LOWER");
	CHECK_ARGUMENT(A && A->type == TYPE && A->m == A->n, 3, "A", A ? A->n : 0, "a square matrix of the function's type");
	return NAME(dense_vals_async)(__func__, 4, sequence, triangle_of(A, uplo), select, w, found, options);
}

int API(BY_FIELD(syev_vals_select, heev_vals_select))(heddle_uplo uplo, int64_t n, scalar *A, int64_t lda, const heddle_select *select,
						      int64_t *found, real *w)
{
	struct dense a = { .hermitian = true, .uplo = uplo, .m = n, .n = n, .a = A, .lda = lda };

	CHECK_ARGUMENT(uplo_valid(uplo), 1, "uplo", uplo, "HEDDLE_UPPER or HEDDLE_LOWER");
	return NAME(dense_vals)(__func__, 7, &a, select, found, w);
}

int API(BY_FIELD(syev_vals, heev_vals))(heddle_uplo uplo, int64_t n, scalar *A, int64_t lda, real *w)
{
	struct dense a = { .hermitian = true, .uplo = uplo, .m = n, .n = n, .a = A, .lda = lda };

	CHECK_ARGUMENT(uplo_valid(uplo), 1, "uplo", uplo, "HEDDLE_UPPER or HEDDLE_LOWER");
	return NAME(dense_vals)(__func__, 5, &a, NULL, NULL, w);
}
