#include "tools/heddle/job.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { KEY_RANDOM = 1, KEY_SPECTRUM, KEY_SIGNS, KEY_COND, KEY_SEED, KEY_TYPE, KEY_SYMMETRIZE, KEY_UPLO, KEY_ALPHA, KEY_TOP,
       KEY_BOTTOM, KEY_INDEX, KEY_RANGE, KEY_BAND, KEY_TILE, KEY_ROUTE, KEY_CHECK, KEY_STATS, KEY_JSON, KEY_FORMAT };

/* One table for all commands; a line is for those it names. */
enum { SVD = JOB_SVDVALS, EIG = JOB_EIGVALS, TRSM = JOB_TRSM, BOTH = SVD | EIG, ALL = BOTH | TRSM };

static const struct {
	int jobs;
	struct argp_option option;
} table[] = {
	{ BOTH, { .doc = "Instead of FILE:" } },
	{ TRSM, { .doc = "Instead of A and B:" } },
	{ SVD, { .name = "random", .key = KEY_RANDOM, .arg = "MxN", .doc = "a random matrix of this size with known singular values" } },
	{ EIG, { .name = "random", .key = KEY_RANDOM, .arg = "N",
		 .doc = "a random symmetric (in complex: Hermitian) matrix of this order with known eigenvalues" } },
	{ TRSM, { .name = "random", .key = KEY_RANDOM, .arg = "M[xN]",
		  .doc = "a random, well-conditioned triangle of order M and N (default: M) random right-hand sides" } },
	{ SVD, { .name = "spectrum", .key = KEY_SPECTRUM, .arg = "NAME",
		 .doc = "its values: arith (evenly spaced from 1 to 1/C; the default), log (evenly in the logarithm) or "
			"quarter-circle (those of a large matrix of random numbers)" } },
	{ EIG, { .name = "spectrum", .key = KEY_SPECTRUM, .arg = "NAME",
		 .doc = "its values: arith (magnitudes evenly spaced from 1 to 1/C; the default), log (evenly in the logarithm) or "
			"semicircle (those of a large symmetric matrix of random numbers)" } },
	{ EIG, { .name = "signs", .key = KEY_SIGNS, .arg = "both|plus",
		 .doc = "every other one of the magnitudes negative (the default), or none" } },
	{ BOTH, { .name = "cond", .key = KEY_COND, .arg = "C", .doc = "largest over smallest magnitude (default: 1000)" } },
	{ BOTH, { .name = "seed", .key = KEY_SEED, .arg = "S", .doc = "which of the matrices with these values (default: 1)" } },
	{ TRSM, { .name = "seed", .key = KEY_SEED, .arg = "S", .doc = "which of the random matrices (default: 1)" } },
	{ ALL, { .doc = "What to compute:" } },
	{ TRSM, { .name = "alpha", .key = KEY_ALPHA, .arg = "RE[,IM]",
		  .doc = "the factor of B (default: 1); 0: X is zero, and A does not matter" } },
	{ TRSM, { .name = "type", .key = KEY_TYPE, .arg = "s|d|c|z",
		  .doc = "single, double, complex single or complex double (default: what holds A's and B's numbers, d for random ones)" } },
	{ BOTH, { .name = "type", .key = KEY_TYPE, .arg = "s|d|c|z",
		  .doc = "single, double, complex single or complex double (default: the file's own, d for a random matrix)" } },
	{ EIG, { .name = "symmetrize", .key = KEY_SYMMETRIZE, .doc = "compute with (A + A^H)/2 in place of A" } },
	{ EIG, { .name = "uplo", .key = KEY_UPLO, .arg = "L|U", .doc = "the triangle to compute with (default: L)" } },
	{ BOTH, { .name = "top", .key = KEY_TOP, .arg = "K", .doc = "the K largest values only (or all there are)" } },
	{ BOTH, { .name = "bottom", .key = KEY_BOTTOM, .arg = "K", .doc = "the K smallest values only (or all there are)" } },
	{ SVD, { .name = "index", .key = KEY_INDEX, .arg = "I,J", .doc = "number I to number J only; 1 is the largest" } },
	{ EIG, { .name = "index", .key = KEY_INDEX, .arg = "I,J", .doc = "number I to number J only; 1 is the smallest" } },
	{ SVD, { .name = "range", .key = KEY_RANGE, .arg = "LO,HI", .doc = "the values in (LO, HI] only; HI may be inf" } },
	{ EIG, { .name = "range", .key = KEY_RANGE, .arg = "LO,HI",
		 .doc = "the values in (LO, HI] only; LO may be -inf, HI may be inf" } },
	{ BOTH, { .name = "check", .key = KEY_CHECK,
		  .doc = "compare with LAPACK or with the known values, and fail if the error is too large" } },
	{ TRSM, { .name = "check", .key = KEY_CHECK, .doc = "take the backward error, and fail if it is too large" } },
	{ ALL, { .doc = "What to write:" } },
	{ TRSM, { .name = "output", .key = 'o', .arg = "FILE", .doc = "X to FILE: .npy and .mtx by the end of its name, else csv" } },
	{ TRSM, { .name = "format", .key = KEY_FORMAT, .arg = "NAME",
		  .doc = "csv, mtx (Matrix Market) or npy (NumPy), whatever FILE's name says" } },
	{ BOTH, { .name = "output", .key = 'o', .arg = "FILE", .doc = "values to FILE: a NumPy array if it ends in .npy, else text" } },
	{ ALL, { .name = "json", .key = KEY_JSON, .doc = "one JSON object on standard output" } },
	{ ALL, { .name = "stats", .key = KEY_STATS,
		  .doc = "seconds and GFLOP/s of each stage, and its share of the rate of gemm, measured now with as many threads" } },
	{ ALL, { .doc = "How to compute:" } },
	{ BOTH, { .name = "band", .key = KEY_BAND, .arg = "B",
		  .doc = "width of the band between the two reductions (default: Heddle's choice)" } },
	{ ALL, { .name = "tile", .key = KEY_TILE, .arg = "T", .doc = "tile size (default: Heddle's choice)" } },
	{ BOTH, { .name = "route", .key = KEY_ROUTE, .arg = "NAME",
		  .doc = "graph (a task graph), lapack (one call of LAPACK) or auto (the faster; the default)" } },
};
enum { LINES = sizeof(table) / sizeof(table[0]) };

