#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tools/io/readers.h"

static int fail(struct io_error *error, const char *file, const char *what)
{
	snprintf(error->text, sizeof error->text, "%s%.300s: %s", strlen(file) > 300 ? "..." : "",
		strlen(file) > 300 ? file + strlen(file) - 300 : file, what);
	return -1;
}

static void write_text(FILE *out, heddle_type type, int64_t k, const void *values)
{
	locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0), old = uselocale(plain);
	for (int64_t i = 0; i < k; i++) {
		if (type_is_single(type))
			fprintf(out, "%.9g\n", (double)((const float *)values)[i]);
		else
			fprintf(out, "%.17g\n", ((const double *)values)[i]);
	}
	uselocale(old);
	if (plain)
		freelocale(plain);
}

/* Version 1.0; the header is padded so that the values begin at a multiple of 64 bytes. */
static void write_npy(FILE *out, heddle_type type, int64_t k, const void *values)
{
	const uint16_t probe = 1;
	const size_t size = type_is_single(type) ? 4 : 8;
	char header[129];
	snprintf(header, sizeof header, "\x93NUMPY%c%c%c%c{'descr': '%cf%zu', 'fortran_order': False, 'shape': (%lld,), }", 1, 0, 118, 0,
		*(const char *)&probe ? '<' : '>', size, (long long)k);
	memset(header + 10 + strlen(header + 10), ' ', 117 - strlen(header + 10));
	header[127] = '\n';
	fwrite(header, 1, 128, out);
	fwrite(values, size, (size_t)k, out);
}

static bool is_npy(const char *file)
{
	size_t length = strlen(file);
	return length >= 4 && strcasecmp(file + length - 4, ".npy") == 0;
}

/* Write and close; standard output stays open.  Returns 0 or the errno of what failed. */
static int write_out(FILE *out, bool npy, heddle_type type, int64_t k, const void *values)
{
	int failure = 0;
	errno = 0;
	if (npy)
		write_npy(out, type, k, values);
	else
		write_text(out, type, k, values);
	if (fflush(out) || ferror(out))
		failure = errno ? errno : EIO;
	if (out != stdout && fclose(out) && !failure)
		failure = errno ? errno : EIO;
	return failure;
}

/* A new file beside `file`; its name goes to *name, to be freed. */
static FILE *open_beside(const char *file, char **name)
{
	size_t room = strlen(file) + 32;
	int descriptor = -1;
	FILE *out = NULL;
	*name = malloc(room);
	for (int i = 0; *name && i < 100 && descriptor < 0; i++) {
		snprintf(*name, room, "%s.%ld-%d.part", file, (long)getpid(), i);
		descriptor = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (descriptor < 0 && errno != EEXIST)
			break;
	}
	if (descriptor >= 0)
		out = fdopen(descriptor, "wb");
	if (descriptor >= 0 && !out) {
		close(descriptor);
		unlink(*name);
	}
	return out;
}

/* target is a regular file, or does not exist.  The new file has the old one's permissions. */
static int replace(const char *target, bool npy, heddle_type type, int64_t k, const void *values)
{
	struct stat old;
	bool exists = stat(target, &old) == 0;
	char *part;
	FILE *out;
	int failure;
	if (exists && access(target, W_OK))
		return errno;
	out = open_beside(target, &part);
	failure = out ? write_out(out, npy, type, k, values) : errno ? errno : ENOMEM;
	if (!failure && exists && chmod(part, old.st_mode & 07777))
		failure = errno;
	if (!failure && rename(part, target))
		failure = errno;
	if (out && failure)
		unlink(part);
	free(part);
	return failure;
}

int values_write(const char *file, heddle_type type, int64_t k, const void *values, struct io_error *error)
{
	struct stat status;
	char *target;
	FILE *out;
	int failure;
	if (strcmp(file, "-") == 0) {
		failure = write_out(stdout, false, type, k, values);
		return failure ? fail(error, "standard output", strerror(failure)) : 0;
	}
	/* a device or a pipe is written to, not replaced; a link stays, and its target is replaced */
	if (stat(file, &status) == 0 && !S_ISREG(status.st_mode)) {
		out = fopen(file, "wb");
		failure = out ? write_out(out, is_npy(file), type, k, values) : errno;
		return failure ? fail(error, file, strerror(failure)) : 0;
	}
	target = realpath(file, NULL);
	failure = replace(target ? target : file, is_npy(file), type, k, values);
	free(target);
	return failure ? fail(error, file, strerror(failure)) : 0;
}
