/* The heddle program: finds the command among its arguments and calls it. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/heddle/arguments.h"
#include "tools/heddle/commands.h"
#include "tools/heddle/message.h"

static const struct command {
	const char *name, *full_name;
	int (*run)(int argc, char **argv);
} commands[] = {
	{ "svdvals", "heddle svdvals", svdvals_command },
	{ "eigvals", "heddle eigvals", eigvals_command },
	{ "trsm", "heddle trsm", trsm_command },
	{ "bench", "heddle bench", bench_command },
	{ "info", "heddle info", info_command },
	{ "tune", "heddle tune", tune_command },
};
enum { COMMANDS = sizeof(commands) / sizeof(commands[0]) };

static const char doc[] =
	"Singular values, eigenvalues and triangular solves of dense matrices, computed as task graphs on the StarPU runtime.\n"
	"\n"
	"Commands:\n"
	"  svdvals  singular values of a matrix in a file, or of a random one\n"
	"  eigvals  eigenvalues of a symmetric or Hermitian matrix, likewise\n"
	"  trsm     solves with a triangular matrix, from the left or the right\n"
	"  bench    times one of these or a stage of it, in turns with a peer\n"
	"  info     what machine, libraries and choices a run would use\n"
	"  tune     measures on this machine what to choose, and keeps it in a table\n"
	"\n"
	"`heddle COMMAND --help' says more about each."
	"\v"
	"Examples:\n"
	"  heddle svdvals matrix.mtx\n"
	"  heddle svdvals --random 2000x1000 --spectrum log --cond 1e8 -o values.npy\n"
	"  heddle eigvals --bottom 10 matrix.npy\n"
	"  heddle trsm --trans C L.npy B.npy -o X.npy\n"
	"  heddle bench svdvals --sizes 512,1024,2048 --peer lapack\n"
	"\n"
	"Exit codes: 0 done; 1 the input or the run is at fault; 2 the command line is; 130 interrupted by Ctrl-C.";

/* "svdvals, eigvals, ... or info" */
static const char *command_list(void)
{
	static char list[128];
	const char *names[COMMANDS + 1] = { NULL };

	for (int i = 0; i < COMMANDS; i++)
		names[i] = commands[i].name;
	return words_joined(list, sizeof(list), names);
}

struct choice {
	const struct command *command;
	int first; /* where in argv the command stands */
};

static error_t parse(int key, char *text, struct argp_state *state)
{
	struct choice *choice = state->input;

	switch (key) {
	case ARGP_KEY_ARG:
		for (int i = 0; i < COMMANDS; i++)
			if (strcmp(text, commands[i].name) == 0)
				choice->command = &commands[i];
		if (!choice->command)
			argp_error(state, "'%s' is not a command; expected %s", text, command_list());
		choice->first = state->next - 1;
		state->next = state->argc; /* the rest is the command's */
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "no command given; expected %s", command_list());
	}
	return ARGP_ERR_UNKNOWN;
}

static void print_version(FILE *stream, struct argp_state *state)
{
	(void)state;
	fprintf(stream, "heddle %s\n", HEDDLE_VERSION);
}

int main(int argc, char **argv)
{
	const struct argp argp = { .parser = parse, .args_doc = "COMMAND [ARGUMENT...]", .doc = doc };
	struct choice choice = { 0 };
	char name[32];

	setenv("ARGP_HELP_FMT", "no-dup-args-note", 0); /* which says that short options take the arguments of the long ones */
	argp_err_exit_status = EXIT_USAGE;
	argp_program_version_hook = print_version;
	if (argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &choice) != 0 || !choice.command)
		return EXIT_FAILED;
	argp_program_version_hook = NULL;
	snprintf(name, sizeof(name), "%s", choice.command->full_name);
	argv[choice.first] = name;
	int code = choice.command->run(argc - choice.first, argv + choice.first);
	if (output_finish() != 0 && code == EXIT_DONE)
		code = EXIT_FAILED;
	return code;
}
