/* .npy files of every version, element type, byte order and element order give the matrix that they hold, in every type. */
#include <math.h>
#include "tests/io_test.h"

static const heddle_type types[] = { HEDDLE_S, HEDDLE_D, HEDDLE_C, HEDDLE_Z };
static const char *const names[] = { "f4", "f8", "c8", "c16" };
static const size_t part_sizes[] = { 4, 8, 4, 8 };

static bool is_little(void)
{
	const uint16_t probe = 1;
	return *(const char *)&probe == 1;
}

/* Magic, version, length and header; returns where the elements begin. */
static size_t put_header(char *to, int version, const char *header)
{
	size_t length = strlen(header), prefix = version == 1 ? 10 : 12;
	memcpy(to, "\x93NUMPY", 6);
	to[6] = (char)version;
	to[7] = 0;
	for (size_t i = 8; i < prefix; i++)
		to[i] = (char)(length >> 8 * (i - 8) & 255);
	memcpy(to + prefix, header, length);
	return prefix + length;
}

static size_t put_part(char *to, double x, size_t size, bool swapped)
{
	float f = (float)x;
	char bytes[8];
	memcpy(bytes, size == 4 ? (void *)&f : (void *)&x, size);
	for (size_t i = 0; i < size; i++)
		to[i] = bytes[swapped ? size - 1 - i : i];
	return size;
}

/* Exact in single precision. */
static double complex value(int64_t i, int64_t j)
{
	return (double)i * 0.5 - (double)j * 3 + ((double)(i + j) * 0.25 - 1) * I;
}

/* An m by n file; kind is the element type. */
static size_t make_file(char *to, int version, int kind, bool big, bool by_rows, int64_t m, int64_t n)
{
	char header[128];
	size_t size, part = part_sizes[kind];
	snprintf(header, sizeof header, "{'descr': '%c%s', 'fortran_order': %s, 'shape': (%lld, %lld), }    \n", big ? '>' : '<',
		names[kind], by_rows ? "False" : "True", (long long)m, (long long)n);
	size = put_header(to, version, header);
	for (int64_t k = 0; k < m * n; k++) {
		double complex x = by_rows ? value(k / n, k % n) : value(k % m, k / m);
		size += put_part(to + size, creal(x), part, big == is_little());
		if (kind >= 2)
			size += put_part(to + size, cimag(x), part, big == is_little());
	}
	return size;
}

static void check_matrix(const struct dense *d, int64_t m, int64_t n, bool has_imaginary)
{
	int64_t wrong = 0;
	ck_assert_int_eq(d->m, m);
	ck_assert_int_eq(d->n, n);
	for (int64_t j = 0; j < n; j++)
		for (int64_t i = 0; i < m; i++)
			wrong += element(d, i, j) != (has_imaginary ? value(i, j) : creal(value(i, j)));
	ck_assert_int_eq(wrong, 0);
}

START_TEST(every_version_type_and_order)
{
	static const int64_t shapes[][2] = { { 3, 4 }, { 1, 6 }, { 6, 1 }, { 0, 3 }, { 3, 0 }, { 1, 1 } };
	const int version = 1 + _i / 16, kind = _i / 4 % 4;
	const bool big = _i & 2, by_rows = _i & 1;
	char bytes[1024];
	for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
		size_t size = make_file(bytes, version, kind, big, by_rows, shapes[s][0], shapes[s][1]);
		for (int t = -1; t < 4; t++) {
			struct dense d;
			if (kind >= 2 && (t == 0 || t == 1))
				continue;
			d = read_bytes(bytes, size, t < 0 ? (heddle_type)0 : types[t]);
			ck_assert_int_eq(d.type, t < 0 ? types[kind] : types[t]);
			check_matrix(&d, shapes[s][0], shapes[s][1], kind >= 2);
			dense_free(&d);
		}
	}
}
END_TEST

/* Beyond the pieces that a file is read in: many rows, and rows longer than a piece. */
START_TEST(large_files)
{
	static const int64_t shapes[][2] = { { 700, 301 }, { 3, 200000 }, { 200000, 3 } };
	const int64_t m = shapes[_i / 2][0], n = shapes[_i / 2][1];
	static const char *const files[] = { "large.npy", NULL };
	char *bytes = malloc((size_t)(m * n) * 8 + 256), folder[64], path[128];
	struct dense d;
	struct io_error error;
	ck_assert_ptr_nonnull(bytes);
	make_folder(folder);
	snprintf(path, sizeof path, "%s/%s", folder, files[0]);
	write_file(path, bytes, make_file(bytes, 1, 1, false, _i % 2, m, n));
	free(bytes);
	ck_assert_msg(matrix_read(path, 0, &d, &error) == 0, "%s", error.text);
	check_matrix(&d, m, n, false);
	dense_free(&d);
	remove_folder(folder, files);
}
END_TEST

