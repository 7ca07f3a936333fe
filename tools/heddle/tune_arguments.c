#include "tools/heddle/tune.h"

#include <stdlib.h>
#include <string.h>

static const char doc[] =
	"Measures on this machine which band widths, tile sizes, chase tasks and routes are fastest for JOBs of several sizes, and writes "
	"what it finds into the table of choices that Heddle reads when it starts.  Best on a machine with nothing else to do.\n"
	"\n"
	"Jobs (default: all):\n"
	"  svdvals   band, tile, tasks of the chase, LAPACK up to which order\n"
	"  eigvals   the same\n"
	"  trsm      triangular solves: tile, inverse, direct call up to which order\n"
	"  trsm-few  part of trsm: tile and inverse with few right-hand sides"
	"\v"
	"Examples:\n"
	"  heddle tune                               about five minutes\n"
	"  heddle tune --dry-run                     what that would measure\n"
	"  heddle tune svdvals --types d --sizes 1000,5000 --time 900\n"
	"  heddle tune eigvals --types d,z -o here.tuning\n"
	"\n"
	"The table goes to $XDG_CONFIG_HOME/heddle/tuning (by default ~/.config/heddle/tuning), which every program with Heddle in it "
	"reads when it starts, or where -o says; HEDDLE_TUNING names another one to read (empty: none).  Rows of a table that is there "
	"stay for the jobs and types that are not measured.  `heddle info' shows which table is in force, and its choices.\n"
	"\n"
	"Candidates run in turns; what lies behind is soon dropped.  The one of least regret (how much longer it takes than the best) is "
	"chosen for each size, and of equals, to 1%, what the size before it has.  A size speaks for orders up to 1.4 times larger or "
	"smaller, the nearest size for each; for all others the choice in force stays.\n"
	"\n"
	"Without --sizes: from 128 up, as far as the time allows, two to an octave.  Sizes that the time does not suffice for are left "
	"out, the largest first; the smallest is measured in any case.  After Ctrl-C nothing is written.\n"
	"\n"
	"Exit codes: 0 done; 1 a run failed or the table cannot be written; 2 the command line is wrong; 130 interrupted by Ctrl-C.";

enum { KEY_TYPES = 1, KEY_SIZES, KEY_TIME, KEY_C, KEY_DRY_RUN };

static const struct argp_option options[] = {
	{ .doc = "What to measure:" },
	{ .name = "types", .key = KEY_TYPES, .arg = "LIST", .doc = "of s, d, c, z (default: all)" },
	{ .name = "type", .flags = OPTION_ALIAS },
	{ .name = "sizes", .key = KEY_SIZES, .arg = "LIST", .doc = "orders, with commas between" },
	{ .name = "time", .key = KEY_TIME, .arg = "SECONDS", .doc = "end after about so long (default: 300)" },
	{ .name = "dry-run", .key = KEY_DRY_RUN, .doc = "run each size once, say what would be measured, write nothing" },
	{ .doc = "What to write:" },
	{ .name = "output", .key = 'o', .arg = "FILE", .doc = "the table, instead of the user's own" },
	{ .name = "c", .key = KEY_C, .doc = "the whole table as C rows for Heddle's source, to FILE or standard output" },
	{ .doc = "How to compute:" },
	{ 0 }
};

static int ascending(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void set_sizes(struct tune_arguments *a, const struct argp_state *state, const char *text)
{
	enum { LARGEST = 1 << 20 };
	int kept = 1;

	free(a->sizes);
	a->sizes = argument_integers(state, "--sizes", text, 2, LARGEST, &a->size_count);
	qsort(a->sizes, (size_t)a->size_count, sizeof(*a->sizes), ascending);
	for (int i = 1; i < a->size_count; i++)
		if (a->sizes[i] != a->sizes[kept - 1])
			a->sizes[kept++] = a->sizes[i];
	a->size_count = kept;
	if (kept > TUNE_SIZES)
		argp_error(state, "--sizes: %d sizes are too many; expected at most %d", kept, TUNE_SIZES);
}

static void set_types(struct tune_arguments *a, const struct argp_state *state, const char *text)
{
	int kept = 0;

	free(a->types);
	a->types = argument_types(state, "--types", text, &a->type_count);
	for (int i = 0; i < a->type_count; i++) {
		int k = 0;

		while (k < kept && a->types[k] != a->types[i])
			k++;
		if (k == kept)
			a->types[kept++] = a->types[i];
	}
	a->type_count = kept;
}

static void add_job(struct tune_arguments *a, const struct argp_state *state, const char *text)
{
	bool known = false;

	for (int job = 0; job < TUNING_JOBS; job++)
		if (strcmp(text, tuning_job_names[job]) == 0)
			known = a->jobs[job] = true;
	if (!known)
		argp_error(state, "'%s' is not a job; expected svdvals, eigvals, trsm or trsm-few", text);
	a->jobs[TUNING_TRSM_FEW] = a->jobs[TUNING_TRSM_FEW] || a->jobs[TUNING_TRSM];
}

static void parse_end(struct tune_arguments *a, const struct argp_state *state)
{
	bool none = true;

	for (int job = 0; job < TUNING_JOBS; job++)
		none = none && !a->jobs[job];
	for (int job = 0; job < TUNING_JOBS; job++)
		a->jobs[job] = a->jobs[job] || none;
	a->sizes_given = a->sizes != NULL;
	if (!a->sizes)
		set_sizes(a, state, "128,192,256,384,512,768,1024,1536,2048,3072,4096,6144,8192,12288,16384");
	if (!a->types)
		set_types(a, state, "s,d,c,z");
}

static error_t parse(int key, char *text, struct argp_state *state)
{
	struct tune_arguments *a = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->config;
		return 0;
	case ARGP_KEY_ARG:
		add_job(a, state, text);
		return 0;
	case ARGP_KEY_END:
		parse_end(a, state);
		return 0;
	case KEY_TYPES:
		set_types(a, state, text);
		return 0;
	case KEY_SIZES:
		set_sizes(a, state, text);
		return 0;
	case KEY_TIME:
		a->seconds = argument_number(state, "--time", text);
		if (!(a->seconds > 0 && a->seconds <= 1e7))
			argp_error(state, "--time: %s is out of range; expected more than 0 seconds", text);
		return 0;
	case KEY_C:
		a->as_c = true;
		return 0;
	case KEY_DRY_RUN:
		a->dry_run = true;
		return 0;
	case 'o':
		if (!text[0] || strlen(text) >= TUNING_NAME)
			argp_error(state, "-o: expected the name of a file");
		a->output = text;
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

void tune_parse(int argc, char **argv, struct tune_arguments *arguments)
{
	const struct argp_child children[] = { { .argp = &config_argp, .group = 4 }, { 0 } };
	const struct argp argp = { .options = options, .parser = parse, .args_doc = "[JOB...]", .doc = doc, .children = children };

	*arguments = (struct tune_arguments){ .seconds = 300 };
	argp_parse(&argp, argc, argv, 0, NULL, arguments);
}

void tune_arguments_free(struct tune_arguments *arguments)
{
	free(arguments->sizes);
	free(arguments->types);
}
