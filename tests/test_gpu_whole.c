/* Whole pipelines where tasks run on GPUs and CPUs at once, or on GPUs alone: singular values, eigenvalues and triangular solves are those of
 * LAPACK.  Which workers and scheduler there are is the environment's to say. */
#include "tests/hermitian.h"
#include "tests/triangle.h"

static const struct shape {
	int64_t m, n, band, tile;
} shapes[] = {
	{ 1, 1, 1, 4 }, { 5, 5, 2, 3 }, { 40, 40, 8, 16 }, { 97, 61, 8, 24 }, { 50, 90, 9, 32 }, { 130, 20, 6, 20 }, { 96, 96, 16, 32 },
};
enum { SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

static const enum kind kinds[] = { RANDOM, GRADED, RANK_ONE, HUGE_NORM };
enum { TRIED = sizeof(kinds) / sizeof(kinds[0]) };

/* One asynchronous problem: A, its values, and what the sequence says. */
struct run {
	heddle_sequence *sequence;
	heddle_matrix *a, *values;
};

static struct run begin(int64_t m, int64_t n, scalar *a, int64_t lda, real *values, int64_t tile)
{
	struct run r;

	ck_assert_int_eq(heddle_sequence_create(&r.sequence), 0);
	ck_assert_int_eq(heddle_matrix_create(&r.a, TYPE, m, n, a, lda, tile), 0);
	ck_assert_int_eq(heddle_matrix_create(&r.values, REAL_TYPE, m < n ? m : n, 1, values, m < n ? m : n, tile), 0);
	return r;
}

static int end(struct run *r)
{
	int code = heddle_sequence_wait(r->sequence);

	heddle_matrix_destroy(r->a);
	heddle_matrix_destroy(r->values);
	heddle_sequence_destroy(r->sequence);
	return code;
}

/* Some with tasks of the chase as CPUs have them, though there may be GPUs only. */
static heddle_options options_of(const struct shape *x, int route)
{
	int64_t some = x->band == 8 ? 2 : 0;

	return (heddle_options){ .band = x->band, .route = route, .group = some, .steps = some, .leaf = x->band == 9 ? 18 : 0 };
}

static int svd(const struct shape *x, scalar *a, int64_t lda, real *s, int route)
{
	struct run r = begin(x->m, x->n, a, lda, s, x->tile);
	heddle_options o = options_of(x, route);

	ck_assert_int_eq(API(gesvd_vals_async)(r.sequence, r.a, NULL, r.values, NULL, &o), 0);
	return end(&r);
}

static int eig(heddle_uplo uplo, int64_t n, const struct shape *x, scalar *a, int64_t lda, real *w, int route)
{
	struct run r = begin(n, n, a, lda, w, x->tile);
	heddle_options o = options_of(x, route);

	ck_assert_int_eq(API(BY_FIELD(syev_vals_async, heev_vals_async))(r.sequence, uplo, r.a, NULL, r.values, NULL, &o), 0);
	return end(&r);
}

static const int routes[] = { HEDDLE_ROUTE_GRAPH, HEDDLE_ROUTE_LAPACK };

START_TEST(singular_values)
{
	const struct shape *x = &shapes[_i / 2];
	int64_t k = x->m < x->n ? x->m : x->n, lda = x->m + 3;
	scalar *a = malloc((size_t)(lda * x->n + 1024) * sizeof(*a));
	real *s = malloc((size_t)k * sizeof(*s)), *expected = malloc((size_t)k * sizeof(*s));

	for (int kind = 0; kind < TRIED; kind++) {
		fill(kinds[kind], x->m, x->n, a, lda, (uint64_t)_i);
		reference(x->m, x->n, a, lda, expected);
		ck_assert_int_eq(svd(x, a, lda, s, routes[_i % 2]), 0);
		double error = error_in_eps(k, s, expected);
		ck_assert_msg(error <= bound_in_eps(x->m, x->n), "%d by %d, %s: %g eps", (int)x->m, (int)x->n, kind_names[kinds[kind]], error);
	}
	free(a);
	free(s);
	free(expected);
}
END_TEST

START_TEST(eigenvalues_of_both_triangles)
{
	const struct shape *x = &shapes[_i / 2];
	heddle_uplo uplo = both[_i % 2];
	int64_t n = x->m, lda = n + 2;
	scalar *a = malloc((size_t)(lda * n + 1024) * sizeof(*a));
	real *w = malloc((size_t)n * sizeof(*w)), *expected = malloc((size_t)n * sizeof(*w));

	for (int kind = 0; kind < 2 * TRIED; kind++) {
		fill_hermitian(kinds[kind / 2], uplo, n, a, lda, (uint64_t)_i);
		eigenvalues(uplo, n, a, lda, expected);
		ck_assert_int_eq(eig(uplo, n, x, a, lda, w, routes[kind % 2]), 0);
		double error = eigen_error(n, w, expected);
		ck_assert_msg(error <= bound_in_eps(n, n), "order %d, %s: %g eps", (int)n, kind_names[kinds[kind / 2]], error);
	}
	free(a);
	free(w);
	free(expected);
}
END_TEST

/* A poisoned matrix is refused, whoever looks at it. */
START_TEST(not_a_number_is_found)
{
	const struct shape *x = &shapes[SHAPES - 1];
	int64_t n = x->n;
	scalar *a = malloc((size_t)(n * n + 1024) * sizeof(*a));
	real *s = malloc((size_t)n * sizeof(*s));

	for (int i = 0; i < 4; i++) {
		fill(RANDOM, n, n, a, n, (uint64_t)i);
		a[n * n - 1 - i * n / 4] = i % 2 ? (scalar)NAN : (scalar)INFINITY;
		ck_assert_int_eq(svd(x, a, n, s, routes[i / 2]), HEDDLE_EINPUT);
		fill_hermitian(RANDOM, HEDDLE_LOWER, n, a, n, (uint64_t)i);
		a[n - 1] = i % 2 ? (scalar)NAN : (scalar)INFINITY;
		ck_assert_int_eq(eig(HEDDLE_LOWER, n, x, a, n, s, routes[i / 2]), HEDDLE_EINPUT);
	}
	free(a);
	free(s);
}
END_TEST

/* By index and by value: how many there are is known only once the tasks have run. */
START_TEST(selections)
{
	const struct shape *x = &shapes[SHAPES - 1];
	int64_t n = x->n, found = -1;
	scalar *a = malloc((size_t)(n * n + 1024) * sizeof(*a));
	real *s = malloc((size_t)n * sizeof(*s)), *expected = malloc((size_t)n * sizeof(*s));
	heddle_options o = { .band = x->band, .route = routes[_i % 2] };

	fill(RANDOM, n, n, a, n, 5);
	reference(n, n, a, n, expected);
	heddle_select by_value = { .kind = HEDDLE_VALUE, .vl = ((double)expected[20] + (double)expected[21]) / 2, .vu = (double)expected[7] * 1.001 };
	heddle_select by_index = { .kind = HEDDLE_INDEX, .il = 8, .iu = 21 };
	struct run r = begin(n, n, a, n, s, x->tile);
	ck_assert_int_eq(API(gesvd_vals_async)(r.sequence, r.a, _i < 2 ? &by_index : &by_value, r.values, &found, &o), 0);
	ck_assert_int_eq(end(&r), 0);
	ck_assert_int_eq(found, 14);
	for (int i = 0; i < 14; i++)
		ck_assert(fabs((double)(s[i] - expected[7 + i])) <= bound_in_eps(n, n) * REAL_EPS * (double)expected[0]);
	free(a);
	free(s);
	free(expected);
}
END_TEST

START_TEST(triangular_solves)
{
	static const struct { int64_t k, many, tile; } sizes[] = { { 5, 3, 8 }, { 70, 33, 24 }, { 150, 40, 80 } };
	struct solve_kind kind = variant(_i);
	bool left = kind.side == HEDDLE_LEFT;

	for (int i = 0; i < 3; i++) {
		int64_t k = sizes[i].k, m = left ? k : sizes[i].many, n = left ? sizes[i].many : k, lda = k + 1, ldb = m + 2;
		scalar *a = malloc((size_t)(lda * k) * sizeof(*a)), alpha = make_scalar((real)0.5, (real)0.25);
		scalar *b = malloc((size_t)(ldb * n) * sizeof(*b)), *before = malloc((size_t)(ldb * n) * sizeof(*b));
		heddle_options o = { .inverse = i == 2 ? 2 : 1 };
		heddle_sequence *sequence;
		heddle_matrix *am, *bm;

		fill_triangle(i == 1 ? STEEP : WELL, kind, k, a, lda, (uint64_t)_i);
		fill_sides(m, n, b, ldb, (uint64_t)_i);
		memcpy(before, b, (size_t)(ldb * n) * sizeof(*b));
		ck_assert_int_eq(heddle_sequence_create(&sequence), 0);
		ck_assert_int_eq(heddle_matrix_create(&am, TYPE, k, k, a, lda, sizes[i].tile), 0);
		ck_assert_int_eq(heddle_matrix_create(&bm, TYPE, m, n, b, ldb, sizes[i].tile), 0);
		ck_assert_int_eq(API(trsm_async)(sequence, kind.side, kind.uplo, kind.trans, kind.diag, alpha, am, bm, &o), 0);
		ck_assert_int_eq(heddle_sequence_wait(sequence), 0);
		heddle_matrix_destroy(am);
		heddle_matrix_destroy(bm);
		heddle_sequence_destroy(sequence);
		double error = backward_error(kind, m, n, alpha, a, lda, before, b, ldb);
		ck_assert_msg(error <= TRIANGLE_BOUND * (o.inverse == 2 ? 2 : 1), "variant %d, order %d: %g", _i, (int)k, error);
		free(a);
		free(b);
		free(before);
	}
}
END_TEST

START_TEST(batch)
{
	enum { COUNT = 300 };
	struct solve_kind kind = variant(_i);
	bool left = kind.side == HEDDLE_LEFT;
	int64_t k = 20, m = left ? k : 7, n = left ? 7 : k;
	scalar *a = malloc((size_t)(k * k * COUNT) * sizeof(*a)), *b = malloc((size_t)(m * n * COUNT) * sizeof(*b));
	scalar *before = malloc((size_t)(m * n * COUNT) * sizeof(*b));

	for (int i = 0; i < COUNT; i++) {
		fill_triangle(WELL, kind, k, a + i * k * k, k, (uint64_t)i);
		fill_sides(m, n, b + i * m * n, m, (uint64_t)i);
	}
	memcpy(before, b, (size_t)(m * n * COUNT) * sizeof(*b));
	ck_assert_int_eq(API(trsm_batch_strided)(kind.side, kind.uplo, kind.trans, kind.diag, m, n, 1, a, k, k * k, b, m, m * n, COUNT), 0);
	for (int i = 0; i < COUNT; i++)
		ck_assert(backward_error(kind, m, n, 1, a + i * k * k, k, before + i * m * n, b + i * m * n, m) <= TRIANGLE_BOUND);
	free(a);
	free(b);
	free(before);
}
END_TEST

/* Of the stand-in for a device's runtime and of the emulation of its kernels, where these tests run on them; they say on stderr what is wrong. */
__attribute__((weak)) long standin_get(const char *key);
__attribute__((weak)) long gpu_emu_get(const char *key);

static long complaints(void)
{
	return (standin_get ? standin_get("errors") : 0) + (gpu_emu_get ? gpu_emu_get("errors") : 0);
}

/* More than the device holds, where the environment says that it has 2 MiB. */
START_TEST(memory_is_short)
{
	const struct shape large = { 400, 400, 16, 64 };
	int64_t n = large.m;
	scalar *a = malloc((size_t)(n * n + 1024) * sizeof(*a));
	real *w = malloc((size_t)n * sizeof(*w)), *expected = malloc((size_t)n * sizeof(*w));

	fill(RANDOM, n, n, a, n, 3);
	reference(n, n, a, n, expected);
	ck_assert_int_eq(svd(&large, a, n, w, HEDDLE_ROUTE_GRAPH), 0);
	ck_assert(error_in_eps(n, w, expected) <= bound_in_eps(n, n));
	ck_assert_int_lt(standin_get("peak"), n * n * (int64_t)sizeof(scalar)); /* A was not there as a whole */
	free(a);
	free(w);
	free(expected);
}
END_TEST

START_TEST(all_is_well)
{
	heddle_info info;

	ck_assert_int_eq(heddle_get_info(&info), 0);
	ck_assert_int_gt(info.gpu_workers, 0);
	ck_assert_int_eq(complaints(), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("whole pipelines on GPUs");
	TCase *c = tcase_create("whole");

	if (getenv("HEDDLE_TEST_MEMORY_IS_SHORT") && standin_get)
		tcase_add_test(c, memory_is_short);
	tcase_add_loop_test(c, singular_values, 0, 2 * SHAPES);
	tcase_add_loop_test(c, eigenvalues_of_both_triangles, 0, 2 * SHAPES);
	tcase_add_test(c, not_a_number_is_found);
	tcase_add_loop_test(c, selections, 0, 4);
	tcase_add_loop_test(c, triangular_solves, 0, VARIANTS);
	tcase_add_loop_test(c, batch, 0, VARIANTS);
	tcase_add_test(c, all_is_well);
	suite_add_tcase(suite, c);
	return run_suite(suite);
}
