/* Files that are not there, standard input, the memory that is available, and real matrices. */
#include <dirent.h>
#include <math.h>
#include <sys/stat.h>
#include "tests/io_test.h"
#include "tools/io/memory.h"

static void check_error(const char *file, const char *begin, const char *contained)
{
	struct dense d;
	struct io_error error = { "" };
	ck_assert_int_eq(matrix_read(file, 0, &d, &error), -1);
	ck_assert_ptr_null(d.a);
	ck_assert_msg(strncmp(error.text, begin, strlen(begin)) == 0 && strstr(error.text, contained), "%s", error.text);
}

START_TEST(what_cannot_be_opened)
{
	char folder[64], path[1200], begin[80];
	static const char *const names[] = { "empty", NULL };
	make_folder(folder);
	snprintf(begin, sizeof begin, "%s: ", folder);
	check_error(folder, begin, "directory");
	snprintf(path, sizeof path, "%s/none", folder);
	check_error(path, path, "No such file");
	snprintf(path, sizeof path, "%s/empty", folder);
	write_file(path, "", 0);
	check_error(path, path, ":1: the file is empty");
	check_error("", ": ", "No such file");
	/* the reason is still there after a very long name */
	memset(path, 'x', sizeof path - 1);
	path[sizeof path - 1] = '\0';
	check_error(path, "...xxx", "xxx: File name too long");
	remove_folder(folder, names);
}
END_TEST

/* Without a limit in the test: the machine's own memory refuses this, before anything is allocated. */
START_TEST(a_matrix_that_fits_no_machine)
{
	static const char text[] = "%%MatrixMarket matrix coordinate real general\n30000000 30000000 1\n1 1 1\n";
	static const char *const names[] = { "huge.mtx", NULL };
	char folder[64], path[128], begin[256];
	make_folder(folder);
	snprintf(path, sizeof path, "%s/%s", folder, names[0]);
	write_file(path, text, strlen(text));
	snprintf(begin, sizeof begin, "%s:2: a 30000000 by 30000000 matrix of type d needs 6.706e+06 GiB, and ", path);
	check_error(path, begin, "GiB are available");
	remove_folder(folder, names);
}
END_TEST

static struct dense read_input(const char *path)
{
	struct dense d;
	struct io_error error;
	ck_assert_ptr_nonnull(freopen(path, "rb", stdin));
	ck_assert_msg(matrix_read("-", 0, &d, &error) == 0, "%s", error.text);
	return d;
}

START_TEST(standard_input_is_told_by_content)
{
	static const char *const texts[] = { "%%MatrixMarket matrix array real general\n1 2\n1\n2\n", "1,2\n",
		"\x93NUMPY\1\0003\0{'descr':'<f4','fortran_order':True,'shape':(1,2)}\n\0\0\x80\x3f\0\0\0\x40" };
	static const size_t sizes[] = { 0, 0, 69 };
	static const char *const names[] = { "input.npy", NULL }; /* the name says nothing here */
	char folder[64], path[128];
	make_folder(folder);
	snprintf(path, sizeof path, "%s/%s", folder, names[0]);
	for (int i = 0; i < 3; i++) {
		struct dense d;
		write_file(path, texts[i], sizes[i] ? sizes[i] : strlen(texts[i]));
		d = read_input(path);
		ck_assert(d.m == 1 && d.n == 2 && element(&d, 0, 0) == 1 && element(&d, 0, 1) == 2);
		dense_free(&d);
	}
	write_file(path, "1\nx\n", 4);
	ck_assert_ptr_nonnull(freopen(path, "rb", stdin));
	check_error("-", "standard input:2: ", "found \"x\"");
	ck_assert_ptr_nonnull(freopen("/dev/null", "rb", stdin));
	check_error("-", "standard input:1: the file is empty", "");
	remove_folder(folder, names);
}
END_TEST

START_TEST(a_pipe_is_read_to_its_end)
{
	static const char *const names[] = { "pipe", NULL };
	char folder[64], path[128], command[256];
	struct dense d;
	struct io_error error;
	make_folder(folder);
	snprintf(path, sizeof path, "%s/%s", folder, names[0]);
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	snprintf(command, sizeof command, "(echo 1,2; sleep 0.1; echo 3,4) > %s &", path);
	ck_assert_int_eq(system(command), 0);
	ck_assert_msg(matrix_read(path, 0, &d, &error) == 0, "%s", error.text);
	ck_assert(d.m == 2 && d.n == 2 && element(&d, 1, 1) == 4);
	dense_free(&d);
	remove_folder(folder, names);
}
END_TEST

/* A tree of files that stands for /proc and /sys.  Folders are made on the way, and noted for the removal. */
static void put(const char *root, const char *path, const char *text)
{
	char name[256];
	snprintf(name, sizeof name, "%s%s", root, path);
	for (char *p = name + strlen(root) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(name, 0700);
		*p = '/';
	}
	write_file(name, text, strlen(text));
}

static void remove_tree(const char *root)
{
	char command[128];
	snprintf(command, sizeof command, "rm -r '%s'", root);
	ck_assert_int_eq(system(command), 0);
}

