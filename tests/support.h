/* What tests of numerical routines share: matrices to try, reference values, and the main function. */
#ifndef TESTS_SUPPORT_H
#define TESTS_SUPPORT_H

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <heddle/heddle.h>
#include "codelets/host/blas.h"
#include "codelets/host/reflector.h"
#include "runtime/prec.h"
#include "tests/suite.h"

/* The same random numbers everywhere, in (-1, 1). */
static inline real random_real(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15u);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	z ^= z >> 31;
	return (real)((double)(z >> 11) * 0x1p-52 - 1);
}

static inline scalar random_scalar(uint64_t *state)
{
#if IS_COMPLEX
	real re = random_real(state);
	return __builtin_complex(re, random_real(state));
#else
	return random_real(state);
#endif
}

/* Kinds of matrix every routine is tried on. */
enum kind { RANDOM, ZERO, IDENTITY, RANK_ONE, GRADED, REPEATED, HUGE_NORM, TINY_NORM, KINDS };
static const char *const kind_names[KINDS] __attribute__((unused)) = { "random", "zero", "identity", "rank one", "graded", "repeated", "huge", "tiny" };

/* An m by n matrix of a kind in a (lda >= m; the rest of each column is filled with a mark). */
static inline void fill(enum kind kind, int64_t m, int64_t n, scalar *a, int64_t lda, uint64_t seed)
{
	uint64_t state = seed * 1000 + (uint64_t)kind;
	real huge = sizeof(real) == sizeof(float) ? (real)1e38 : (real)1e300, size = kind == HUGE_NORM ? huge / 64 : kind == TINY_NORM ? 1 / huge : 1;

	for (int64_t j = 0; j < n; j++)
		for (int64_t i = 0; i < lda; i++) {
			scalar x = random_scalar(&state) * size;
			if (kind == ZERO)
				x = 0;
			else if (kind == IDENTITY)
				x = i == j;
			else if (kind == RANK_ONE)
				x = (real)(i % 7 - 3) * (real)(j % 5 + 1);
			else if (kind == GRADED)
				x *= (real)pow(2, -(double)((i + j) % 40) / 2);
			else if (kind == REPEATED)
				x = i == j ? 3 : i == j + 1 && j % 2 == 0 ? 0 : i + j == n - 1 ? 1 : 0;
			a[i + j * lda] = i < m ? x : (scalar)77;
		}
}

/* Singular values by LAPACK, largest first, of a copy; the copy is scaled so that LAPACK's own scaling does not matter. */
static inline void reference(int64_t m, int64_t n, const scalar *a, int64_t lda, real *s)
{
	int64_t k = m < n ? m : n;
	real largest = 0;
	scalar *x = malloc((size_t)(m * n + 1024) * sizeof(*x)), none; /* a BLAS is known that reads past the end */
	real *superb = malloc((size_t)(k + 1) * sizeof(*superb));
	int exponent;

	for (int64_t j = 0; j < n; j++)
		for (int64_t i = 0; i < m; i++) {
			real size = (real)fmax(fabs((double)__real__ a[i + j * lda]), fabs((double)__imag__ a[i + j * lda]));
			largest = size > largest ? size : largest;
		}
	frexp((double)largest, &exponent);
	for (int64_t j = 0; j < n; j++)
		for (int64_t i = 0; i < m; i++)
			x[i + j * m] = largest == 0 ? 0 : a[i + j * lda] * (real)ldexp(1, -exponent / 2) * (real)ldexp(1, -(exponent - exponent / 2));
	if (k > 0)
		ck_assert_int_eq(PREC_CAT(LAPACKE_, PREC_CAT(PREC_LETTER, gesvd))(LAPACK_COL_MAJOR, 'N', 'N', (int)m, (int)n, x, (int)m, s, &none, 1, &none, 1, superb), 0);
	for (int64_t i = 0; i < k; i++)
		s[i] *= (real)ldexp(1, exponent / 2) * (real)ldexp(1, exponent - exponent / 2);
	free(x);
	free(superb);
}

/* The largest difference of two lists of k values in units of eps * the largest reference value. */
static inline double error_in_eps(int64_t k, const real *s, const real *reference_values)
{
	double worst = 0, norm = k > 0 ? (double)reference_values[0] : 0;

	for (int64_t i = 0; i < k; i++) {
		double difference = fabs((double)s[i] - (double)reference_values[i]);
		if (!(difference <= worst)) /* a NaN stays */
			worst = difference;
	}
	return worst == 0 ? 0 : worst / norm / REAL_EPS;
}

/* Errors of Householder reductions grow like a small multiple of sqrt(n); this is generous for tests of up to a few hundred. */
static inline double bound_in_eps(int64_t m, int64_t n)
{
	return 4 * sqrt((double)(m + n)) + 10;
}

/* Run a suite with Heddle started. */
static inline int run_suite(Suite *suite)
{
	if (heddle_start(NULL) != 0)
		return EXIT_FAILURE;
	int status = run_here(suite);
	heddle_stop();
	return status;
}

#endif
