/* heddle info: the machine, the libraries, and what Heddle would choose. */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include "tools/heddle/arguments.h"
#include "tools/heddle/commands.h"
#include "tools/heddle/kind.h"
#include "tools/heddle/message.h"
#include "tools/heddle/report.h"

static const char doc[] =
	"Shows the machine, the libraries in use, which table of choices is in force, and the choices Heddle makes by it for matrices of "
	"several sizes: for singular values and, where the matrix is square, for eigenvalues and triangular solves."
	"\v"
	"band is the width of the band between the two reductions, tile the tile size, chase what a task of the second reduction "
	"covers (sweeps x steps of each; - where that is left to the run), route whether a task graph or one call of LAPACK does "
	"the work.  For triangular solves, tile is that of the triangle, and inverse whether its diagonal blocks are inverted.\n"
	"\n"
	"The table is built in, or the one that `heddle tune' made: the file that HEDDLE_TUNING names (empty: none), else "
	"$XDG_CONFIG_HOME/heddle/tuning, by default ~/.config/heddle/tuning.  A table with an error in it counts for nothing; every "
	"command says so.\n"
	"\n"
	"Exit codes: 0 done; 1 StarPU cannot be started; 2 the command line is wrong.";

enum { KEY_JSON = 1 };

static const struct argp_option options[] = {
	{ .name = "json", .key = KEY_JSON, .doc = "one JSON object on standard output" },
	{ 0 }
};

struct info_arguments {
	heddle_config config;
	bool json;
};

static const struct size sizes[] = { { 128, 128 }, { 512, 512 }, { 1024, 1024 }, { 2048, 2048 }, { 4096, 4096 }, { 8192, 8192 },
				     { 16384, 16384 }, { 16384, 1024 }, { 1024, 16384 } };
static const heddle_type types[] = { HEDDLE_S, HEDDLE_D, HEDDLE_C, HEDDLE_Z };
enum { SIZES = sizeof(sizes) / sizeof(sizes[0]), TYPES = sizeof(types) / sizeof(types[0]), FEW_SIDES = 128 };

static error_t parse(int key, char *text, struct argp_state *state)
{
	struct info_arguments *arguments = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &arguments->config;
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "'%s': no argument is expected", text);
		return 0;
	case KEY_JSON:
		arguments->json = true;
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

/* What Heddle chooses for one matrix and one of the two jobs. */
struct choice {
	heddle_options options;
	const char *route;
	char chase[48];
};

static struct choice choose(bool eigenvalues, heddle_type type, struct size size)
{
	struct choice c = { .chase = "-" };

	if (eigenvalues)
		heddle_eig_options(type, size.n, &c.options);
	else
		heddle_svd_options(type, size.m, size.n, &c.options);
	c.route = c.options.route == HEDDLE_ROUTE_LAPACK ? "lapack" : "graph";
	if (c.options.group > 0)
		snprintf(c.chase, sizeof(c.chase), "%lldx%lld", (long long)c.options.group, (long long)c.options.steps);
	return c;
}

static void print_choice(const struct choice *c, int width)
{
	printf("   %5lld %5lld %7s  %-*s", (long long)c->options.band, (long long)c->options.tile, c->chase, width, c->route);
}

static void print_choices(heddle_type type, struct size size)
{
	struct choice svd = choose(false, type, size), eig = choose(true, type, size);
	bool square = size.m == size.n;

	printf("%-10c %7lld %7lld", (char)type, (long long)size.m, (long long)size.n);
	print_choice(&svd, square ? 6 : 0);
	if (square)
		print_choice(&eig, 0);
	putchar('\n');
}

/* Of triangular solves, with as many right-hand sides as unknowns and with few. */
static void print_solves(void)
{
	printf("\n%-10s %7s   %-22s   %s\n%-10s %7s   %7s %7s  %-5s   %7s %7s\n", "trsm", "", "order x order", "order x 128", "choices", "order",
	       "tile", "inverse", "route", "tile", "inverse");
	for (int t = 0; t < TYPES; t++)
		for (int i = 0; i < SIZES && sizes[i].m == sizes[i].n; i++) {
			heddle_options many = { 0 }, few = { 0 };

			heddle_trsm_options(types[t], sizes[i].n, sizes[i].n, &many);
			heddle_trsm_options(types[t], sizes[i].n, FEW_SIDES, &few);
			printf("%-10c %7lld   %7lld %7s  %-6s  %7lld %7s\n", (char)types[t], (long long)sizes[i].n, (long long)many.tile,
			       many.inverse == 2 ? "yes" : "no", many.route == HEDDLE_ROUTE_LAPACK ? "direct" : "graph", (long long)few.tile,
			       few.inverse == 2 ? "yes" : "no");
		}
}

