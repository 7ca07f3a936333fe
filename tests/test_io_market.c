/* Matrix Market files of every format, field and symmetry give the matrix that they stand for, in every type. */
#include <math.h>
#include "tests/io_test.h"

enum { order = 5, text_size = 4096 };

static const char *const formats[] = { "array", "coordinate" };
static const char *const fields[] = { "real", "integer", "complex", "pattern" };
static const char *const symmetries[] = { "general", "symmetric", "skew-symmetric", "hermitian" };
static const char types[] = "sdcz";

struct combination {
	int format, field, symmetry;
};

static bool allowed(struct combination c)
{
	if (c.field == 3)
		return c.format == 1 && c.symmetry < 2;
	return c.symmetry != 3 || c.field == 2;
}

/* Element i,j of the matrix that the texts below hold; values that are exact in single precision. */
static double complex value(struct combination c, int i, int j)
{
	double complex x = (i + 1) * 0.75 - j * 2.5 + (j * 0.125 - i) * I;
	if (c.symmetry && i < j) {
		x = value(c, j, i);
		return c.symmetry == 1 ? x : c.symmetry == 2 ? -x : conj(x);
	}
	if (c.symmetry == 2 && i == j)
		x = 0;
	if (c.symmetry == 3 && i == j)
		x = creal(x);
	if (c.field == 1)
		x = 8 * creal(x);
	if (c.field == 3)
		x = 1;
	return c.field == 2 ? x : creal(x);
}

/* Writes the matrix of m rows and n columns as c says. */
static void print_matrix(char *text, struct combination c, int m, int n)
{
	int length = snprintf(text, text_size, "%%%%MatrixMarket matrix %s %s %s\n%% a comment\n", formats[c.format], fields[c.field],
		symmetries[c.symmetry]);
	int entries = c.symmetry == 0 ? m * n : c.symmetry == 2 ? n * (n - 1) / 2 : n * (n + 1) / 2;
	length += snprintf(text + length, text_size - (size_t)length, c.format ? "%d %d %d\n" : "%d %d\n", m, n, entries);
	for (int j = 0; j < n; j++) {
		for (int i = c.symmetry == 0 ? 0 : c.symmetry == 2 ? j + 1 : j; i < m; i++) {
			double complex x = value(c, i, j);
			if (c.format)
				length += snprintf(text + length, text_size - (size_t)length, "%d %d ", i + 1, j + 1);
			if (c.field != 3)
				length += snprintf(text + length, text_size - (size_t)length, "%.17g", creal(x));
			if (c.field == 2)
				length += snprintf(text + length, text_size - (size_t)length, " %.17g", cimag(x));
			length += snprintf(text + length, text_size - (size_t)length, "\n");
		}
	}
	ck_assert_int_lt(length, text_size);
}

START_TEST(every_format_field_and_symmetry)
{
	const struct combination c = { _i / 16, _i / 4 % 4, _i % 4 };
	const int m = c.symmetry ? order : order + 2, n = order;
	char text[text_size];
	if (!allowed(c))
		return;
	print_matrix(text, c, m, n);
	for (int t = -1; t < 4; t++) {
		struct dense d;
		if (c.field == 2 && (t == 0 || t == 1))
			continue;
		d = read_text(text, t < 0 ? (heddle_type)0 : (heddle_type)types[t]);
		ck_assert_int_eq(d.type, t >= 0 ? types[t] : c.field == 2 ? 'z' : 'd');
		ck_assert_int_eq(d.m, m);
		ck_assert_int_eq(d.n, n);
		for (int j = 0; j < n; j++)
			for (int i = 0; i < m; i++)
				ck_assert_msg(element(&d, i, j) == value(c, i, j), "%s: element %d,%d", text, i, j);
		dense_free(&d);
	}
}
END_TEST

/* Each gives [1 2; 3 4]. */
START_TEST(spellings_do_not_matter)
{
	static const char *const texts[] = {
		"%%MatrixMarket matrix array real general\n2 2\n1\n3\n2\n4\n",
		"%%matrixmarket MATRIX Array REAL General\n2 2\n1\n3\n2\n4",
		"%%MatrixMarket\tmatrix  array \t real general \r\n2 2\r\n1\r\n3\r\n2\r\n4\r\n",
		"\xef\xbb\xbf%%MatrixMarket matrix array integer general\n\n%x\n\n 2\t2 \n\n+1\n03\n% y\n 2 \n\n\t4\n\n%z\n\n",
		"%%MatrixMarket matrix array real general\n%\n2 2\n1e0\n.3E1\n20.0d-1\n0.04D+2\n",
		"%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 1\n2 1 3.\n1 2 +2\n2 2 4\n",
		"%%MatrixMarket matrix coordinate integer general\n2 2 6\n2 2 2\n1 1 1\n2 1 3\n1 2 2\n2 2 1\n2 2 1\n",
		"%%MatrixMarket matrix coordinate real general\n2 2 5\n1 1 1.5\n2 1 3\n1 2 2\n2 2 4\n1 1 -0.5\n",
	};
	static const double expected[] = { 1, 2, 3, 4 };
	check_real(texts[_i], HEDDLE_D, 2, 2, expected);
}
END_TEST

