/* Which reader a file is for, and what the readers share. */
#include <string.h>
#include <strings.h>
#include "tools/io/memory.h"
#include "tools/io/readers.h"

bool type_is_complex(heddle_type type)
{
	return type == HEDDLE_C || type == HEDDLE_Z;
}

bool type_is_single(heddle_type type)
{
	return type == HEDDLE_S || type == HEDDLE_C;
}

const char *precision_name(heddle_type type)
{
	return type_is_single(type) ? "single precision" : "double precision";
}

/* Text files count lines from 1; a binary one has taken none. */
static int fail_here(const struct source *s, const char *what)
{
	return s->line > 0 ? fail_line(s, "%s", what) : fail_byte(s, source_offset(s), "%s", what);
}

int choose_type(const struct source *s, heddle_type wanted, heddle_type own, heddle_type *type)
{
	char what[96];
	*type = wanted ? wanted : own;
	if (!type_is_complex(own) || type_is_complex(*type))
		return 0;
	snprintf(what, sizeof what, "the matrix is complex and type %c is real: it needs type c or z", (int)wanted);
	return fail_here(s, what);
}

int source_allocate(const struct source *s, struct dense *d, heddle_type type, int64_t m, int64_t n)
{
	char why[200];
	return dense_allocate(d, type, m, n, s->memory, why, sizeof why) ? fail_here(s, why) : 0;
}

void dense_set_rows(struct dense *d, int64_t i, int64_t j, int64_t r, int64_t c, const void *rows)
{
	const char *from = rows;
	const size_t size = element_size(d->type);
	for (int64_t y = 0; y < c; y++) {
		char *to = (char *)d->a + (size_t)(i + (j + y) * d->m) * size;
		for (int64_t x = 0; x < r; x++) {
			const char *element = from + (size_t)(x * c + y) * size;
			if (size == 4)
				memcpy(to + 4 * x, element, 4);
			else if (size == 8)
				memcpy(to + 8 * x, element, 8);
			else
				memcpy(to + 16 * x, element, 16);
		}
	}
}

static bool starts_with(const struct source *s, const char *bytes, size_t length)
{
	return s->end - s->begin >= length && memcmp(s->buffer + s->begin, bytes, length) == 0;
}

static bool ends_with(const char *name, const char *ending)
{
	size_t length = strlen(name), tail = strlen(ending);
	return length >= tail && strcasecmp(name + length - tail, ending) == 0;
}

/* Files that are something else altogether, with what to do about it; NULL for none of them. */
static const char *foreign(const struct source *s)
{
	static const struct {
		const char *bytes, *what;
	} kinds[] = {
		{ "\x1f\x8b", "compressed by gzip: unpack it, or give \"-\" and pipe the output of gzip -dc" },
		{ "BZh", "compressed by bzip2: unpack it, or give \"-\" and pipe the output of bzip2 -dc" },
		{ "\xfd" "7zXZ", "compressed by xz: unpack it, or give \"-\" and pipe the output of xz -dc" },
		{ "(\xb5/\xfd", "compressed by zstd: unpack it, or give \"-\" and pipe the output of zstd -dc" },
		{ "PK\x03\x04", "a zip archive (.npz?): unpack the .npy file that it holds" },
		{ "\x89HDF", "an HDF5 file: export the matrix as .npy" },
		{ "MATLAB 5.0", "a MATLAB file: export the matrix as Matrix Market or text" },
	};
	size_t held = s->end - s->begin;
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (starts_with(s, kinds[i].bytes, strlen(kinds[i].bytes)))
			return kinds[i].what;
	if (memchr(s->buffer + s->begin, '\0', held < 512 ? held : 512))
		return "binary, of no format known here: Matrix Market, .npy and csv can be read";
	return NULL;
}

static int dispatch(struct source *s, heddle_type type, struct dense *out)
{
	static const char mark[] = "\xef\xbb\xbf"; /* the byte order mark of UTF-8 */
	const char *other;
	if (type && (!strchr("sdcz", (int)type)))
		return fail_file(s, "unknown type: expected s, d, c or z");
	if (source_fill(s, 512))
		return -1;
	if (s->begin == s->end)
		return fail_at(s, 1, "the file is empty: expected a matrix as Matrix Market, .npy or csv");
	if (starts_with(s, "\x93NUMPY", 6) || *(s->buffer + s->begin) == '\x93' || ends_with(s->name, ".npy"))
		return npy_read(s, type, out);
	other = foreign(s);
	if (other)
		return fail_file(s, "%s", other);
	if (starts_with(s, mark, 3))
		s->begin += 3;
	if (s->begin < s->end && (s->buffer[s->begin] == '%' || ends_with(s->name, ".mtx") || ends_with(s->name, ".mm")))
		return market_read(s, type, out);
	return csv_read(s, type, out);
}

static int read_all(struct source *s, heddle_type type, struct dense *out)
{
	int status = dispatch(s, type, out);
	if (status)
		dense_free(out);
	source_close(s);
	return status;
}

int matrix_read(const char *file, heddle_type type, struct dense *out, struct io_error *error)
{
	struct source s;
	*out = (struct dense){ 0 };
	if (source_open(&s, file, error))
		return -1;
	s.memory = memory_available("");
	return read_all(&s, type, out);
}

int matrix_read_memory(const void *bytes, size_t size, const char *name, heddle_type type, int64_t memory, struct dense *out,
	struct io_error *error)
{
	struct source s;
	*out = (struct dense){ 0 };
	if (source_open_memory(&s, bytes, size, name, error))
		return -1;
	s.memory = memory;
	return read_all(&s, type, out);
}
