/* The one-stage reductions of small matrices on the device: the values of the two diagonals are those that LAPACK finds for the dense matrix,
 * in every type, for tall and square matrices of every kind, either triangle, any order of threads. */
#include "tests/device_support.h"
#include "tests/hermitian.h"
#include "codelets/device/small.h"

/* Of the error in eps times the norm. */
static double bound(int64_t m, int64_t n) { return m + n <= 128 ? 30 : bound_in_eps(m, n); }

struct reduced {
	real *d, *e, scale[2];
	int verdict;
};

static struct reduced take(int64_t n, real *d, real *e, real *scale, int *verdict)
{
	struct reduced r = { malloc((size_t)(n + 1) * sizeof(real)), malloc((size_t)(n + 1) * sizeof(real)), { 0, 0 }, 0 };

	device_finish();
	device_take(r.d, d, (size_t)n * sizeof(real));
	device_take(r.e, e, (size_t)(n - 1) * sizeof(real));
	device_take(r.scale, scale, sizeof(r.scale));
	device_take(&r.verdict, verdict, sizeof(r.verdict));
	return r;
}

static struct reduced bidiagonal(int64_t m, int64_t n, const scalar *a, int64_t lda)
{
	int none = 0;
	scalar *there = device_copy(a, (size_t)(lda * (n - 1) + m) * sizeof(*a), "a");
	real *d = device_new((size_t)n * sizeof(real), "d"), *e = device_new((size_t)(n - 1) * sizeof(real), "e");
	real *scale = device_new(2 * sizeof(real), "scale");
	void *work = device_new(NAME(gpu_gebrd_small_work)(m, n), "work");
	int *verdict = device_copy(&none, sizeof(none), "verdict");

	NAME(gpu_gebrd_small)(NULL, m, n, there, lda, d, e, scale, work, verdict);
	struct reduced r = take(n, d, e, scale, verdict);
	device_free(there);
	device_free(work);
	return r;
}

static struct reduced tridiagonal(heddle_uplo uplo, int64_t n, const scalar *a, int64_t lda)
{
	int none = 0;
	scalar *there = device_copy(a, (size_t)(lda * (n - 1) + n) * sizeof(*a), "a");
	real *d = device_new((size_t)n * sizeof(real), "d"), *e = device_new((size_t)(n - 1) * sizeof(real), "e");
	real *scale = device_new(2 * sizeof(real), "scale");
	void *work = device_new(NAME(gpu_hetrd_small_work)(n), "work");
	int *verdict = device_copy(&none, sizeof(none), "verdict");

	NAME(gpu_hetrd_small)(NULL, uplo, n, there, lda, d, e, scale, work, verdict);
	struct reduced r = take(n, d, e, scale, verdict);
	device_free(there);
	device_free(work);
	return r;
}

/* The values by LAPACK, times the scale, in place of d. */
static void find_values(struct reduced *r, bool singular, int64_t n)
{
	real none, *work = malloc((size_t)(4 * n) * sizeof(*work));
	int info = singular ? REAL_LAPACK(bdsqr)(LAPACK_COL_MAJOR, 'U', (int)n, 0, 0, 0, r->d, r->e, &none, 1, &none, 1, &none, 1, work) :
			      REAL_LAPACK(sterf)((int)n, r->d, r->e);

	ck_assert_int_eq(r->verdict, 0);
	ck_assert_int_eq(info, 0);
	for (int64_t i = 0; i < n; i++)
		r->d[i] *= r->scale[1];
	free(work);
}

static void reduced_free(struct reduced *r)
{
	free(r->d);
	free(r->e);
}

static void check_bidiagonal(enum kind kind, int64_t m, int64_t n)
{
	int64_t lda = m + n % 3;
	scalar *a = malloc((size_t)(lda * n) * sizeof(*a));
	real *s = malloc((size_t)n * sizeof(*s));

	fill(kind, m, n, a, lda, (uint64_t)(m + n));
	reference(m, n, a, lda, s);
	struct reduced r = bidiagonal(m, n, a, lda);
	for (int64_t i = 0; i < n; i++)
		ck_assert(r.d[i] >= 0 && (i == n - 1 || r.e[i] >= 0));
	find_values(&r, true, n);
	double error = error_in_eps(n, r.d, s);
	ck_assert_msg(error <= bound(m, n), "%s, %d by %d: %g eps", kind_names[kind], (int)m, (int)n, error);
	reduced_free(&r);
	free(a);
	free(s);
}

static void check_tridiagonal(enum kind kind, heddle_uplo uplo, int64_t n)
{
	int64_t lda = n + n % 3;
	scalar *a = malloc((size_t)(lda * n) * sizeof(*a));
	real *w = malloc((size_t)n * sizeof(*w));

	fill_hermitian(kind, uplo, n, a, lda, (uint64_t)n);
	eigenvalues(uplo, n, a, lda, w);
	struct reduced r = tridiagonal(uplo, n, a, lda);
	find_values(&r, false, n);
	double norm = fmax(fabs((double)w[0]), fabs((double)w[n - 1]));
	for (int64_t i = 0; i < n; i++)
		ck_assert_msg(fabs((double)(r.d[i] - w[i])) <= bound(n, n) * REAL_EPS * norm, "%s, n = %d: value %d is %.17g, not %.17g",
			      kind_names[kind], (int)n, (int)i, (double)r.d[i], (double)w[i]);
	reduced_free(&r);
	free(a);
	free(w);
}