/* Each is a header of the column (1, 2). */
START_TEST(headers_may_be_spelled_differently)
{
	static const char *const headers[] = { "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }\n",
		"{\"shape\":(2,1),\"fortran_order\":True,\"descr\":\"<f8\"}",
		"  { 'shape' : ( 2L , 1L , ) ,\n 'descr' : '<f8' , 'fortran_order' : True , } ",
		"{'fortran_order': False, 'descr': '<f8', 'shape': (2, 1)}      \n" };
	char bytes[256];
	size_t size = put_header(bytes, 1, headers[_i]);
	struct dense d;
	size += put_part(bytes + size, 1, 8, !is_little());
	size += put_part(bytes + size, 2, 8, !is_little());
	d = read_bytes(bytes, size, 0);
	ck_assert(d.m == 2 && d.n == 1 && element(&d, 0, 0) == 1 && element(&d, 1, 0) == 2);
	dense_free(&d);
}
END_TEST

START_TEST(nan_and_infinity_are_read)
{
	char bytes[256];
	size_t size = put_header(bytes, 2, "{'descr': '>f8', 'fortran_order': False, 'shape': (2,), }\n");
	struct dense d;
	size += put_part(bytes + size, NAN, 8, is_little());
	size += put_part(bytes + size, -INFINITY, 8, is_little());
	d = read_bytes(bytes, size, HEDDLE_C);
	ck_assert(isnan(creal(element(&d, 0, 0))) && creal(element(&d, 1, 0)) == -INFINITY);
	dense_free(&d);
}
END_TEST

