/* st_vals: every eigenvalue of a symmetric tridiagonal within a few eps times the norm, or to high relative accuracy where the entries
 * define it so; in order, for any selection and any tiles.
 *
 * The reference is a Sturm count in quadruple precision: a value w that should be the i-th smallest is right within r if fewer than i
 * values are below w - r and at least i below w + r. */
#include "tests/values_support.h"

/* In units of eps: single precision is computed in double and rounded once.  In double bisection stays below 2 eps, and sterf, which
 * small matrices and those that fall into small blocks go to, reaches 10. */
#define BOUND (sizeof(real) == sizeof(float) ? 0.6 : 4.0)
#define STERF_BOUND (sizeof(real) == sizeof(float) ? 0.6 : 16.0)
enum { STERF_ORDER = 24 };

enum matrix { ONE_TWO_ONE, CLEMENT, UNIFORM, CHI, WILKINSON, GLUED, GLUED_TIGHTLY, CONSTANT, CONSTANT_WEAK, DIAGONAL, HALF_ZERO, SOME_ZEROS,
	      LOW_RANK, SHIFTED, ANY_EXPONENT, HUGE_ENTRIES, TINY_ENTRIES, DENORMAL_ENTRIES, MATRICES };
static const char *const matrix_names[MATRICES] = { "1-2-1", "clement", "uniform", "chi", "wilkinson", "glued", "glued tightly", "constant",
						    "constant, weakly coupled", "diagonal", "half zero", "some zeros", "low rank",
						    "shifted", "any exponent", "huge", "tiny", "denormal" };
static const int64_t orders[] = { 1, 2, 3, 10, 24, 25, 32, 65, 100, 257 };
enum { ORDERS = sizeof(orders) / sizeof(orders[0]) };

static double entry(enum matrix kind, int64_t n, int64_t i, bool diagonal, uint64_t *state)
{
	double u = (double)random_real(state), range = sizeof(real) == sizeof(float) ? 37 : 307;

	switch (kind) {
	case ONE_TWO_ONE: return diagonal ? 2 : -1;
	case CLEMENT: return diagonal ? 0 : sqrt((double)((i + 1) * (n - 1 - i)));
	case UNIFORM: return u;
	case CHI: return diagonal ? u : sqrt((double)(n - i)) + u / 2;
	case WILKINSON: return diagonal ? fabs((double)i - (double)(n - 1) / 2) : 1;
	case GLUED: return diagonal ? fabs((double)(i % 21 - 10)) : i % 21 == 20 ? 1e-8 : 1;
	case GLUED_TIGHTLY: return diagonal ? fabs((double)(i % 21 - 10)) : i % 21 == 20 ? 1e-14 : 1;
	case CONSTANT: return diagonal ? 5 : 0;
	case CONSTANT_WEAK: return diagonal ? -5 : u * 1e-12;
	case DIAGONAL: return diagonal ? (double)(i * 7 % n) - (double)(n / 2) : 0;
	case HALF_ZERO: return i < n / 2 ? u : 0;
	case SOME_ZEROS: return fabs(u) < 0.2 ? 0 : u;
	case LOW_RANK: return i < n / 2 ? u : u * 1e-17;
	case SHIFTED: return diagonal ? 1e6 + u : u;
	case ANY_EXPONENT: return u * pow(10, range * (double)random_real(state) * 0.97);
	case HUGE_ENTRIES: return u * pow(10, range);
	case TINY_ENTRIES: return u * pow(10, -range);
	default: return ceil(u * 8) * DENORMAL;
	}
}

static void fill_tridiagonal(enum matrix kind, int64_t n, real *d, real *e, uint64_t seed)
{
	uint64_t state = seed;

	for (int64_t i = 0; i < n; i++) {
		d[i] = (real)entry(kind, n, i, true, &state);
		e[i] = (real)entry(kind, n, i, false, &state); /* the last one must not be read */
	}
	e[n - 1] = NAN;
}

/* Eigenvalues below x. */
static int64_t count_below(int64_t n, const real *d, const real *e, quad x)
{
	int64_t negative = 0; /* pivots */
	quad pivot = 1;

	for (int64_t i = 0; i < n; i++) {
		quad b = i > 0 ? e[i - 1] : 0;
		pivot = (quad)d[i] - x - b / pivot * b;
		if (pivot == 0)
			pivot = (quad)1e-2000L;
		negative += pivot < 0;
	}
	return negative;
}

/* All n values within `absolute`, or `relative` times their size, in order; what is below the smallest normal number may be off by
 * two units. */
