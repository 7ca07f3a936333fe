/* Written values and matrices come back bit by bit, and a file appears whole or not at all. */
#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include "tests/io_test.h"
#include "tools/io/memory.h"

enum { count = 6 };
static const double doubles[count] = { 1.0 / 3, -0.0, 5e-324, 1.7976931348623157e308, 12345678901234567890.0, 0.1 };
static const float floats[count] = { 1.0f / 3, -0.0f, 1e-45f, 3.4028235e38f, 16777217.0f, 0.1f };

static const void *values_of(heddle_type type)
{
	return type_is_single(type) ? (const void *)floats : (const void *)doubles;
}

static void write_ok(const char *path, heddle_type type, int64_t k)
{
	struct io_error error = { "" };
	ck_assert_msg(values_write(path, type, k, values_of(type), &error) == 0, "%s", error.text);
}

static int entries(const char *folder)
{
	DIR *listing = opendir(folder);
	int found = 0;
	while (readdir(listing))
		found++;
	closedir(listing);
	return found - 2;
}

START_TEST(values_come_back)
{
	static const char *const names[] = { "values.txt", "values.NPY", NULL };
	const heddle_type type = (heddle_type)"sdcz"[_i / 2];
	char folder[64], path[128];
	struct dense d;
	struct io_error error = { "" };
	make_folder(folder);
	snprintf(path, sizeof path, "%s/%s", folder, names[_i % 2]);
	for (int k = count; k >= 0; k -= count) {
		write_ok(path, type, k);
		if (k == 0 && _i % 2 == 0)
			break; /* no matrix is empty as text */
		ck_assert_msg(matrix_read(path, _i % 2 ? (heddle_type)0 : type_is_single(type) ? HEDDLE_S : HEDDLE_D, &d, &error) == 0, "%s",
			error.text);
		ck_assert(d.m == k && d.n == 1 && d.type == (type_is_single(type) ? HEDDLE_S : HEDDLE_D));
		ck_assert_mem_eq(d.a, values_of(type), (size_t)k * (type_is_single(type) ? sizeof(float) : sizeof(double)));
		dense_free(&d);
	}
	ck_assert_int_eq(entries(folder), 1);
	remove_folder(folder, names);
}
END_TEST

START_TEST(npy_header_is_as_specified)
{
	static const char *const names[] = { "v.npy", NULL };
	char folder[64], path[128], bytes[200];
	FILE *file;
	make_folder(folder);
	snprintf(path, sizeof path, "%s/%s", folder, names[0]);
	write_ok(path, HEDDLE_D, 2);
	file = fopen(path, "rb");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fread(bytes, 1, sizeof bytes, file), 128 + 16);
	fclose(file);
	ck_assert_mem_eq(bytes, "\x93NUMPY\1\0v\0{'descr': '", 21);
	ck_assert_mem_eq(bytes + 22, "f8', 'fortran_order': False, 'shape': (2,), } ", 46);
	ck_assert_int_eq(bytes[127], '\n');
	remove_folder(folder, names);
}
END_TEST

START_TEST(text_is_a_value_a_line)
{
	static const char *const names[] = { "v", NULL };
	char folder[64], path[128], line[64];
	FILE *file;
	make_folder(folder);
	snprintf(path, sizeof path, "%s/%s", folder, names[0]);
	write_ok(path, _i ? HEDDLE_S : HEDDLE_Z, 1);
	file = fopen(path, "r");
	ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
	ck_assert_str_eq(line, _i ? "0.333333343\n" : "0.33333333333333331\n");
	ck_assert_ptr_null(fgets(line, sizeof line, file));
	fclose(file);
	remove_folder(folder, names);
}
END_TEST

/* Failures leave the old file, or none, and no other file. */
START_TEST(failures_leave_nothing)
{
	static const char *const names[] = { "old", NULL };
	char folder[64], path[128], text[8] = "";
	struct io_error error = { "" };
	FILE *file;
	make_folder(folder);
	snprintf(path, sizeof path, "%s/none/values.txt", folder);
	ck_assert_int_eq(values_write(path, HEDDLE_D, 1, doubles, &error), -1);
	ck_assert_msg(strncmp(error.text, path, strlen(path)) == 0 && strstr(error.text, ": No such file"), "%s", error.text);
	ck_assert_int_eq(values_write(folder, HEDDLE_D, 1, doubles, &error), -1);
	ck_assert_msg(strstr(error.text, ": Is a directory") != NULL, "%s", error.text);
	snprintf(path, sizeof path, "%s/old", folder);
	write_file(path, "old\n", 4);
	ck_assert_int_eq(entries(folder), 1);
	if (geteuid() != 0) {
		chmod(path, 0400);
		ck_assert_int_eq(values_write(path, HEDDLE_D, 1, doubles, &error), -1);
		ck_assert_msg(strstr(error.text, ": Permission denied") != NULL, "%s", error.text);
	}
	file = fopen(path, "r");
	ck_assert_ptr_nonnull(fgets(text, sizeof text, file));
	fclose(file);
	ck_assert_str_eq(text, "old\n");
	remove_folder(folder, names);
}
END_TEST

