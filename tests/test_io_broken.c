/* Broken text files are refused with their line and what is wrong there, and leave nothing allocated. */
#include "tests/io_test.h"

#define GENERAL "%%MatrixMarket matrix array real general\n"
#define ENTRIES "%%MatrixMarket matrix coordinate real general\n"

struct broken {
	const char *text;
	int line; /* 0: the message names the file only */
	const char *message;
	heddle_type type;
};

static const struct broken market[] = {
	/* banner */
	{ "%", 1, "expected the banner \"%%MatrixMarket matrix", 0 },
	{ "%%MatrixMarkt matrix array real general\n1 1\n1\n", 1, "expected the banner", 0 },
	{ "%%MatrixMarketmatrix array real general\n1 1\n1\n", 1, "expected the banner", 0 },
	{ "%%MatrixMarket", 1, "expected the banner", 0 },
	{ "%%MatrixMarket vector array real general\n1 1\n1\n", 1, "the object (matrix) in the banner, found \"vector\"", 0 },
	{ "%%MatrixMarket matrix sparse real general\n1 1\n1\n", 1, "(array or coordinate) in the banner, found \"sparse\"", 0 },
	{ "%%MatrixMarket matrix array double general\n1 1\n1\n", 1, "complex or pattern) in the banner, found \"double\"", 0 },
	{ "%%MatrixMarket matrix array real\n1 1\n1\n", 1, "or hermitian) in the banner, found the end of the line", 0 },
	{ "%%MatrixMarket matrix array real upper\n1 1\n1\n", 1, "found \"upper\"", 0 },
	{ "%%MatrixMarket matrix array real general 7\n1 1\n1\n", 1, "unexpected \"7\" after the banner", 0 },
	{ "%%MatrixMarket matrix array pattern general\n1 1\n1\n", 1, "a pattern is coordinate general or coordinate symmetric", 0 },
	{ "%%MatrixMarket matrix coordinate pattern skew-symmetric\n1 1\n1\n", 1, "not coordinate skew-symmetric", 0 },
	{ "%%MatrixMarket matrix array real hermitian\n1 1\n1\n", 1, "a hermitian matrix must be complex, not real: say symmetric", 0 },
	{ "%%MatrixMarket matrix array complex general\n1 1\n1 1\n", 1, "the matrix is complex and type d is real", HEDDLE_D },
	/* sizes */
	{ GENERAL, 1, "the file ends before the line of sizes (rows columns)", 0 },
	{ ENTRIES "% only\n\n", 3, "the file ends before the line of sizes (rows columns entries)", 0 },
	{ GENERAL "\n%\n2\n", 4, "expected the number of columns, found the end of the line", 0 },
	{ GENERAL "two 2\n", 2, "expected the number of rows, found \"two\"", 0 },
	{ GENERAL "2.0 2\n", 2, "expected the number of rows, found \"2.0\"", 0 },
	{ GENERAL "2 2 4\n1\n2\n3\n4\n", 2, "unexpected \"4\" after the sizes (rows columns)", 0 },
	{ ENTRIES "2 2\n1 1 1\n", 2, "expected the number of entries, found the end of the line", 0 },
	{ GENERAL "-2 2\n", 2, "the number of rows is negative: -2", 0 },
	{ ENTRIES "2 2 -1\n", 2, "the number of entries is negative: -1", 0 },
	{ GENERAL "99999999999999999999 1\n", 2, "\"99999999999999999999\" rows are too many", 0 },
	{ GENERAL "4000000000 4000000000\n", 2, "of type d needs 1.192e+11 GiB, and 0.0625 GiB are available", 0 },
	{ ENTRIES "9000000000000000000 9000000000000000000 1\n1 1 1\n", 2, "GiB are available", 0 },
	{ ENTRIES "3000 3000 1\n1 1 1\n", 2, "a 3000 by 3000 matrix of type z needs 0.1341 GiB", HEDDLE_Z },
	{ "%%MatrixMarket matrix array real symmetric\n2 3\n", 2, "a symmetric matrix must be square, not 2 by 3", 0 },
	/* counts */
	{ GENERAL "2 2\n1\n2\n3\n", 5, "the file ends after 3 entries: line 2 makes it 4", 0 },
	{ GENERAL "2 2\n1\n2\n3\n4\n\n5\n", 8, "more than the 4 entries that line 2 leads to", 0 },
	{ "%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n4\n", 6, "more than the 3 entries", 0 },
	{ "%%MatrixMarket matrix array real skew-symmetric\n2 2\n1\n2\n", 4, "more than the 1 entries", 0 },
	{ ENTRIES "2 2 9000000000000000000\n1 1 1\n", 3, "the file ends after 1 entries: line 2 makes it 9000000000000000000", 0 },
	{ ENTRIES "% x\n2 2 1\n1 1 1\n1 2 2\n", 5, "more than the 1 entries that line 3 announces", 0 },
	{ ENTRIES "2 2 0\n1 1 1\n", 3, "more than the 0 entries", 0 },
	/* entries */
	{ GENERAL "2 1\n1\nx\n", 4, "expected a number, found \"x\"", 0 },
	{ GENERAL "2 1\n1 2\n", 3, "unexpected \"2\" after the entry: a line holds one", 0 },
	{ GENERAL "2 1\n1\n2x\n", 4, "expected a number, found \"2x\"", 0 },
	{ GENERAL "2 1\n1,5\n2\n", 3, "expected a number, found \"1,5\"", 0 },
	{ GENERAL "1 1\n0x1p3\n", 3, "expected a number, found \"0x1p3\"", 0 },
	{ GENERAL "1 1\n1 % x\n", 3, "unexpected \"%\" after the entry", 0 },
	{ GENERAL "2 1\n1\n\x01\x02\n", 4, "expected a number, found \"\?\?\"", 0 },
	{ GENERAL "1 1\n1.7976931348623159e308\n", 3, "\"1.7976931348623159e308\" is too large for double precision", 0 },
	{ GENERAL "1 1\n1e39\n", 3, "\"1e39\" is too large for single precision", HEDDLE_S },
	{ GENERAL "1 1\n-1D999\n", 3, "\"-1D999\" is too large", 0 },
	{ GENERAL "1 1\nabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz\n", 3, "klmno...\"", 0 },
	{ "%%MatrixMarket matrix array integer general\n1 1\n1.0\n", 3, "expected an integer, found \"1.0\"", 0 },
	{ "%%MatrixMarket matrix array integer general\n1 1\n1e2\n", 3, "expected an integer, found \"1e2\"", 0 },
	{ "%%MatrixMarket matrix array integer general\n1 1\nnan\n", 3, "expected an integer, found \"nan\"", 0 },
	{ "%%MatrixMarket matrix array complex general\n1 1\n1\n", 3, "expected the imaginary part, found the end of the line", 0 },
	{ "%%MatrixMarket matrix array complex general\n1 1\n(1,2)\n", 3, "expected the real part, found \"(1,2)\"", 0 },
	{ "%%MatrixMarket matrix array complex general\n1 1\n1 2 3\n", 3, "unexpected \"3\" after the entry", 0 },
	{ "%%MatrixMarket matrix array complex general\n1 1\n1 1e99\n", 3, "\"1e99\" is too large for single precision", HEDDLE_C },
	{ ENTRIES "2 2 1\n0 1 1\n", 3, "row \"0\" is not within 1..2", 0 },
	{ ENTRIES "2 2 1\n1 3 1\n", 3, "column \"3\" is not within 1..2", 0 },
	{ ENTRIES "2 2 1\n1 -1 1\n", 3, "column \"-1\" is not within 1..2", 0 },
	{ ENTRIES "2 2 1\n99999999999999999999 1 1\n", 3, "row \"99999999999999999999\" is not within 1..2", 0 },
	{ ENTRIES "2 0 1\n1 1 1\n", 3, "column \"1\" is not within 1..0", 0 },
	{ ENTRIES "2 2 1\n1.5 1 1\n", 3, "expected the row of an entry, found \"1.5\"", 0 },
	{ ENTRIES "2 2 1\n1\n", 3, "expected the column of an entry, found the end of the line", 0 },
	{ ENTRIES "2 2 1\n1 1\n", 3, "expected a number, found the end of the line", 0 },
	{ ENTRIES "2 2 1\n1 1 1 1\n", 3, "unexpected \"1\" after the entry", 0 },
	{ "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 1 1\n", 3, "after the entry: a pattern has no values", 0 },
	/* symmetry */
	{ "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1\n", 3, "row 1, column 2 lies above the diagonal", 0 },
	{ "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 2 1\n", 3, "a skew-symmetric matrix has a zero diagonal", 0 },
	{ "%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n2 2 1 1\n", 3, "a hermitian matrix has a real diagonal", 0 },
	{ "%%MatrixMarket matrix array complex hermitian\n2 2\n1 0\n2 2\n1 1\n", 5, "a hermitian matrix has a real diagonal", 0 },
};

