/* Shared by the tests of the readers and writers. */
#ifndef HEDDLE_TESTS_IO_TEST_H
#define HEDDLE_TESTS_IO_TEST_H

#include <check.h>
#include <complex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tools/io/readers.h"

static const int64_t test_memory = 1 << 26;

/* The matrix in `size` bytes, which must be readable. */
static inline struct dense read_bytes(const void *bytes, size_t size, heddle_type type)
{
	struct dense d;
	struct io_error error = { "" };
	ck_assert_msg(matrix_read_memory(bytes, size, "test", type, test_memory, &d, &error) == 0, "%s", error.text);
	ck_assert_ptr_nonnull(d.a);
	return d;
}

static inline struct dense read_text(const char *text, heddle_type type)
{
	return read_bytes(text, strlen(text), type);
}

static inline double complex element(const struct dense *d, int64_t i, int64_t j)
{
	const int64_t at = i + j * d->m;
	switch (d->type) {
	case HEDDLE_S:
		return (double)((const float *)d->a)[at];
	case HEDDLE_D:
		return ((const double *)d->a)[at];
	case HEDDLE_C:
		return (double complex)((const heddle_complex_float *)d->a)[at];
	default:
		return ((const heddle_complex_double *)d->a)[at];
	}
}

/* Assert that the text is a matrix of this type and size with these elements, given row by row. */
static inline void check_real(const char *text, heddle_type type, int64_t m, int64_t n, const double *expected)
{
	struct dense d = read_text(text, 0);
	ck_assert_int_eq(d.type, type);
	ck_assert_int_eq(d.m, m);
	ck_assert_int_eq(d.n, n);
	for (int64_t i = 0; i < m; i++)
		for (int64_t j = 0; j < n; j++)
			ck_assert_msg(element(&d, i, j) == expected[i * n + j], "element %lld,%lld is %.17g, not %.17g", (long long)i,
				(long long)j, creal(element(&d, i, j)), expected[i * n + j]);
	dense_free(&d);
}

/* A small generator, so that tests do not depend on the library's. */
static inline uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

/* A fresh folder for files, and its removal with the files `names` (ended by NULL) in it. */
static inline void make_folder(char path[64])
{
	strcpy(path, "/tmp/heddle-test-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(path));
}

static inline void remove_folder(const char *path, const char *const *names)
{
	char file[256];
	for (; *names; names++) {
		snprintf(file, sizeof file, "%s/%s", path, *names);
		unlink(file);
	}
	ck_assert_msg(rmdir(path) == 0, "%s is not empty", path);
}

static inline void write_file(const char *path, const void *bytes, size_t size)
{
	FILE *file = fopen(path, "wb");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
	ck_assert_int_eq(fclose(file), 0);
}

static inline int run_case(const char *name, TCase *tcase)
{
	Suite *suite = suite_create(name);
	SRunner *runner;
	int failed;
	tcase_set_timeout(tcase, 300);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
