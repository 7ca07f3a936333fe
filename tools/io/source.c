#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "tools/io/source.h"

enum { chunk = 1 << 20 };
static const size_t longest_line = (size_t)1 << 30;

static int fail(const struct source *s, const char *place, const char *format, va_list arguments)
{
	int used = snprintf(s->error->text, sizeof s->error->text, "%s%s: ", s->name, place);
	vsnprintf(s->error->text + used, sizeof s->error->text - (size_t)used, format, arguments);
	return -1;
}

int fail_at(const struct source *s, int64_t line, const char *format, ...)
{
	char place[32];
	va_list arguments;
	snprintf(place, sizeof place, ":%lld", (long long)line);
	va_start(arguments, format);
	fail(s, place, format, arguments);
	va_end(arguments);
	return -1;
}

int fail_line(const struct source *s, const char *format, ...)
{
	char place[32];
	va_list arguments;
	snprintf(place, sizeof place, ":%lld", (long long)(s->line > 0 ? s->line : 1));
	va_start(arguments, format);
	fail(s, place, format, arguments);
	va_end(arguments);
	return -1;
}

int fail_byte(const struct source *s, int64_t offset, const char *format, ...)
{
	char place[48];
	va_list arguments;
	snprintf(place, sizeof place, ": byte %lld", (long long)offset);
	va_start(arguments, format);
	fail(s, place, format, arguments);
	va_end(arguments);
	return -1;
}

int fail_file(const struct source *s, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	fail(s, "", format, arguments);
	va_end(arguments);
	return -1;
}

struct quoted quote(const char *p, const char *end, char separator)
{
	struct quoted q;
	const size_t most = sizeof q.text - 6;
	size_t k = 0;
	if (p == end) {
		strcpy(q.text, "the end of the line");
		return q;
	}
	q.text[k++] = '"';
	for (; p < end && k < most && *p != ' ' && *p != '\t' && !(separator && *p == separator); p++)
		q.text[k++] = *p >= ' ' && *p <= '~' ? *p : '?';
	strcpy(q.text + k, p < end && k == most ? "...\"" : "\"");
	return q;
}

/* A long path keeps its tail, so that the message after it still fits. */
static void set_name(struct source *s, const char *name)
{
	size_t length = strlen(name), room = sizeof s->name - 1;
	if (length <= room)
		memcpy(s->name, name, length + 1);
	else
		snprintf(s->name, sizeof s->name, "...%s", name + length - (room - 3));
}

int source_open(struct source *s, const char *file, struct io_error *error)
{
	bool input = strcmp(file, "-") == 0;
	*s = (struct source){ .error = error };
	set_name(s, input ? "standard input" : file);
	s->file = input ? stdin : fopen(file, "rb");
	if (!s->file)
		return fail_file(s, "%s", strerror(errno));
	s->capacity = chunk + 1;
	s->buffer = malloc(s->capacity);
	if (!s->buffer) {
		source_close(s);
		return fail_file(s, "no memory to read it");
	}
	return 0;
}

int source_open_memory(struct source *s, const void *bytes, size_t size, const char *name, struct io_error *error)
{
	*s = (struct source){ .error = error, .end = size, .capacity = size + 1, .ended = true };
	set_name(s, name);
	s->buffer = malloc(s->capacity);
	if (!s->buffer)
		return fail_file(s, "no memory to read it");
	if (size > 0)
		memcpy(s->buffer, bytes, size);
	return 0;
}

void source_close(struct source *s)
{
	if (s->file && s->file != stdin)
		fclose(s->file);
	free(s->buffer);
	s->file = NULL;
	s->buffer = NULL;
}

int64_t source_offset(const struct source *s)
{
	return s->offset + (int64_t)s->begin;
}

static int read_some(struct source *s, void *to, size_t size, size_t *got)
{
	*got = fread(to, 1, size, s->file);
	if (*got < size && ferror(s->file))
		return fail_file(s, "%s", strerror(errno));
	s->ended = *got < size;
	return 0;
}

int source_fill(struct source *s, size_t want)
{
	size_t got;
	if (s->ended || s->end - s->begin >= want)
		return 0;
	memmove(s->buffer, s->buffer + s->begin, s->end - s->begin);
	s->offset += (int64_t)s->begin;
	s->end -= s->begin;
	s->begin = 0;
	if (want > s->capacity - 1) {
		size_t capacity = want + want / 2 + 1;
		char *buffer = realloc(s->buffer, capacity);
		if (!buffer)
			return fail_file(s, "no memory for %zu bytes of it", want);
		s->buffer = buffer;
		s->capacity = capacity;
	}
	if (read_some(s, s->buffer + s->end, s->capacity - 1 - s->end, &got))
		return -1;
	s->end += got;
	return 0;
}

int source_take(struct source *s, void *to, size_t size, size_t *got)
{
	size_t held = s->end - s->begin, more = 0;
	if (held > size)
		held = size;
	memcpy(to, s->buffer + s->begin, held);
	s->begin += held;
	if (held < size && !s->ended) {
		if (read_some(s, (char *)to + held, size - held, &more))
			return -1;
		s->offset += (int64_t)more;
	}
	*got = held + more;
	return 0;
}

int source_line(struct source *s, char **line, char **end)
{
	size_t seen = 0;
	char *stop;
	for (;;) {
		size_t held = s->end - s->begin;
		stop = memchr(s->buffer + s->begin + seen, '\n', held - seen);
		if (stop)
			break;
		if (s->ended && held == 0)
			return 0;
		if (s->ended) {
			stop = s->buffer + s->end;
			break;
		}
		if (held >= longest_line)
			return fail_at(s, s->line + 1, "the line is longer than %zu bytes", longest_line);
		seen = held;
		if (source_fill(s, held + 1))
			return -1;
	}
	*line = s->buffer + s->begin;
	s->begin = (size_t)(stop - s->buffer);
	if (s->begin < s->end)
		s->begin++;
	s->line++;
	while (stop > *line && (stop[-1] == ' ' || stop[-1] == '\t' || stop[-1] == '\r'))
		stop--;
	*stop = '\0';
	*end = stop;
	return 1;
}
