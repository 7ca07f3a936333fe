/* bd_vals: every singular value of a bidiagonal to high relative accuracy, in order, for any range of entries, any selection
 * and any tiles.
 *
 * The reference is a Sturm count in quadruple precision, on the matrix of order 2n with zero diagonal: a value s that should be
 * the i-th smallest is right within r if fewer than i values are below s (1 - r) and at least i below s (1 + r). */
#include "tests/values_support.h"

/* Single precision is computed in double and rounded once.  In double bisection stays below 3 eps; 32 leave room for dqds, which
 * small matrices and those that fall into blocks go to. */
#define BOUND (sizeof(real) == sizeof(float) ? 0.6 : 32.0)

enum matrix { ONES, CHI, UNIFORM, SLOPE, DIAGONAL, GLUED, WILKINSON, SOME_ZEROS, STEEP_GRADED, ANY_EXPONENT, TINY_VALUES,
	      HUGE_ENTRIES, TINY_ENTRIES, MATRICES };
static const char *const matrix_names[MATRICES] = { "ones", "chi", "uniform", "slope", "diagonal", "glued", "wilkinson",
						    "some zeros", "steeply graded", "any exponent", "tiny values",
						    "huge entries", "tiny entries" };
static const int64_t orders[] = { 1, 2, 3, 10, 31, 32, 33, 64, 65, 100, 257 };
enum { ORDERS = sizeof(orders) / sizeof(orders[0]) };

static double entry(enum matrix kind, int64_t n, int64_t i, bool diagonal, uint64_t *state)
{
	double u = (double)random_real(state), x = (double)i / (double)n, range = sizeof(real) == sizeof(float) ? 37 : 300;

	switch (kind) {
	case ONES: return 1;
	case CHI: return sqrt(fabs((double)(n - i) + u * 2) / (double)n);
	case UNIFORM: return u;
	case SLOPE: return pow(10, -10 * x) * (diagonal ? 1 : u / 3);
	case DIAGONAL: return diagonal ? (double)(i * 7 % n + 1) / 1024 : 0;
	case GLUED: return diagonal ? fabs((double)(i % 21 - 10)) + 1e-3 : i % 21 == 20 ? 1e-9 : 1;
	case WILKINSON: return diagonal ? fabs(x - 0.5) + 1e-6 : 1 / (double)n;
	case SOME_ZEROS: return fabs(u) < 0.1 ? 0 : u;
	case STEEP_GRADED: return pow(10, -range * x) * (diagonal ? 1 : u);
	case ANY_EXPONENT: return pow(10, range * u);
	case TINY_VALUES: return diagonal ? 1 : 4;
	case HUGE_ENTRIES: return u * pow(10, range);
	default: return u * pow(10, -range);
	}
}

static void fill_bidiagonal(enum matrix kind, int64_t n, real *d, real *e, uint64_t seed)
{
	uint64_t state = seed;

	for (int64_t i = 0; i < n; i++) {
		d[i] = (real)entry(kind, n, i, true, &state);
		e[i] = (real)entry(kind, n, i, false, &state); /* the last one must not be read */
	}
	e[n - 1] = NAN;
}

/* Singular values below x > 0. */
static int64_t count_below(int64_t n, const real *d, const real *e, quad x)
{
	int64_t negative = 1; /* pivots */
	quad pivot = -x;

	for (int64_t i = 0; i < 2 * n - 1; i++) {
		quad b = i % 2 == 0 ? d[i / 2] : e[i / 2];
		pivot = -x - (pivot == 0 ? (b == 0 ? 0 : (quad)-1e4000L * b * b) : b * b / pivot);
		negative += pivot < 0;
	}
	return negative - n;
}

static int64_t zeros_of(int64_t n, const real *d, const real *e)
{
	return count_below(n, d, e, (quad)1e-2000L);
}

/* All n values within bound * eps, in order, zeros exact; what is below the smallest normal number may be off by two units. */
static void check_values(const char *name, int64_t n, const real *d, const real *e, const real *s, double bound)
{
	int64_t zeros = zeros_of(n, d, e);

	for (int64_t j = 0; j < n; j++) {
		int64_t i = n - j;
		quad x = s[j], slack = x * (quad)(bound * REAL_EPS) + 2 * (quad)DENORMAL;
		ck_assert_msg(j == 0 || s[j] <= s[j - 1], "%s, n = %d: value %d is larger than the one before", name, (int)n, (int)j);
		if (i <= zeros) {
			ck_assert_msg(s[j] == 0 && !signbit(s[j]), "%s, n = %d: value %d is %g, not 0", name, (int)n, (int)j, (double)s[j]);
			continue;
		}
		ck_assert_msg(s[j] >= 0 && (x <= slack || count_below(n, d, e, x - slack) < i) && count_below(n, d, e, x + slack) >= i,
			      "%s, n = %d: value %d = %.17g is not within %g eps", name, (int)n, (int)j, (double)s[j], bound);
	}
}

