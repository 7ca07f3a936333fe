/* A folder for one test, and files in it. */
#ifndef TESTS_FOLDER_H
#define TESTS_FOLDER_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char folder[64];

/* A checked fixture. */
static inline void folder_make(void)
{
	strcpy(folder, "/tmp/heddle-tuning-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
}

static inline void folder_remove(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", folder);
	ck_assert_int_eq(system(command), 0);
}

/* Valid until the next call. */
static inline const char *path_of(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

/* A file in the folder; returns its path. */
static inline const char *file_of(const char *name, const char *text, size_t length)
{
	const char *path = path_of(name);
	FILE *out = fopen(path, "w");

	ck_assert_ptr_nonnull(out);
	ck_assert_uint_eq(fwrite(text, 1, length, out), length);
	ck_assert_int_eq(fclose(out), 0);
	return path;
}

#endif
