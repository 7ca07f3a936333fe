/* syev_vals and heev_vals refuse each illegal argument by its number, and touch nothing. */
#include "tests/hermitian.h"

#define VALS API(BY_FIELD(syev_vals, heev_vals))
#define VALS_SELECT API(BY_FIELD(syev_vals_select, heev_vals_select))
#define VALS_ASYNC API(BY_FIELD(syev_vals_async, heev_vals_async))

START_TEST(illegal_arguments)
{
	scalar a[16] = { 0 };
	real w[4] = { 5, 5, 5, 5 };
	int64_t found = 5;
	const heddle_select selects[] = {
		{ .kind = (heddle_select_kind)9 },	      { .kind = HEDDLE_INDEX, .il = 0, .iu = 2 },   { .kind = HEDDLE_INDEX, .il = 3, .iu = 2 },
		{ .kind = HEDDLE_INDEX, .il = 1, .iu = 5 }, { .kind = HEDDLE_VALUE, .vl = 1, .vu = 1 }, { .kind = HEDDLE_VALUE, .vl = NAN, .vu = 1 },
	};

	ck_assert_int_eq(VALS((heddle_uplo)'l', 4, a, 4, w), -1);
	ck_assert_ptr_nonnull(strstr(heddle_error_message(), "argument 1 (uplo)"));
	ck_assert_int_eq(VALS(HEDDLE_LOWER, -1, a, 4, w), -2);
	ck_assert_int_eq(VALS(HEDDLE_LOWER, 4, NULL, 4, w), -3);
	ck_assert_int_eq(VALS(HEDDLE_LOWER, 4, a, 3, w), -4);
	ck_assert_int_eq(VALS(HEDDLE_LOWER, 4, a, 4, NULL), -5);
	ck_assert_int_eq(VALS_SELECT(HEDDLE_LOWER, -1, a, 4, NULL, &found, w), -2);
	ck_assert_int_eq(VALS_SELECT(HEDDLE_LOWER, 4, a, 4, NULL, &found, NULL), -7);
	for (unsigned i = 0; i < sizeof(selects) / sizeof(selects[0]); i++)
		ck_assert_int_eq(VALS_SELECT(HEDDLE_LOWER, 4, a, 4, &selects[i], &found, w), -5);
	ck_assert_int_eq(found, 5);
	for (int i = 0; i < 4; i++)
		ck_assert(w[i] == 5);
}
END_TEST

START_TEST(illegal_objects)
{
	scalar a[16] = { 0 };
	real w[4];
	heddle_sequence *sequence;
	heddle_matrix *matrix, *wide, *other, *result, *short_result;
	heddle_options options = { .band = -1 };
	heddle_select bad = { .kind = HEDDLE_INDEX, .il = 0, .iu = 2 };

	ck_assert_int_eq(heddle_sequence_create(&sequence), 0);
	ck_assert_int_eq(heddle_matrix_create(&matrix, TYPE, 4, 4, a, 4, 2), 0);
	ck_assert_int_eq(heddle_matrix_create(&wide, TYPE, 3, 4, a, 4, 2), 0);
	ck_assert_int_eq(heddle_matrix_create(&other, TYPE == HEDDLE_S ? HEDDLE_D : HEDDLE_S, 1, 1, a, 4, 2), 0);
	ck_assert_int_eq(heddle_matrix_create(&result, REAL_TYPE, 4, 1, w, 4, 0), 0);
	ck_assert_int_eq(heddle_matrix_create(&short_result, REAL_TYPE, 3, 1, w, 4, 0), 0);
	ck_assert_int_eq(VALS_ASYNC(NULL, HEDDLE_LOWER, matrix, NULL, result, NULL, NULL), -1);
	ck_assert_int_eq(VALS_ASYNC(sequence, (heddle_uplo)0, matrix, NULL, result, NULL, NULL), -2);
	ck_assert_int_eq(VALS_ASYNC(sequence, HEDDLE_LOWER, NULL, NULL, result, NULL, NULL), -3);
	ck_assert_int_eq(VALS_ASYNC(sequence, HEDDLE_LOWER, wide, NULL, result, NULL, NULL), -3);
	ck_assert_int_eq(VALS_ASYNC(sequence, HEDDLE_LOWER, other, NULL, result, NULL, NULL), -3);
	ck_assert_int_eq(VALS_ASYNC(sequence, HEDDLE_LOWER, matrix, &bad, result, NULL, NULL), -4);
	ck_assert_int_eq(VALS_ASYNC(sequence, HEDDLE_LOWER, matrix, NULL, NULL, NULL, NULL), -5);
	ck_assert_int_eq(VALS_ASYNC(sequence, HEDDLE_LOWER, matrix, NULL, short_result, NULL, NULL), -5);
	ck_assert_int_eq(VALS_ASYNC(sequence, HEDDLE_LOWER, matrix, NULL, result, NULL, &options), -7);
	heddle_matrix_destroy(matrix);
	heddle_matrix_destroy(wide);
	heddle_matrix_destroy(other);
	heddle_matrix_destroy(result);
	heddle_matrix_destroy(short_result);
	heddle_sequence_destroy(sequence);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("syev_arguments");
	TCase *tests = tcase_create("syev_arguments");

	tcase_set_timeout(tests, 0);
	tcase_add_test(tests, illegal_arguments);
	tcase_add_test(tests, illegal_objects);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