START_TEST(values_have_high_relative_accuracy)
{
	enum matrix kind = (enum matrix)(_i / ORDERS);
	int64_t n = orders[_i % ORDERS];
	real *d = reals(n), *e = reals(n), *s = reals(n);

	for (uint64_t seed = 1; seed <= 2; seed++) {
		fill_bidiagonal(kind, n, d, e, seed);
		ck_assert_int_eq(API(bd_vals)(n, d, e, s), 0);
		check_values(matrix_names[kind], n, d, e, s, BOUND);
	}
	free(d);
	free(e);
	free(s);
}
END_TEST

/* d = e = 1: the values are 2 sin((2k - 1) pi / (4n + 2)). */
START_TEST(closed_form_is_met)
{
	int64_t n = orders[_i];
	real *d = reals(n), *e = reals(n), *s = reals(n);

	fill_bidiagonal(ONES, n, d, e, 1);
	ck_assert_int_eq(API(bd_vals)(n, d, e, s), 0);
	for (int64_t k = 1; k <= n; k++) {
		double exact = 2 * sin((double)(2 * k - 1) * acos(-1.0) / (double)(4 * n + 2));
		ck_assert_double_le(fabs((double)s[n - k] - exact), 20 * REAL_EPS * exact);
	}
	free(d);
	free(e);
	free(s);
}
END_TEST

/* n = 1000 as a graph, in double against LAPACK (whose error grows with n) as well. */
START_TEST(large_matrix_is_right)
{
	int64_t n = 1000;
	enum matrix kind = (enum matrix)_i;
	real *d = reals(n), *e = reals(n), *s = reals(n);
	double *x = malloc(6 * 1000 * sizeof(double)), none;

	fill_bidiagonal(kind, n, d, e, 5);
	ck_assert_int_eq(API(bd_vals)(n, d, e, s), 0);
	for (int64_t i = 0; i < n; i++) {
		x[i] = (double)d[i];
		x[n + i] = i < n - 1 ? (double)e[i] : 0;
	}
	int info = LAPACKE_dbdsqr_work(LAPACK_COL_MAJOR, 'U', (int)n, 0, 0, 0, x, x + n, &none, 1, &none, 1, &none, 1, x + 2 * n);
	ck_assert_int_eq(info, 0);
	for (int64_t i = 0; i < n; i++)
		ck_assert_msg(fabs((double)s[i] - x[i]) <= (200 * DBL_EPSILON + REAL_EPS) * x[i] + 2 * DENORMAL,
			      "%s: value %d is %.17g, LAPACK's %.17g", matrix_names[kind], (int)i, (double)s[i], x[i]);
	if (kind == CHI)
		check_values("chi", n, d, e, s, BOUND);
	free(d);
	free(e);
	free(s);
	free(x);
}
END_TEST

START_TEST(same_bits_however_computed)
{
	int64_t n = orders[_i];
	real *d = reals(n), *e = reals(n);

	for (int kind = 0; kind < MATRICES; kind++) {
		fill_bidiagonal((enum matrix)kind, n, d, e, 3);
		check_same_bits(&bd_forms, matrix_names[kind], n, d, e);
	}
	free(d);
	free(e);
}
END_TEST

START_TEST(same_bits_on_every_run)
{
	int64_t n = 900;
	real *d = reals(n), *e = reals(n);

	fill_bidiagonal(CHI, n, d, e, 4);
	check_same_bits_on_every_run(&bd_forms, n, d, e);
	free(d);
	free(e);
}
END_TEST

START_TEST(selections_by_index)
{
	int64_t n = _i;
	real *d = reals(n), *e = reals(n);

	fill_bidiagonal(CHI, n, d, e, 6);
	check_selections_by_index(&bd_forms, n, d, e);
	free(d);
	free(e);
}
END_TEST

START_TEST(selections_by_value)
{
	int64_t n = _i % 2 ? 70 : 9;
	real *d = reals(n), *e = reals(n);

	fill_bidiagonal((enum matrix)(_i / 2), n, d, e, 7);
	check_selections_by_value(&bd_forms, n, d, e);
	free(d);
	free(e);
}
END_TEST

static Suite *bd_vals_suite(void)
{
	Suite *suite = suite_create(TRACE_NAME("bd_vals"));
	TCase *t = tcase_create("values"), *u = tcase_create("selections");

	tcase_set_timeout(t, 0);
	tcase_add_loop_test(t, values_have_high_relative_accuracy, 0, MATRICES * ORDERS);
	tcase_add_loop_test(t, closed_form_is_met, 0, ORDERS);
	tcase_add_loop_test(t, large_matrix_is_right, 0, SOME_ZEROS + 1);
	tcase_add_loop_test(t, same_bits_however_computed, 0, ORDERS);
	tcase_add_test(t, same_bits_on_every_run);
	suite_add_tcase(suite, t);
	tcase_set_timeout(u, 0);
	tcase_add_loop_test(u, selections_by_index, 1, 12);
	tcase_add_loop_test(u, selections_by_index, 99, 101);
	tcase_add_loop_test(u, selections_by_value, 0, 2 * MATRICES);
	suite_add_tcase(suite, u);
	return suite;
}

int main(void)
{
	return run_suite(bd_vals_suite());
}
