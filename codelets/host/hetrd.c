#include "codelets/host/hetrd.h"

#include <stdlib.h>
#include <string.h>
#include "codelets/host/blas.h"

/* The rows of column j above or below the diagonal. */
static void off_diagonal(heddle_uplo uplo, int64_t n, int64_t j, int64_t *begin, int64_t *end)
{
	*begin = uplo == HEDDLE_LOWER ? j + 1 : 0;
	*end = uplo == HEDDLE_LOWER ? n : j;
}

/* The largest real or imaginary part, NaN if something is not finite. */
static real largest_part(heddle_uplo uplo, int64_t n, const scalar *a, int64_t lda)
{
	real largest = 0, poison = 0;
	int64_t begin, end;

	for (int64_t j = 0; j < n; j++) {
		const real *x = (const real *)(a + j * lda);
		real diagonal = real_part(a[j + j * lda]);
		off_diagonal(uplo, n, j, &begin, &end);
#pragma omp simd reduction(max : largest) reduction(+ : poison)
		for (int64_t i = begin * (1 + IS_COMPLEX); i < end * (1 + IS_COMPLEX); i++) {
			real size = x[i] < 0 ? -x[i] : x[i];
			largest = size > largest ? size : largest;
			poison += x[i] * 0;
		}
		largest = (real)fmax(largest, fabs(diagonal));
		poison += diagonal * 0;
	}
	return poison == 0 ? largest : (real)NAN;
}

/* b := 2^exponent a in the triangle.  b may be a; for other exponents than 0 no square of an entry of b over- or underflows harmfully. */
static void scaled_copy(heddle_uplo uplo, int64_t n, const scalar *a, int64_t lda, scalar *b, int64_t ldb, int exponent)
{
	real half = (real)ldexp(1, exponent / 2), rest = (real)ldexp(1, exponent - exponent / 2);
	int64_t begin, end;

	for (int64_t j = 0; j < n; j++) {
		off_diagonal(uplo, n, j, &begin, &end);
		for (int64_t i = begin; i < end; i++)
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

int NAME(hetrd)(heddle_uplo uplo, int64_t n, scalar *a, int64_t lda, real *d, real *e)
{
	const int middle = sizeof(real) == sizeof(float) ? 40 : 400; /* half of what a square can stand, with room for sums */
	real largest = largest_part(uplo, n, a, lda);
	scalar *copy = NULL;
	int exponent;

	if (!(largest <= REAL_MAX))
		return HEDDLE_EINPUT;
	frexp((double)largest, &exponent);
	int shift = largest == 0 || abs(exponent) <= middle ? 0 : exponent > 0 ? middle - exponent : -middle - exponent;
	if (READ_BEHIND(n) > 0) {
		copy = malloc((size_t)(n * n + READ_BEHIND(n)) * sizeof(*copy));
		if (!copy)
			return HEDDLE_ENOMEM;
	}
	if (copy || shift != 0)
		scaled_copy(uplo, n, a, lda, copy ? copy : a, copy ? n : lda, shift);
	int code = call(uplo, n, copy ? copy : a, copy ? n : lda, d, e);
	for (int64_t i = 0; i < n && shift != 0; i++) {
		d[i] = (real)ldexp((double)d[i], -shift);
		if (i + 1 < n)
			e[i] = (real)ldexp((double)e[i], -shift);
	}
	free(copy);
	return code;
}