static void check_values(const char *name, int64_t n, const real *d, const real *e, const real *w, double absolute, double relative)
{
	for (int64_t i = 1; i <= n; i++) {
		quad x = w[i - 1], slack = (quad)absolute + (quad)relative * (x < 0 ? -x : x) + 2 * (quad)DENORMAL;
		ck_assert_msg(i == 1 || w[i - 1] >= w[i - 2], "%s, n = %d: value %d is smaller than the one before", name, (int)n, (int)i);
		ck_assert_msg(count_below(n, d, e, x - slack) < i && count_below(n, d, e, x + slack) >= i,
			      "%s, n = %d: value %d = %.17g is not within %g and %g", name, (int)n, (int)i, (double)w[i - 1],
			      absolute, relative);
	}
}

static double norm_of(int64_t n, const real *w)
{
	return fmax(fabs((double)w[0]), fabs((double)w[n - 1]));
}

START_TEST(values_are_right)
{
	enum matrix kind = (enum matrix)(_i / ORDERS);
	int64_t n = orders[_i % ORDERS];
	real *d = reals(n), *e = reals(n), *w = reals(n);

	for (uint64_t seed = 1; seed <= 2; seed++) {
		fill_tridiagonal(kind, n, d, e, seed);
		ck_assert_int_eq(API(st_vals)(n, d, e, w), 0);
		bool small = n <= STERF_ORDER || kind == SOME_ZEROS || kind == GLUED_TIGHTLY;
		check_values(matrix_names[kind], n, d, e, w, (small ? STERF_BOUND : BOUND) * REAL_EPS * norm_of(n, w), 0);
	}
	free(d);
	free(e);
	free(w);
}
END_TEST

/* 1-2-1: 2 - 2 cos(i pi / (n + 1)), to high relative accuracy, beside a rounding of 2.  Clement: -(n-1), -(n-3) .. n-1. */
START_TEST(closed_forms_are_met)
{
	int64_t n = orders[_i];
	real *d = reals(n), *e = reals(n), *w = reals(n);

	fill_tridiagonal(ONE_TWO_ONE, n, d, e, 1);
	ck_assert_int_eq(API(st_vals)(n, d, e, w), 0);
	for (int64_t i = 1; i <= n; i++) {
		double half = sin((double)i * acos(-1.0) / (double)(2 * n + 2)), exact = 4 * half * half;
		ck_assert_double_le(fabs((double)w[i - 1] - exact), 20 * REAL_EPS);
	}
	fill_tridiagonal(CLEMENT, n, d, e, 1);
	ck_assert_int_eq(API(st_vals)(n, d, e, w), 0);
	for (int64_t i = 0; i < n; i++)
		ck_assert_double_le(fabs((double)w[i] - (double)(2 * i - n + 1)), 8 * REAL_EPS * (double)n);
	fill_tridiagonal(DIAGONAL, n, d, e, 1);
	ck_assert_int_eq(API(st_vals)(n, d, e, w), 0);
	for (int64_t i = 0; i < n; i++)
		ck_assert(w[i] == (real)(i - n / 2));
	free(d);
	free(e);
	free(w);
}
END_TEST

/* n = 500 as a graph, against LAPACK's bisection in double as well. */
START_TEST(large_matrix_is_right)
{
	enum { N = 500 };
	enum matrix kind = (enum matrix)_i;
	real *d = reals(N), *e = reals(N), *w = reals(N);
	double *x = malloc(3 * N * sizeof(double));
	int *work = malloc(2 * N * sizeof(int)), m, splits;

	fill_tridiagonal(kind, N, d, e, 5);
	ck_assert_int_eq(API(st_vals)(N, d, e, w), 0);
	for (int64_t i = 0; i < N; i++) {
		x[i] = (double)d[i];
		x[N + i] = i < N - 1 ? (double)e[i] : 0;
	}
	ck_assert_int_eq(LAPACKE_dstebz('A', 'E', N, 0, 0, 0, 0, 0, x, x + N, &m, &splits, x + 2 * N, work, work + N), 0);
	double bound = (8 * DBL_EPSILON + REAL_EPS) * norm_of(N, w);
	for (int64_t i = 0; i < N; i++)
		ck_assert_msg(fabs((double)w[i] - x[2 * N + i]) <= bound, "%s: value %d is %.17g, LAPACK's %.17g", matrix_names[kind],
			      (int)i, (double)w[i], x[2 * N + i]);
	free(d);
	free(e);
	free(w);
	free(x);
	free(work);
}
END_TEST

