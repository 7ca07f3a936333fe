#include "tools/heddle/bench.h"

#include <stdlib.h>
#include <string.h>

static const char doc[] =
	"Times JOB, in turns with a peer: heddle, peer, heddle, peer, ... in one process with the same number of threads, "
	"each after a warm-up that is not counted.\n"
	"\n"
	"Jobs:\n"
	"  svdvals  singular values of a dense matrix; peer: LAPACK's gesdd\n"
	"  ge2gb    dense to band; no peer\n"
	"  gb2bd    band to bidiagonal; peer: LAPACK's gbbrd, which has one thread\n"
	"  eigvals  eigenvalues of a symmetric (Hermitian) matrix; peer: LAPACK's syevd\n"
	"  sy2sb    symmetric (Hermitian) to band; no peer\n"
	"  sb2st    band to tridiagonal; peer: LAPACK's sbtrd, which has one thread\n"
	"  trsm     triangular solve, order M, N right-hand sides; peer: the BLAS's trsm"
	"\v"
	"Examples:\n"
	"  heddle bench svdvals --sizes 512,1024,2048,4096 --type d,s --peer lapack\n"
	"  heddle bench ge2gb --sizes 4096,8000x2000 --kd 32,64,96\n"
	"  heddle bench gb2bd --sizes 4096 --kd 64 --peer lapack --json\n"
	"  heddle bench eigvals --sizes 512,1024,2048,4096 --peer lapack\n"
	"  heddle bench sb2st --sizes 4096 --kd 32,64 --type d,z --peer lapack\n"
	"  heddle bench trsm --sizes 64,1024,4096x64 --side L,R --peer openblas\n"
	"  heddle bench trsm --sizes 32 --batch 10000 --peer openblas\n"
	"  heddle bench svdvals --sizes 512,1024,2048 --peer lapack --plot rates.svg\n"
	"\n"
	"The matrix is random and copied anew before each run, outside the time taken.  Every result's Frobenius norm is "
	"compared with the matrix's (trsm: the backward error of up to 32 right-hand sides is taken): a contestant that computes something "
	"else ends the benchmark with exit code 1.\n"
	"\n"
	"gemm is timed between the runs with as many threads (order 1536, in complex 1024; 2048 and 1280 on more than 4 threads); "
	"its best rate gives the limit: the time the operations of the job would take at that rate.  Operations: 4mn^2 - 4n^3/3 "
	"for m >= n (8n^3/3 if square; svdvals: 2mn^2 + 2n^3 where that is less), 8n^2*kd for gb2bd; 4n^3/3 for eigvals and sy2sb, "
	"6n^2*kd for sb2st; m^2*n for trsm; the chases of a band count no more than the reduction of a full matrix; four times that in complex.\n"
	"\n"
	"trsm: a run calls a small solve many times, each on a fresh copy of B, and what the copies take is subtracted.  With --batch one "
	"call solves COUNT problems with triangles of their own, and the peer does so in a loop on one thread; the limit counts them all.  "
	"With --tile it is the asynchronous form that is timed, else the blocking one.\n"
	"\n"
	"After Ctrl-C the rows measured so far are written, the last with the runs there were, but no plot; during a run of the peer "
	"or a blocking call, once that has ended.  A second Ctrl-C ends the program at once.\n"
	"\n"
	"Exit codes: 0 done; 1 a run failed; 2 the command line is wrong; 130 interrupted by Ctrl-C.";

enum { KEY_SIZES = 1, KEY_TYPE, KEY_KD, KEY_PEER, KEY_REPEAT, KEY_TILE, KEY_ROUTE, KEY_BATCH, KEY_JSON, KEY_PLOT };

static const struct argp_option options[] = {
	{ .doc = "What to time:" },
	{ .name = "sizes", .key = KEY_SIZES, .arg = "LIST", .doc = "N or MxN, with commas between (default: 512,1024,2048)" },
	{ .name = "type", .key = KEY_TYPE, .arg = "LIST", .doc = "of s, d, c, z (default: d)" },
	{ .name = "kd", .key = KEY_KD, .arg = "LIST", .doc = "band widths (default: Heddle's choice)" },
	{ .name = "band", .flags = OPTION_ALIAS },
	{ .name = "peer", .key = KEY_PEER, .arg = "NAME", .doc = "lapack (for trsm: openblas) or none (the default)" },
	{ .name = "batch", .key = KEY_BATCH, .arg = "COUNT", .doc = "trsm: this many solves in one call" },
	{ .name = "repeat", .key = KEY_REPEAT, .arg = "N", .doc = "runs of each contestant (default: 3)" },
	{ .doc = "What to write:" },
	{ .name = "json", .key = KEY_JSON, .doc = "one JSON array on standard output, an object a row" },
	{ .name = "plot", .key = KEY_PLOT, .arg = "FILE.svg", .doc = "also draw the share of gemm's rate over the size, with gnuplot" },
	{ .doc = "How to compute:" },
	{ .name = "tile", .key = KEY_TILE, .arg = "T", .doc = "tile size (default: Heddle's choice)" },
	{ .name = "route", .key = KEY_ROUTE, .arg = "NAME", .doc = "svdvals and eigvals: auto, graph or lapack (default: auto)" },
	{ 0 }
};

/* What of the command line cannot be told from the values in bench_arguments. */
struct parsing {
	struct bench_arguments *out;
	const char *peer; /* the word given */
};