/* {header, elements that follow, place and words of the error} */
START_TEST(broken_files_are_refused)
{
	static const struct {
		int version;
		const char *header;
		int elements;
		heddle_type type;
		const char *message;
	} cases[] = {
		{ 1, "{'descr':'<f8','fortran_order':False,'shape':(2,2)}", 3, 0, "byte 85: the file ends after 3 of the 4 elements" },
		{ 1, "{'descr':'<f8','fortran_order':False,'shape':(2,2)}", 5, 0, "byte 93: the file goes on after its 2 by 2 matrix" },
		{ 1, "{'descr':'<f8','fortran_order':False,'shape':(0, 2)}", 1, 0, "byte 62: the file goes on" },
		{ 4, "{'descr':'<f8','fortran_order':False,'shape':(2,2)}", 4, 0, "byte 0: version 4.0" },
		{ 1, "{'descr':'<i8','fortran_order':False,'shape':(2,2)}", 4, 0, "'<i8' cannot be read: the element types are f4, f8, c8" },
		{ 1, "{'descr':'|b1','fortran_order':False,'shape':(2,2)}", 4, 0, "'|b1' cannot be read" },
		{ 1, "{'descr':'<f2','fortran_order':False,'shape':(2,2)}", 4, 0, "'<f2' cannot be read" },
		{ 1, "{'descr':'','fortran_order':False,'shape':(2,2)}", 4, 0, "'' cannot be read" },
		{ 1, "{'descr': [('a', '<f8')], 'fortran_order': False,'shape':(2,2)}", 4, 0, "records cannot be read" },
		{ 1, "{'descr':'<f8','fortran_order':False,'shape':(2, 2, 1)}", 4, 0, "3 dimensions" },
		{ 1, "{'descr':'<f8','fortran_order':False,'shape':()}", 1, 0, "0 dimensions" },
		{ 1, "{'descr':'<f8','fortran_order':False,'shape':(2 2)}", 4, 0, "byte 58: the header is broken: expected ',' or ')'" },
		{ 1, "{'descr':'<f8','fortran_order':False,'shape':(-2, 2)}", 4, 0, "expected a size" },
		{ 1, "{'descr':'<f8','fortran_order':False,'shape':(99999999999999999999, 2)}", 4, 0, "beyond 64 bits" },
		{ 1, "{'descr':'<f8','fortran_order':False,'shape':(9000000000000000000, 9000000000000000000)}", 4, 0, "GiB are available" },
		{ 1, "{'descr':'<f8','fortran_order':False,'shape':(3000, 3000)}", 4, 0, "3000 by 3000 matrix of type d needs 0.06706 GiB" },
		{ 1, "{'descr':'<f8','fortran_order':0,'shape':(2,2)}", 4, 0, "byte 41: the header is broken: expected True or False" },
		{ 1, "{'descr':'<f8','shape':(2,2)}", 4, 0, "lacks fortran_order" },
		{ 1, "{'fortran_order': False,'shape':(2,2)}", 4, 0, "lacks descr" },
		{ 1, "{'descr':'<f8','fortran_order':False}\n", 4, 0, "lacks shape" },
		{ 1, "{'descr':'<f8', 'order': False,'shape':(2,2)}", 4, 0, "unknown key 'order'" },
		{ 1, "{'descr':'<f8' 'fortran_order': False,'shape':(2,2)}", 4, 0, "expected ',' or '}'" },
		{ 1, "{'descr':'<f8, 'fortran_order'", 4, 0, "'<f8, ' cannot be read" },
		{ 1, "{'descr':'<f8", 4, 0, "expected the end of a string, found its end" },
		{ 1, "{descr: '<f8'}", 4, 0, "expected a string" },
		{ 1, "{'descr' '<f8'}", 4, 0, "expected ':'" },
		{ 1, "{'descr':'<f8','fortran_order':False,'shape':(2,2), } x", 4, 0, "expected nothing more, found \"x\"" },
		{ 1, "", 0, 0, "byte 0: the file ends within the first 12 bytes" },
		{ 1, "  ", 0, 0, "byte 12: the header is broken: expected '{'" },
		{ 1, "{'descr':'<c16','fortran_order':False,'shape':(2,1)}", 4, HEDDLE_D, "byte 62: the matrix is complex and type d is real" },
		{ 1, "{'descr':'<f8','fortran_order':False,'shape':(2,2)}", 4, HEDDLE_S, "byte 77: 1e+39 is too large for single" },
	};
	char bytes[512];
	size_t size = put_header(bytes, cases[_i].version, cases[_i].header);
	struct dense d;
	struct io_error error = { "" };
	for (int k = 0; k < cases[_i].elements; k++)
		size += put_part(bytes + size, k == 2 ? 1e39 : k, 8, !is_little());
	ck_assert_int_eq(matrix_read_memory(bytes, size, "f.npy", cases[_i].type, test_memory, &d, &error), -1);
	ck_assert_ptr_null(d.a);
	ck_assert_msg(strncmp(error.text, "f.npy: byte ", 12) == 0 && strstr(error.text, cases[_i].message), "%s", error.text);
}
END_TEST

START_TEST(headers_are_bounded)
{
	static const char bytes[] = "\x93NUMPY\2\0\0\0\0\x7f{'descr'";
	struct dense d;
	struct io_error error;
	ck_assert_int_eq(matrix_read_memory(bytes, sizeof bytes, "f", 0, test_memory, &d, &error), -1);
	ck_assert_msg(strstr(error.text, "f: byte 12: a header of 2130706432 bytes: at most 1048576") != NULL, "%s", error.text);
}
END_TEST

START_TEST(truncation_anywhere_is_seen)
{
	char bytes[1024];
	size_t size = make_file(bytes, 1 + _i, 3, false, true, 3, 2);
	struct dense d;
	struct io_error error;
	for (size_t k = 1; k < size; k++) {
		ck_assert_int_eq(matrix_read_memory(bytes, k, "f", 0, test_memory, &d, &error), -1);
		ck_assert_msg(strncmp(error.text, "f: byte ", 8) == 0, "%s", error.text);
	}
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("npy");
	tcase_add_loop_test(tcase, every_version_type_and_order, 0, 48);
	tcase_add_loop_test(tcase, large_files, 0, 6);
	tcase_add_loop_test(tcase, headers_may_be_spelled_differently, 0, 4);
	tcase_add_test(tcase, nan_and_infinity_are_read);
	tcase_add_loop_test(tcase, broken_files_are_refused, 0, 31);
	tcase_add_test(tcase, headers_are_bounded);
	tcase_add_loop_test(tcase, truncation_anywhere_is_seen, 0, 3);
	return run_case("io_npy", tcase);
}
