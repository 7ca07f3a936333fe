/* NumPy's .npy files: a magic string, a version, the length of a header, the header (a dictionary in Python's notation) and
 * the elements. */
#include <math.h>
#include <string.h>
#include <stdlib.h>
#include "tools/io/memory.h"
#include "tools/io/readers.h"

static const size_t longest_header = 1 << 20;
static const size_t piece_bytes = 1 << 20;

struct npy {
	heddle_type type; /* of the elements in the file */
	bool swapped;     /* their bytes are in the other order than this machine's */
	bool by_rows;     /* C order */
	int64_t m, n;
	bool have_descr, have_order, have_shape;
};

/* The header text, read from left to right. */
struct header {
	struct source *source;
	const char *p, *end;
};

static int64_t here(const struct header *h)
{
	return source_offset(h->source) + (h->p - (h->source->buffer + h->source->begin));
}

static void skip_space(struct header *h)
{
	while (h->p < h->end && (*h->p == ' ' || *h->p == '\n' || *h->p == '\t' || *h->p == '\r'))
		h->p++;
}

static bool accept(struct header *h, char c)
{
	skip_space(h);
	if (h->p == h->end || *h->p != c)
		return false;
	h->p++;
	return true;
}

static int fail_header(const struct header *h, const char *expected)
{
	return fail_byte(h->source, here(h), "the header is broken: expected %s, found %s", expected,
		h->p == h->end ? "its end" : quote(h->p, h->end, '\n').text);
}

static int expect(struct header *h, char c)
{
	char what[4] = { '\'', c, '\'', '\0' };
	return accept(h, c) ? 0 : fail_header(h, what);
}

/* A string in single or double quotes.  Names in these headers are short. */
static int read_string(struct header *h, char text[32])
{
	char mark;
	size_t k = 0;
	skip_space(h);
	if (h->p == h->end || (*h->p != '\'' && *h->p != '"'))
		return fail_header(h, "a string");
	for (mark = *h->p++; h->p < h->end && *h->p != mark && k < 31; h->p++)
		text[k++] = *h->p >= ' ' && *h->p <= '~' ? *h->p : '?';
	text[k] = '\0';
	if (h->p == h->end || *h->p != mark)
		return fail_header(h, "the end of a string");
	h->p++;
	return 0;
}

static int read_descr(struct header *h, struct npy *npy)
{
	static const struct {
		const char *name;
		heddle_type type;
	} kinds[] = { { "f4", HEDDLE_S }, { "f8", HEDDLE_D }, { "c8", HEDDLE_C }, { "c16", HEDDLE_Z } };
	const uint16_t probe = 1;
	const char native = *(const char *)&probe ? '<' : '>';
	char text[32];
	skip_space(h);
	if (h->p < h->end && *h->p == '[')
		return fail_byte(h->source, here(h), "records cannot be read: the element types are f4, f8, c8 and c16");
	if (read_string(h, text))
		return -1;
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		if (strchr("<>=", text[0]) && text[0] && strcmp(text + 1, kinds[i].name) == 0) {
			npy->type = kinds[i].type;
			npy->swapped = text[0] != '=' && text[0] != native;
			npy->have_descr = true;
			return 0;
		}
	}
	return fail_byte(h->source, here(h), "elements of type '%s' cannot be read: the element types are f4, f8, c8 and c16", text);
}

static int read_order(struct header *h, struct npy *npy)
{
	skip_space(h);
	for (int by_rows = 0; by_rows < 2; by_rows++) {
		const char *word = by_rows ? "False" : "True";
		size_t length = strlen(word);
		if ((size_t)(h->end - h->p) >= length && memcmp(h->p, word, length) == 0) {
			h->p += length;
			npy->by_rows = by_rows;
			npy->have_order = true;
			return 0;
		}
	}
	return fail_header(h, "True or False");
}