START_TEST(control_groups_bound_the_memory)
{
	char root[64];
	make_folder(root);
	ck_assert_int_eq(memory_available(root), INT64_MAX);
	put(root, "/proc/meminfo", "MemTotal:       1000 kB\nMemFree:        100 kB\nMemAvailable:    800 kB\n");
	ck_assert_int_eq(memory_available(root), 800 * 1024);
	put(root, "/proc/self/cgroup", "4:memory:/one/two\n1:name=systemd:/\n0::/a/b\n");
	ck_assert_int_eq(memory_available(root), 800 * 1024);
	/* version 2: the group has no limit, the one around it has */
	put(root, "/sys/fs/cgroup/a/b/memory.max", "max\n");
	put(root, "/sys/fs/cgroup/a/memory.max", "500000\n");
	put(root, "/sys/fs/cgroup/a/memory.current", "400000\n");
	put(root, "/sys/fs/cgroup/a/memory.stat", "anon 100\nactive_file 7\ninactive_file 50000\n");
	ck_assert_int_eq(memory_available(root), 150000);
	/* version 1: seen from inside a container, the group is the root of what is mounted */
	put(root, "/sys/fs/cgroup/memory/memory.limit_in_bytes", "90000\n");
	put(root, "/sys/fs/cgroup/memory/memory.usage_in_bytes", "20000\n");
	ck_assert_int_eq(memory_available(root), 70000);
	put(root, "/sys/fs/cgroup/memory/one/two/memory.limit_in_bytes", "9223372036854771712\n");
	put(root, "/sys/fs/cgroup/memory/one/memory.limit_in_bytes", "10000\n");
	put(root, "/sys/fs/cgroup/memory/one/memory.usage_in_bytes", "20000\n");
	ck_assert_int_eq(memory_available(root), 0);
	remove_tree(root);
	ck_assert_int_gt(memory_available(""), 1 << 20);
}
END_TEST

/* The folder of real matrices, or NULL. */
static const char *matrices(char path[1024])
{
	const char *folder = getenv("HEDDLE_MATRICES"), *source = getenv("HEDDLE_SOURCE_DIR");
	snprintf(path, 1024, "%s", folder ? folder : "");
	if (!folder && source)
		snprintf(path, 1024, "%s/../shared/matrices", source);
	return access(path, R_OK) == 0 ? path : NULL;
}

/* Their sizes, and the root of the sum of squares of all singular values as their references give them. */
START_TEST(real_matrices)
{
	static const struct {
		const char *name;
		int m, n;
	} files[] = { { "LFAT5", 14, 14 }, { "ash219", 219, 85 }, { "bcsstk01", 48, 48 }, { "bcsstk02", 66, 66 }, { "cage5", 37, 37 },
		{ "fs_183_1", 183, 183 }, { "impcol_a", 207, 207 }, { "lp_e226", 223, 472 }, { "qc324", 324, 324 }, { "west0067", 67, 67 },
		{ "west0479", 479, 479 } };
	char folder[1024], path[1100];
	if (!matrices(folder)) {
		printf("skipped: HEDDLE_MATRICES names no folder of real matrices\n");
		return;
	}
	for (size_t k = 0; k < sizeof files / sizeof files[0]; k++) {
		struct dense d, sigma;
		struct io_error error = { "" };
		double norm2 = 0, expected = 0;
		snprintf(path, sizeof path, "%s/%s.mtx", folder, files[k].name);
		ck_assert_msg(matrix_read(path, 0, &d, &error) == 0, "%s", error.text);
		ck_assert(d.m == files[k].m && d.n == files[k].n);
		for (int64_t j = 0; j < d.n; j++)
			for (int64_t i = 0; i < d.m; i++)
				norm2 += cabs(element(&d, i, j)) * cabs(element(&d, i, j));
		dense_free(&d);
		snprintf(path, sizeof path, "%s/%s.sv", folder, files[k].name);
		ck_assert_msg(matrix_read(path, 0, &sigma, &error) == 0, "%s", error.text);
		for (int64_t i = 0; i < sigma.m; i++)
			expected += creal(element(&sigma, i, 0)) * creal(element(&sigma, i, 0));
		dense_free(&sigma);
		ck_assert_msg(fabs(norm2 - expected) <= 1e-13 * expected, "%s: %.17g, not %.17g", files[k].name, sqrt(norm2), sqrt(expected));
	}
}
END_TEST

/* Whatever else lies there is read too. */
START_TEST(every_real_matrix)
{
	char folder[1024], path[1400];
	struct dirent *entry;
	DIR *listing;
	if (!matrices(folder)) {
		printf("skipped: HEDDLE_MATRICES names no folder of real matrices\n");
		return;
	}
	listing = opendir(folder);
	ck_assert_ptr_nonnull(listing);
	while ((entry = readdir(listing))) {
		const char *ending = strrchr(entry->d_name, '.');
		struct dense d;
		struct io_error error = { "" };
		if (!ending || strcmp(ending, ".mtx") != 0)
			continue;
		snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
		ck_assert_msg(matrix_read(path, HEDDLE_C, &d, &error) == 0, "%s", error.text);
		dense_free(&d);
	}
	closedir(listing);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("files");
	tcase_add_test(tcase, what_cannot_be_opened);
	tcase_add_test(tcase, a_matrix_that_fits_no_machine);
	tcase_add_test(tcase, standard_input_is_told_by_content);
	tcase_add_test(tcase, a_pipe_is_read_to_its_end);
	tcase_add_test(tcase, control_groups_bound_the_memory);
	tcase_add_test(tcase, real_matrices);
	tcase_add_test(tcase, every_real_matrix);
	return run_case("io_files", tcase);
}
