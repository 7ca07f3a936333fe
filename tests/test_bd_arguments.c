/* bd_vals on the smallest and on degenerate matrices, with NaN and infinity, and with illegal arguments. */
#include "tests/support.h"

#define DENORMAL (sizeof(real) == sizeof(float) ? 0x1p-149 : 0x1p-1074)

static bool near(real x, double y)
{
	return fabs((double)x - y) <= 2 * REAL_EPS * y;
}

START_TEST(special_matrices)
{
	real d[4] = { -3, 0, 0, -2 }, e[4] = { 0, 0, 0, NAN }, s[4], huge = (real)(sizeof(real) == sizeof(float) ? 1e38 : 1e308);
	int64_t found = -1;

	ck_assert_int_eq(API(bd_vals)(0, NULL, NULL, NULL), 0);
	ck_assert_int_eq(API(bd_vals_select)(0, NULL, NULL, NULL, &found, NULL), 0);
	ck_assert_int_eq(found, 0);
	ck_assert_int_eq(API(bd_vals)(1, d, NULL, s), 0);
	ck_assert(s[0] == 3);
	ck_assert_int_eq(API(bd_vals)(4, d, e, s), 0); /* diagonal */
	ck_assert(s[0] == 3 && s[1] == 2 && s[2] == 0 && s[3] == 0);
	ck_assert_int_eq(API(bd_vals)(2, d + 1, e, s), 0); /* zero */
	ck_assert(s[0] == 0 && s[1] == 0);
	e[1] = 5;
	ck_assert_int_eq(API(bd_vals)(4, d, e, s), 0); /* zeros on the diagonal only */
	ck_assert(near(s[0], 5) && near(s[1], 3) && near(s[2], 2) && s[3] == 0);
	d[1] = huge;
	ck_assert_int_eq(API(bd_vals)(4, d, e, s), 0); /* one huge element */
	ck_assert(near(s[0], (double)huge) && near(s[1], 3) && near(s[2], 2) && s[3] == 0);
	for (int i = 0; i < 4; i++)
		d[i] = e[i] = (real)DENORMAL;
	ck_assert_int_eq(API(bd_vals)(4, d, e, s), 0);
	ck_assert(s[0] == (real)(2 * DENORMAL));
}
END_TEST

static void fill_random(int64_t n, real *d, real *e)
{
	uint64_t state = 8;

	for (int64_t i = 0; i < n; i++) {
		d[i] = random_real(&state);
		e[i] = random_real(&state);
	}
}

START_TEST(nan_and_infinity_are_refused)
{
	static const double poisons[] = { NAN, INFINITY, -INFINITY };
	int64_t n = _i, found;
	real *d = malloc((size_t)n * sizeof(real)), *e = malloc((size_t)n * sizeof(real)), *s = malloc((size_t)n * sizeof(real));

	for (int p = 0; p < 3; p++)
		for (int64_t i = 0; i < 2 * n - 1; i += n > 10 ? 7 : 1) {
			fill_random(n, d, e);
			*(i % 2 ? &e[i / 2] : &d[i / 2]) = (real)poisons[p];
			ck_assert_int_eq(API(bd_vals)(n, d, e, s), HEDDLE_EINPUT);
			heddle_sequence *sequence;
			heddle_matrix *md, *me, *ms;
			ck_assert_int_eq(heddle_sequence_create(&sequence), 0);
			ck_assert_int_eq(heddle_matrix_create(&md, TYPE, n, 1, d, n, 3), 0);
			ck_assert_int_eq(heddle_matrix_create(&me, TYPE, n - 1, 1, e, n, 3), 0);
			ck_assert_int_eq(heddle_matrix_create(&ms, TYPE, n, 1, s, n, 3), 0);
			ck_assert_int_eq(API(bd_vals_async)(sequence, md, me, NULL, ms, &found, NULL), 0);
			ck_assert_int_eq(heddle_sequence_wait(sequence), HEDDLE_EINPUT);
			heddle_matrix_destroy(md);
			heddle_matrix_destroy(me);
			heddle_matrix_destroy(ms);
			heddle_sequence_destroy(sequence);
		}
	free(d);
	free(e);
	free(s);
}
END_TEST