static void print_text(const heddle_info *info)
{
	printf("heddle     %s\n", HEDDLE_VERSION);
	printf("machine    %d cores; data cache of a core: L1 %lld KiB, L2 %lld KiB, L3 %lld KiB; memory %.1f GiB\n", info->cores,
	       (long long)info->l1 >> 10, (long long)info->l2 >> 10, (long long)info->l3 >> 10, (double)info->memory / 0x1p30);
	printf("StarPU     %s, %d CPU worker%s, %d GPU worker%s, scheduler %s\n", info->starpu, info->cpu_workers,
	       info->cpu_workers == 1 ? "" : "s", info->gpu_workers, info->gpu_workers == 1 ? "" : "s", info->scheduler);
	printf("BLAS       %s, kernels for %s\n", info->blas, info->blas_kernel);
	printf("kernels    Heddle's own run as %s\n", info->kernels);
	printf("table      %s%s\n\n", info->tuning, info->tuning_error ? " (another one was refused)" : "");
	printf("%-26s   %-27s   %s\n", "", "svdvals", "eigvals");
	printf("choices    %7s %7s   %5s %5s %7s  %-6s   %5s %5s %7s  %s\n", "m", "n", "band", "tile", "chase", "route", "band", "tile",
	       "chase", "route");
	for (int t = 0; t < TYPES; t++)
		for (int i = 0; i < SIZES; i++)
			print_choices(types[t], sizes[i]);
	print_solves();
}

static void add_solve(json_t *choices, heddle_type type, int64_t order, int64_t many)
{
	char letter[2] = { (char)type, 0 };
	heddle_options o = { 0 };

	heddle_trsm_options(type, order, many, &o);
	json_array_append_new(choices, json_pack("{s:s, s:s, s:I, s:I, s:I, s:i, s:s}", "job", "trsm", "type", letter, "m", (json_int_t)order,
		"n", (json_int_t)many, "tile", (json_int_t)o.tile, "inverse", o.inverse,
		"route", o.route == HEDDLE_ROUTE_LAPACK ? "lapack" : "graph"));
}

static void add_choice(json_t *choices, bool eigenvalues, heddle_type type, struct size size)
{
	const struct choice c = choose(eigenvalues, type, size);
	char letter[2] = { (char)type, 0 };

	json_array_append_new(choices, json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:s}",
		"job", eigenvalues ? "eigvals" : "svdvals", "type", letter, "m", (json_int_t)size.m, "n", (json_int_t)size.n,
		"band", (json_int_t)c.options.band, "tile", (json_int_t)c.options.tile, "leaf", (json_int_t)c.options.leaf,
		"group", (json_int_t)c.options.group, "steps", (json_int_t)c.options.steps, "route", c.route));
}

static json_t *choices_json(void)
{
	json_t *choices = json_array();

	for (int t = 0; t < TYPES; t++)
		for (int i = 0; i < SIZES; i++) {
			add_choice(choices, false, types[t], sizes[i]);
			if (sizes[i].m != sizes[i].n)
				continue;
			add_choice(choices, true, types[t], sizes[i]);
			add_solve(choices, types[t], sizes[i].n, sizes[i].n);
			add_solve(choices, types[t], sizes[i].n, FEW_SIDES);
		}
	return choices;
}

static int print_json(const heddle_info *info)
{
	return report_json(json_pack("{s:s, s:{s:i, s:I, s:I, s:I, s:I}, s:{s:s, s:s, s:i, s:i}, s:{s:s, s:s}, s:s, s:{s:s, s:s?}, s:o}",
		"version", HEDDLE_VERSION,
		"machine", "cores", info->cores, "l1", (json_int_t)info->l1, "l2", (json_int_t)info->l2, "l3", (json_int_t)info->l3,
		"memory", (json_int_t)info->memory,
		"starpu", "version", info->starpu, "scheduler", info->scheduler, "cpu_workers", info->cpu_workers,
		"gpu_workers", info->gpu_workers,
		"blas", "name", info->blas, "kernel", info->blas_kernel,
		"kernels", info->kernels, "tuning", "table", info->tuning, "error", info->tuning_error, "choices", choices_json()), 6);
}

int info_command(int argc, char **argv)
{
	const struct argp_child children[] = { { .argp = &config_argp }, { 0 } };
	const struct argp argp = { .options = options, .parser = parse, .doc = doc, .children = children };
	struct info_arguments arguments = { 0 };
	heddle_info info;

	argp_parse(&argp, argc, argv, 0, NULL, &arguments);
	int code = heddle_start(&arguments.config);
	if (code == HEDDLE_OK)
		code = heddle_get_info(&info);
	if (code != HEDDLE_OK) {
		complain_code(NULL, code);
		return EXIT_FAILED;
	}
	warn_of_tuning(&info);
	int printed = 0;
	if (arguments.json)
		printed = print_json(&info);
	else
		print_text(&info);
	heddle_stop();
	return printed == 0 ? EXIT_DONE : EXIT_FAILED;
}
