/* Band matrices with known singular values, and Hermitian ones with known eigenvalues, for the tests of the chase. */
#ifndef TESTS_BAND_PROBLEM_H
#define TESTS_BAND_PROBLEM_H

#include "tests/hermitian.h"

struct shape {
	int64_t n, kd, pad; /* pad: rows more than LAPACK storage needs */
};

static const struct shape shapes[] = {
	{ 1, 0, 0 }, { 1, 1, 1 }, { 1, 5, 0 }, { 2, 0, 0 }, { 2, 1, 0 }, { 2, 2, 0 }, { 3, 1, 0 }, { 3, 2, 2 },
	{ 3, 4, 0 }, { 4, 3, 0 }, { 7, 8, 0 }, { 8, 8, 0 }, { 9, 8, 3 }, { 20, 0, 0 }, { 20, 1, 0 }, { 21, 2, 0 },
	{ 22, 3, 1 }, { 40, 39, 0 }, { 41, 20, 0 }, { 60, 16, 0 }, { 64, 16, 0 }, { 65, 16, 0 }, { 66, 16, 0 },
	{ 97, 13, 0 }, { 130, 33, 0 }, { 150, 7, 5 }, { 200, 64, 0 },
};
enum { SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

/* A dense upper band matrix of a kind, and the same in LAPACK storage with NaN where nothing is to be read. */
static inline void make(enum kind kind, const struct shape *c, uint64_t seed, scalar *dense, scalar *ab)
{
	int64_t n = c->n, kd = c->kd, ldab = kd + 1 + c->pad;

	fill(kind, n, n, dense, n, seed);
	for (int64_t i = 0; i < ldab * n; i++)
		ab[i] = (scalar)NAN;
	for (int64_t j = 0; j < n; j++)
		for (int64_t i = 0; i < n; i++)
			if (i > j || j - i > kd)
				dense[i + j * n] = 0;
			else
				ab[kd + i - j + j * ldab] = dense[i + j * n];
}

/* A dense Hermitian band matrix of a kind, and a triangle of it in LAPACK storage with NaN where nothing is to be read, as in the
 * imaginary part of the diagonal. */
static inline void make_hermitian(enum kind kind, const struct shape *c, heddle_uplo uplo, uint64_t seed, scalar *dense, scalar *ab)
{
	int64_t n = c->n, kd = c->kd, ldab = kd + 1 + c->pad;

	fill(kind, n, n, dense, n, seed);
	for (int64_t i = 0; i < ldab * n; i++)
		ab[i] = not_a_number();
	for (int64_t j = 0; j < n; j++)
		for (int64_t i = j; i < n; i++) {
			scalar *lower = &dense[i + j * n], *upper = &dense[j + i * n];
			*lower = i - j > kd ? 0 : i == j ? real_part(*lower) : *lower;
			*upper = conjugate(*lower);
			if (i - j <= kd)
				*(uplo == HEDDLE_LOWER ? &ab[i - j + j * ldab] : &ab[kd + j - i + i * ldab]) = uplo == HEDDLE_LOWER ? *lower : *upper;
		}
	for (int64_t j = 0; j < n; j++) {
		scalar *diagonal = &ab[(uplo == HEDDLE_LOWER ? 0 : kd) + j * ldab];
		*diagonal = make_scalar(real_part(*diagonal), (real)NAN);
	}
}

/* The values of the bidiagonal, or of the tridiagonal if hermitian, by LAPACK; d and e are kept. */
static inline void values_of(bool hermitian, int64_t n, const real *d, const real *e, real *s)
{
	real *x = malloc((size_t)(2 * n) * sizeof(*x)), *work = malloc((size_t)(8 * n) * sizeof(*work)), none, largest = 0;
	int exponent;

	for (int64_t i = 0; i < n; i++)
		largest = (real)fmax((double)largest, fmax(fabs((double)d[i]), i < n - 1 ? (double)e[i] : 0));
	frexp((double)largest, &exponent); /* LAPACK's own scaling shall not matter */
	for (int64_t i = 0; i < n; i++) {
		s[i] = (real)ldexp((double)d[i], -exponent);
		x[i] = i < n - 1 ? (real)ldexp((double)e[i], -exponent) : 0;
	}
	if (hermitian)
		ck_assert_int_eq(REAL_LAPACK(sterf)((int)n, s, x), 0);
	else
		ck_assert_int_eq(REAL_LAPACK(bdsqr)(LAPACK_COL_MAJOR, 'U', (int)n, 0, 0, 0, s, x, &none, 1, &none, 1, &none, 1, work), 0);
	for (int64_t i = 0; i < n; i++)
		s[i] = (real)ldexp((double)s[i], exponent);
	free(x);
	free(work);
}

struct problem {
	struct shape shape;
	bool hermitian;
	scalar *dense, *ab;
	real *d, *e, *s, *wanted;
};

static inline struct problem problem_memory(struct shape c, bool hermitian)
{
	size_t n = (size_t)c.n, row = (n + 1) * sizeof(real);

	return (struct problem){ c, hermitian, malloc(n * n * sizeof(scalar)), malloc((size_t)(c.kd + 1 + c.pad) * n * sizeof(scalar)),
				 malloc(row), malloc(row), malloc(row), malloc(row) };
}

static inline struct problem problem(enum kind kind, struct shape c, uint64_t seed)
{
	struct problem p = problem_memory(c, false);

	make(kind, &c, seed, p.dense, p.ab);
	reference(c.n, c.n, p.dense, c.n, p.wanted);
	return p;
}

static inline struct problem hermitian_problem(enum kind kind, struct shape c, heddle_uplo uplo, uint64_t seed)
{
	struct problem p = problem_memory(c, true);

	make_hermitian(kind, &c, uplo, seed, p.dense, p.ab);
	eigenvalues(HEDDLE_LOWER, c.n, p.dense, c.n, p.wanted);
	return p;
}

static inline void check_values(const struct problem *p, const char *what)
{
	int64_t n = p->shape.n;

	values_of(p->hermitian, n, p->d, p->e, p->s);
	double error = p->hermitian ? eigen_error(n, p->s, p->wanted) : error_in_eps(n, p->s, p->wanted);
	ck_assert_msg(error <= bound_in_eps(n, n), "%s, n %d, kd %d: error %.1f eps*norm", what, (int)n, (int)p->shape.kd, error);
}

static inline void problem_free(struct problem *p)
{
	free(p->dense);
	free(p->ab);
	free(p->d);
	free(p->e);
	free(p->s);
	free(p->wanted);
}

#endif