/* Every call has one illegal argument. */
START_TEST(illegal_arguments_of_blocking_forms)
{
	real d[3] = { 1, 2, 3 }, e[2] = { 1, 1 }, s[3] = { 7, 7, 7 };
	int64_t found = 5;
	const heddle_select kind = { .kind = (heddle_select_kind)9 }, low = { .kind = HEDDLE_INDEX, .il = 0, .iu = 1 },
			    high = { .kind = HEDDLE_INDEX, .il = 1, .iu = 4 }, order = { .kind = HEDDLE_INDEX, .il = 3, .iu = 2 },
			    empty = { .kind = HEDDLE_VALUE, .vl = 1, .vu = 1 }, nan = { .kind = HEDDLE_VALUE, .vl = NAN, .vu = 1 };
	const heddle_select *illegal[] = { &kind, &low, &high, &order, &empty, &nan };

	ck_assert_int_eq(API(bd_vals)(-1, d, e, s), -1);
	ck_assert_int_eq(API(bd_vals)(3, NULL, e, s), -2);
	ck_assert_int_eq(API(bd_vals)(3, d, NULL, s), -3);
	ck_assert_int_eq(API(bd_vals)(3, d, e, NULL), -4);
	ck_assert_int_eq(API(bd_vals_select)(-1, d, e, NULL, &found, s), -1);
	ck_assert_int_eq(API(bd_vals_select)(3, NULL, e, NULL, &found, s), -2);
	ck_assert_int_eq(API(bd_vals_select)(3, d, NULL, NULL, &found, s), -3);
	for (unsigned i = 0; i < sizeof(illegal) / sizeof(illegal[0]); i++)
		ck_assert_int_eq(API(bd_vals_select)(3, d, e, illegal[i], &found, s), -4);
	ck_assert_int_eq(API(bd_vals_select)(3, d, e, NULL, &found, NULL), -6);
	ck_assert(found == 5 && s[0] == 7 && s[1] == 7 && s[2] == 7);
	ck_assert_ptr_nonnull(strstr(heddle_error_message(), "bd_vals_select"));
}
END_TEST

START_TEST(illegal_arguments_of_the_asynchronous_form)
{
	real d[3] = { 1, 2, 3 }, e[3] = { 1, 1, 1 }, s[3] = { 7, 7, 7 };
	scalar square[9] = { 0 };
	heddle_sequence *sequence;
	heddle_matrix *md, *me, *ms, *two, *dense, *other;
	heddle_type wrong = TYPE == HEDDLE_D ? HEDDLE_S : HEDDLE_D;
	const heddle_select bad = { .kind = HEDDLE_INDEX, .il = 1, .iu = 4 }, all = { .kind = HEDDLE_ALL };
	const heddle_options options = { .band = -1 };
	int64_t found = 5;

	ck_assert_int_eq(heddle_sequence_create(&sequence), 0);
	ck_assert_int_eq(heddle_matrix_create(&md, TYPE, 3, 1, d, 3, 0), 0);
	ck_assert_int_eq(heddle_matrix_create(&me, TYPE, 2, 1, e, 3, 0), 0);
	ck_assert_int_eq(heddle_matrix_create(&ms, TYPE, 3, 1, s, 3, 0), 0);
	ck_assert_int_eq(heddle_matrix_create(&two, TYPE, 1, 1, square, 3, 0), 0);
	ck_assert_int_eq(heddle_matrix_create(&dense, TYPE, 3, 3, square, 3, 0), 0);
	ck_assert_int_eq(heddle_matrix_create(&other, wrong, 1, 1, square, 3, 0), 0);
	const struct call {
		heddle_sequence *sequence;
		heddle_matrix *d, *e;
		const heddle_select *select;
		heddle_matrix *s;
		const heddle_options *options;
		int expected;
	} calls[] = {
		{ NULL, md, me, NULL, ms, NULL, -1 },
		{ sequence, NULL, me, NULL, ms, NULL, -2 },
		{ sequence, dense, me, NULL, ms, NULL, -2 },
		{ sequence, other, me, NULL, ms, NULL, -2 },
		{ sequence, md, NULL, NULL, ms, NULL, -3 },
		{ sequence, md, two, NULL, ms, NULL, -3 },
		{ sequence, md, dense, NULL, ms, NULL, -3 },
		{ sequence, md, other, NULL, ms, NULL, -3 },
		{ sequence, md, me, &bad, ms, NULL, -4 },
		{ sequence, md, me, &all, NULL, NULL, -5 },
		{ sequence, md, me, &all, two, NULL, -5 },
		{ sequence, md, me, &all, dense, NULL, -5 },
		{ sequence, md, me, &all, other, NULL, -5 },
		{ sequence, md, me, &all, ms, &options, -7 },
	};
	for (unsigned i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		const struct call *c = &calls[i];
		ck_assert_int_eq(API(bd_vals_async)(c->sequence, c->d, c->e, c->select, c->s, &found, c->options), c->expected);
	}
	heddle_stage stages[8];
	int count = heddle_sequence_stages(sequence, stages, 8);
	for (int i = 0; i < count; i++)
		ck_assert_int_eq(stages[i].submitted, 0);
	ck_assert_int_eq(heddle_sequence_wait(sequence), 0);
	heddle_matrix_destroy(md);
	heddle_matrix_destroy(me);
	heddle_matrix_destroy(ms);
	heddle_matrix_destroy(two);
	heddle_matrix_destroy(dense);
	heddle_matrix_destroy(other);
	heddle_sequence_destroy(sequence);
	ck_assert(found == 5 && s[0] == 7 && s[1] == 7 && s[2] == 7);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create(TRACE_NAME("bd_arguments"));
	TCase *t = tcase_create("arguments");

	tcase_set_timeout(t, 0);
	tcase_add_test(t, special_matrices);
	tcase_add_loop_test(t, nan_and_infinity_are_refused, 1, 5);
	tcase_add_loop_test(t, nan_and_infinity_are_refused, 40, 41);
	tcase_add_test(t, illegal_arguments_of_blocking_forms);
	tcase_add_test(t, illegal_arguments_of_the_asynchronous_form);
	suite_add_tcase(suite, t);
	return run_suite(suite);
}
