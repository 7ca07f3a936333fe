/* Matrix Market files: a banner, comments, a line of sizes, and the entries, one a line. */
#include <math.h>
#include <string.h>
#include <strings.h>
#include "tools/io/number.h"
#include "tools/io/readers.h"

enum field { FIELD_REAL, FIELD_INTEGER, FIELD_COMPLEX, FIELD_PATTERN };
enum symmetry { GENERAL, SYMMETRIC, SKEW, HERMITIAN };
static const char *const formats[] = { "array", "coordinate", NULL };
static const char *const fields[] = { "real", "integer", "complex", "pattern", NULL };
static const char *const symmetries[] = { "general", "symmetric", "skew-symmetric", "hermitian", NULL };
static const char banner[] = "\"%%MatrixMarket matrix array|coordinate real|integer|complex|pattern "
	"general|symmetric|skew-symmetric|hermitian\"";

struct market {
	struct source *source;
	struct dense *matrix;
	bool coordinate, single;
	enum field field;
	enum symmetry symmetry;
	int64_t entries;    /* that the file must hold */
	int64_t size_line;  /* where that is said */
};

static inline char *skip_blanks(char *p)
{
	while (*p == ' ' || *p == '\t' || *p == '\r')
		p++;
	return p;
}

/* Move *p behind the next word, which must be one of `words`.  Returns which, or -1 with the error. */
static int read_word(struct source *s, char **p, const char *end, const char *what, const char *const *words)
{
	size_t length = strcspn(*p, " \t\r");
	char list[128] = "";
	for (int i = 0; words[i]; i++) {
		if (strlen(words[i]) == length && strncasecmp(*p, words[i], length) == 0) {
			*p = skip_blanks(*p + length);
			return i;
		}
	}
	for (int i = 0; words[i]; i++) {
		size_t used = strlen(list);
		snprintf(list + used, sizeof list - used, "%s%s", i == 0 ? "" : words[i + 1] ? ", " : " or ", words[i]);
	}
	return fail_line(s, "expected the %s (%s) in the banner, found %s", what, list, quote(*p, end, 0).text);
}

static int read_banner(struct market *t)
{
	static const char *const objects[] = { "matrix", NULL };
	static const char first[] = "%%MatrixMarket";
	struct source *s = t->source;
	char *p, *end;
	int format, field, symmetry, got = source_line(s, &p, &end);
	if (got < 0)
		return -1;
	if (got == 0 || strncasecmp(p, first, strlen(first)) != 0 || (p[strlen(first)] != ' ' && p[strlen(first)] != '\t'))
		return fail_line(s, "expected the banner %s", banner);
	p = skip_blanks(p + strlen(first));
	if (read_word(s, &p, end, "object", objects) < 0)
		return -1;
	format = read_word(s, &p, end, "format", formats);
	if (format < 0)
		return -1;
	field = read_word(s, &p, end, "field", fields);
	if (field < 0)
		return -1;
	symmetry = read_word(s, &p, end, "symmetry", symmetries);
	if (symmetry < 0)
		return -1;
	if (p < end)
		return fail_line(s, "unexpected %s after the banner", quote(p, end, 0).text);
	t->coordinate = format == 1;
	t->field = (enum field)field;
	t->symmetry = (enum symmetry)symmetry;
	if (t->field == FIELD_PATTERN && (!t->coordinate || t->symmetry == SKEW || t->symmetry == HERMITIAN))
		return fail_line(s, "a pattern is coordinate general or coordinate symmetric, not %s %s", formats[format],
			symmetries[symmetry]);
	if (t->symmetry == HERMITIAN && t->field != FIELD_COMPLEX)
		return fail_line(s, "a hermitian matrix must be complex, not %s: say symmetric", fields[field]);
	return 0;
}

/* The next line with more than a comment on it.  Returns 1, 0 at the end of the file, or -1. */
static inline int next_line(struct source *s, char **p, char **end)
{
	int got;
	do {
		got = source_line(s, p, end);
		if (got <= 0)
			return got;
		*p = skip_blanks(*p);
	} while (*p == *end || **p == '%');
	return 1;
}