/* (m,) or (m, n); a number may end in L, as Python 2 wrote it. */
static int read_shape(struct header *h, struct npy *npy)
{
	int64_t sizes[2] = { 1, 1 };
	int dimensions = 0;
	bool comma = true;
	if (expect(h, '('))
		return -1;
	while (!accept(h, ')')) {
		int64_t k = 0;
		if (!comma)
			return fail_header(h, "',' or ')'");
		skip_space(h);
		if (h->p == h->end || *h->p < '0' || *h->p > '9')
			return fail_header(h, "a size");
		for (; h->p < h->end && *h->p >= '0' && *h->p <= '9'; h->p++) {
			if (k > (INT64_MAX - 9) / 10)
				return fail_byte(h->source, here(h), "the header's shape is beyond 64 bits");
			k = 10 * k + (*h->p - '0');
		}
		if (h->p < h->end && *h->p == 'L')
			h->p++;
		if (dimensions < 2)
			sizes[dimensions] = k;
		dimensions++;
		comma = accept(h, ',');
	}
	if (dimensions < 1 || dimensions > 2)
		return fail_byte(h->source, here(h), "an array of %d dimensions is not a matrix: expected 2, or 1 for a column", dimensions);
	npy->m = sizes[0];
	npy->n = sizes[1];
	npy->have_shape = true;
	return 0;
}

static int read_dictionary(struct header *h, struct npy *npy)
{
	char key[32];
	if (expect(h, '{'))
		return -1;
	while (!accept(h, '}')) {
		int status;
		if (read_string(h, key) || expect(h, ':'))
			return -1;
		if (strcmp(key, "descr") == 0)
			status = read_descr(h, npy);
		else if (strcmp(key, "fortran_order") == 0)
			status = read_order(h, npy);
		else if (strcmp(key, "shape") == 0)
			status = read_shape(h, npy);
		else
			return fail_byte(h->source, here(h), "the header has an unknown key '%s': expected descr, fortran_order and shape", key);
		if (status)
			return -1;
		if (!accept(h, ',') && (skip_space(h), h->p == h->end || *h->p != '}'))
			return fail_header(h, "',' or '}'");
	}
	skip_space(h);
	if (h->p < h->end)
		return fail_header(h, "nothing more");
	if (!npy->have_descr || !npy->have_order || !npy->have_shape)
		return fail_byte(h->source, here(h), "the header lacks %s",
			!npy->have_descr ? "descr" : !npy->have_order ? "fortran_order" : "shape");
	return 0;
}

static int read_header(struct source *s, struct npy *npy)
{
	static const char magic[] = "\x93NUMPY";
	struct header h = { .source = s };
	const unsigned char *bytes;
	size_t length, prefix;
	if (source_fill(s, 12))
		return -1;
	bytes = (const unsigned char *)s->buffer + s->begin;
	if (s->end - s->begin < 6 || memcmp(bytes, magic, 6) != 0)
		return fail_byte(s, source_offset(s), "not an .npy file: it does not begin with \\x93NUMPY");
	if (s->end - s->begin < 12)
		return fail_byte(s, source_offset(s), "the file ends within the first 12 bytes");
	if (bytes[6] < 1 || bytes[6] > 3 || bytes[7] != 0)
		return fail_byte(s, source_offset(s), "version %d.%d of the .npy format is unknown: expected 1.0, 2.0 or 3.0", bytes[6],
			bytes[7]);
	prefix = bytes[6] == 1 ? 10 : 12;
	length = bytes[8] | (size_t)bytes[9] << 8;
	if (bytes[6] > 1)
		length |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
	s->begin += prefix;
	if (length > longest_header)
		return fail_byte(s, source_offset(s), "a header of %zu bytes: at most %zu are read", length, longest_header);
	if (source_fill(s, length))
		return -1;
	if (s->end - s->begin < length)
		return fail_byte(s, source_offset(s), "the file ends within its header of %zu bytes", length);
	h.p = s->buffer + s->begin;
	h.end = h.p + length;
	if (read_dictionary(&h, npy))
		return -1;
	s->begin += length;
	return 0;
}

static double load(const unsigned char *from, bool single, bool swapped)
{
	unsigned char bytes[8];
	const size_t size = single ? 4 : 8;
	double x;
	float f;
	for (size_t i = 0; i < size; i++)
		bytes[i] = from[swapped ? size - 1 - i : i];
	if (single) {
		memcpy(&f, bytes, 4);
		return (double)f;
	}
	memcpy(&x, bytes, 8);
	return x;
}

