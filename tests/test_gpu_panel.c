/* QR of panels on the device: against what holds for any QR, and LAPACK's R.  The rest of the panels is in test_gpu_panel_parts.c. */
#include "tests/panel_support.h"

static const struct shape {
	int64_t m, n, pad;
	bool quick; /* in slow builds too */
} shapes[] = {
	{ 0, 3, 1, true }, { 3, 0, 0, true }, { 1, 1, 0, true }, { 5, 1, 2, true }, { 1, 5, 1, true }, { 2, 2, 0, true }, { 7, 8, 1, true },
	{ 8, 8, 0, true },
	{ 15, 16, 3, true }, { 16, 16, 0, true }, { 17, 16, 1, true }, { 32, 16, 0, true }, { 31, 31, 2, true },
	{ 31, 17, 0, true },
	{ 33, 32, 1, true }, { 63, 64, 0, false }, { 64, 64, 5, false }, { 65, 33, 0, true }, { 64, 16, 0, true },
	{ 128, 16, 1, true }, { 129, 16, 0, true },
	{ 127, 7, 0, true }, { 130, 65, 0, false }, { 255, 8, 1, false }, { 256, 2, 0, true }, { 257, 17, 1, true }, { 257, 96, 0, false },
	{ 192, 128, 1, false }, { 20, 70, 1, true }, { 150, 140, 0, false }, { 1000, 32, 1, false }, { 1024, 16, 0, false }, { 1025, 16, 1, false },
	{ 1030, 5, 0, false }, { 1100, 20, 0, false },
};
enum { SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

/* Other matrices than all routines are tried on: columns of all sizes, a zero column in front, a column of one element. */
enum { COLUMN_SIZES = KINDS, ZERO_COLUMNS, PANEL_KINDS };

static void fill_panel(int kind, struct both *a, uint64_t seed)
{
	int range = sizeof(real) == sizeof(float) ? 50 : 480;

	fill(kind < KINDS ? (enum kind)kind : RANDOM, a->m, a->n, a->host, a->ld, seed);
	for (int64_t j = 0; j < a->n; j++)
		for (int64_t i = 0; i < a->m; i++) {
			if (kind == COLUMN_SIZES)
				a->host[i + j * a->ld] *= (real)ldexp(1, (int)(j * 37 % (2 * range)) - range);
			if (kind == ZERO_COLUMNS && (j % 3 == 0 || (j % 3 == 1 && i != j)))
				a->host[i + j * a->ld] = 0;
		}
	both_to(a);
}

/* |R(i,j)| against LAPACK's, where they do not hang on more than rounding. */
static void compare_with_lapack(const struct both *a, const struct both *r, int64_t k, const char *what)
{
	int64_t m = a->m, n = a->n, ld = m > 0 ? m : 1;
	scalar *copy = calloc((size_t)(ld * (n + 1) + 1), sizeof(*copy)), *tau = calloc((size_t)(k + 1), sizeof(*tau));
	double norm = 0;

	for (int64_t j = 0; j < n; j++) {
		memcpy(copy + j * ld, a->host + j * a->ld, (size_t)m * sizeof(*copy));
		norm = fmax(norm, norm_of(m, copy + j * ld));
	}
	if (k > 0)
		ck_assert_int_eq(PREC_CAT(LAPACKE_, PREC_CAT(PREC_LETTER, geqrf))(LAPACK_COL_MAJOR, (int)m, (int)n, copy, (int)ld, tau), 0);
	for (int64_t j = 0; j < n; j++)
		for (int64_t i = 0; i < k && i <= j; i++) {
			double error = fabs(size_of(copy[i + j * ld]) - size_of(r->host[i + j * r->ld]));
			ck_assert_msg(error <= 20 * sqrt((double)(m + n)) * (double)(k + 1) * REAL_EPS * norm, "%s: |R(%d,%d)| is off by %g eps |A|", what,
				      (int)i, (int)j, error / norm / REAL_EPS);
		}
	free(copy);
	free(tau);
}

static void check_qr(int kind, const struct shape *shape, int order)
{
	int64_t m = shape->m, n = shape->n, k = m < n ? m : n;
	struct both a = both_new(m, n, shape->pad, "a"), v = both_new(m, n, shape->pad, "v"), r = both_new(k, n, 2, "r"), t = both_new(k, k, 1, "t");
	void *work = device_new(NAME(gpu_geqrt_work)(m, n), "work");
	char what[100];

	snprintf(what, sizeof(what), "kind %d, %d by %d, order %d", kind, (int)m, (int)n, order);
	device_order(order, 0);
	fill_panel(kind, &a, 1);
	memcpy(v.host, a.host, (size_t)(a.ld * n) * sizeof(scalar));
	for (int64_t i = 0; i < r.ld * n; i++)
		r.host[i] = 77;
	both_to(&v);
	both_to(&r);
	both_to(&t);
	NAME(gpu_geqrt)(NULL, m, n, v.device, v.ld, r.device, r.ld, t.device, t.ld, work);
	device_finish();
	both_from(&v, what);
	both_from(&r, what);
	both_from(&t, what);
	for (int64_t j = 0; j < n; j++)
		for (int64_t i = j + 1; i < k; i++) {
			ck_assert_msg(is_mark(r.host[i + j * r.ld]), "%s: R's lower part", what);
			r.host[i + j * r.ld] = 0;
		}
	scalar *q = check_reflectors(&v, &t, k, what);
	check_product(&a, &r, q, k, what);
	if (kind != GRADED && kind != COLUMN_SIZES && kind != ZERO_COLUMNS && kind != TINY_NORM)
		compare_with_lapack(&a, &r, k, what);
	free(q);
	both_free(&a);
	both_free(&v);
	both_free(&r);
	both_free(&t);
	device_free(work);
}

START_TEST(qr_of_any_shape)
{
	if (shapes[_i].quick || !device_slow())
		check_qr(RANDOM, &shapes[_i], _i % ORDERS);
}
END_TEST

START_TEST(qr_of_any_kind)
{
	static const struct shape some[] = { { 40, 20, 1, true }, { 300, 33, 0, true }, { 1050, 18, 0, false } };

	for (size_t i = 0; i < sizeof(some) / sizeof(some[0]); i++)
		if (some[i].quick || !device_slow())
			check_qr(_i, &some[i], (_i + (int)i) % ORDERS);
}
END_TEST

/* Two levels above the leaves, or three where leaves are short. */
START_TEST(qr_of_very_tall_blocks)
{
	check_qr(RANDOM, &(struct shape){ device_slow() ? 1100 : IS_COMPLEX ? 4200 : 17000, 3, 0, true }, ORDER_FORWARD);
}
END_TEST

START_TEST(every_order)
{
	for (int order = 0; order < ORDERS; order++) {
		check_qr(RANDOM, &(struct shape){ 200, 35, 0, true }, order);
		if (!device_slow())
			check_qr(RANDOM, &(struct shape){ 1040, 18, 0, true }, order);
	}
}
END_TEST

/* A NaN anywhere ends the computation, and shows. */
START_TEST(nan_shows)
{
	int64_t m = 150, n = 20, at[] = { 0, 19 * 150 + 149, 5 * 150 + 140, 10 * 150 };
	struct both a = both_new(m, n, 0, "a"), r = both_new(n, n, 0, "r"), t = both_new(n, n, 0, "t");
	void *work = device_new(NAME(gpu_geqrt_work)(m, n), "work");

	for (size_t i = 0; i < sizeof(at) / sizeof(at[0]); i++) {
		bool shows = false;
		fill(i == 3 ? ZERO : RANDOM, m, n, a.host, m, 1);
		a.host[at[i]] = (real)NAN;
		both_to(&a);
		NAME(gpu_geqrt)(NULL, m, n, a.device, m, r.device, n, t.device, n, work);
		device_finish();
		device_from(r.host, r.device, (size_t)(n * n) * sizeof(scalar));
		for (int64_t j = 0; j < n; j++)
			for (int64_t l = 0; l <= j; l++)
				shows |= r.host[l + j * n] != r.host[l + j * n];
		ck_assert_msg(shows, "NaN at %d is gone", (int)at[i]);
	}
	both_free(&a);
	both_free(&r);
	both_free(&t);
	device_free(work);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("gpu_panel");
	TCase *tests = tcase_create("gpu_panel");

	tcase_set_timeout(tests, 0);
	tcase_add_loop_test(tests, qr_of_any_shape, 0, SHAPES);
	tcase_add_loop_test(tests, qr_of_any_kind, 0, PANEL_KINDS);
	tcase_add_test(tests, qr_of_very_tall_blocks);
	tcase_add_test(tests, every_order);
	tcase_add_test(tests, nan_shows);
	suite_add_tcase(suite, tests);
	return run_here(suite);
}