/* The file system refuses the bytes on the way: the old file stays. */
START_TEST(a_write_that_breaks_off_leaves_nothing)
{
	static const char *const names[] = { "v.npy", NULL };
	char folder[64], path[128];
	struct io_error error = { "" };
	struct rlimit limit, small;
	struct stat file;
	int status;
	make_folder(folder);
	snprintf(path, sizeof path, "%s/%s", folder, names[0]);
	write_file(path, "old\n", 4);
	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
	small = limit;
	small.rlim_cur = 16;
	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
	status = values_write(path, HEDDLE_D, count, doubles, &error);
	setrlimit(RLIMIT_FSIZE, &limit);
	signal(SIGXFSZ, SIG_DFL);
	ck_assert_int_eq(status, -1);
	ck_assert_msg(strstr(error.text, "v.npy: File too large") != NULL, "%s", error.text);
	ck_assert_int_eq(stat(path, &file), 0);
	ck_assert_int_eq(file.st_size, 4);
	ck_assert_int_eq(entries(folder), 1);
	remove_folder(folder, names);
}
END_TEST

START_TEST(a_full_device_is_noticed)
{
	struct io_error error = { "" };
	struct stat status;
	if (stat("/dev/full", &status) || !S_ISCHR(status.st_mode)) {
		printf("skipped: there is no /dev/full\n");
		return;
	}
	ck_assert_int_eq(values_write("/dev/full", HEDDLE_D, 1, doubles, &error), -1);
	ck_assert_str_eq(error.text, "/dev/full: No space left on device");
	ck_assert_int_eq(stat("/dev/full", &status), 0);
	ck_assert(S_ISCHR(status.st_mode));
}
END_TEST

/* A link stays a link, and a file keeps its permissions. */
START_TEST(files_are_replaced_in_place)
{
	static const char *const names[] = { "target", "link", NULL };
	char folder[64], target[128], link[128];
	struct stat status;
	make_folder(folder);
	snprintf(target, sizeof target, "%s/target", folder);
	snprintf(link, sizeof link, "%s/link", folder);
	write_file(target, "old\n", 4);
	ck_assert_int_eq(chmod(target, 0640), 0);
	ck_assert_int_eq(symlink("target", link), 0);
	write_ok(link, HEDDLE_D, 1);
	ck_assert_int_eq(lstat(link, &status), 0);
	ck_assert(S_ISLNK(status.st_mode));
	ck_assert_int_eq(stat(target, &status), 0);
	ck_assert_int_eq(status.st_mode & 0777, 0640);
	ck_assert_int_eq(status.st_size, 20);
	remove_folder(folder, names);
}
END_TEST

/* check reports on standard output too; it is put back. */
START_TEST(standard_output_gets_text)
{
	static const char *const names[] = { "out", NULL };
	char folder[64], path[128], line[64] = "";
	int kept;
	FILE *file;
	struct io_error error = { "" };
	int status, full_status;
	make_folder(folder);
	snprintf(path, sizeof path, "%s/out", folder);
	fflush(stdout);
	kept = dup(1);
	file = fopen(path, "w+");
	dup2(fileno(file), 1);
	status = values_write("-", HEDDLE_D, 1, doubles, &error);
	dup2(kept, 1);
	rewind(file);
	ck_assert_int_eq(status, 0);
	ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
	ck_assert_str_eq(line, "0.33333333333333331\n");
	fclose(file);
	file = fopen("/dev/full", "w");
	if (file) {
		dup2(fileno(file), 1);
		full_status = values_write("-", HEDDLE_D, 1, doubles, &error);
		dup2(kept, 1);
		fclose(file);
		clearerr(stdout);
		ck_assert_int_eq(full_status, -1);
		ck_assert_str_eq(error.text, "standard output: No space left on device");
	}
	close(kept);
	remove_folder(folder, names);
}
END_TEST