/* Matrices whose entries define all values to high relative accuracy: scaled diagonally dominant ones, definite or not, with values from
 * 1 down to a range's end, in this order or the reverse; and a random zero diagonal. */
enum graded { DEFINITE, INDEFINITE, REVERSED, ZERO_DIAGONAL, WELL_DEFINED };

static void fill_graded(enum graded kind, int64_t n, double range, real *d, real *e)
{
	uint64_t state = 3;

	for (int64_t i = 0; i < n; i++) {
		int64_t at = kind == REVERSED ? n - 1 - i : i, next = kind == REVERSED ? at - 1 : at + 1;
		double here = pow(10, -range * (double)at / (double)n), there = pow(10, -range * (double)next / (double)n);
		double u = (double)random_real(&state), sign = kind == DEFINITE || u > 0 ? 1 : -1;
		d[i] = (real)(kind == ZERO_DIAGONAL ? 0 : sign * here);
		e[i] = (real)((kind == ZERO_DIAGONAL ? 1 : 0.3) * (double)random_real(&state) * sqrt(here * there));
	}
	e[n - 1] = NAN;
}

START_TEST(small_values_keep_their_digits)
{
	static const double ranges[] = { 0, 5, 20, 36, 100, 290 };
	enum { RANGES = sizeof(ranges) / sizeof(ranges[0]) };
	enum graded kind = (enum graded)(_i / ORDERS);
	int64_t n = orders[_i % ORDERS];
	real *d = reals(n), *e = reals(n), *w = reals(n);

	for (int r = 0; r < (sizeof(real) == sizeof(float) ? 4 : RANGES); r++) {
		fill_graded(kind, n, ranges[r], d, e);
		ck_assert_int_eq(API(st_vals)(n, d, e, w), 0);
		bool sterf = ranges[r] == 0 && n <= STERF_ORDER;
		check_values("graded", n, d, e, w, 0, (sterf ? 2 * STERF_BOUND : 2 * BOUND) * REAL_EPS);
	}
	free(d);
	free(e);
	free(w);
}
END_TEST

/* Values of the matrix of order 2n with zero diagonal and d(1), e(1), d(2), .. beside it are the singular values of the bidiagonal, and
 * their negatives. */
START_TEST(golub_kahan_form_has_singular_values)
{
	static const double ranges[] = { 0, 10, 36, 200 };
	int64_t n = orders[_i % ORDERS];
	real *d = reals(n), *e = reals(n), *s = reals(n), *w = reals(2 * n), *diagonal = reals(2 * n), *beside = reals(2 * n);

	for (int r = 0; r < (sizeof(real) == sizeof(float) ? 3 : 4); r++) {
		fill_graded(INDEFINITE, n, ranges[r], d, e);
		for (int64_t i = 0; i < 2 * n; i++) {
			diagonal[i] = 0;
			beside[i] = i % 2 == 0 ? d[i / 2] : e[i / 2];
		}
		ck_assert_int_eq(API(bd_vals)(n, d, e, s), 0);
		ck_assert_int_eq(API(st_vals)(2 * n, diagonal, beside, w), 0);
		for (int64_t i = 0; i < n; i++) {
			double bound = 36 * REAL_EPS * (double)s[i] + 2 * DENORMAL;
			for (int sign = -1; sign <= 1; sign += 2) {
				double x = sign * (double)w[sign < 0 ? i : 2 * n - 1 - i];
				ck_assert_msg(fabs(x - (double)s[i]) <= bound, "n = %d, value %d is %.17g, not %.17g", (int)n, (int)i, x,
					      (double)s[i]);
			}
		}
	}
	free(d);
	free(e);
	free(s);
	free(w);
	free(diagonal);
	free(beside);
}
END_TEST

/* The signs of e do not matter; of -T the values are the negatives in reverse. */
START_TEST(signs_do_what_they_should)
{
	int64_t n = _i % 2 ? 257 : 20;
	real *d = reals(n), *e = reals(n), *w = reals(n), *x = reals(n);

	for (int kind = 0; kind < MATRICES; kind++) {
		fill_tridiagonal((enum matrix)kind, n, d, e, 8);
		ck_assert_int_eq(API(st_vals)(n, d, e, w), 0);
		for (int64_t i = 0; i < n; i++)
			e[i] = i % 3 == 0 ? -e[i] : e[i];
		ck_assert_int_eq(API(st_vals)(n, d, e, x), 0);
		ck_assert_msg(memcmp(w, x, (size_t)n * sizeof(real)) == 0, "%s", matrix_names[kind]);
		for (int64_t i = 0; i < n; i++)
			d[i] = -d[i];
		ck_assert_int_eq(API(st_vals)(n, d, e, x), 0);
		for (int64_t i = 0; i < n; i++)
			ck_assert_msg(fabs((double)w[i] + (double)x[n - 1 - i])
					      <= 2 * STERF_BOUND * REAL_EPS * norm_of(n, w) + 2 * DENORMAL,
				      "%s, value %d: %.17g and %.17g", matrix_names[kind], (int)i, (double)w[i], (double)x[n - 1 - i]);
	}
	free(d);
	free(e);
	free(w);
	free(x);
}
END_TEST

