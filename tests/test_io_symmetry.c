/* matrix_hermitian finds the first pair that is none, in every type and wherever it lies; matrix_symmetrize makes pairs of all. */
#include <float.h>
#include <math.h>
#include "tests/io_test.h"

static void set(struct dense *d, int64_t i, int64_t j, double re, double im)
{
	dense_set(d, i + j * d->m, re, im);
}

static struct dense square(heddle_type type, int64_t n)
{
	struct dense d = { .type = type, .m = n, .n = n, .a = calloc((size_t)(n * n + 1), 16) };
	ck_assert_ptr_nonnull(d.a);
	return d;
}

/* Of distinct numbers, A(i,j) the conjugate of A(j,i). */
static struct dense hermitian(heddle_type type, int64_t n)
{
	struct dense d = square(type, n);
	for (int64_t j = 0; j < n; j++) {
		for (int64_t i = j; i < n; i++) {
			set(&d, i, j, (double)(1 + i * n + j), i == j ? 0 : (double)(i - j));
			set(&d, j, i, (double)(1 + i * n + j), i == j ? 0 : (double)(j - i));
		}
	}
	return d;
}

START_TEST(hermitian_matrices_pass)
{
	static const int64_t orders[] = { 0, 1, 2, 31, 32, 33, 64, 100 };
	struct io_error error = { "" };
	for (int s = 0; s < 8; s++) {
		struct dense d = hermitian((heddle_type)"sdcz"[_i], orders[s]);
		ck_assert_msg(matrix_hermitian(&d, "A", &error) == 0, "%s", error.text);
		dense_free(&d);
	}
}
END_TEST

START_TEST(one_wrong_element_is_found)
{
	enum { n = 70 };
	const heddle_type type = (heddle_type)"sdcz"[_i];
	struct dense d = hermitian(type, n);
	struct io_error error;
	char expected[96];
	for (int64_t j = 0; j < n; j++) {
		for (int64_t i = 0; i < n; i++) {
			const double complex before = element(&d, i, j);
			const int64_t row = i < j ? i : j, column = i < j ? j : i;
			if (i == j && !type_is_complex(type))
				continue;
			set(&d, i, j, creal(before) + (i != j && (i + j) % 2), cimag(before) + 0.5);
			if (i != j && !type_is_complex(type))
				set(&d, i, j, creal(before) + 1, 0);
			ck_assert_int_eq(matrix_hermitian(&d, "A", &error), -1);
			snprintf(expected, sizeof expected, "row %lld, column %lld", (long long)row + 1, (long long)column + 1);
			ck_assert_msg(strstr(error.text, expected) != NULL, "%s: %s", expected, error.text);
			set(&d, i, j, creal(before), cimag(before));
		}
	}
	ck_assert_int_eq(matrix_hermitian(&d, "A", &error), 0);
	dense_free(&d);
}
END_TEST

START_TEST(of_several_the_first_is_named)
{
	static const struct {
		int64_t i[2], j[2];
		const char *named;
	} cases[] = {
		{ { 99, 40 }, { 2, 3 }, "(row 3, column 100)" }, { { 50, 2 }, { 1, 60 }, "(row 2, column 51)" },
		{ { 1, 0 }, { 99, 98 }, "(row 1, column 99)" }, { { 40, 90 }, { 5, 5 }, "(row 6, column 41)" },
	};
	struct dense d = hermitian(HEDDLE_D, 100);
	struct io_error error;
	for (int k = 0; k < 2; k++)
		set(&d, cases[_i].i[k], cases[_i].j[k], -1, 0);
	ck_assert_int_eq(matrix_hermitian(&d, "A", &error), -1);
	ck_assert_msg(strstr(error.text, cases[_i].named) != NULL, "%s", error.text);
	dense_free(&d);
}
END_TEST

