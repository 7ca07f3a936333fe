#include "tools/heddle/arguments.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORKERS = 65536 };

static const int64_t widest = INT64_C(1) << 40; /* rows or columns; memory ends long before */

/* Reads a whole number from the start of text up to `end`; the nearest there is if it does not fit. */
static bool read_integer(const char *text, const char *end, int64_t *value)
{
	char *stop;

	if (text == end || !strchr("+-0123456789", text[0]))
		return false;
	*value = strtoll(text, &stop, 10);
	return stop == end;
}

int64_t argument_integer(const struct argp_state *state, const char *option, const char *text, int64_t min, int64_t max)
{
	char range[64];
	int64_t value;

	if (!read_integer(text, text + strlen(text), &value)) {
		argp_error(state, "%s: '%s' is not a whole number", option, text);
		exit(EXIT_USAGE); /* argp_error has done so; the compiler cannot know */
	}
	if (max == INT64_MAX)
		snprintf(range, sizeof(range), "%" PRId64 " or more", min);
	else
		snprintf(range, sizeof(range), "%" PRId64 " to %" PRId64, min, max);
	if (value < min || value > max || value == INT64_MAX)
		argp_error(state, "%s: %s is out of range; expected %s", option, text, range);
	return value;
}

/* Reads a number from the start of text up to `end`. */
static bool read_number(const char *text, const char *end, double *value)
{
	char *stop;

	if (text == end || strchr(" \t\n", text[0]))
		return false;
	errno = 0;
	*value = strtod(text, &stop);
	return stop == end && !isnan(*value) && !(errno == ERANGE && isinf(*value));
}

double argument_number(const struct argp_state *state, const char *option, const char *text)
{
	double value;

	if (!read_number(text, text + strlen(text), &value)) {
		argp_error(state, "%s: '%s' is not a number", option, text);
		exit(EXIT_USAGE);
	}
	return value;
}

void argument_complex(const struct argp_state *state, const char *option, const char *text, double value[2])
{
	const char *comma = strchr(text, ','), *end = text + strlen(text);

	value[1] = 0;
	if (!read_number(text, comma ? comma : end, &value[0]) || (comma && !read_number(comma + 1, end, &value[1])) ||
	    isinf(value[0]) || isinf(value[1])) {
		argp_error(state, "%s: '%s' is not a finite number; expected RE or RE,IM, as in 0.5,-2", option, text);
		exit(EXIT_USAGE);
	}
}

struct size argument_size(const struct argp_state *state, const char *option, const char *text)
{
	const char *x = strchr(text, 'x');
	const char *end = text + strlen(text);
	struct size size;
	bool good = read_integer(text, x ? x : end, &size.m);

	if (x)
		good = good && read_integer(x + 1, end, &size.n);
	else
		size.n = size.m;
	if (!good || size.m < 0 || size.n < 0 || size.m > widest || size.n > widest) {
		argp_error(state, "%s: '%s' is not a size; expected MxN, as in 1000x500, or N", option, text);
		exit(EXIT_USAGE);
	}
	return size;
}

heddle_type argument_type(const struct argp_state *state, const char *option, const char *text)
{
	if (strlen(text) != 1 || !strchr("sdcz", text[0])) {
		argp_error(state, "%s: '%s' is not a type; expected s, d, c or z (single, double, complex single, complex double)",
			   option, text);
		exit(EXIT_USAGE);
	}
	return (heddle_type)text[0];
}

const char *words_joined(char *list, size_t size, const char *const words[])
{
	list[0] = 0;
	for (int i = 0; words[i]; i++) {
		if (i > 0)
			strncat(list, words[i + 1] ? ", " : " or ", size - strlen(list) - 1);
		strncat(list, words[i], size - strlen(list) - 1);
	}
	return list;
}

const char *argument_choice(const struct argp_state *state, const char *option, const char *text, const char *const choices[])
{
	char list[256];

	for (int i = 0; choices[i]; i++)
		if (strcmp(text, choices[i]) == 0)
			return choices[i];
	argp_error(state, "%s: '%s' is unknown; expected %s", option, text, words_joined(list, sizeof(list), choices));
	exit(EXIT_USAGE);
}

int argument_route(const struct argp_state *state, const char *text)
{
	static const char *const routes[] = { "auto", "graph", "lapack", NULL };
	const char *route = argument_choice(state, "--route", text, routes);

	return route == routes[0] ? HEDDLE_ROUTE_AUTO : route == routes[1] ? HEDDLE_ROUTE_GRAPH : HEDDLE_ROUTE_LAPACK;
}

void argument_interval(const struct argp_state *state, const char *option, const char *text, double *lo, double *hi)
{
	const char *comma = strchr(text, ',');

	if (!comma || !read_number(text, comma, lo) || !read_number(comma + 1, text + strlen(text), hi)) {
		argp_error(state, "%s: '%s' is not an interval; expected LO,HI, as in 0.5,2", option, text);
		exit(EXIT_USAGE);
	}
	if (!(*lo < *hi)) {
		argp_error(state, "%s: %s is empty; expected LO less than HI", option, text);
		exit(EXIT_USAGE);
	}
}

void argument_indices(const struct argp_state *state, const char *option, const char *text, int64_t *first, int64_t *last)
{
	const char *comma = strchr(text, ',');

	if (!comma || !read_integer(text, comma, first) || !read_integer(comma + 1, text + strlen(text), last)) {
		argp_error(state, "%s: '%s' is not a range of indices; expected I,J, as in 3,7", option, text);
		exit(EXIT_USAGE);
	}
	if (*first < 1 || *last < *first) {
		argp_error(state, "%s: %s is out of range; expected I from 1 up and J no less", option, text);
		exit(EXIT_USAGE);
	}
}

