/* bd_vals and st_vals on the smallest and on degenerate matrices, with NaN and infinity, and with illegal arguments. */
#include "tests/values_support.h"

static const struct forms *const functions[] = { &bd_forms, &st_forms };
enum { BD, ST, FUNCTIONS };

static bool near(real x, double y)
{
	return fabs((double)x - y) <= 2 * REAL_EPS * fabs(y);
}

START_TEST(nothing_and_one)
{
	const struct forms *f = functions[_i];
	real d = -3, value;
	int64_t found = -1;

	ck_assert_int_eq(f->all(0, NULL, NULL, NULL), 0);
	ck_assert_int_eq(f->select(0, NULL, NULL, NULL, &found, NULL), 0);
	ck_assert_int_eq(found, 0);
	ck_assert_int_eq(f->all(1, &d, NULL, &value), 0);
	ck_assert(value == (_i == BD ? 3 : -3));
}
END_TEST

START_TEST(special_bidiagonals)
{
	real d[4] = { -3, 0, 0, -2 }, e[4] = { 0, 0, 0, NAN }, s[4], huge = (real)(sizeof(real) == sizeof(float) ? 1e38 : 1e308);

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

START_TEST(special_tridiagonals)
{
	real d[4] = { -3, 0, 0, 2 }, e[4] = { 0, 0, 0, NAN }, w[4], huge = (real)(sizeof(real) == sizeof(float) ? 1e38 : 1e308);

	ck_assert_int_eq(API(st_vals)(4, d, e, w), 0); /* diagonal */
	ck_assert(w[0] == -3 && w[1] == 0 && w[2] == 0 && w[3] == 2);
	ck_assert_int_eq(API(st_vals)(2, d + 1, e, w), 0); /* zero */
	ck_assert(w[0] == 0 && w[1] == 0 && !signbit(w[0]) && !signbit(w[1]));
	e[1] = -5;
	ck_assert_int_eq(API(st_vals)(2, d + 1, e + 1, w), 0); /* zeros on the diagonal only */
	ck_assert(near(w[0], -5) && near(w[1], 5));
	ck_assert_int_eq(API(st_vals)(4, d, e, w), 0);
	ck_assert(near(w[0], -5) && near(w[1], -3) && near(w[2], 2) && near(w[3], 5));
	e[2] = 5;
	ck_assert_int_eq(API(st_vals)(3, (real[]){ 0, 0, 0 }, e + 1, w), 0); /* zero is a value */
	ck_assert(near(w[0], -sqrt(50)) && w[1] == 0 && near(w[2], sqrt(50)));
	ck_assert_int_eq(API(st_vals)(2, (real[]){ 1, 1 }, (real[]){ 1 }, w), 0);
	ck_assert(fabs((double)w[0]) <= 2 * REAL_EPS && near(w[1], 2));
	d[0] = huge;
	ck_assert_int_eq(API(st_vals)(4, d, e, w), 0); /* one huge element */
	ck_assert(near(w[3], (double)huge) && w[0] < 0);
	for (int i = 0; i < 4; i++)
		d[i] = e[i] = -huge;
	ck_assert_int_eq(API(st_vals)(2, d, e, w), 0); /* a value near overflow, or beyond it */
	ck_assert(fabs((double)w[1]) <= 2 * REAL_EPS * (double)huge);
	ck_assert(near(w[0], -2 * (double)huge) || w[0] == (real)(-2 * (double)huge));
	for (int i = 0; i < 4; i++)
		d[i] = e[i] = (real)DENORMAL;
	ck_assert_int_eq(API(st_vals)(4, d, e, w), 0);
	ck_assert(w[3] == (real)(3 * DENORMAL) && w[0] == (real)-DENORMAL);
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

static void check_refused(const struct forms *f, int64_t n, real *d, real *e, real *values)
{
	int64_t found;

	ck_assert_int_eq(f->all(n, d, e, values), HEDDLE_EINPUT);
	graph_end(graph_begin(f, n, d, e, NULL, n, values, &found, 3), HEDDLE_EINPUT);
}

START_TEST(nan_and_infinity_are_refused)
{
	static const double poisons[] = { NAN, INFINITY, -INFINITY };
	static const int64_t orders[] = { 1, 2, 3, 4, 40 };
	int64_t n = orders[_i / FUNCTIONS];
	real *d = malloc((size_t)n * sizeof(real)), *e = malloc((size_t)n * sizeof(real)), *values = malloc((size_t)n * sizeof(real));

	for (int p = 0; p < 3; p++)
		for (int64_t i = 0; i < 2 * n - 1; i += n > 10 ? 7 : 1) {
			fill_random(n, d, e);
			*(i % 2 ? &e[i / 2] : &d[i / 2]) = (real)poisons[p];
			check_refused(functions[_i % FUNCTIONS], n, d, e, values);
		}
	free(d);
	free(e);
	free(values);
}
END_TEST

/* Every call has one illegal argument. */
START_TEST(illegal_arguments_of_blocking_forms)
{
	const struct forms *f = functions[_i];
	real d[3] = { 1, 2, 3 }, e[2] = { 1, 1 }, s[3] = { 7, 7, 7 };
	int64_t found = 5;
	const heddle_select kind = { .kind = (heddle_select_kind)9 }, low = { .kind = HEDDLE_INDEX, .il = 0, .iu = 1 },
			    high = { .kind = HEDDLE_INDEX, .il = 1, .iu = 4 }, order = { .kind = HEDDLE_INDEX, .il = 3, .iu = 2 },
			    empty = { .kind = HEDDLE_VALUE, .vl = 1, .vu = 1 }, nan = { .kind = HEDDLE_VALUE, .vl = NAN, .vu = 1 };
	const heddle_select *illegal[] = { &kind, &low, &high, &order, &empty, &nan };

	ck_assert_int_eq(f->all(-1, d, e, s), -1);
	ck_assert_int_eq(f->all(3, NULL, e, s), -2);
	ck_assert_int_eq(f->all(3, d, NULL, s), -3);
	ck_assert_int_eq(f->all(3, d, e, NULL), -4);
	ck_assert_int_eq(f->select(-1, d, e, NULL, &found, s), -1);
	ck_assert_int_eq(f->select(3, NULL, e, NULL, &found, s), -2);
	ck_assert_int_eq(f->select(3, d, NULL, NULL, &found, s), -3);
	for (unsigned i = 0; i < sizeof(illegal) / sizeof(illegal[0]); i++)
		ck_assert_int_eq(f->select(3, d, e, illegal[i], &found, s), -4);
	ck_assert_int_eq(f->select(3, d, e, NULL, &found, NULL), -6);
	ck_assert(found == 5 && s[0] == 7 && s[1] == 7 && s[2] == 7);
	ck_assert_ptr_nonnull(strstr(heddle_error_message(), f->name));
}
END_TEST

START_TEST(illegal_arguments_of_the_asynchronous_form)
{
	const struct forms *f = functions[_i];
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
		ck_assert_int_eq(f->async(c->sequence, c->d, c->e, c->select, c->s, &found, c->options), c->expected);
		ck_assert_ptr_nonnull(strstr(heddle_error_message(), f->name));
	}
	heddle_stage stages[16];
	int count = heddle_sequence_stages(sequence, stages, 16);
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
	Suite *suite = suite_create(TRACE_NAME("values_arguments"));
	TCase *t = tcase_create("arguments");

	tcase_set_timeout(t, 0);
	tcase_add_loop_test(t, nothing_and_one, 0, FUNCTIONS);
	tcase_add_test(t, special_bidiagonals);
	tcase_add_test(t, special_tridiagonals);
	tcase_add_loop_test(t, nan_and_infinity_are_refused, 0, 5 * FUNCTIONS);
	tcase_add_loop_test(t, illegal_arguments_of_blocking_forms, 0, FUNCTIONS);
	tcase_add_loop_test(t, illegal_arguments_of_the_asynchronous_form, 0, FUNCTIONS);
	suite_add_tcase(suite, t);
	return run_suite(suite);
}