static const struct broken csv[] = {
	{ "", 1, "the file is empty", 0 },
	{ "\n\n", 2, "the file holds no numbers", 0 },
	{ "\xef\xbb\xbf", 1, "the file holds no numbers", 0 },
	{ "# nothing\n", 1, "the file holds no numbers", 0 },
	{ "\nhello world\n", 2, "expected numbers, or \"%%MatrixMarket\"", 0 },
	{ "1,2\n3\n", 2, "expected 2 numbers as on line 1, found 1", 0 },
	{ "# x\n1,2\n\n3,4,5\n", 4, "expected 2 numbers as on line 2, found 3", 0 },
	{ "1,2\n3 4\n", 2, "unexpected \"4\" after the number in column 1", 0 },
	{ "1,2,\n", 1, "column 3 is empty", 0 },
	{ "1,,2\n", 1, "column 2 is empty", 0 },
	{ ",1\n", 1, "column 1 is empty", 0 },
	{ "1\t\t2\n", 1, "column 2 is empty", 0 },
	{ "1,x\n", 1, "column 2: expected a number, found \"x\"", 0 },
	{ "x,1\n", 1, "column 1: expected a number, found \"x\"", 0 },
	{ "1st,2nd\n1,2\n", 1, "column 1: expected a number, found \"1st\"", 0 },
	{ "x,y\nu,v\n", 2, "column 1: expected a number, found \"u\"", 0 },
	{ "x,y\n1,2,3\n", 2, "expected 2 numbers for the names on line 1, found 3", 0 },
	{ "1,5;2,5\n", 1, "column 1: expected a number with a decimal point, found \"1,5\"", 0 },
	{ "1 2,5\n", 1, "unexpected \"2\" after the number in column 1", 0 },
	{ "1;2\n3;\"4\"\n", 2, "column 2: expected a number, found \"\"4\"\"", 0 },
	{ "1 2 # x\n", 1, "column 3: expected a number, found \"#\"", 0 },
	{ "1,1e999\n", 1, "column 2: \"1e999\" is too large for double precision", 0 },
	{ "1\n1e39\n", 2, "column 1: \"1e39\" is too large for single precision", HEDDLE_S },
	{ "1+2j,3\n", 1, "the matrix is complex and type s is real", HEDDLE_S },
	{ "1,2\n3,4j\n", 2, "column 2: \"4j\" is complex, line 1 began a real matrix", 0 },
	{ "1+2\n", 1, "column 1: expected a number, found \"1+2\"", 0 },
	{ "1+j\n", 1, "column 1: expected a number, found \"1+j\"", 0 },
	{ "(1+2j\n", 1, "column 1: expected a number, found \"(1+2j\"", 0 },
	{ "()\n", 1, "column 1: expected a number, found \"()\"", 0 },
	{ "1,2)\n", 1, "column 2: expected a number, found \"2)\"", 0 },
	{ "1--2j\n", 1, "column 1: expected a number, found \"1--2j\"", 0 },
	{ "1 2 3\n1 2 %\n", 2, "column 3: expected a number, found \"%\"", 0 },
	{ "\x1f\x8b\x08 zip", 0, "compressed by gzip", 0 },
	{ "PK\x03\x04 zip", 0, "a zip archive", 0 },
	{ "\x7f" "ELF\x02\x01", 1, "expected numbers", 0 },
};

