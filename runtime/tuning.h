/* The table of choices: for each job, element type and order of a matrix, what was measured to be fastest.  One is built in
 * (runtime/tuning_builtin.c); a file replaces the choices for the jobs and types that it names.
 *
 * Orders are told apart in steps, four to an octave: 1 2 3 4 5 6 7 8 10 12 14 16 20 24 28 32 40 ...  An order counts as the step
 * that it is or that comes next. */
#ifndef RUNTIME_TUNING_H
#define RUNTIME_TUNING_H

#include <stdbool.h>
#include <stddef.h>
#include <heddle/types.h>

#define TUNING_BUILTIN "built in" /* for a source */

/* Triangular solves go by the order of the triangle, those with few right-hand sides by rows of their own, except for the route. */
enum tuning_job { TUNING_SVDVALS, TUNING_EIGVALS, TUNING_TRSM, TUNING_TRSM_FEW, TUNING_JOBS };
enum { TUNING_TYPES = 4, TUNING_STEPS = 120, TUNING_NAME = 4096, TUNING_MESSAGE = TUNING_NAME + 256 };

struct tuning_choice {
	int route;        /* HEDDLE_ROUTE_GRAPH or HEDDLE_ROUTE_LAPACK */
	int band, tile;
	int group, steps; /* 0: by the model in algorithms/chase.c */
	int inverse;      /* as in heddle_options */
};

struct tuning {
	struct tuning_choice choice[TUNING_JOBS][TUNING_TYPES][TUNING_STEPS];
	bool named[TUNING_JOBS][TUNING_TYPES]; /* by a file */
};

/* A row of the built-in table: for orders up to this one, from that of the row before on. */
struct tuning_row {
	enum tuning_job job;
	heddle_type type;
	int64_t order;
	struct tuning_choice choice;
};

/* What a column of a file says after the job, the type and the order. */
struct tuning_column {
	const char *name;
	size_t offset; /* in struct tuning_choice, of an int */
	int min, max;  /* graph or lapack where they are equal */
	unsigned jobs; /* that have the column, a bit each */
};

enum { TUNING_COLUMNS = 6 };

extern const char *const tuning_job_names[TUNING_JOBS];
extern const struct tuning_column tuning_columns[TUNING_COLUMNS];

static inline bool tuning_has(enum tuning_job job, const struct tuning_column *column)
{
	return column->jobs >> job & 1;
}

static inline int *tuning_value(struct tuning_choice *choice, const struct tuning_column *column)
{
	return (int *)((char *)choice + column->offset);
}

/* The step an order counts as, and the order of a step; the last one takes all that is larger. */
static inline int tuning_step(int64_t order)
{
	if (order <= 4)
		return order < 1 ? 0 : (int)order - 1;
	uint64_t x = (uint64_t)order - 1;
	int octave = 61 - __builtin_clzll(x), step = 4 + 4 * octave + (int)(x >> octave & 3);
	return step < TUNING_STEPS ? step : TUNING_STEPS - 1;
}

static inline int64_t tuning_order(int step)
{
	return step < 4 ? step + 1 : (int64_t)(5 + step % 4) << (step / 4 - 1);
}

static inline int tuning_type(heddle_type type)
{
	return type == HEDDLE_S ? 0 : type == HEDDLE_C ? 2 : type == HEDDLE_Z ? 3 : 1;
}

/* The built-in table. */
void tuning_builtin(struct tuning *table);

/* Which file to read: the one that HEDDLE_TUNING names (*asked_for; set but empty: none), else tuning_home's.
 * Returns whether there is one to look for. */
bool tuning_path(char path[TUNING_NAME], bool *asked_for);

/* Where a user's own table is: $XDG_CONFIG_HOME/heddle/tuning, by default under ~/.config.  Returns whether there is such a place. */
bool tuning_home(char path[TUNING_NAME]);

/* Let a file replace the choices it names; all or nothing.  The message says where it is wrong and what was expected. */
enum tuning_outcome { TUNING_READ, TUNING_ABSENT, TUNING_REFUSED };
enum tuning_outcome tuning_read(struct tuning *table, const char *path, char message[TUNING_MESSAGE]);

/* A table and where it is from. */
struct tuning_state {
	struct tuning table;
	char source[TUNING_NAME];      /* TUNING_BUILTIN or a path */
	char message[TUNING_MESSAGE];  /* "", or what was wrong with the file, which then counts for nothing */
};

/* As the environment says. */
void tuning_load(struct tuning_state *state);

/* What is in force in this process: loaded once, by the first who asks.  Thread-safe. */
const struct tuning_state *tuning_in_force(void);

/* For `heddle tune` alone, while nothing else runs: this choice for a job and type, whatever the order; NULL: what was in force again. */
HEDDLE_API void heddle_tuning_try(enum tuning_job job, heddle_type type, const struct tuning_choice *choice);

static inline const struct tuning_choice *tuning_choice(enum tuning_job job, heddle_type type, int64_t order)
{
	return &tuning_in_force()->table.choice[job][tuning_type(type)][tuning_step(order)];
}

#endif