/* Read a count into *k, with the blanks behind it. */
static int read_size(struct source *s, char **p, const char *end, const char *what, int64_t *k)
{
	const char *begin = *p;
	enum number_status status = integer_read(p, k);
	if (status == NUMBER_NONE || (**p != ' ' && **p != '\t' && *p != end))
		return fail_line(s, "expected the number of %s, found %s", what, quote(begin, end, 0).text);
	if (status == NUMBER_LARGE)
		return fail_line(s, "%s %s are too many", quote(begin, end, 0).text, what);
	if (*k < 0)
		return fail_line(s, "the number of %s is negative: %lld", what, (long long)*k);
	*p = skip_blanks(*p);
	return 0;
}

static int read_sizes(struct market *t, heddle_type wanted)
{
	static const char *const sizes[] = { "rows columns", "rows columns entries" };
	struct source *s = t->source;
	heddle_type type;
	char *p, *end;
	int64_t m, n;
	int got;
	if (choose_type(s, wanted, t->field == FIELD_COMPLEX ? HEDDLE_Z : HEDDLE_D, &type))
		return -1;
	got = next_line(s, &p, &end);
	if (got < 0)
		return -1;
	if (got == 0)
		return fail_line(s, "the file ends before the line of sizes (%s)", sizes[t->coordinate]);
	if (read_size(s, &p, end, "rows", &m) || read_size(s, &p, end, "columns", &n))
		return -1;
	if (t->coordinate && read_size(s, &p, end, "entries", &t->entries))
		return -1;
	if (p < end)
		return fail_line(s, "unexpected %s after the sizes (%s)", quote(p, end, 0).text, sizes[t->coordinate]);
	if (t->symmetry != GENERAL && m != n)
		return fail_line(s, "a %s matrix must be square, not %lld by %lld", symmetries[t->symmetry], (long long)m, (long long)n);
	t->size_line = s->line;
	t->single = type_is_single(type);
	return source_allocate(s, t->matrix, type, m, n);
}

static int fail_number(struct market *t, enum number_status status, const char *begin, const char *end, const char *what)
{
	if (status == NUMBER_LARGE)
		return fail_line(t->source, "%s is too large for %s", quote(begin, end, 0).text, precision_name(t->matrix->type));
	return fail_line(t->source, "expected %s, found %s", what, quote(begin, end, 0).text);
}

/* The value of an entry, which ends its line. */
static int read_value(struct market *t, char *p, const char *end, double *re, double *im)
{
	static const char *const kinds[] = { "a number", "an integer", "the real part" };
	const char *begin = p;
	enum number_status status;
	int64_t whole;
	*re = 1;
	*im = 0;
	if (t->field == FIELD_PATTERN) {
		if (p < end)
			return fail_line(t->source, "unexpected %s after the entry: a pattern has no values", quote(p, end, 0).text);
		return 0;
	}
	status = number_read(&p, t->single, re);
	if (status == NUMBER_OK && t->field == FIELD_INTEGER) {
		char *q = (char *)begin;
		if (integer_read(&q, &whole) == NUMBER_NONE || q != p)
			status = NUMBER_NONE;
	}
	if (status != NUMBER_OK || (*p && *p != ' ' && *p != '\t'))
		return fail_number(t, status, begin, end, kinds[t->field]);
	p = skip_blanks(p);
	if (t->field == FIELD_COMPLEX) {
		begin = p;
		status = number_read(&p, t->single, im);
		if (status != NUMBER_OK || (*p && *p != ' ' && *p != '\t'))
			return fail_number(t, status, begin, end, "the imaginary part");
		p = skip_blanks(p);
	}
	if (p < end)
		return fail_line(t->source, "unexpected %s after the entry: a line holds one", quote(p, end, 0).text);
	return 0;
}

static int check_diagonal(const struct market *t, double re, double im)
{
	if (t->symmetry == SKEW && (re != 0 || im != 0))
		return fail_line(t->source, "a skew-symmetric matrix has a zero diagonal");
	if (t->symmetry == HERMITIAN && im != 0)
		return fail_line(t->source, "a hermitian matrix has a real diagonal");
	return 0;
}

/* Duplicate entries are added up, as sparse matrix packages do when they assemble or convert such a file. */
static void add_entry(struct dense *d, int64_t at, double re, double im)
{
	switch (d->type) {
	case HEDDLE_S:
		((float *)d->a)[at] += (float)re;
		break;
	case HEDDLE_D:
		((double *)d->a)[at] += re;
		break;
	case HEDDLE_C:
		((float *)d->a)[2 * at] += (float)re;
		((float *)d->a)[2 * at + 1] += (float)im;
		break;
	default:
		((double *)d->a)[2 * at] += re;
		((double *)d->a)[2 * at + 1] += im;
	}
}

