/* Separated values of every separator and form give the matrix that they show. */
#include <math.h>
#include "tests/io_test.h"

/* Each is [1 2.5 -3; 4 0.5 6]. */
START_TEST(separators_and_forms)
{
	static const char *const texts[] = {
		"1,2.5,-3\n4,0.5,6\n",
		"1;2.5;-3\n4;0.5;6",
		"1\t2.5\t-3\n4\t0.5\t6\n",
		"1 2.5 -3\n4 0.5 6\n",
		"  1   2.5  -3  \r\n\t4 \t .5 6\t\r\n",
		"\xef\xbb\xbf 1 , 2.5 , -3\r\n\r\n 4e0,5d-1,+6.0 \r\n\r\n",
		"# a comment, with, commas; and\n\n1,2.5,-3\n  # another\n4,0.5,6\n#",
		"x,y,z\n1,2.5,-3\n4,0.5,6\n",
		"\"x\", \"y;, 1\", \"\"\n1,2.5,-3\n4,0.5,6\n",
		"# x\ntime speed nanometres\n1 2.5 -3\n4 0.5 6\n",
		"infinitive\tnancy\t-\n1\t2.5\t-3\n4\t0.5\t6\n",
		"a;b,b;c\n1;2.5;-3\n4;0.5;6\n",
	};
	static const double expected[] = { 1, 2.5, -3, 4, 0.5, 6 };
	check_real(texts[_i], HEDDLE_D, 2, 3, expected);
}
END_TEST

START_TEST(rows_and_columns)
{
	static const double expected[] = { 1, 2, 3 };
	check_real("1\n2\n3\n", HEDDLE_D, 3, 1, expected);
	check_real("1,2,3", HEDDLE_D, 1, 3, expected);
	check_real("value\n1", HEDDLE_D, 1, 1, expected);
}
END_TEST

START_TEST(complex_values)
{
	static const char *const texts[] = { "1+2j,3\n-4j,1e1-5e-1j\n", "1+2i 3\n-4I 10-.5J\n",
		" (1.000e+00+2.000e+00j) (3.000e+00+0.000e+00j)\n (0.000e+00+-4.000e+00j) (1.0d1-0.5j)\n", "(1+2j);(3)\n(-4j);10-0.5j" };
	for (int t = 0; t < 3; t++) {
		heddle_type type = t == 0 ? (heddle_type)0 : t == 1 ? HEDDLE_C : HEDDLE_Z;
		struct dense d = read_text(texts[_i], type);
		ck_assert_int_eq(d.type, t == 1 ? HEDDLE_C : HEDDLE_Z);
		ck_assert(d.m == 2 && d.n == 2);
		ck_assert(element(&d, 0, 0) == 1 + 2 * I && element(&d, 0, 1) == 3);
		ck_assert(element(&d, 1, 0) == -4 * I && element(&d, 1, 1) == 10 - 0.5 * I);
		dense_free(&d);
	}
}
END_TEST

START_TEST(types_are_converted)
{
	for (const char *type = "sdcz"; *type; type++) {
		struct dense d = read_text("0.1,nan\n-inf,4", (heddle_type)*type);
		ck_assert_int_eq(d.type, *type);
		ck_assert(element(&d, 0, 0) == (strchr("sc", *type) ? (double)0.1f : 0.1));
		ck_assert(isnan(creal(element(&d, 0, 1))) && isinf(creal(element(&d, 1, 0))));
		dense_free(&d);
	}
}
END_TEST

/* More rows than a block holds, and rows longer than one. */
START_TEST(large_files)
{
	static const int shapes[][2] = { { 3, 200000 }, { 200000, 3 }, { 400, 1001 } };
	const int m = shapes[_i][0], n = shapes[_i][1];
	static const char *const files[] = { "large.csv", NULL };
	char folder[64], path[128];
	int64_t wrong = 0;
	FILE *file;
	struct dense d;
	struct io_error error;
	make_folder(folder);
	snprintf(path, sizeof path, "%s/%s", folder, files[0]);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	for (int i = 0; i < m; i++)
		for (int j = 0; j < n; j++)
			fprintf(file, "%d%c", 3 * i - 7 * j, j == n - 1 ? '\n' : ',');
	fclose(file);
	ck_assert_msg(matrix_read(path, 0, &d, &error) == 0, "%s", error.text);
	ck_assert(d.m == m && d.n == n);
	for (int j = 0; j < n; j++)
		for (int i = 0; i < m; i++)
			wrong += element(&d, i, j) != 3 * i - 7 * j;
	ck_assert_int_eq(wrong, 0);
	dense_free(&d);
	remove_folder(folder, files);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("csv");
	tcase_add_loop_test(tcase, separators_and_forms, 0, 12);
	tcase_add_test(tcase, rows_and_columns);
	tcase_add_loop_test(tcase, complex_values, 0, 4);
	tcase_add_test(tcase, types_are_converted);
	tcase_add_loop_test(tcase, large_files, 0, 3);
	return run_case("io_csv", tcase);
}
