/* Separated values: a row a line, with commas, semicolons, tabs or blanks between the numbers.  Lines that begin with # are
 * comments; a first line without any number is taken for the names of the columns. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "tools/io/memory.h"
#include "tools/io/number.h"
#include "tools/io/readers.h"

static const size_t block_bytes = 1 << 20;

/* How many rows there are is known at the end only.  Until then they are kept in blocks; a block is freed as soon as it has
 * moved into the matrix, whose pages take memory only as they are filled. */
struct csv {
	struct source *source;
	heddle_type type;
	char separator;       /* ' ' for any run of blanks */
	int64_t columns;      /* of the first row */
	int64_t first;        /* its line */
	int64_t names, names_line;
	struct dense *blocks; /* block->n columns, block->m rows, row by row */
	size_t count, room;
	int64_t rows, block_rows;
};

/* What parse_row finds in a line that it does not store. */
struct tally {
	int64_t fields;
	bool is_complex;
};

static char *skip_blanks(const struct csv *t, char *p)
{
	while (*p == ' ' || *p == '\r' || (*p == '\t' && t->separator != '\t'))
		p++;
	return p;
}

/* The separator is the first of these that a row has; quoted names may have any of them. */
static char find_separator(const char *p)
{
	static const char marks[] = ";,\t";
	for (const char *mark = marks; *mark; mark++) {
		bool inside = false;
		for (const char *q = p; *q; q++) {
			inside ^= *q == '"';
			if (!inside && *q == *mark)
				return *mark;
		}
	}
	return ' ';
}

static int fail_value(const struct csv *t, const char *begin, const char *end, int64_t field, enum number_status status)
{
	struct quoted word = quote(begin, end, t->separator);
	if (status == NUMBER_LARGE)
		return fail_line(t->source, "column %lld: %s is too large for %s", (long long)field, word.text, precision_name(t->type));
	if (*begin == t->separator || begin == end)
		return fail_line(t->source, "column %lld is empty: expected a number", (long long)field);
	if (t->separator == ';' && strchr(word.text, ','))
		return fail_line(t->source, "column %lld: expected a number with a decimal point, found %s", (long long)field, word.text);
	return fail_line(t->source, "column %lld: expected a number, found %s", (long long)field, word.text);
}

static inline bool is_unit(char c)
{
	return c == 'j' || c == 'J' || c == 'i' || c == 'I';
}

/* A real number, or a complex one as a+bj, a-bj or bj, with j or i, in parentheses or not.  Also a+-bj, which NumPy writes. */
static enum number_status read_value(struct csv *t, char **at, double *re, double *im, bool *is_complex)
{
	const bool single = type_is_single(t->type);
	char *p = *at;
	bool open = *p == '(';
	enum number_status status;
	*im = 0;
	p += open;
	status = number_read(&p, single, re);
	if (status != NUMBER_OK)
		return status;
	if (is_unit(*p)) {
		*im = *re;
		*re = 0;
		*is_complex = true;
		p++;
	} else if (*p == '+' || *p == '-') {
		p += p[0] == '+' && p[1] == '-';
		status = number_read(&p, single, im);
		if (status != NUMBER_OK)
			return status;
		if (!is_unit(*p))
			return NUMBER_NONE;
		*is_complex = true;
		p++;
	}
	if (open && *p++ != ')')
		return NUMBER_NONE;
	*at = p;
	return NUMBER_OK;
}

/* Read the numbers of a line into row (NULL: only look) from its element `at` on.  Returns 0 or -1. */
static int parse_row(struct csv *t, char *p, const char *end, struct dense *row, int64_t at, struct tally *tally)
{
	*tally = (struct tally){ 0 };
	p = skip_blanks(t, p);
	for (;;) {
		char *begin = p;
		bool is_complex = false;
		double re, im;
		enum number_status status = read_value(t, &p, &re, &im, &is_complex);
		if (status != NUMBER_OK || (p != end && *p != t->separator && *p != ' ' && *p != '\t' && *p != '\r'))
			return fail_value(t, begin, end, tally->fields + 1, status);
		if (is_complex && row && !type_is_complex(row->type))
			return fail_line(t->source, "column %lld: %s is complex, line %lld began a real matrix: ask for type z or c",
				(long long)tally->fields + 1, quote(begin, end, t->separator).text, (long long)t->first);
		tally->is_complex |= is_complex;
		if (row && tally->fields < t->columns)
			dense_set(row, at + tally->fields, re, im);
		tally->fields++;
		p = skip_blanks(t, p);
		if (p == end)
			return 0;
		if (t->separator != ' ') {
			if (*p != t->separator)
				return fail_line(t->source, "unexpected %s after the number in column %lld", quote(p, end, t->separator).text,
					(long long)tally->fields);
			p = skip_blanks(t, p + 1);
		}
	}
}

static char *field_end(const struct csv *t, char *p, const char *end)
{
	bool inside = false;
	for (; p < end; p++) {
		inside ^= *p == '"';
		if (!inside && (*p == t->separator || (t->separator == ' ' && *p == '\t')))
			break;
	}
	return p;
}

