/* heddle info: the machine, the libraries, and what Heddle would choose. */
#include <jansson.h>
#include <stdio.h>
#include "tools/heddle/arguments.h"
#include "tools/heddle/commands.h"
#include "tools/heddle/kind.h"
#include "tools/heddle/message.h"
#include "tools/heddle/report.h"

static const char doc[] =
	"Shows the machine, the libraries in use, and the choices Heddle makes for matrices of several sizes."
	"\v"
	"band is the width of the band between the two reductions, tile the tile size, group x steps what a task of the second "
	"reduction covers (sweeps and steps of each; - where that is left to the run), route whether a task graph or one call of LAPACK does the work.\n"
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
enum { SIZES = sizeof(sizes) / sizeof(sizes[0]), TYPES = sizeof(types) / sizeof(types[0]) };

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

static const char *route_name(const heddle_options *chosen)
{
	return chosen->route == HEDDLE_ROUTE_LAPACK ? "lapack" : "graph";
}

static void print_text(const heddle_info *info)
{
	printf("heddle     %s\n", HEDDLE_VERSION);
	printf("machine    %d cores; data cache of a core: L1 %lld KiB, L2 %lld KiB, L3 %lld KiB; memory %.1f GiB\n", info->cores,
	       (long long)info->l1 >> 10, (long long)info->l2 >> 10, (long long)info->l3 >> 10, (double)info->memory / 0x1p30);
	printf("StarPU     %s, %d CPU worker%s, %d GPU worker%s, scheduler %s\n", info->starpu, info->cpu_workers,
	       info->cpu_workers == 1 ? "" : "s", info->gpu_workers, info->gpu_workers == 1 ? "" : "s", info->scheduler);
	printf("BLAS       %s, kernels for %s\n", info->blas, info->blas_kernel);
	printf("kernels    Heddle's own run as %s\n\n", info->kernels);
	printf("choices    %7s %7s  %5s %5s %7s  %s\n", "m", "n", "band", "tile", "chase", "route");
	for (int t = 0; t < TYPES; t++)
		for (int i = 0; i < SIZES; i++) {
			heddle_options chosen = { 0 };
			char chase[48] = "-";

			heddle_svd_options(types[t], sizes[i].m, sizes[i].n, &chosen);
			if (chosen.group > 0)
				snprintf(chase, sizeof(chase), "%lldx%lld", (long long)chosen.group, (long long)chosen.steps);
			printf("%-10c %7lld %7lld  %5lld %5lld %7s  %s\n", (char)types[t], (long long)sizes[i].m,
			       (long long)sizes[i].n, (long long)chosen.band, (long long)chosen.tile, chase, route_name(&chosen));
		}
}

static json_t *choices_json(void)
{
	json_t *choices = json_array();

	for (int t = 0; t < TYPES; t++)
		for (int i = 0; i < SIZES; i++) {
			heddle_options chosen = { 0 };
			char type[2] = { (char)types[t], 0 };

			heddle_svd_options(types[t], sizes[i].m, sizes[i].n, &chosen);
			json_array_append_new(choices, json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:s}", "type", type,
				"m", (json_int_t)sizes[i].m, "n", (json_int_t)sizes[i].n, "band", (json_int_t)chosen.band,
				"tile", (json_int_t)chosen.tile, "leaf", (json_int_t)chosen.leaf, "group", (json_int_t)chosen.group,
				"steps", (json_int_t)chosen.steps, "route", route_name(&chosen)));
		}
	return choices;
}

static int print_json(const heddle_info *info)
{
	return report_json(json_pack("{s:s, s:{s:i, s:I, s:I, s:I, s:I}, s:{s:s, s:s, s:i, s:i}, s:{s:s, s:s}, s:s, s:o}",
		"version", HEDDLE_VERSION,
		"machine", "cores", info->cores, "l1", (json_int_t)info->l1, "l2", (json_int_t)info->l2, "l3", (json_int_t)info->l3,
		"memory", (json_int_t)info->memory,
		"starpu", "version", info->starpu, "scheduler", info->scheduler, "cpu_workers", info->cpu_workers,
		"gpu_workers", info->gpu_workers,
		"blas", "name", info->blas, "kernel", info->blas_kernel,
		"kernels", info->kernels, "choices", choices_json()), 6);
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
	int printed = 0;
	if (arguments.json)
		printed = print_json(&info);
	else
		print_text(&info);
	heddle_stop();
	return printed == 0 ? EXIT_DONE : EXIT_FAILED;
}