static int read_index(struct market *t, char **p, const char *end, const char *what, int64_t most, int64_t *index)
{
	const char *begin = *p;
	enum number_status status = integer_read(p, index);
	if (status == NUMBER_NONE || (**p && **p != ' ' && **p != '\t'))
		return fail_line(t->source, "expected the %s of an entry, found %s", what, quote(begin, end, 0).text);
	if (status == NUMBER_LARGE || *index < 1 || *index > most)
		return fail_line(t->source, "%s %s is not within 1..%lld", what, quote(begin, end, 0).text, (long long)most);
	--*index;
	*p = skip_blanks(*p);
	return 0;
}

static int read_coordinate_entry(struct market *t, char *p, const char *end)
{
	struct dense *d = t->matrix;
	double re, im;
	int64_t i, j;
	if (read_index(t, &p, end, "row", d->m, &i) || read_index(t, &p, end, "column", d->n, &j) || read_value(t, p, end, &re, &im))
		return -1;
	if (t->symmetry != GENERAL && i < j)
		return fail_line(t->source, "row %lld, column %lld lies above the diagonal: a %s file holds the lower triangle",
			(long long)i + 1, (long long)j + 1, symmetries[t->symmetry]);
	if (i == j && check_diagonal(t, re, im))
		return -1;
	add_entry(d, i + j * d->m, re, im);
	if (t->symmetry != GENERAL && i != j) {
		bool skew = t->symmetry == SKEW;
		add_entry(d, j + i * d->m, skew ? -re : re, skew || t->symmetry == HERMITIAN ? -im : im);
	}
	return 0;
}

/* One entry a line is asked for although a reader could do without: a file with a row a line, which the format does not have,
 * would be read transposed. */
static int read_array_entry(struct market *t, char *p, const char *end, int64_t i, int64_t j)
{
	struct dense *d = t->matrix;
	double re, im;
	if (read_value(t, p, end, &re, &im) || (i == j && check_diagonal(t, re, im)))
		return -1;
	dense_set(d, i + j * d->m, re, im);
	if (t->symmetry != GENERAL && i != j) {
		bool skew = t->symmetry == SKEW;
		dense_set(d, j + i * d->m, skew ? -re : re, skew || t->symmetry == HERMITIAN ? -im : im);
	}
	return 0;
}

static int fail_short(const struct market *t, int64_t k)
{
	return fail_line(t->source, "the file ends after %lld entries: line %lld makes it %lld", (long long)k, (long long)t->size_line,
		(long long)t->entries);
}

static int read_coordinates(struct market *t)
{
	char *p, *end;
	for (int64_t k = 0; k < t->entries; k++) {
		int got = next_line(t->source, &p, &end);
		if (got <= 0)
			return got < 0 ? -1 : fail_short(t, k);
		if (read_coordinate_entry(t, p, end))
			return -1;
	}
	return 0;
}

static int read_array(struct market *t)
{
	const int64_t m = t->matrix->m, n = t->matrix->n;
	char *p, *end;
	int64_t k = 0;
	t->entries = t->symmetry == GENERAL ? m * n : t->symmetry == SKEW ? (n > 0 ? n * (n - 1) / 2 : 0) : n * (n + 1) / 2;
	for (int64_t j = 0; j < n && m > 0; j++) {
		for (int64_t i = t->symmetry == GENERAL ? 0 : t->symmetry == SKEW ? j + 1 : j; i < m; i++, k++) {
			int got = next_line(t->source, &p, &end);
			if (got <= 0)
				return got < 0 ? -1 : fail_short(t, k);
			if (read_array_entry(t, p, end, i, j))
				return -1;
		}
	}
	return 0;
}

int market_read(struct source *s, heddle_type type, struct dense *out)
{
	struct market t = { .source = s, .matrix = out };
	char *p, *end;
	int got;
	if (read_banner(&t) || read_sizes(&t, type) || (t.coordinate ? read_coordinates(&t) : read_array(&t)))
		return -1;
	got = next_line(s, &p, &end);
	if (got > 0)
		return fail_line(s, "more than the %lld entries that line %lld %s", (long long)t.entries, (long long)t.size_line,
			t.coordinate ? "announces" : "leads to");
	return got;
}