static const char *const spectra[] = { "arith", "log", "quarter-circle", NULL };
static const char *const hermitian_spectra[] = { "arith", "log", "semicircle", NULL };
static const char *const signs[] = { "both", "plus", NULL };
static const char *const formats[] = { "csv", "mtx", "npy", NULL };
static const char *const triangles[] = { "L", "U", NULL };

/* What of the command line cannot be told from the values in job_arguments. */
struct parsing {
	const struct job *job;
	struct job_arguments *out;
	bool random;
	const char *only_random; /* an option that makes sense with --random alone */
	const char *only_file;   /* with a file alone */
	const char *selects;     /* the option that selected */
	const char *shape;       /* an option that gives the spectrum's shape where that is free */
};

/* Where the matrices come from. */
static void check_input(const struct parsing *p, const struct argp_state *state)
{
	const struct job_arguments *a = p->out;
	bool solves = p->job->kind == JOB_TRSM;
	const char *files = solves ? "A B" : "FILE", *size = solves ? "M" : p->job->kind == JOB_EIGVALS ? "N" : "MxN";

	if (!a->file && !p->random)
		argp_error(state, "no matrix given; expected %s or --random %s", files, size);
	if (a->file && p->random)
		argp_error(state, "both %s and --random given; expected one of them", solves ? "A" : "FILE");
	if (solves && a->file && !a->sides)
		argp_error(state, "'%s' is A, and no B given; expected A B", a->file);
	if (a->sides && strcmp(a->file, "-") == 0 && strcmp(a->sides, "-") == 0)
		argp_error(state, "both A and B are '-'; expected one of them from standard input");
}

static void parse_end(struct parsing *p, struct argp_state *state)
{
	struct job_arguments *a = p->out;

	check_input(p, state);
	if (!p->random && p->only_random)
		argp_error(state, "%s: makes sense with --random only", p->only_random);
	if (p->random && p->only_file)
		argp_error(state, "%s: makes sense with FILE only", p->only_file);
	if (p->shape && strstr(a->spectrum, "circle"))
		argp_error(state, "%s: has no meaning with --spectrum %s", p->shape, a->spectrum);
	if (a->json && a->output && a->output[0] == '-' && !a->output[1])
		argp_error(state, "both --json and -o - write to standard output; expected one of them");
	if (a->cond == 0)
		a->cond = 1000;
	if (p->random && !a->type)
		a->type = HEDDLE_D;
}

