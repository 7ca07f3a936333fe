#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/io/memory.h"

enum { path_size = 4096 };

/* The number after `key` ("" for the first of the file) on a line of root/path.  Returns false where there is none. */
static bool read_entry(const char *root, const char *path, const char *key, int64_t *value)
{
	char name[path_size], line[256];
	size_t length = strlen(key);
	bool found = false;
	FILE *file;
	if (snprintf(name, sizeof name, "%s%s", root, path) >= (int)sizeof name)
		return false;
	file = fopen(name, "r");
	if (!file)
		return false;
	while (!found && fgets(line, sizeof line, file)) {
		char *end;
		int64_t number;
		if (strncmp(line, key, length) != 0)
			continue;
		number = strtoll(line + length, &end, 10);
		found = end > line + length;
		if (found)
			*value = number;
	}
	fclose(file);
	return found;
}

/* What the control group `path` and the groups around it leave, at most `left`.  Cached pages of files count as used there. */
static int64_t group_room(const char *root, const char *mount, const char *path, const char *files[3], int64_t left)
{
	char folder[path_size], name[path_size + 32];
	size_t base = strlen(mount);
	if (snprintf(folder, sizeof folder, "%s%s", mount, path) >= (int)sizeof folder)
		return left;
	for (;;) {
		char *slash;
		int64_t most, used, cached = 0;
		snprintf(name, sizeof name, "%s/%s", folder, files[0]);
		if (read_entry(root, name, "", &most)) {
			snprintf(name, sizeof name, "%s/%s", folder, files[1]);
			if (!read_entry(root, name, "", &used))
				used = 0;
			snprintf(name, sizeof name, "%s/memory.stat", folder);
			read_entry(root, name, files[2], &cached);
			if (most - used + cached < left)
				left = most - used + cached;
		}
		slash = strrchr(folder + base, '/');
		if (!slash)
			return left;
		*slash = '\0';
	}
}

int64_t memory_available(const char *root)
{
	static const char *version1[] = { "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file " };
	static const char *version2[] = { "memory.max", "memory.current", "inactive_file " };
	char name[path_size], line[path_size];
	int64_t left = INT64_MAX;
	FILE *file;
	if (read_entry(root, "/proc/meminfo", "MemAvailable:", &left))
		left *= 1024;
	if (snprintf(name, sizeof name, "%s/proc/self/cgroup", root) >= (int)sizeof name)
		return left;
	file = fopen(name, "r");
	if (!file)
		return left;
	while (fgets(line, sizeof line, file)) {
		char *controllers = strchr(line, ':'), *path = controllers ? strchr(controllers + 1, ':') : NULL;
		if (!path)
			continue;
		line[strcspn(line, "\n")] = '\0';
		*path++ = '\0';
		if (strcmp(controllers + 1, "") == 0)
			left = group_room(root, "/sys/fs/cgroup", path, version2, left);
		else if (strcmp(controllers + 1, "memory") == 0)
			left = group_room(root, "/sys/fs/cgroup/memory", path, version1, left);
	}
	fclose(file);
	return left > 0 ? left : 0;
}

size_t element_size(heddle_type type)
{
	switch (type) {
	case HEDDLE_S:
		return sizeof(float);
	case HEDDLE_D:
		return sizeof(double);
	case HEDDLE_C:
		return sizeof(heddle_complex_float);
	default:
		return sizeof(heddle_complex_double);
	}
}

int dense_allocate(struct dense *d, heddle_type type, int64_t m, int64_t n, int64_t memory, char *why, size_t size)
{
	const double gib = 1024. * 1024 * 1024;
	const size_t element = element_size(type);
	const double bytes = (double)m * (double)n * (double)element;
	bool fits = n == 0 || m <= memory / (int64_t)element / n;
	/* complex gemv of OpenBLAS 0.3.21, and so LAPACK on this matrix, reads up to a column beyond its end */
	bool spare = type == HEDDLE_C || type == HEDDLE_Z;
	*d = (struct dense){ 0 };
	if (fits)
		d->a = calloc(m > 0 && n > 0 ? (size_t)m * ((size_t)n + spare) : 1, element);
	if (!d->a) {
		snprintf(why, size, fits ? "no memory for a %lld by %lld matrix of type %c: it needs %.4g GiB of %.4g GiB available"
			: "a %lld by %lld matrix of type %c needs %.4g GiB, and %.4g GiB are available",
			(long long)m, (long long)n, (int)type, bytes / gib, (double)memory / gib);
		return -1;
	}
	d->type = type;
	d->m = m;
	d->n = n;
	return 0;
}

void dense_free(struct dense *d)
{
	free(d->a);
	*d = (struct dense){ 0 };
}
