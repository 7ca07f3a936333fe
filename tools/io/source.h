/* The input of a reader: a file, standard input or bytes in memory, taken line by line or in pieces; and how readers fail. */
#ifndef HEDDLE_TOOLS_IO_SOURCE_H
#define HEDDLE_TOOLS_IO_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include "tools/io/io.h"

struct source {
	char name[256];        /* for messages */
	FILE *file;            /* NULL: the bytes are all in the buffer */
	char *buffer;          /* begin..end is what was read and not yet taken; one byte after end is spare */
	size_t begin, end, capacity;
	bool ended;            /* nothing follows end */
	int64_t offset;        /* of buffer[0] in the file */
	int64_t line;          /* number of the line taken last, from 1 */
	int64_t memory;        /* bytes a matrix may take */
	struct io_error *error;
};

/* Open FILE ("-": standard input), or a copy of `size` bytes in memory.  Return 0, or -1 with *error filled, nothing to close. */
int source_open(struct source *s, const char *file, struct io_error *error);
int source_open_memory(struct source *s, const void *bytes, size_t size, const char *name, struct io_error *error);
void source_close(struct source *s);

/* Have `want` bytes in the buffer, fewer only where the file ends.  Returns 0 or -1. */
int source_fill(struct source *s, size_t want);

/* Copy at most `size` bytes into `to`.  *got is less only where the file ends.  Returns 0 or -1. */
int source_take(struct source *s, void *to, size_t size, size_t *got);

/* Take a line, without its end and the blanks before it; a NUL stands at *end.  The line may be written to and lives until
 * the next call.  Returns 1, 0 where the file has ended, or -1. */
int source_line(struct source *s, char **line, char **end);

/* Offset in the file of the next byte that will be taken. */
int64_t source_offset(const struct source *s);

/* Fill *error; all return -1.  The text begins with the file's name and then the line (fail_at), the line taken last
 * (fail_line), an offset (fail_byte) or nothing (fail_file). */
int fail_at(const struct source *s, int64_t line, const char *format, ...) __attribute__((format(printf, 3, 4)));
int fail_line(const struct source *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
int fail_byte(const struct source *s, int64_t offset, const char *format, ...) __attribute__((format(printf, 3, 4)));
int fail_file(const struct source *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The word that begins at p, quoted and made printable for a message, cut where it is long; "the end of the line" where there
 * is none.  It ends at a blank, or at a separator where one is given (not 0). */
struct quoted {
	char text[48];
};
struct quoted quote(const char *p, const char *end, char separator);

#endif