/* The options of --random. */
static error_t parse_random(int key, char *text, struct argp_state *state, struct parsing *p)
{
	struct job_arguments *a = p->out;

	switch (key) {
	case KEY_RANDOM:
		a->random = argument_size(state, "--random", text);
		if (p->job->kind == JOB_EIGVALS && a->random.m != a->random.n)
			argp_error(state, "--random: %s is not square, and only square matrices have eigenvalues; expected N", text);
		p->random = true;
		return 0;
	case KEY_SPECTRUM:
		p->only_random = "--spectrum";
		a->spectrum = argument_choice(state, p->only_random, text, p->job->kind == JOB_EIGVALS ? hermitian_spectra : spectra);
		return 0;
	case KEY_SIGNS:
		p->only_random = p->shape = "--signs";
		a->positive = argument_choice(state, p->only_random, text, signs) == signs[1];
		return 0;
	case KEY_COND:
		p->only_random = p->shape = "--cond";
		a->cond = argument_number(state, p->only_random, text);
		if (!(a->cond >= 1) || isinf(a->cond))
			argp_error(state, "--cond: %s is out of range; expected a number from 1 up", text);
		return 0;
	case KEY_SEED:
		p->only_random = "--seed";
		a->seed = (uint64_t)argument_integer(state, p->only_random, text, 0, INT64_MAX);
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static void set_selection(struct parsing *p, struct argp_state *state, const char *option, enum take take)
{
	if (p->selects && strcmp(p->selects, option) != 0)
		argp_error(state, "both %s and %s given; expected one of them", p->selects, option);
	p->selects = option;
	p->out->take = take;
}

/* The options that select values. */
static error_t parse_selection(int key, char *text, struct argp_state *state, struct parsing *p)
{
	struct job_arguments *a = p->out;

	switch (key) {
	case KEY_TOP:
		set_selection(p, state, "--top", TAKE_LARGEST);
		a->last = argument_integer(state, "--top", text, 1, INT64_MAX);
		return 0;
	case KEY_BOTTOM:
		set_selection(p, state, "--bottom", TAKE_SMALLEST);
		a->last = argument_integer(state, "--bottom", text, 1, INT64_MAX);
		return 0;
	case KEY_INDEX:
		set_selection(p, state, "--index", TAKE_INDEX);
		argument_indices(state, "--index", text, &a->first, &a->last);
		return 0;
	case KEY_RANGE:
		set_selection(p, state, "--range", TAKE_RANGE);
		argument_interval(state, "--range", text, &a->low, &a->high);
		return 0;
	}
	return parse_random(key, text, state, p);
}

/* The options that say what to report, and where. */
static error_t parse_report(int key, char *text, struct argp_state *state, struct parsing *p)
{
	struct job_arguments *a = p->out;

	switch (key) {
	case 'o':
		a->output = text;
		return 0;
	case KEY_FORMAT:
		a->format = argument_choice(state, "--format", text, formats);
		return 0;
	case KEY_CHECK:
		a->check = true;
		return 0;
	case KEY_STATS:
		a->stats = true;
		return 0;
	case KEY_JSON:
		a->json = true;
		return 0;
	}
	return parse_selection(key, text, state, p);
}

static void set_file(const struct parsing *p, const struct argp_state *state, const char *text)
{
	struct job_arguments *a = p->out;

	if (!a->file)
		a->file = text;
	else if (p->job->kind == JOB_TRSM && !a->sides)
		a->sides = text;
	else
		argp_error(state, p->job->kind == JOB_TRSM ? "'%s': A and B are enough" : "'%s': one FILE is enough", text);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
	struct parsing *p = state->input;
	struct job_arguments *a = p->out;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->config;
		if (p->job->kind == JOB_TRSM)
			state->child_inputs[1] = &a->form;
		return 0;
	case ARGP_KEY_ARG:
		set_file(p, state, text);
		return 0;
	case ARGP_KEY_END:
		parse_end(p, state);
		return 0;
	case KEY_TYPE:
		a->type = argument_type(state, "--type", text);
		return 0;
	case KEY_SYMMETRIZE:
		p->only_file = "--symmetrize";
		a->symmetrize = true;
		return 0;
	case KEY_UPLO:
		a->uplo = argument_choice(state, "--uplo", text, triangles) == triangles[0] ? HEDDLE_LOWER : HEDDLE_UPPER;
		return 0;
	case KEY_ALPHA:
		argument_complex(state, "--alpha", text, a->alpha);
		return 0;
	case KEY_BAND:
		a->options.band = argument_integer(state, "--band", text, 1, INT32_MAX / 8);
		return 0;
	case KEY_TILE:
		a->options.tile = argument_integer(state, "--tile", text, 1, INT32_MAX / 8);
		return 0;
	case KEY_ROUTE:
		a->options.route = argument_route(state, text);
		return 0;
	}
	return parse_report(key, text, state, p);
}

void job_parse(const struct job *job, int argc, char **argv, struct job_arguments *arguments)
{
	struct argp_option options[LINES + 1];
	const struct argp_child children[] = { { .argp = &config_argp, .group = 5 },
					       { .argp = job->kind == JOB_TRSM ? &form_argp : NULL, .group = 2 }, { 0 } };
	const struct argp argp = { .options = options, .parser = parse, .args_doc = job->args_doc, .doc = job->doc,
				   .children = children };
	struct parsing parsing = { .job = job, .out = arguments };
	int count = 0;

	for (int i = 0; i < LINES; i++)
		if (table[i].jobs & (int)job->kind)
			options[count++] = table[i].option;
	options[count] = (struct argp_option){ 0 };
	*arguments = (struct job_arguments){ .spectrum = spectra[0], .seed = 1, .uplo = HEDDLE_LOWER, .form = form_defaults, .alpha = { 1 } };
	argp_parse(&argp, argc, argv, 0, NULL, &parsing);
}
