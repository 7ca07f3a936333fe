/* Reading the command line's words.  A word that is wrong ends the program through argp_error: a message that says what was
 * expected, a hint, exit code 2. */
#ifndef HEDDLE_ARGUMENTS_H
#define HEDDLE_ARGUMENTS_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>
#include <heddle/types.h>

/* Exit codes of the program. */
enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_INTERRUPTED = 130 };

struct size { int64_t m, n; };

int64_t argument_integer(const struct argp_state *state, const char *option, const char *text, int64_t min, int64_t max);

/* A finite number "RE" or "RE,IM". */
void argument_complex(const struct argp_state *state, const char *option, const char *text, double value[2]);

/* "inf" is a number here, NaN is not; a magnitude that double cannot hold is an error. */
double argument_number(const struct argp_state *state, const char *option, const char *text);

/* "MxN", or "N" for N by N. */
struct size argument_size(const struct argp_state *state, const char *option, const char *text);

heddle_type argument_type(const struct argp_state *state, const char *option, const char *text);

/* "A, B or C" of the words, which end with NULL, in list[size].  Returns list. */
const char *words_joined(char *list, size_t size, const char *const words[]);

/* One of the words of choices, which ends with NULL. */
const char *argument_choice(const struct argp_state *state, const char *option, const char *text, const char *const choices[]);

/* --route: auto, graph or lapack, as heddle_options has it. */
int argument_route(const struct argp_state *state, const char *text);

/* "LO,HI" with LO < HI. */
void argument_interval(const struct argp_state *state, const char *option, const char *text, double *lo, double *hi);

/* "I,J" with 1 <= I <= J. */
void argument_indices(const struct argp_state *state, const char *option, const char *text, int64_t *first, int64_t *last);

/* Lists, their items between commas.  The array comes from malloc. */
struct size *argument_sizes(const struct argp_state *state, const char *option, const char *text, int *count);
heddle_type *argument_types(const struct argp_state *state, const char *option, const char *text, int *count);
int64_t *argument_integers(const struct argp_state *state, const char *option, const char *text, int64_t min, int64_t max,
			   int *count);

/* Which of the triangular solves. */
struct form {
	heddle_side side;
	heddle_uplo uplo;
	heddle_trans trans;
	heddle_diag diag;
};

/* The options --side, --uplo, --trans and --diag.  The child's input is a struct form_options. */
struct form_options {
	struct form form;
	bool side_list;       /* in: --side may be both, with a comma between */
	heddle_side sides[2]; /* form.side is the first */
	int side_count;
	const char *given;    /* one of the options, or NULL */
};
extern const struct argp form_argp;
extern const struct form_options form_defaults; /* left, lower, not transposed, not unit */

/* The options --workers and --sched, which every command has.  The child's input is a heddle_config. */
extern const struct argp config_argp;

#endif
