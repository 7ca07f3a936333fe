#include "tools/heddle/svdvals.h"

#include <math.h>
#include <stddef.h>

static const char doc[] =
	"Singular values of the matrix in FILE (\"-\": standard input), or of a random matrix, largest first, one a line.\n"
	"\n"
	"FILE is in Matrix Market form, a NumPy array (.npy) or comma-separated values; its content tells which."
	"\v"
	"Examples:\n"
	"  heddle svdvals matrix.mtx                            all values\n"
	"  heddle svdvals --top 10 matrix.npy                   the ten largest\n"
	"  heddle svdvals --range 0.5,2 --json data.csv         those in (0.5, 2]\n"
	"  heddle svdvals --random 4096x4096 --check --stats    how good, how fast\n"
	"\n"
	"Values are printed with as many digits as bring the same number back.  Messages, --stats and progress go to standard "
	"error; progress is shown on a terminal only.  When anything fails, nothing is written to standard output or to the file "
	"that -o names.\n"
	"\n"
	"--check takes the error in units of eps*norm: eps is the distance from 1 to the next number of the type (2.2e-16 in "
	"double, 1.2e-7 in single), norm the largest singular value.  It may be 8*sqrt(max(M,N)).  LAPACK (gesdd) is the "
	"reference, for a random matrix the values it was made from.\n"
	"\n"
	"Exit codes: 0 done; 1 the input or the run is at fault, or --check failed; 2 the command line is wrong; 130 interrupted "
	"by Ctrl-C.";

enum { KEY_RANDOM = 1, KEY_SPECTRUM, KEY_COND, KEY_SEED, KEY_TYPE, KEY_TOP, KEY_RANGE, KEY_BAND, KEY_TILE, KEY_ROUTE, KEY_CHECK,
       KEY_STATS, KEY_JSON };

static const struct argp_option options[] = {
	{ .doc = "Instead of FILE:" },
	{ .name = "random", .key = KEY_RANDOM, .arg = "MxN", .doc = "a random matrix of this size with known singular values" },
	{ .name = "spectrum", .key = KEY_SPECTRUM, .arg = "NAME",
	  .doc = "its values: arith (evenly spaced from 1 to 1/C; the default), log (evenly in the logarithm) or quarter-circle "
		 "(those of a large matrix of random numbers)" },
	{ .name = "cond", .key = KEY_COND, .arg = "C", .doc = "largest over smallest value (default: 1000)" },
	{ .name = "seed", .key = KEY_SEED, .arg = "S", .doc = "which of the matrices with these values (default: 1)" },
	{ .doc = "What to compute:" },
	{ .name = "type", .key = KEY_TYPE, .arg = "s|d|c|z",
	  .doc = "single, double, complex single or complex double (default: the file's own, d for a random matrix)" },
	{ .name = "top", .key = KEY_TOP, .arg = "K", .doc = "the K largest values only (all if there are fewer)" },
	{ .name = "range", .key = KEY_RANGE, .arg = "LO,HI", .doc = "the values in (LO, HI] only; HI may be inf" },
	{ .name = "check", .key = KEY_CHECK, .doc = "compare with LAPACK or with the known values, and fail if the error is too large" },
	{ .doc = "What to write:" },
	{ .name = "output", .key = 'o', .arg = "FILE", .doc = "values to FILE: a NumPy array if it ends in .npy, else text" },
	{ .name = "json", .key = KEY_JSON, .doc = "one JSON object on standard output" },
	{ .name = "stats", .key = KEY_STATS,
	  .doc = "seconds and GFLOP/s of each stage, and its share of the rate of gemm, measured now with as many threads" },
	{ .doc = "How to compute:" },
	{ .name = "band", .key = KEY_BAND, .arg = "B", .doc = "width of the band between the two reductions (default: Heddle's choice)" },
	{ .name = "tile", .key = KEY_TILE, .arg = "T", .doc = "tile size (default: Heddle's choice)" },
	{ .name = "route", .key = KEY_ROUTE, .arg = "NAME",
	  .doc = "graph (a task graph), lapack (one call of LAPACK) or auto (the faster; the default)" },
	{ 0 }
};

static const char *const spectra[] = { "arith", "log", "quarter-circle", NULL };

/* What of the command line cannot be told from the values in svdvals_arguments. */
struct parsing {
	struct svdvals_arguments *out;
	bool random, top, range;
	const char *only_random; /* an option that makes sense with --random alone */
};

static void parse_end(struct parsing *p, struct argp_state *state)
{
	struct svdvals_arguments *a = p->out;

	if (!a->file && !p->random)
		argp_error(state, "no matrix given; expected FILE or --random MxN");
	if (a->file && p->random)
		argp_error(state, "both FILE and --random given; expected one of them");
	if (!p->random && p->only_random)
		argp_error(state, "%s: makes sense with --random only", p->only_random);
	if (p->top && p->range)
		argp_error(state, "both --top and --range given; expected one of them");
	if (a->cond > 0 && a->spectrum == spectra[2])
		argp_error(state, "--cond: has no meaning with --spectrum quarter-circle");
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
	struct svdvals_arguments *a = p->out;

	switch (key) {
	case KEY_RANDOM:
		a->random = argument_size(state, "--random", text);
		p->random = true;
		return 0;
	case KEY_SPECTRUM:
		p->only_random = "--spectrum";
		a->spectrum = argument_choice(state, p->only_random, text, spectra);
		return 0;
	case KEY_COND:
		p->only_random = "--cond";
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

static error_t parse(int key, char *text, struct argp_state *state)
{
	struct parsing *p = state->input;
	struct svdvals_arguments *a = p->out;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->config;
		return 0;
	case ARGP_KEY_ARG:
		if (a->file)
			argp_error(state, "'%s': one FILE is enough", text);
		a->file = text;
		return 0;
	case ARGP_KEY_END:
		parse_end(p, state);
		return 0;
	case KEY_TYPE:
		a->type = argument_type(state, "--type", text);
		return 0;
	case KEY_TOP:
		p->top = true;
		a->select.kind = HEDDLE_INDEX;
		a->select.il = 1;
		a->select.iu = argument_integer(state, "--top", text, 1, INT64_MAX);
		return 0;
	case KEY_RANGE:
		p->range = true;
		a->select.kind = HEDDLE_VALUE;
		argument_interval(state, "--range", text, &a->select.vl, &a->select.vu);
		return 0;
	case KEY_BAND:
		a->options.band = argument_integer(state, "--band", text, 1, INT32_MAX);
		return 0;
	case KEY_TILE:
		a->options.tile = argument_integer(state, "--tile", text, 1, INT32_MAX);
		return 0;
	case KEY_ROUTE:
		a->options.route = argument_route(state, text);
		return 0;
	case 'o':
		a->output = text;
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
	return parse_random(key, text, state, p);
}

void svdvals_parse(int argc, char **argv, struct svdvals_arguments *arguments)
{
	const struct argp_child children[] = { { .argp = &config_argp, .group = 5 }, { 0 } };
	const struct argp argp = { .options = options, .parser = parse, .args_doc = "FILE\n--random MxN", .doc = doc,
				   .children = children };
	struct parsing parsing = { .out = arguments };

	*arguments = (struct svdvals_arguments){ .spectrum = spectra[0], .seed = 1 };
	argp_parse(&argp, argc, argv, 0, NULL, &parsing);
}
