/* Bands come back as they were set, in the places of LAPACK storage that belong to them alone, and refuse illegal arguments. */
#include "tests/hermitian.h"

static const heddle_type wrong = (heddle_type)0;

/* i - j for the entry in row `row` of LAPACK storage */
static int64_t below_diagonal(heddle_uplo uplo, int64_t kd, int64_t row)
{
	return uplo == HEDDLE_LOWER ? row : row - kd;
}

START_TEST(a_band_comes_back_as_it_was_set)
{
	static const int64_t shapes[][3] = { { 1, 0, 1 }, { 1, 3, 4 }, { 2, 1, 2 }, { 70, 5, 8 }, { 300, 1, 2 }, { 9, 20, 21 }, { 130, 64, 70 } };
	int64_t n = shapes[_i / 3][0], kd = shapes[_i / 3][1], ldab = shapes[_i / 3][2];
	bool hermitian = _i % 3 > 0;
	heddle_uplo uplo = both[_i % 3 != 1];
	scalar *ab = malloc((size_t)(ldab * n) * sizeof(*ab)), *back = malloc((size_t)(ldab * n) * sizeof(*back)), mark = make_scalar(-1, -2);
	heddle_band *band;

	for (int64_t j = 0; j < n; j++)
		for (int64_t row = 0; row < ldab; row++) {
			int64_t i = j + below_diagonal(uplo, kd, row), at = row + j * ldab;
			ab[at] = row <= kd && i >= 0 && i < n ? make_scalar((real)(at + 1), (real)(2 * at)) : not_a_number();
			back[at] = mark;
		}
	if (hermitian)
		ck_assert_int_eq(heddle_band_create_hermitian(&band, TYPE, uplo, n, kd), 0);
	else
		ck_assert_int_eq(heddle_band_create(&band, TYPE, n, kd), 0);
	ck_assert_int_eq(heddle_band_set(band, ab, ldab), 0);
	ck_assert_int_eq(heddle_band_get(band, back, ldab), 0);
	for (int64_t j = 0; j < n; j++)
		for (int64_t row = 0; row < ldab; row++) {
			int64_t i = j + below_diagonal(uplo, kd, row), at = row + j * ldab;
			scalar expected = row <= kd && i >= 0 && i < n ? ab[at] : mark;
			if (hermitian && i == j)
				expected = real_part(expected);
			ck_assert(memcmp(&back[at], &expected, sizeof(expected)) == 0);
		}
	heddle_band_destroy(band);
	free(ab);
	free(back);
}
END_TEST

START_TEST(illegal_arguments)
{
	heddle_band *band, *none = NULL;
	scalar ab[16];

	ck_assert_int_eq(heddle_band_create(NULL, TYPE, 4, 1), -1);
	ck_assert_int_eq(heddle_band_create(&none, wrong, 4, 1), -2);
	ck_assert_int_eq(heddle_band_create(&none, TYPE, -4, 1), -3);
	ck_assert_int_eq(heddle_band_create(&none, TYPE, 4, -1), -4);
	ck_assert_int_eq(heddle_band_create_hermitian(NULL, TYPE, HEDDLE_LOWER, 4, 1), -1);
	ck_assert_int_eq(heddle_band_create_hermitian(&none, wrong, HEDDLE_LOWER, 4, 1), -2);
	ck_assert_int_eq(heddle_band_create_hermitian(&none, TYPE, (heddle_uplo)'u', 4, 1), -3);
	ck_assert_int_eq(heddle_band_create_hermitian(&none, TYPE, HEDDLE_LOWER, -4, 1), -4);
	ck_assert_int_eq(heddle_band_create_hermitian(&none, TYPE, HEDDLE_LOWER, 4, -1), -5);
	ck_assert_ptr_null(none);
	for (int hermitian = 0; hermitian < 2; hermitian++) {
		if (hermitian)
			ck_assert_int_eq(heddle_band_create_hermitian(&band, TYPE, HEDDLE_UPPER, 4, 1), 0);
		else
			ck_assert_int_eq(heddle_band_create(&band, TYPE, 4, 1), 0);
		ck_assert_int_eq(heddle_band_set(NULL, ab, 2), -1);
		ck_assert_int_eq(heddle_band_set(band, NULL, 2), -2);
		ck_assert_int_eq(heddle_band_set(band, ab, 1), -3);
		ck_assert_int_eq(heddle_band_get(NULL, ab, 2), -1);
		ck_assert_int_eq(heddle_band_get(band, NULL, 2), -2);
		ck_assert_int_eq(heddle_band_get(band, ab, 1), -3);
		heddle_band_destroy(band);
	}
	heddle_band_destroy(NULL);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("band");
	TCase *tests = tcase_create("band");

	tcase_set_timeout(tests, 0);
	tcase_add_loop_test(tests, a_band_comes_back_as_it_was_set, 0, 7 * 3);
	tcase_add_test(tests, illegal_arguments);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