/* 2 by 3; the first row has no finite number. */
static struct dense sample(heddle_type type)
{
	static const double parts[12] = { NAN, -INFINITY, 1.0 / 3, -0.0, INFINITY, NAN, 1e-30, -7, INFINITY, 0.1, 123456789, -1e30 };
	struct dense d;
	char why[100];
	ck_assert_int_eq(dense_allocate(&d, type, 2, 3, test_memory, why, sizeof why), 0);
	for (int64_t at = 0; at < 6; at++)
		dense_set(&d, at, parts[2 * at], parts[2 * at + 1]);
	return d;
}

static bool same_number(double x, double y)
{
	return isnan(x) ? isnan(y) : x == y && !signbit(x) == !signbit(y);
}

static void check_same(const struct dense *d, const struct dense *expected)
{
	ck_assert(d->m == expected->m && d->n == expected->n && d->type == expected->type);
	for (int64_t at = 0; at < d->m * d->n; at++) {
		struct number x = dense_get(d, at), y = dense_get(expected, at);
		ck_assert_msg(same_number(x.re, y.re) && same_number(x.im, y.im), "element %lld is %g%+gi, not %g%+gi", (long long)at, x.re,
			x.im, y.re, y.im);
	}
}

START_TEST(matrices_come_back)
{
	static const char *const names[] = { "x.csv", "x.mtx", "x.NPY", "x", "x.dat", NULL },
		*const formats[] = { NULL, NULL, NULL, "npy", "mtx" };
	const heddle_type type = (heddle_type)"sdcz"[_i / 5];
	char folder[64], path[128];
	struct dense d = sample(type), back;
	struct io_error error = { "" };
	make_folder(folder);
	snprintf(path, sizeof path, "%s/%s", folder, names[_i % 5]);
	ck_assert_msg(matrix_write(path, formats[_i % 5], &d, &error) == 0, "%s", error.text);
	ck_assert_msg(matrix_read(path, type, &back, &error) == 0, "%s", error.text);
	check_same(&back, &d);
	ck_assert_int_eq(entries(folder), 1);
	dense_free(&back);
	dense_free(&d);
	remove_folder(folder, names);
}
END_TEST

START_TEST(unknown_formats_are_refused)
{
	struct dense d = sample(HEDDLE_D);
	struct io_error error = { "" };
	ck_assert_int_eq(matrix_write("/nonexistent/x", "mat", &d, &error), -1);
	ck_assert_str_eq(error.text, "/nonexistent/x: unknown format: expected csv, mtx or npy");
	dense_free(&d);
}
END_TEST

START_TEST(a_wider_type_holds_the_same_numbers)
{
	static const char types[] = "sdcz", joined[4][5] = { "sdcz", "ddzz", "czcz", "zzzz" };
	const heddle_type from = (heddle_type)types[_i / 4], with = (heddle_type)types[_i % 4];
	const heddle_type both = (heddle_type)joined[_i / 4][_i % 4];
	struct dense d = sample(from), original = sample(from);
	struct io_error error = { "" };
	ck_assert_int_eq(type_of_both(from, with), both);
	ck_assert_int_eq(matrix_widen(&d, both, &error), 0);
	ck_assert(d.m == 2 && d.n == 3 && d.type == both);
	for (int64_t at = 0; at < 6; at++) {
		struct number x = dense_get(&d, at), y = dense_get(&original, at);
		ck_assert(same_number(x.re, y.re) && same_number(x.im, y.im));
	}
	dense_free(&d);
	dense_free(&original);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("write");
	tcase_add_loop_test(tcase, values_come_back, 0, 8);
	tcase_add_test(tcase, npy_header_is_as_specified);
	tcase_add_loop_test(tcase, text_is_a_value_a_line, 0, 2);
	tcase_add_test(tcase, failures_leave_nothing);
	tcase_add_test(tcase, a_write_that_breaks_off_leaves_nothing);
	tcase_add_test(tcase, a_full_device_is_noticed);
	tcase_add_test(tcase, files_are_replaced_in_place);
	tcase_add_test(tcase, standard_output_gets_text);
	tcase_add_loop_test(tcase, matrices_come_back, 0, 20);
	tcase_add_test(tcase, unknown_formats_are_refused);
	tcase_add_loop_test(tcase, a_wider_type_holds_the_same_numbers, 0, 16);
	return run_case("io_write", tcase);
}