static void check_broken(const struct broken *c)
{
	struct dense d;
	struct io_error error = { "" };
	char place[32] = "file: ";
	if (c->line > 0)
		snprintf(place, sizeof place, "file:%d: ", c->line);
	ck_assert_msg(matrix_read_memory(c->text, strlen(c->text), "file", c->type, test_memory, &d, &error) == -1, "%s was read",
		c->text);
	ck_assert_ptr_null(d.a);
	ck_assert_msg(strncmp(error.text, place, strlen(place)) == 0, "%s\nbegins with: %s", c->text, error.text);
	ck_assert_msg(strstr(error.text, c->message) != NULL, "%s\ndoes not say \"%s\", but: %s", c->text, c->message, error.text);
}

START_TEST(matrix_market)
{
	check_broken(&market[_i]);
}
END_TEST

START_TEST(separated_values)
{
	check_broken(&csv[_i]);
}
END_TEST

START_TEST(binary_files)
{
	static const struct {
		const char *bytes;
		size_t size;
	} files[] = { { "\0\0\0\0", 4 }, { "1,2\0003,4\n", 8 }, { "\xff\xfe" "1\0,\0" "2\0", 8 } };
	struct dense d;
	struct io_error error;
	ck_assert_int_eq(matrix_read_memory(files[_i].bytes, files[_i].size, "file", 0, test_memory, &d, &error), -1);
	ck_assert_msg(strstr(error.text, "file: binary, of no format known here") != NULL, "%s", error.text);
}
END_TEST

