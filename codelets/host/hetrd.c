#include "codelets/host/hetrd.h"

#include <stdlib.h>
#include <string.h>
#include "codelets/host/blas.h"
#include "codelets/host/largest.h"

/* b := 2^exponent a in the triangle.  b may be a; for other exponents than 0 no square of an entry of b over- or underflows harmfully. */
static void scaled_copy(heddle_uplo uplo, int64_t n, const scalar *a, int64_t lda, scalar *b, int64_t ldb, int exponent)
{
	real half = (real)ldexp(1, exponent / 2), rest = (real)ldexp(1, exponent - exponent / 2);

	for (int64_t j = 0; j < n; j++) {
		int64_t end = uplo == HEDDLE_LOWER ? n : j;
		for (int64_t i = uplo == HEDDLE_LOWER ? j + 1 : 0; i < end; i++)
			b[i + j * ldb] = a[i + j * lda] * half * rest;
		b[j + j * ldb] = real_part(a[j + j * lda]) * half * rest;
	}
}

static int call(heddle_uplo uplo, int64_t n, scalar *a, int64_t lda, real *d, real *e)
{
	scalar size = 0;

	LAPACK(BY_FIELD(sytrd, hetrd))(LAPACK_COL_MAJOR, (char)uplo, (int)n, a, (int)lda, d, e, &size, &size, -1);
	int lwork = (int)real_part(size) + 1;
	scalar *work = malloc((size_t)(n + lwork + READ_BEHIND(n)) * sizeof(*work)), *tau = work;
	if (!work)
		return HEDDLE_ENOMEM;
	LAPACK(BY_FIELD(sytrd, hetrd))(LAPACK_COL_MAJOR, (char)uplo, (int)n, a, (int)lda, d, e, tau, work + n, lwork);
	free(work);
	return HEDDLE_OK;
}

int NAME(hetrd)(heddle_uplo uplo, int64_t n, scalar *a, int64_t lda, real *d, real *e, real *unscale)
{
	const int middle = sizeof(real) == sizeof(float) ? 40 : 400; /* half of what a square can stand, with room for sums */
	struct largest largest = { 0 };
	scalar *copy = NULL;
	int exponent;

	for (int64_t j = 0; j < n; j++)
		largest_of_column(&largest, uplo, n, j, a + j * lda);
	if (largest.poison != 0) /* or NaN */
		return HEDDLE_EINPUT;
	frexp((double)largest.size, &exponent);
	int shift = largest.size == 0 || abs(exponent) <= middle ? 0 : exponent > 0 ? middle - exponent : -middle - exponent;
	if (READ_BEHIND(n) > 0) {
		copy = malloc((size_t)(n * n + READ_BEHIND(n)) * sizeof(*copy));
		if (!copy)
			return HEDDLE_ENOMEM;
	}
	if (copy || shift != 0)
		scaled_copy(uplo, n, a, lda, copy ? copy : a, copy ? n : lda, shift);
	int code = call(uplo, n, copy ? copy : a, copy ? n : lda, d, e);
	*unscale = (real)ldexp(1, -shift);
	free(copy);
	return code;
}
