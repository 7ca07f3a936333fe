/* Written values come back bit by bit, and a file appears whole or not at all. */
#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include "tests/io_test.h"

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
	return run_case("io_write", tcase);
}
