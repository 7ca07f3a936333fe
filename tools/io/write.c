#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tools/io/memory.h"
#include "tools/io/readers.h"

static int fail(struct io_error *error, const char *file, const char *what)
{
	snprintf(error->text, sizeof error->text, "%s%.300s: %s", strlen(file) > 300 ? "..." : "",
		strlen(file) > 300 ? file + strlen(file) - 300 : file, what);
	return -1;
}

/* What a file is to hold, and how it is written there. */
struct content {
	struct dense d;
	bool vector; /* one column, which is no matrix */
	void (*write)(FILE *, const struct content *);
};

/* As many digits as bring the same bits back. */
static void write_number(FILE *out, const struct dense *d, double x, bool with_sign)
{
	fprintf(out, with_sign ? "%+.*g" : "%.*g", type_is_single(d->type) ? 9 : 17, x);
}

/* The line of a row begins with a sign or a digit where it is complex, so that a reader takes it for no name. */
static void write_csv(FILE *out, const struct content *c)
{
	const struct dense *d = &c->d;
	for (int64_t i = 0; i < d->m && d->n > 0; i++) {
		for (int64_t j = 0; j < d->n; j++) {
			const struct number x = dense_get(d, i + j * d->m);
			write_number(out, d, x.re, type_is_complex(d->type) && !isfinite(x.re));
			if (type_is_complex(d->type)) {
				write_number(out, d, x.im, true);
				fputc('j', out);
			}
			fputc(j + 1 < d->n ? ',' : '\n', out);
		}
	}
}

static void write_market(FILE *out, const struct content *c)
{
	const struct dense *d = &c->d;
	fprintf(out, "%%%%MatrixMarket matrix array %s general\n%lld %lld\n", type_is_complex(d->type) ? "complex" : "real",
		(long long)d->m, (long long)d->n);
	for (int64_t at = 0; at < d->m * d->n; at++) {
		const struct number x = dense_get(d, at);
		write_number(out, d, x.re, false);
		if (type_is_complex(d->type)) {
			fputc(' ', out);
			write_number(out, d, x.im, false);
		}
		fputc('\n', out);
	}
}

/* Version 1.0; the header is padded so that the elements begin at a multiple of 64 bytes. */
static void write_npy(FILE *out, const struct content *c)
{
	const uint16_t probe = 1;
	const struct dense *d = &c->d;
	const size_t size = element_size(d->type);
	char header[129], shape[48];
	if (c->vector)
		snprintf(shape, sizeof shape, "(%lld,)", (long long)d->m);
	else
		snprintf(shape, sizeof shape, "(%lld, %lld)", (long long)d->m, (long long)d->n);
	snprintf(header, sizeof header, "\x93NUMPY%c%c%c%c{'descr': '%c%c%zu', 'fortran_order': %s, 'shape': %s, }", 1, 0, 118, 0,
		*(const char *)&probe ? '<' : '>', type_is_complex(d->type) ? 'c' : 'f', size, c->vector ? "False" : "True", shape);
	memset(header + 10 + strlen(header + 10), ' ', 117 - strlen(header + 10));
	header[127] = '\n';
	fwrite(header, 1, 128, out);
	fwrite(d->a, size, (size_t)(d->m * d->n), out);
}

static bool ends_with(const char *file, const char *ending)
{
	size_t length = strlen(file), tail = strlen(ending);
	return length >= tail && strcasecmp(file + length - tail, ending) == 0;
}

/* Write and close; standard output stays open.  Returns 0 or the errno of what failed. */
static int write_out(FILE *out, const struct content *c)
{
	locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0), old = uselocale(plain);
	int failure = 0;
	errno = 0;
	c->write(out, c);
	if (fflush(out) || ferror(out))
		failure = errno ? errno : EIO;
	if (out != stdout && fclose(out) && !failure)
		failure = errno ? errno : EIO;
	uselocale(old);
	if (plain)
		freelocale(plain);
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
static int replace(const char *target, const struct content *c)
{
	struct stat old;
	bool exists = stat(target, &old) == 0;
	char *part;
	FILE *out;
	int failure;
	if (exists && access(target, W_OK))
		return errno;
	out = open_beside(target, &part);
	failure = out ? write_out(out, c) : errno ? errno : ENOMEM;
	if (!failure && exists && chmod(part, old.st_mode & 07777))
		failure = errno;
	if (!failure && rename(part, target))
		failure = errno;
	if (out && failure)
		unlink(part);
	free(part);
	return failure;
}

static int write_file(const char *file, const struct content *c, struct io_error *error)
{
	struct stat status;
	char *target;
	FILE *out;
	int failure;
	if (strcmp(file, "-") == 0) {
		failure = write_out(stdout, c);
		return failure ? fail(error, "standard output", strerror(failure)) : 0;
	}
	/* a device or a pipe is written to, not replaced; a link stays, and its target is replaced */
	if (stat(file, &status) == 0 && !S_ISREG(status.st_mode)) {
		out = fopen(file, "wb");
		failure = out ? write_out(out, c) : errno;
		return failure ? fail(error, file, strerror(failure)) : 0;
	}
	target = realpath(file, NULL);
	failure = replace(target ? target : file, c);
	free(target);
	return failure ? fail(error, file, strerror(failure)) : 0;
}

int values_write(const char *file, heddle_type type, int64_t k, const void *values, struct io_error *error)
{
	const struct content c = {
		.d = { .type = type_is_single(type) ? HEDDLE_S : HEDDLE_D, .m = k, .n = 1, .a = (void *)(uintptr_t)values },
		.vector = true,
		.write = ends_with(file, ".npy") ? write_npy : write_csv,
	};
	return write_file(file, &c, error);
}

int matrix_write(const char *file, const char *format, const struct dense *d, struct io_error *error)
{
	static const struct {
		const char *name, *ending;
		void (*write)(FILE *, const struct content *);
	} formats[] = { { "npy", ".npy", write_npy }, { "mtx", ".mtx", write_market }, { "csv", "", write_csv } };
	for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
		if (format ? strcmp(format, formats[i].name) == 0 : ends_with(file, formats[i].ending)) {
			const struct content c = { .d = *d, .write = formats[i].write };
			return write_file(file, &c, error);
		}
	}
	return fail(error, file, "unknown format: expected csv, mtx or npy");
}