/* Whether a line names columns, and how many: no field of it begins with a digit, sign and digit, or is nan or inf. */
static bool parse_names(const struct csv *t, char *p, const char *end, int64_t *names)
{
	for (*names = 0;; p += t->separator != ' ') {
		char *q, *stop;
		double x;
		p = q = skip_blanks(t, p);
		stop = field_end(t, p, end);
		if (*p == '"') { /* a number in quotes is no name, and refused as a number */
			q++;
			if (number_read(&q, false, &x) != NUMBER_NONE && *q == '"')
				return false;
			q = p;
		}
		if (*p == '(' || (number_read(&q, false, &x) != NUMBER_NONE && (!isalpha((unsigned char)*p) || q == stop)))
			return false;
		++*names;
		p = stop;
		if (p == end)
			return true;
	}
}

/* The next line that is neither blank nor a comment.  Returns 1, 0 at the end of the file, or -1. */
static int next_line(struct csv *t, char **p, char **end)
{
	int got;
	do {
		got = source_line(t->source, p, end);
	} while (got > 0 && (*p == *end || *skip_blanks(t, *p) == '#'));
	return got;
}

static int add_block(struct csv *t)
{
	const int64_t size = (int64_t)element_size(t->type);
	const int64_t most = t->source->memory / size / t->columns;
	struct dense *block;
	if (t->rows + t->block_rows > most)
		return fail_line(t->source, "more than the %lld rows of %lld numbers that fit the %.4g GiB available", (long long)most,
			(long long)t->columns, (double)t->source->memory / (1 << 30));
	if (t->count == t->room) {
		size_t room = 2 * t->room + 16;
		struct dense *blocks = realloc(t->blocks, room * sizeof *blocks);
		if (!blocks)
			return fail_line(t->source, "no memory for more rows");
		t->blocks = blocks;
		t->room = room;
	}
	block = &t->blocks[t->count];
	*block = (struct dense){ .type = t->type, .n = t->columns, .a = malloc((size_t)(t->block_rows * t->columns * size)) };
	if (!block->a)
		return fail_line(t->source, "no memory for more rows");
	t->count++;
	return 0;
}

static int add_row(struct csv *t, char *p, const char *end)
{
	struct dense *block = t->count > 0 ? &t->blocks[t->count - 1] : NULL;
	struct tally tally;
	if (!block || block->m == t->block_rows) {
		if (add_block(t))
			return -1;
		block = &t->blocks[t->count - 1];
	}
	if (parse_row(t, p, end, block, block->m * t->columns, &tally))
		return -1;
	if (tally.fields != t->columns)
		return fail_line(t->source, "expected %lld numbers as on line %lld, found %lld", (long long)t->columns, (long long)t->first,
			(long long)tally.fields);
	block->m++;
	t->rows++;
	return 0;
}

/* Look at the first row: how it is separated, how many numbers it has, and whether they are complex. */
static int look_at_first_row(struct csv *t, char *p, const char *end, heddle_type wanted)
{
	struct tally tally;
	t->separator = find_separator(p);
	t->first = t->source->line;
	t->type = wanted ? wanted : HEDDLE_D;
	if (parse_row(t, p, end, NULL, 0, &tally) || choose_type(t->source, wanted, tally.is_complex ? HEDDLE_Z : HEDDLE_D, &t->type))
		return -1;
	t->columns = tally.fields;
	if (t->names > 0 && t->names != t->columns)
		return fail_line(t->source, "expected %lld numbers for the names on line %lld, found %lld (a # makes a line a comment)",
			(long long)t->names, (long long)t->names_line, (long long)t->columns);
	t->block_rows = (int64_t)(block_bytes / element_size(t->type)) / t->columns;
	if (t->block_rows == 0)
		t->block_rows = 1;
	return 0;
}

static int read_rows(struct csv *t, heddle_type wanted)
{
	char *p, *end;
	int got = next_line(t, &p, &end);
	if (got > 0) {
		t->separator = find_separator(p);
		if (parse_names(t, p, end, &t->names)) {
			t->names_line = t->source->line;
			got = next_line(t, &p, &end);
		} else {
			t->names = 0;
		}
	}
	if (got < 0)
		return -1;
	if (got == 0 && t->names > 0)
		return fail_at(t->source, t->names_line, "expected numbers, or \"%%%%MatrixMarket\" in a Matrix Market file");
	if (got == 0)
		return fail_line(t->source, "the file holds no numbers");
	if (look_at_first_row(t, p, end, wanted))
		return -1;
	while (got > 0) {
		if (add_row(t, p, end))
			return -1;
		got = next_line(t, &p, &end);
	}
	return got;
}

int csv_read(struct source *s, heddle_type type, struct dense *out)
{
	struct csv t = { .source = s };
	int64_t row = 0;
	int status = read_rows(&t, type);
	if (status == 0)
		status = source_allocate(s, out, t.type, t.rows, t.columns);
	for (size_t k = 0; k < t.count; k++) {
		if (status == 0)
			dense_set_rows(out, row, 0, t.blocks[k].m, t.columns, t.blocks[k].a);
		row += t.blocks[k].m;
		free(t.blocks[k].a);
	}
	free(t.blocks);
	return status;
}
