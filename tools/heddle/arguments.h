/* Reading the command line's words.  A word that is wrong ends the program through argp_error: a message that says what was
 * expected, a hint, exit code 2. */
#ifndef HEDDLE_ARGUMENTS_H
#define HEDDLE_ARGUMENTS_H

#include <argp.h>
#include <stdint.h>
#include <heddle/types.h>

/* Exit codes of the program. */
enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_INTERRUPTED = 130 };

struct size { int64_t m, n; };

int64_t argument_integer(const struct argp_state *state, const char *option, const char *text, int64_t min, int64_t max);

/* "inf" is a number here, NaN is not; a magnitude that double cannot hold is an error. */
double argument_number(const struct argp_state *state, const char *option, const char *text);

/* "MxN", or "N" for N by N. */
struct size argument_size(const struct argp_state *state, const char *option, const char *text);

heddle_type argument_type(const struct argp_state *state, const char *option, const char *text);

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

/* The options --workers and --sched, which every command has.  The child's input is a heddle_config. */
extern const struct argp config_argp;

#endif
