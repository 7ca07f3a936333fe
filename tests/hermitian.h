/* Symmetric and Hermitian matrices to try, and reference eigenvalues. */
#ifndef TESTS_HERMITIAN_H
#define TESTS_HERMITIAN_H

#include "tests/support.h"

static inline bool is_stored(heddle_uplo uplo, int64_t i, int64_t j)
{
	return uplo == HEDDLE_LOWER ? i >= j : i <= j;
}

static inline scalar not_a_number(void)
{
	return make_scalar((real)NAN, (real)NAN);
}

/* The triangle uplo of a Hermitian matrix of a kind, in a (lda >= n).  The other triangle, and the diagonal's imaginary part, are NaN. */
static inline void fill_hermitian(enum kind kind, heddle_uplo uplo, int64_t n, scalar *a, int64_t lda, uint64_t seed)
{
	fill(kind, n, n, a, lda, seed);
	for (int64_t j = 0; j < n; j++)
		for (int64_t i = 0; i < n; i++) {
			if (!is_stored(uplo, i, j))
				a[i + j * lda] = not_a_number();
			else if (i == j)
				a[i + j * lda] = make_scalar(real_part(a[i + j * lda]), (real)NAN);
		}
}

/* The whole matrix that a triangle stands for, times 2^-exponent: exponent is that of its largest entry. */
static inline scalar *whole(heddle_uplo uplo, int64_t n, const scalar *a, int64_t lda, int *exponent)
{
	scalar *x = calloc((size_t)(n * n + 1024), sizeof(*x)); /* a BLAS is known that reads past the end */
	double largest = 0;

	for (int64_t j = 0; j < n; j++)
		for (int64_t i = 0; i < n; i++) {
			scalar entry = is_stored(uplo, i, j) ? a[i + j * lda] : conjugate(a[j + i * lda]);
			x[i + j * n] = i == j ? real_part(entry) : entry;
			largest = fmax(largest, fmax(fabs((double)real_part(x[i + j * n])), fabs((double)imaginary_part(x[i + j * n]))));
		}
	frexp(largest, exponent);
	for (int64_t i = 0; i < n * n; i++)
		x[i] = x[i] * (real)ldexp(1, -*exponent / 2) * (real)ldexp(1, -(*exponent - *exponent / 2));
	return x;
}

/* Eigenvalues by LAPACK, ascending. */
static inline void eigenvalues(heddle_uplo uplo, int64_t n, const scalar *a, int64_t lda, real *w)
{
	int exponent;
	scalar *x = whole(uplo, n, a, lda, &exponent);

	if (n > 0)
		ck_assert_int_eq(PREC_CAT(LAPACKE_, PREC_CAT(PREC_LETTER, BY_FIELD(syev, heev)))(LAPACK_COL_MAJOR, 'N', 'L', (int)n, x, (int)n, w), 0);
	for (int64_t i = 0; i < n; i++)
		w[i] *= (real)ldexp(1, exponent / 2) * (real)ldexp(1, exponent - exponent / 2);
	free(x);
}

/* The largest difference of two ascending lists of n eigenvalues in units of eps * norm. */
static inline double eigen_error(int64_t n, const real *w, const real *reference_values)
{
	double worst = 0, norm = n > 0 ? fmax(fabs((double)reference_values[0]), fabs((double)reference_values[n - 1])) : 0;

	for (int64_t i = 0; i < n; i++) {
		double difference = fabs((double)w[i] - (double)reference_values[i]);
		if (!(difference <= worst)) /* a NaN stays */
			worst = difference;
	}
	return worst == 0 ? 0 : worst / norm / REAL_EPS;
}

/* Nothing was written outside the n by n triangle, of which `before` is a copy from before. */
static inline bool rest_untouched(heddle_uplo uplo, int64_t n, const scalar *a, const scalar *before, int64_t lda)
{
	for (int64_t j = 0; j < n; j++)
		for (int64_t i = 0; i < lda; i++)
			if ((i >= n || !is_stored(uplo, i, j)) && memcmp(a + i + j * lda, before + i + j * lda, sizeof(*a)) != 0)
				return false;
	return true;
}

static const heddle_uplo both[] __attribute__((unused)) = { HEDDLE_LOWER, HEDDLE_UPPER };

#endif