START_TEST(duplicates_add_up)
{
	static const double pattern[] = { 2, 0, 0, 1 }, symmetric[] = { 0, 5, 5, 1 }, skew[] = { 0, -5, 5, 0 };
	struct dense d;
	check_real("%%MatrixMarket matrix coordinate pattern general\n2 2 3\n1 1\n2 2\n1 1\n", HEDDLE_D, 2, 2, pattern);
	check_real("%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n2 1 3\n2 2 1\n2 1 2\n", HEDDLE_D, 2, 2, symmetric);
	check_real("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 3\n2 1 3\n2 2 0\n2 1 2\n", HEDDLE_D, 2, 2, skew);
	d = read_text("%%MatrixMarket matrix coordinate complex hermitian\n2 2 3\n2 1 3 1\n1 1 7 0\n2 1 2 1\n", HEDDLE_C);
	ck_assert(element(&d, 0, 0) == 7 && element(&d, 1, 0) == 5 + 2 * I && element(&d, 0, 1) == 5 - 2 * I);
	dense_free(&d);
}
END_TEST

START_TEST(empty_matrices)
{
	static const char *const texts[] = { "%%MatrixMarket matrix array real general\n0 0\n",
		"%%MatrixMarket matrix array real general\n0 4611686018427387904\n", "%%MatrixMarket matrix array real skew-symmetric\n0 0\n",
		"%%MatrixMarket matrix array real general\n4611686018427387904 0\n", "%%MatrixMarket matrix coordinate real general\n3 0 0\n",
		"%%MatrixMarket matrix coordinate complex hermitian\n0 0 0" };
	struct dense d = read_text(texts[_i], 0);
	ck_assert(d.m == 0 || d.n == 0);
	dense_free(&d);
}
END_TEST

/* Unlisted entries of a coordinate file are zero. */
START_TEST(missing_entries_are_zero)
{
	static const double expected[] = { 0, 0, 0, 0, 0, -7 };
	check_real("%%MatrixMarket matrix coordinate real general\n2 3 1\n2 3 -7\n", HEDDLE_D, 2, 3, expected);
}
END_TEST

/* They are for the library to refuse. */
START_TEST(nan_and_infinity_are_read)
{
	struct dense d = read_text("%%MatrixMarket matrix array real general\n4 1\nnan\n-Inf\ninfinity\nNaN\n", HEDDLE_S);
	ck_assert(isnan(creal(element(&d, 0, 0))) && isnan(creal(element(&d, 3, 0))));
	ck_assert(creal(element(&d, 1, 0)) == -INFINITY && creal(element(&d, 2, 0)) == INFINITY);
	dense_free(&d);
}
END_TEST

/* One rounding, from the digits to float: through double this is 1 + 2^-23. */
START_TEST(single_precision_is_rounded_once)
{
	static const char text[] = "%%MatrixMarket matrix array real general\n1 1\n1.00000005960464477539062499999999999999999\n";
	struct dense d = read_text(text, HEDDLE_S);
	ck_assert(element(&d, 0, 0) == 1);
	dense_free(&d);
}
END_TEST

/* Comments and numbers longer than the reader's buffer. */
START_TEST(lines_may_be_long)
{
	static const char head[] = "%%MatrixMarket matrix array real general\n%", middle[] = "\n1 1\n";
	const size_t length = 3 << 20;
	char *text = malloc(2 * length + 200), *p = text;
	char folder[64], path[128];
	static const char *const names[] = { "long.mtx", NULL };
	struct dense d;
	struct io_error error;
	ck_assert_ptr_nonnull(text);
	p += sprintf(p, "%s", head);
	memset(p, 'x', length);
	p += length;
	p += sprintf(p, "%s", middle);
	memset(p, '0', length);
	p += length;
	p += sprintf(p, "1.5\n");
	make_folder(folder);
	snprintf(path, sizeof path, "%s/%s", folder, names[0]);
	write_file(path, text, (size_t)(p - text));
	free(text);
	ck_assert_msg(matrix_read(path, 0, &d, &error) == 0, "%s", error.text);
	ck_assert(element(&d, 0, 0) == 1.5);
	dense_free(&d);
	remove_folder(folder, names);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("market");
	tcase_add_loop_test(tcase, every_format_field_and_symmetry, 0, 32);
	tcase_add_loop_test(tcase, spellings_do_not_matter, 0, 8);
	tcase_add_test(tcase, duplicates_add_up);
	tcase_add_loop_test(tcase, empty_matrices, 0, 6);
	tcase_add_test(tcase, missing_entries_are_zero);
	tcase_add_test(tcase, nan_and_infinity_are_read);
	tcase_add_test(tcase, single_precision_is_rounded_once);
	tcase_add_test(tcase, lines_may_be_long);
	return run_case("io_market", tcase);
}