/* Orders to 64, each of a kind, in an order of threads. */
START_TEST(all_small_orders)
{
	device_order(_i % ORDERS, _i % 3);
	for (int64_t n = 1; n <= 64; n += device_slow() ? (n < 3 ? 1 : 15) : n < 6 ? 1 : 9 + _i) {
		enum kind kind = (enum kind)((n + _i) % KINDS);
		check_bidiagonal(kind, n, n);
		check_tridiagonal(kind, n % 2 ? HEDDLE_LOWER : HEDDLE_UPPER, n);
	}
	device_order(ORDER_FORWARD, 0);
}
END_TEST

START_TEST(tall_matrices)
{
	static const int64_t shapes[][2] = { { 2, 1 }, { 500, 1 }, { 33, 2 }, { 65, 7 }, { 100, 31 }, { 400, 33 }, { 70, 40 } };
	static const int64_t rows_when_slow = 100;

	device_order(_i % ORDERS, (_i + 1) % 3);
	for (int k = 0; k < (int)(sizeof(shapes) / sizeof(shapes[0])); k++)
		if ((k + _i) % 3 == 0 && (!device_slow() || shapes[k][0] < rows_when_slow))
			check_bidiagonal((enum kind)_i, shapes[k][0], shapes[k][1]);
	device_order(ORDER_FORWARD, 0);
}
END_TEST

/* So large that a step is a launch of several blocks. */
START_TEST(many_blocks)
{
	int64_t n = device_slow() ? 98 : _i == 2 ? 160 : 97 + 20 * (_i % 2);

	device_order(_i % ORDERS, _i % 3);
	if (_i % 2 == 0 || !device_slow())
		check_bidiagonal(_i % 2 ? GRADED : RANDOM, n + 10 * (_i % 2), n);
	if (_i % 2 == 1 || !device_slow())
		check_tridiagonal(_i % 2 ? RANDOM : GRADED, _i % 2 ? HEDDLE_UPPER : HEDDLE_LOWER, n);
	device_order(ORDER_FORWARD, 0);
}
END_TEST

/* Entries whose squares underflow beside others, in either half of a column. */
START_TEST(tiny_entries_beside_others)
{
	int64_t n = 12;
	scalar a[12 * 12];
	real s[12], tiny = sizeof(real) == sizeof(float) ? (real)1e-20 : (real)1e-160;

	for (int64_t j = 0; j < n; j++)
		for (int64_t i = 0; i < n; i++)
			a[i + j * n] = ((i + j) % 3 == _i || (_i == 2 && i > j) ? 1 : tiny) * (real)(1 + (3 * i + 5 * j) % 7) / 8;
	reference(n, n, a, n, s);
	struct reduced r = bidiagonal(n, n, a, n);
	find_values(&r, true, n);
	ck_assert_double_le(error_in_eps(n, r.d, s), 30);
	reduced_free(&r);
}
END_TEST

START_TEST(not_finite_is_a_verdict)
{
	static const double bad[] = { NAN, INFINITY, -INFINITY };
	int64_t n = 20;
	scalar a[20 * 20];

	for (int k = 0; k < 6; k++) {
		fill(RANDOM, n, n, a, n, 4);
		a[7 + 3 * n] = make_scalar(k < 3 ? (real)bad[k % 3] : 1, IS_COMPLEX && k >= 3 ? (real)bad[k % 3] : k < 3 ? 0 : (real)bad[k % 3]);
		bool there = k < 3 || IS_COMPLEX;
		struct reduced r = bidiagonal(n, n, a, n), t = tridiagonal(HEDDLE_LOWER, n, a, n), u = tridiagonal(HEDDLE_UPPER, n, a, n);
		ck_assert_int_eq(r.verdict, there ? HEDDLE_EINPUT : 0);
		ck_assert_int_eq(t.verdict, there ? HEDDLE_EINPUT : 0);
		ck_assert_int_eq(u.verdict, 0); /* not in the triangle */
		for (int64_t i = 0; i < n && there; i++)
			ck_assert(r.d[i] == 0 && t.d[i] == 0 && (i == n - 1 || (r.e[i] == 0 && t.e[i] == 0)));
		reduced_free(&r);
		reduced_free(&t);
		reduced_free(&u);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create(TRACE_NAME("gpu_small"));
	TCase *t = tcase_create("reductions");

	tcase_set_timeout(t, 0);
	tcase_add_loop_test(t, all_small_orders, 0, 3);
	tcase_add_loop_test(t, tall_matrices, 0, KINDS);
	tcase_add_loop_test(t, many_blocks, 0, 3);
	tcase_add_loop_test(t, tiny_entries_beside_others, 0, 3);
	tcase_add_test(t, not_finite_is_a_verdict);
	suite_add_tcase(suite, t);
	return run_here(suite);
}