static void set_sizes(struct bench_arguments *a, const struct argp_state *state, const char *text)
{
	free(a->sizes);
	a->sizes = argument_sizes(state, "--sizes", text, &a->size_count);
	for (int i = 0; i < a->size_count; i++)
		if (a->sizes[i].m < 1 || a->sizes[i].n < 1)
			argp_error(state, "--sizes: '%s' has an empty matrix in it; expected sizes from 1 up", text);
}

static void set_types(struct bench_arguments *a, const struct argp_state *state, const char *text)
{
	free(a->types);
	a->types = argument_types(state, "--type", text, &a->type_count);
}

static void set_plot(struct bench_arguments *a, const struct argp_state *state, const char *text)
{
	size_t length = strlen(text);

	if (length < 5 || strcmp(text + length - 4, ".svg") != 0)
		argp_error(state, "--plot: '%s' does not end in .svg", text);
	a->plot = text;
}

/* "svdvals, ge2gb, ... or trsm" */
static const char *job_list(void)
{
	static char list[128];
	const char *names[MOST_JOBS + 1] = { NULL };

	for (int i = 0; i < MOST_JOBS && bench_jobs[i].name; i++)
		names[i] = bench_jobs[i].name;
	return words_joined(list, sizeof(list), names);
}

static void set_job(struct bench_arguments *a, const struct argp_state *state, const char *text)
{
	if (a->job)
		argp_error(state, "'%s': one job is enough", text);
	for (const struct bench_job *job = bench_jobs; job->name; job++)
		if (strcmp(job->name, text) == 0)
			a->job = job;
	if (!a->job)
		argp_error(state, "'%s' is not a job; expected %s", text, job_list());
}

static void check_sizes(const struct bench_arguments *a, const struct argp_state *state)
{
	for (int i = 0; i < a->size_count; i++) {
		if (!a->job->solves && (!a->job->dense || a->job->hermitian) && a->sizes[i].m != a->sizes[i].n)
			argp_error(state, "--sizes: a %s is square; expected N", a->job->dense ? "symmetric matrix" : "band");
		if (a->job->solves && (a->sizes[i].m > INT32_MAX || a->sizes[i].n > INT32_MAX))
			argp_error(state, "--sizes: too large for a BLAS's integers; expected up to %d", INT32_MAX);
	}
}

static void parse_end(struct parsing *p, struct argp_state *state)
{
	struct bench_arguments *a = p->out;
	const char *foreign;

	if (!a->job)
		argp_error(state, "no job given; expected %s", job_list());
	const char *const peers[] = { a->job->peer ? a->job->peer_name : "none", a->job->peer ? "none" : NULL, NULL };
	if (p->peer && strcmp(p->peer, "lapack") == 0 && !a->job->peer)
		argp_error(state, "--peer: LAPACK has no %s; expected none", a->job->name);
	a->peer = p->peer && strcmp(argument_choice(state, "--peer", p->peer, peers), "none") != 0;
	foreign = a->batch > 0 ? "--batch" : a->form.given;
	if (foreign && !a->job->solves)
		argp_error(state, "%s: makes sense with trsm only", foreign);
	if (a->job->solves && a->widths)
		argp_error(state, "--kd: has no meaning with trsm");
	if (a->batch > 0 && a->options.tile > 0)
		argp_error(state, "--tile: has no meaning with --batch");
	if (!a->sizes)
		set_sizes(a, state, "512,1024,2048");
	if (!a->types)
		set_types(a, state, "d");
	check_sizes(a, state);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
	struct parsing *p = state->input;
	struct bench_arguments *a = p->out;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->config;
		state->child_inputs[1] = &a->form;
		return 0;
	case ARGP_KEY_ARG:
		set_job(a, state, text);
		return 0;
	case ARGP_KEY_END:
		parse_end(p, state);
		return 0;
	case KEY_SIZES:
		set_sizes(a, state, text);
		return 0;
	case KEY_TYPE:
		set_types(a, state, text);
		return 0;
	case KEY_KD:
		free(a->widths);
		a->widths = argument_integers(state, "--kd", text, 1, INT32_MAX / 8, &a->width_count);
		return 0;
	case KEY_PEER:
		p->peer = text;
		return 0;
	case KEY_BATCH:
		a->batch = argument_integer(state, "--batch", text, 1, INT32_MAX);
		return 0;
	case KEY_REPEAT:
		a->repeat = (int)argument_integer(state, "--repeat", text, 1, 1000000);
		return 0;
	case KEY_TILE:
		a->options.tile = argument_integer(state, "--tile", text, 1, INT32_MAX / 8);
		return 0;
	case KEY_ROUTE:
		a->options.route = argument_route(state, text);
		return 0;
	case KEY_JSON:
		a->json = true;
		return 0;
	case KEY_PLOT:
		set_plot(a, state, text);
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

void bench_parse(int argc, char **argv, struct bench_arguments *arguments)
{
	const struct argp_child children[] = { { .argp = &config_argp, .group = 5 },
					       { .argp = &form_argp, .header = "Which solves (trsm):", .group = 1 }, { 0 } };
	const struct argp argp = { .options = options, .parser = parse, .args_doc = "JOB", .doc = doc, .children = children };

	struct parsing parsing = { .out = arguments };

	*arguments = (struct bench_arguments){ .repeat = 3, .form = form_defaults };
	arguments->form.side_list = true;
	argp_parse(&argp, argc, argv, 0, NULL, &parsing);
}

void bench_arguments_free(struct bench_arguments *arguments)
{
	free(arguments->sizes);
	free(arguments->types);
	free(arguments->widths);
}
