/* gesvd_vals against LAPACK: shapes, kinds of matrix, selections, both routes, and what the asynchronous form promises. */
#include <starpu.h>
#include "runtime/sequence.h"
#include "tests/support.h"

static const struct shape {
	int64_t m, n, band, tile, pad;
} shapes[] = {
	{ 1, 1, 0, 0, 0 },     { 1, 9, 2, 4, 1 },    { 9, 1, 2, 4, 0 },	   { 2, 2, 1, 8, 0 },	 { 15, 15, 16, 16, 0 }, { 16, 16, 16, 16, 2 },
	{ 17, 17, 16, 16, 0 }, { 40, 33, 8, 12, 0 }, { 33, 40, 8, 12, 3 }, { 64, 64, 1, 16, 0 }, { 65, 64, 70, 32, 0 }, { 100, 100, 9, 32, 0 },
	{ 300, 20, 8, 32, 1 }, { 20, 300, 8, 32, 0 }, { 257, 70, 12, 40, 0 }, { 70, 257, 12, 40, 2 }, { 150, 130, 24, 20, 0 }, { 999, 3, 0, 64, 0 },
	{ 3, 999, 0, 64, 0 },
};
enum { SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

/* Stages of the last run of values(). */
static heddle_stage stages[16];

static int values(const struct shape *c, int route, const heddle_select *select, scalar *a, int64_t lda, int64_t room, real *s, int64_t *found)
{
	heddle_options options = { .band = c->band, .route = route };
	heddle_sequence *sequence;
	heddle_matrix *matrix, *result;

	ck_assert_int_eq(heddle_sequence_create(&sequence), 0);
	ck_assert_int_eq(heddle_matrix_create(&matrix, TYPE, c->m, c->n, a, lda, c->tile), 0);
	ck_assert_int_eq(heddle_matrix_create(&result, REAL_TYPE, room, 1, s, room > 0 ? room : 1, 7), 0);
	ck_assert_int_eq(API(gesvd_vals_async)(sequence, matrix, select, result, found, &options), 0);
	int code = heddle_sequence_wait(sequence);
	heddle_sequence_stages(sequence, stages, 16);
	heddle_matrix_destroy(matrix);
	heddle_matrix_destroy(result);
	heddle_sequence_destroy(sequence);
	return code;
}

START_TEST(agrees_with_lapack)
{
	const struct shape *c = &shapes[_i % SHAPES];
	enum kind kind = (enum kind)(_i / SHAPES);
	int64_t k = c->m < c->n ? c->m : c->n, lda = c->m + c->pad, found = -1;
	scalar *a = malloc((size_t)(lda * c->n) * sizeof(*a));
	real *s = calloc((size_t)k, sizeof(*s)), *t = malloc((size_t)k * sizeof(*t));

	for (int route = HEDDLE_ROUTE_GRAPH; route <= HEDDLE_ROUTE_LAPACK; route++) {
		fill(kind, c->m, c->n, a, lda, (uint64_t)_i);
		reference(c->m, c->n, a, lda, t);
		ck_assert_int_eq(values(c, route, NULL, a, lda, k, s, &found), 0);
		ck_assert_int_eq(found, k);
		bool tall = 3 * c->m > 5 * c->n || 3 * c->n > 5 * c->m;
		ck_assert_int_eq(stages[STAGE_QR].done > 0, route == HEDDLE_ROUTE_GRAPH && tall); /* QR first */
		double error = error_in_eps(k, s, t);
		ck_assert_msg(error <= bound_in_eps(c->m, c->n), "%s %d x %d, band %d, tile %d, route %d: error %.1f eps*norm", kind_names[kind],
			      (int)c->m, (int)c->n, (int)c->band, (int)c->tile, route, error);
		for (int64_t i = 1; i < k; i++)
			ck_assert_msg(s[i] <= s[i - 1] && s[i] >= 0, "not in descending order");
	}
	free(a);
	free(s);
	free(t);
}
END_TEST

START_TEST(blocking_form)
{
	static const int64_t sizes[][2] = { { 5, 7 }, { 60, 60 }, { 420, 401 }, { 450, 1000 } };

	for (int c = 0; c < 4; c++) {
		int64_t m = sizes[c][0], n = sizes[c][1], k = m < n ? m : n, lda = m + c;
		scalar *a = malloc((size_t)(lda * n) * sizeof(*a));
		real *s = malloc((size_t)k * sizeof(*s)), *t = malloc((size_t)k * sizeof(*t));
		fill(RANDOM, m, n, a, lda, 3);
		reference(m, n, a, lda, t);
		ck_assert_int_eq(API(gesvd_vals)(m, n, a, lda, s), 0);
		ck_assert_double_le(error_in_eps(k, s, t), bound_in_eps(m, n));
		free(a);
		free(s);
		free(t);
	}
}
END_TEST

START_TEST(nothing_to_do)
{
	real s[1];

	ck_assert_int_eq(API(gesvd_vals)(0, 0, NULL, 1, NULL), 0);
	ck_assert_int_eq(API(gesvd_vals)(0, 9, NULL, 1, s), 0);
	ck_assert_int_eq(API(gesvd_vals)(9, 0, NULL, 9, s), 0);
}
END_TEST

START_TEST(selections)
{
	enum { N = 90 };
	const struct shape c = { N, N, 8, 32, 0 };
	scalar a[N * N];
	real all[N], s[N];
	int64_t found;

	fill(RANDOM, N, N, a, N, 2);
	ck_assert_int_eq(values(&c, HEDDLE_ROUTE_GRAPH, NULL, a, N, N, all, NULL), 0);
	double all_flops = stages[STAGE_VALUES].flops;
	static const int64_t indices[][2] = { { 1, 1 }, { 1, 5 }, { 7, 30 }, { 90, 90 }, { 1, 90 } };
	for (int route = HEDDLE_ROUTE_GRAPH; route <= HEDDLE_ROUTE_LAPACK; route++) {
		for (int i = 0; i < 5; i++) {
			heddle_select select = { .kind = HEDDLE_INDEX, .il = indices[i][0], .iu = indices[i][1] };
			int64_t count = select.iu - select.il + 1;
			fill(RANDOM, N, N, a, N, 2);
			ck_assert_int_eq(values(&c, route, &select, a, N, count, s, &found), 0);
			ck_assert_int_eq(found, count);
			if (route == HEDDLE_ROUTE_GRAPH && count == 1) /* costs what it asks for */
				ck_assert_double_le(stages[STAGE_VALUES].flops, 0.1 * all_flops);
			for (int64_t j = 0; j < count; j++)
				ck_assert_double_le(fabs((double)(s[j] - all[select.il - 1 + j])), 100 * REAL_EPS * all[0]);
		}
		heddle_select select = { .kind = HEDDLE_VALUE, .vl = (all[40] + all[41]) / 2, .vu = (all[9] + all[10]) / 2 };
		fill(RANDOM, N, N, a, N, 2);
		ck_assert_int_eq(values(&c, route, &select, a, N, N, s, &found), 0);
		ck_assert_int_eq(found, 31);
		for (int64_t j = 0; j < found; j++)
			ck_assert_double_le(fabs((double)(s[j] - all[10 + j])), 100 * REAL_EPS * all[0]);
		select.vl = 2 * all[0];
		select.vu = 3 * all[0];
		fill(RANDOM, N, N, a, N, 2);
		ck_assert_int_eq(values(&c, route, &select, a, N, N, s, &found), 0);
		ck_assert_int_eq(found, 0);
	}
	heddle_select top = { .kind = HEDDLE_INDEX, .il = 2, .iu = 3 };
	fill(RANDOM, N, N, a, N, 2);
	ck_assert_int_eq(API(gesvd_vals_select)(N, N, a, N, &top, &found, s), 0);
	ck_assert_int_eq(found, 2);
	ck_assert_double_le(fabs((double)(s[0] - all[1])), 100 * REAL_EPS * all[0]);
}
END_TEST

/* A value range of a matrix that had to be scaled means the values as they are. */
START_TEST(value_range_of_a_tiny_matrix)
{
	enum { N = 60 };
	const struct shape c = { N, N, 8, 32, 0 };
	scalar a[N * N];
	real all[N], s[N];
	int64_t found;

	fill(TINY_NORM, N, N, a, N, 2);
	ck_assert_int_eq(values(&c, HEDDLE_ROUTE_GRAPH, NULL, a, N, N, all, NULL), 0);
	heddle_select select = { .kind = HEDDLE_VALUE, .vl = (double)all[20] / 2 + (double)all[21] / 2, .vu = 2 * (double)all[0] };
	fill(TINY_NORM, N, N, a, N, 2);
	ck_assert_int_eq(values(&c, HEDDLE_ROUTE_GRAPH, &select, a, N, N, s, &found), 0);
	ck_assert_int_eq(found, 21);
}
END_TEST

START_TEST(same_bits_on_every_run)
{
	enum { M = 130, N = 120 };
	const struct shape c = { M, N, 16, 32, 0 };
	scalar a[M * N];
	real s[2][N];

	for (int run = 0; run < 6; run++) {
		fill(RANDOM, M, N, a, M, 9);
		ck_assert_int_eq(values(&c, HEDDLE_ROUTE_GRAPH, NULL, a, M, N, s[run > 0], NULL), 0);
		ck_assert(run == 0 || memcmp(s[0], s[1], sizeof(s[0])) == 0);
	}
}
END_TEST

START_TEST(not_a_number_is_an_error)
{
	static const int64_t sizes[][2] = { { 1, 1 }, { 30, 30 }, { 200, 20 }, { 401, 402 } };
	static const double bad[] = { NAN, INFINITY, -INFINITY };

	for (int c = 0; c < 4; c++) {
		int64_t m = sizes[c][0], n = sizes[c][1];
		scalar *a = malloc((size_t)(m * n) * sizeof(*a));
		real *s = malloc((size_t)n * sizeof(*s) + (size_t)m * sizeof(*s));
		for (int i = 0; i < 12; i++) {
			fill(RANDOM, m, n, a, m, 3);
			int64_t where = i == 0 ? 0 : i == 1 ? m * n - 1 : i * 7919 % (m * n);
#if IS_COMPLEX
			a[where] = i % 2 ? __builtin_complex((real)1, (real)bad[i % 3]) : __builtin_complex((real)bad[i % 3], (real)1);
#else
			a[where] = (real)bad[i % 3];
#endif
			ck_assert_int_eq(API(gesvd_vals)(m, n, a, m, s), HEDDLE_EINPUT);
			ck_assert_ptr_nonnull(strstr(heddle_error_message(), "NaN"));
			const struct shape shape = { m, n, 8, 64, 0 };
			fill(RANDOM, m, n, a, m, 3);
			a[i * 7919 % (m * n)] = (scalar)bad[i % 3];
			ck_assert_int_eq(values(&shape, HEDDLE_ROUTE_GRAPH, NULL, a, m, m < n ? m : n, s, NULL), HEDDLE_EINPUT);
		}
		free(a);
		free(s);
	}
}
END_TEST

/* Two matrices are submitted while no worker may run: the calls come back at once, and nothing has been done. */
START_TEST(asynchronous_means_no_wait)
{
	enum { N = 100 };
	scalar *a[2];
	real s[2][N], t[N];
	heddle_sequence *sequence[2];
	heddle_matrix *matrix[2], *result[2];
	heddle_options options = { .band = 8, .route = HEDDLE_ROUTE_GRAPH };

	starpu_pause();
	for (int i = 0; i < 2; i++) {
		a[i] = malloc(N * N * sizeof(scalar));
		fill(RANDOM, N, N, a[i], N, (uint64_t)i);
		ck_assert_int_eq(heddle_sequence_create(&sequence[i]), 0);
		ck_assert_int_eq(heddle_matrix_create(&matrix[i], TYPE, N, N, a[i], N, 32), 0);
		ck_assert_int_eq(heddle_matrix_create(&result[i], REAL_TYPE, N, 1, s[i], N, 0), 0);
		ck_assert_int_eq(API(gesvd_vals_async)(sequence[i], matrix[i], NULL, result[i], NULL, &options), 0);
	}
	for (int i = 0; i < 2; i++) {
		int count = heddle_sequence_stages(sequence[i], stages, 16);
		for (int k = 0; k < count; k++)
			ck_assert_int_eq(stages[k].done, 0);
		ck_assert(stages[STAGE_GE2GB].submitted > 100 && stages[STAGE_GB2BD].submitted > 10 && stages[STAGE_VALUES].submitted > 0);
	}
	starpu_resume();
	double first_end, second_begin;
	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(heddle_sequence_wait(sequence[i]), 0);
	heddle_sequence_stages(sequence[0], stages, 16);
	first_end = stages[STAGE_VALUES].end;
	heddle_sequence_stages(sequence[1], stages, 16);
	second_begin = stages[STAGE_INPUT].begin; /* counted from a later moment, which makes it the smaller */
	ck_assert_msg(second_begin < first_end, "the second matrix waited for the first");
	for (int i = 0; i < 2; i++) {
		heddle_matrix_destroy(matrix[i]);
		heddle_matrix_destroy(result[i]);
		fill(RANDOM, N, N, a[i], N, (uint64_t)i);
		reference(N, N, a[i], N, t);
		ck_assert_double_le(error_in_eps(N, s[i], t), bound_in_eps(N, N));
		free(a[i]);
		heddle_sequence_destroy(sequence[i]);
	}
}
END_TEST

START_TEST(a_cancelled_sequence_ends)
{
	enum { N = 100 };
	scalar *a = malloc(N * N * sizeof(*a));
	real s[N];
	heddle_sequence *sequence;
	heddle_matrix *matrix, *result;
	heddle_options options = { .band = 8, .route = HEDDLE_ROUTE_GRAPH };

	fill(RANDOM, N, N, a, N, 1);
	ck_assert_int_eq(heddle_sequence_create(&sequence), 0);
	ck_assert_int_eq(heddle_matrix_create(&matrix, TYPE, N, N, a, N, 32), 0);
	ck_assert_int_eq(heddle_matrix_create(&result, REAL_TYPE, N, 1, s, N, 0), 0);
	starpu_pause(); /* so that hardly a task has begun */
	ck_assert_int_eq(API(gesvd_vals_async)(sequence, matrix, NULL, result, NULL, &options), 0);
	heddle_sequence_cancel(sequence);
	starpu_resume();
	ck_assert_int_eq(heddle_sequence_wait(sequence), HEDDLE_ECANCELLED);
	heddle_sequence_stages(sequence, stages, 16);
	for (int i = 0; i < STAGE_COUNT; i++)
		ck_assert_msg(stages[i].begin < 0, "a task began after the sequence was cancelled");
	heddle_matrix_destroy(matrix);
	heddle_matrix_destroy(result);
	heddle_sequence_destroy(sequence);
	free(a);
}
END_TEST

START_TEST(illegal_arguments)
{
	scalar a[16] = { 0 };
	real s[4] = { 5, 5, 5, 5 };
	int64_t found = 5;
	heddle_select wrong_kind = { .kind = (heddle_select_kind)9 }, wrong_index = { .kind = HEDDLE_INDEX, .il = 0, .iu = 2 },
		      wrong_order = { .kind = HEDDLE_INDEX, .il = 3, .iu = 2 }, beyond = { .kind = HEDDLE_INDEX, .il = 1, .iu = 5 },
		      empty = { .kind = HEDDLE_VALUE, .vl = 1, .vu = 1 }, nan = { .kind = HEDDLE_VALUE, .vl = NAN, .vu = 1 };
	const heddle_select *const selects[] = { &wrong_kind, &wrong_index, &wrong_order, &beyond, &empty, &nan };

	ck_assert_int_eq(API(gesvd_vals)(-1, 4, a, 4, s), -1);
	ck_assert_int_eq(API(gesvd_vals)(4, -1, a, 4, s), -2);
	ck_assert_int_eq(API(gesvd_vals)(4, 4, NULL, 4, s), -3);
	ck_assert_int_eq(API(gesvd_vals)(4, 4, a, 3, s), -4);
	ck_assert_int_eq(API(gesvd_vals)(4, 4, a, 4, NULL), -5);
	ck_assert_int_eq(API(gesvd_vals_select)(-1, 4, a, 4, NULL, &found, s), -1);
	ck_assert_int_eq(API(gesvd_vals_select)(4, 4, a, 4, NULL, &found, NULL), -7);
	for (int i = 0; i < 6; i++)
		ck_assert_int_eq(API(gesvd_vals_select)(4, 4, a, 4, selects[i], &found, s), -5);
	ck_assert_int_eq(found, 5);
	for (int i = 0; i < 4; i++)
		ck_assert(s[i] == 5);
}
END_TEST

START_TEST(illegal_objects)
{
	scalar a[16] = { 0 };
	real s[4];
	heddle_sequence *sequence;
	heddle_matrix *matrix, *other, *result, *short_result;
	heddle_options options = { .band = -1 };

	ck_assert_int_eq(heddle_sequence_create(&sequence), 0);
	ck_assert_int_eq(heddle_matrix_create(&matrix, TYPE, 4, 4, a, 4, 2), 0);
	ck_assert_int_eq(heddle_matrix_create(&other, TYPE == HEDDLE_S ? HEDDLE_D : HEDDLE_S, 1, 1, a, 4, 2), 0);
	ck_assert_int_eq(heddle_matrix_create(&result, REAL_TYPE, 4, 1, s, 4, 0), 0);
	ck_assert_int_eq(heddle_matrix_create(&short_result, REAL_TYPE, 3, 1, s, 4, 0), 0);
	ck_assert_int_eq(API(gesvd_vals_async)(NULL, matrix, NULL, result, NULL, NULL), -1);
	ck_assert_int_eq(API(gesvd_vals_async)(sequence, NULL, NULL, result, NULL, NULL), -2);
	ck_assert_int_eq(API(gesvd_vals_async)(sequence, other, NULL, result, NULL, NULL), -2);
	ck_assert_int_eq(API(gesvd_vals_async)(sequence, matrix, NULL, NULL, NULL, NULL), -4);
	ck_assert_int_eq(API(gesvd_vals_async)(sequence, matrix, NULL, short_result, NULL, NULL), -4);
	ck_assert_int_eq(API(gesvd_vals_async)(sequence, matrix, NULL, result, NULL, &options), -6);
	heddle_matrix_destroy(matrix);
	heddle_matrix_destroy(other);
	heddle_matrix_destroy(result);
	heddle_matrix_destroy(short_result);
	heddle_sequence_destroy(sequence);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("gesvd_vals");
	TCase *tests = tcase_create("gesvd_vals");

	tcase_set_timeout(tests, 0);
	tcase_add_loop_test(tests, agrees_with_lapack, 0, SHAPES * KINDS);
	tcase_add_test(tests, blocking_form);
	tcase_add_test(tests, nothing_to_do);
	tcase_add_test(tests, selections);
	tcase_add_test(tests, value_range_of_a_tiny_matrix);
	tcase_add_test(tests, same_bits_on_every_run);
	tcase_add_test(tests, not_a_number_is_an_error);
	tcase_add_test(tests, asynchronous_means_no_wait);
	tcase_add_test(tests, a_cancelled_sequence_ends);
	tcase_add_test(tests, illegal_arguments);
	tcase_add_test(tests, illegal_objects);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