START_TEST(messages_say_what_is_there)
{
	struct dense d = hermitian(HEDDLE_Z, 3);
	struct io_error error;
	set(&d, 2, 1, 1, -1.5);
	set(&d, 1, 2, 1, -1.5);
	ck_assert_int_eq(matrix_hermitian(&d, "a.npy", &error), -1);
	ck_assert_str_eq(error.text, "a.npy: not Hermitian: 1-1.5i (row 2, column 3) and 1-1.5i (row 3, column 2) are not each other's "
		"conjugate; --symmetrize averages such pairs");
	set(&d, 0, 0, 2, DBL_MIN);
	ck_assert_int_eq(matrix_hermitian(&d, "a.npy", &error), -1);
	ck_assert_str_eq(error.text, "a.npy: not Hermitian: row 1, column 1 holds 2+2.22507e-308i, which is not real; --symmetrize takes the "
		"real part");
	set(&d, 0, 0, NAN, 0);
	ck_assert_int_eq(matrix_hermitian(&d, "a.npy", &error), -1);
	ck_assert_str_eq(error.text, "a.npy: row 1, column 1 holds a NaN");
	dense_free(&d);
	d = square(HEDDLE_S, 2);
	set(&d, 0, 1, 0.1, 0);
	set(&d, 1, 0, (double)nextafterf(0.1f, 1), 0);
	ck_assert_int_eq(matrix_hermitian(&d, "a", &error), -1);
	ck_assert_str_eq(error.text, "a: not symmetric: 0.1 (row 1, column 2) and 0.10000001 (row 2, column 1) differ; "
		"--symmetrize averages such pairs");
	set(&d, 1, 0, NAN, 0);
	ck_assert_int_eq(matrix_hermitian(&d, "a", &error), -1);
	ck_assert_str_eq(error.text, "a: row 2, column 1 holds a NaN");
	dense_free(&d);
}
END_TEST

START_TEST(zeros_of_either_sign_are_equal)
{
	struct dense d = square(HEDDLE_C, 2);
	struct io_error error = { "" };
	set(&d, 0, 1, 0.0, -0.0);
	set(&d, 1, 0, -0.0, -0.0);
	set(&d, 1, 1, 1, -0.0);
	ck_assert_msg(matrix_hermitian(&d, "A", &error) == 0, "%s", error.text);
	dense_free(&d);
}
END_TEST

START_TEST(symmetrize_averages)
{
	enum { n = 70 };
	const heddle_type type = (heddle_type)"sdcz"[_i];
	const bool is_complex = type_is_complex(type);
	struct dense d = square(type, n), before = square(type, n);
	struct io_error error = { "" };
	uint64_t state = 5;
	for (int64_t j = 0; j < n; j++) {
		for (int64_t i = 0; i < n; i++) {
			const double re = (double)(next_random(&state) % 64), im = is_complex ? (double)(next_random(&state) % 64) : 0;
			set(&d, i, j, re, im);
			set(&before, i, j, re, im);
		}
	}
	matrix_symmetrize(&d);
	ck_assert_msg(matrix_hermitian(&d, "A", &error) == 0, "%s", error.text);
	for (int64_t j = 0; j < n; j++)
		for (int64_t i = 0; i < n; i++)
			ck_assert(element(&d, i, j) == (element(&before, i, j) + conj(element(&before, j, i))) / 2);
	dense_free(&d);
	dense_free(&before);
}
END_TEST

/* Large numbers do not overflow, and what is symmetric keeps its bits, down to the smallest. */
START_TEST(symmetrize_at_the_ends_of_the_range)
{
	struct dense d = square(HEDDLE_D, 3);
	set(&d, 0, 1, DBL_MAX, 0);
	set(&d, 1, 0, DBL_MAX / 2, 0);
	set(&d, 0, 2, 0x1p-1074, 0);
	set(&d, 2, 0, 0x1p-1074, 0);
	set(&d, 2, 2, DBL_MAX, 0);
	matrix_symmetrize(&d);
	ck_assert(element(&d, 0, 1) == 0.75 * DBL_MAX && element(&d, 1, 0) == 0.75 * DBL_MAX);
	ck_assert(element(&d, 0, 2) == 0x1p-1074 && element(&d, 2, 0) == 0x1p-1074 && element(&d, 2, 2) == DBL_MAX);
	dense_free(&d);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("symmetry");
	tcase_add_loop_test(tcase, hermitian_matrices_pass, 0, 4);
	tcase_add_loop_test(tcase, one_wrong_element_is_found, 0, 4);
	tcase_add_loop_test(tcase, of_several_the_first_is_named, 0, 4);
	tcase_add_test(tcase, messages_say_what_is_there);
	tcase_add_test(tcase, zeros_of_either_sign_are_equal);
	tcase_add_loop_test(tcase, symmetrize_averages, 0, 4);
	tcase_add_test(tcase, symmetrize_at_the_ends_of_the_range);
	return run_case("io_symmetry", tcase);
}