/* A zero byte further on is a stray character like any other. */
START_TEST(zero_bytes)
{
	char text[1024];
	struct dense d;
	struct io_error error;
	memset(text, '\n', sizeof text);
	memcpy(text, "1,2", 3);
	memcpy(text + 1000, "3,\0004", 4);
	ck_assert_int_eq(matrix_read_memory(text, sizeof text, "file", 0, test_memory, &d, &error), -1);
	ck_assert_msg(strstr(error.text, "file:998: column 2: expected a number, found \"?4\"") != NULL, "%s", error.text);
}
END_TEST

/* A missing banner is named as such where the name says what the file should be. */
START_TEST(names_tell_the_format)
{
	struct dense d;
	struct io_error error;
	ck_assert_int_eq(matrix_read_memory("2 2\n1\n", 6, "a.MTX", 0, test_memory, &d, &error), -1);
	ck_assert_msg(strstr(error.text, "a.MTX:1: expected the banner") != NULL, "%s", error.text);
	ck_assert_int_eq(matrix_read_memory("2 2\n1\n", 6, "a.npy", 0, test_memory, &d, &error), -1);
	ck_assert_msg(strstr(error.text, "a.npy: byte 0: not an .npy file") != NULL, "%s", error.text);
	ck_assert_int_eq(matrix_read_memory("1\n", 2, "a", (heddle_type)'q', test_memory, &d, &error), -1);
	ck_assert_msg(strstr(error.text, "a: unknown type") != NULL, "%s", error.text);
}
END_TEST

START_TEST(too_many_rows_for_the_memory)
{
	enum { rows = 40000 };
	char *text = malloc(4 * rows + 1);
	struct dense d;
	struct io_error error;
	ck_assert_ptr_nonnull(text);
	for (int i = 0; i < rows; i++)
		memcpy(text + 4 * i, "1,2\n", 5);
	ck_assert_int_eq(matrix_read_memory(text, 4 * rows, "file", 0, 16 * rows - 1, &d, &error), -1);
	ck_assert_msg(strstr(error.text, "GiB available") || strstr(error.text, "GiB are available"), "%s", error.text);
	free(text);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("broken");
	tcase_add_loop_test(tcase, matrix_market, 0, sizeof market / sizeof market[0]);
	tcase_add_loop_test(tcase, separated_values, 0, sizeof csv / sizeof csv[0]);
	tcase_add_loop_test(tcase, binary_files, 0, 3);
	tcase_add_test(tcase, zero_bytes);
	tcase_add_test(tcase, names_tell_the_format);
	tcase_add_test(tcase, too_many_rows_for_the_memory);
	return run_case("io_broken", tcase);
}