START_TEST(same_bits_however_computed)
{
	int64_t n = orders[_i];
	real *d = reals(n), *e = reals(n);

	for (int kind = 0; kind < MATRICES; kind++) {
		fill_tridiagonal((enum matrix)kind, n, d, e, 3);
		check_same_bits(&st_forms, matrix_names[kind], n, d, e);
	}
	free(d);
	free(e);
}
END_TEST

START_TEST(same_bits_on_every_run)
{
	int64_t n = 900;
	real *d = reals(n), *e = reals(n);

	fill_tridiagonal(_i ? SOME_ZEROS : CHI, n, d, e, 4);
	check_same_bits_on_every_run(&st_forms, n, d, e);
	free(d);
	free(e);
}
END_TEST

START_TEST(two_sequences_at_once)
{
	int64_t n[2] = { 700, 500 }, found[2];
	real *d[2], *e[2], *w[2], *x[2];
	struct graph g[2];

	for (int k = 0; k < 2; k++) {
		d[k] = reals(n[k]);
		e[k] = reals(n[k]);
		w[k] = reals(n[k]);
		x[k] = reals(n[k]);
		fill_tridiagonal(UNIFORM, n[k], d[k], e[k], (uint64_t)k);
		ck_assert_int_eq(API(st_vals)(n[k], d[k], e[k], w[k]), 0);
	}
	for (int k = 0; k < 2; k++)
		g[k] = graph_begin(&st_forms, n[k], d[k], e[k], NULL, n[k], x[k], &found[k], 64);
	for (int k = 0; k < 2; k++) {
		graph_end(g[k], 0);
		ck_assert(found[k] == n[k] && memcmp(w[k], x[k], (size_t)n[k] * sizeof(real)) == 0);
		free(d[k]);
		free(e[k]);
		free(w[k]);
		free(x[k]);
	}
}
END_TEST

START_TEST(selections_by_index)
{
	int64_t n = _i;
	real *d = reals(n), *e = reals(n);

	fill_tridiagonal(CHI, n, d, e, 6);
	check_selections_by_index(&st_forms, n, d, e);
	free(d);
	free(e);
}
END_TEST

START_TEST(selections_by_value)
{
	int64_t n = _i % 2 ? 70 : 9;
	real *d = reals(n), *e = reals(n);

	fill_tridiagonal((enum matrix)(_i / 2), n, d, e, 7);
	check_selections_by_value(&st_forms, n, d, e);
	free(d);
	free(e);
}
END_TEST

static Suite *st_vals_suite(void)
{
	Suite *suite = suite_create(TRACE_NAME("st_vals"));
	TCase *t = tcase_create("values"), *u = tcase_create("forms");

	tcase_set_timeout(t, 0);
	tcase_add_loop_test(t, values_are_right, 0, MATRICES * ORDERS);
	tcase_add_loop_test(t, closed_forms_are_met, 0, ORDERS);
	tcase_add_loop_test(t, large_matrix_is_right, 0, SHIFTED + 1);
	tcase_add_loop_test(t, small_values_keep_their_digits, 0, WELL_DEFINED * ORDERS);
	tcase_add_loop_test(t, golub_kahan_form_has_singular_values, 0, ORDERS);
	tcase_add_loop_test(t, signs_do_what_they_should, 0, 2);
	suite_add_tcase(suite, t);
	tcase_set_timeout(u, 0);
	tcase_add_loop_test(u, same_bits_however_computed, 0, ORDERS);
	tcase_add_loop_test(u, same_bits_on_every_run, 0, 2);
	tcase_add_test(u, two_sequences_at_once);
	tcase_add_loop_test(u, selections_by_index, 1, 12);
	tcase_add_loop_test(u, selections_by_index, 99, 101);
	tcase_add_loop_test(u, selections_by_value, 0, 2 * MATRICES);
	suite_add_tcase(suite, u);
	return suite;
}

int main(void)
{
	return run_suite(st_vals_suite());
}