/* The items of text, each ended by a null byte in a copy that *copy receives; count them in *count. */
static char **split(const struct argp_state *state, const char *text, char **copy, int *count)
{
	int commas = 0;

	for (const char *p = text; *p; p++)
		commas += *p == ',';
	char **items = calloc((size_t)commas + 1, sizeof(*items));
	*copy = strdup(text);
	if (!items || !*copy)
		argp_failure(state, EXIT_FAILED, ENOMEM, "the command line");
	*count = 0;
	for (char *p = *copy; p; (*count)++) {
		items[*count] = p;
		p = strchr(p, ',');
		if (p)
			*p++ = 0;
	}
	return items;
}

/* An array of count items of `size` bytes each. */
static void *items_allocate(const struct argp_state *state, int count, size_t size)
{
	void *items = calloc((size_t)count, size);

	if (!items)
		argp_failure(state, EXIT_FAILED, ENOMEM, "the command line");
	return items;
}

struct size *argument_sizes(const struct argp_state *state, const char *option, const char *text, int *count)
{
	char *copy, **words = split(state, text, &copy, count);
	struct size *sizes = items_allocate(state, *count, sizeof(*sizes));

	for (int i = 0; i < *count; i++)
		sizes[i] = argument_size(state, option, words[i]);
	free(words);
	free(copy);
	return sizes;
}

heddle_type *argument_types(const struct argp_state *state, const char *option, const char *text, int *count)
{
	char *copy, **words = split(state, text, &copy, count);
	heddle_type *types = items_allocate(state, *count, sizeof(*types));

	for (int i = 0; i < *count; i++)
		types[i] = argument_type(state, option, words[i]);
	free(words);
	free(copy);
	return types;
}

int64_t *argument_integers(const struct argp_state *state, const char *option, const char *text, int64_t min, int64_t max,
			   int *count)
{
	char *copy, **words = split(state, text, &copy, count);
	int64_t *values = items_allocate(state, *count, sizeof(*values));

	for (int i = 0; i < *count; i++)
		values[i] = argument_integer(state, option, words[i], min, max);
	free(words);
	free(copy);
	return values;
}

enum { KEY_SIDE = 0x100, KEY_UPLO, KEY_TRANS, KEY_DIAG };

static const struct argp_option form_option_table[] = {
	{ .name = "side", .key = KEY_SIDE, .arg = "L|R", .doc = "the side of X on which op(A) stands (default: L; for bench also L,R)" },
	{ .name = "uplo", .key = KEY_UPLO, .arg = "L|U", .doc = "the triangle of A, lower or upper (default: L); the other one is not read" },
	{ .name = "trans", .key = KEY_TRANS, .arg = "N|T|C", .doc = "op(A): A (the default), its transpose or its conjugate transpose" },
	{ .name = "diag", .key = KEY_DIAG, .arg = "N|U", .doc = "U: the diagonal counts as ones and is not read (default: N)" },
	{ 0 }
};

static void set_sides(struct form_options *o, const struct argp_state *state, const char *text)
{
	static const char *const single[] = { "L", "R", NULL }, *const lists[] = { "L", "R", "L,R", "R,L", NULL };
	const char *sides = argument_choice(state, "--side", text, o->side_list ? lists : single);

	o->side_count = sides[1] ? 2 : 1;
	for (int i = 0; i < o->side_count; i++)
		o->sides[i] = sides[2 * i] == 'L' ? HEDDLE_LEFT : HEDDLE_RIGHT;
	o->form.side = o->sides[0];
}

static error_t form_parse(int key, char *text, struct argp_state *state)
{
	static const char *const triangles[] = { "L", "U", NULL }, *const operations[] = { "N", "T", "C", NULL },
		   *const diagonals[] = { "N", "U", NULL };
	struct form_options *o = state->input;

	switch (key) {
	case KEY_SIDE:
		o->given = "--side";
		set_sides(o, state, text);
		return 0;
	case KEY_UPLO:
		o->given = "--uplo";
		o->form.uplo = (heddle_uplo)argument_choice(state, o->given, text, triangles)[0];
		return 0;
	case KEY_TRANS:
		o->given = "--trans";
		o->form.trans = (heddle_trans)argument_choice(state, o->given, text, operations)[0];
		return 0;
	case KEY_DIAG:
		o->given = "--diag";
		o->form.diag = (heddle_diag)argument_choice(state, o->given, text, diagonals)[0];
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

const struct argp form_argp = { .options = form_option_table, .parser = form_parse };
const struct form_options form_defaults = { .form = { HEDDLE_LEFT, HEDDLE_LOWER, HEDDLE_NO_TRANS, HEDDLE_NON_UNIT },
					    .sides = { HEDDLE_LEFT }, .side_count = 1 };

enum { KEY_WORKERS = 0x200, KEY_SCHED };

static const struct argp_option config_options[] = {
	{ .name = "workers", .key = KEY_WORKERS, .arg = "W", .doc = "CPU workers (default: one a core)" },
	{ .name = "sched", .key = KEY_SCHED, .arg = "NAME",
	  .doc = "StarPU scheduling policy: lws, prio, dmdas, ... (default: Heddle's choice)" },
	{ .name = "scheduler", .flags = OPTION_ALIAS },
	{ 0 }
};

static error_t config_parse(int key, char *text, struct argp_state *state)
{
	heddle_config *config = state->input;

	switch (key) {
	case KEY_WORKERS:
		config->workers = (int)argument_integer(state, "--workers", text, 1, MOST_WORKERS);
		return 0;
	case KEY_SCHED:
		if (!text[0])
			argp_error(state, "--sched: the name is empty");
		config->scheduler = text;
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

const struct argp config_argp = { .options = config_options, .parser = config_parse };