static bool too_large(double x)
{
	return isfinite(x) && isinf((float)x);
}

/* `count` elements from the file's form to that of *to, from its element `at` on.  They were
 * the last that was taken from the source. */
static int convert(const struct source *s, const struct npy *npy, const unsigned char *from, int64_t count, struct dense *to,
	int64_t at)
{
	const size_t size = element_size(npy->type);
	const bool single = type_is_single(npy->type), pairs = type_is_complex(npy->type);
	const bool narrows = !single && type_is_single(to->type);
	if (npy->type == to->type && !npy->swapped) {
		memcpy((char *)to->a + (size_t)at * size, from, (size_t)count * size);
		return 0;
	}
	for (int64_t k = 0; k < count; k++, from += size) {
		double re = load(from, single, npy->swapped), im = pairs ? load(from + size / 2, single, npy->swapped) : 0;
		if (narrows && (too_large(re) || too_large(im)))
			return fail_byte(s, source_offset(s) - (count - k) * (int64_t)size, "%g is too large for single precision",
				too_large(re) ? re : im);
		dense_set(to, at + k, re, im);
	}
	return 0;
}

/* Take `count` elements into raw. */
static int take(struct source *s, const struct npy *npy, unsigned char *raw, int64_t count, int64_t before)
{
	const size_t size = element_size(npy->type);
	size_t got;
	if (source_take(s, raw, (size_t)count * size, &got))
		return -1;
	if (got < (size_t)count * size)
		return fail_byte(s, source_offset(s), "the file ends after %lld of the %lld elements of its %lld by %lld matrix",
			(long long)(before + (int64_t)(got / size)), (long long)(npy->m * npy->n), (long long)npy->m, (long long)npy->n);
	return 0;
}

/* A piece of the file is a run of elements where they lie in the matrix's order; else whole rows, or a part of a long one. */
static int read_pieces(struct source *s, const struct npy *npy, struct dense *out, unsigned char *raw, struct dense *rows)
{
	const int64_t most = (int64_t)(piece_bytes / element_size(HEDDLE_Z)), total = npy->m * npy->n;
	if (!npy->by_rows || npy->m == 1 || npy->n == 1) {
		for (int64_t at = 0, count; at < total; at += count) {
			count = total - at < most ? total - at : most;
			if (take(s, npy, raw, count, at) || convert(s, npy, raw, count, out, at))
				return -1;
		}
		return 0;
	}
	for (int64_t i = 0, r; i < npy->m; i += r) {
		r = npy->n < most ? most / npy->n : 1;
		if (r > npy->m - i)
			r = npy->m - i;
		for (int64_t j = 0, c; j < npy->n; j += c) {
			c = npy->n - j < most ? npy->n - j : most;
			if (take(s, npy, raw, r * c, i * npy->n + j) || convert(s, npy, raw, r * c, rows, 0))
				return -1;
			dense_set_rows(out, i, j, r, c, rows->a);
		}
	}
	return 0;
}

int npy_read(struct source *s, heddle_type wanted, struct dense *out)
{
	struct npy npy = { 0 };
	struct dense rows = { 0 };
	unsigned char *raw;
	heddle_type type;
	int status = -1;
	if (read_header(s, &npy) || choose_type(s, wanted, npy.type, &type) || source_allocate(s, out, type, npy.m, npy.n))
		return -1;
	raw = malloc(piece_bytes);
	rows.type = type;
	rows.a = malloc(piece_bytes);
	if (!raw || !rows.a)
		fail_file(s, "no memory to read it");
	else
		status = npy.m > 0 && npy.n > 0 ? read_pieces(s, &npy, out, raw, &rows) : 0;
	if (status == 0)
		status = source_fill(s, 1);
	if (status == 0 && s->begin < s->end)
		status = fail_byte(s, source_offset(s), "the file goes on after its %lld by %lld matrix", (long long)npy.m, (long long)npy.n);
	free(raw);
	free(rows.a);
	return status;
}
