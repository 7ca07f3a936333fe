/* heddle tune: measures candidates for the table of choices, and writes the table. */
#ifndef HEDDLE_TUNE_H
#define HEDDLE_TUNE_H

#include <math.h>
#include <stdio.h>
#include "runtime/tuning.h"
#include "tools/heddle/arguments.h"
#include "tools/heddle/kind.h"

struct tune_arguments {
	bool jobs[TUNING_JOBS];
	heddle_type *types;
	int64_t *sizes;
	int type_count, size_count;
	bool sizes_given;
	double seconds;     /* in all */
	const char *output; /* NULL: the user's own table, or standard output for C */
	bool as_c, dry_run;
	heddle_config config;
};

/* Does not return if the command line is wrong.  tune_arguments_free frees the lists. */
void tune_parse(int argc, char **argv, struct tune_arguments *arguments);
void tune_arguments_free(struct tune_arguments *arguments);

enum { TUNE_SIZES = 32, TUNE_CANDIDATES = 384 };

/* One job with one element type. */
struct tune_study {
	enum tuning_job job;
	const struct kind *kind;
	int sizes;
	int64_t size[TUNE_SIZES];                        /* ascending */
	double look[TUNE_SIZES];                         /* seconds of one run with the choice in force, at first */
	int candidates;
	struct tuning_choice candidate[TUNE_CANDIDATES]; /* routes: graph */
	double seconds[TUNE_SIZES][TUNE_CANDIDATES];     /* the least; INFINITY: none */
	double direct[TUNE_SIZES];                       /* the same of the direct call */
	int in_force[TUNE_SIZES], chosen[TUNE_SIZES];    /* candidates */
	int by_call;                                     /* sizes, the smallest ones, that go by the direct call */
};

/* The measuring as a whole. */
struct tune {
	struct tune_arguments arguments;
	heddle_info info;
	int count;
	struct tune_study *studies;
	FILE *report;
	double begin, end;       /* of the time there is, by seconds_now */
	double shown;            /* when progress was */
	double ahead;            /* seconds of one run of each size still to come */
};

/* What is in force for an order, whole. */
struct tuning_choice tune_in_force(enum tuning_job job, heddle_type type, int64_t order);

/* Whether the choice in force is the direct call, and the least times with what is in force and with what was chosen. */
bool tune_by_call(const struct tune_study *study, int size);
double tune_seconds_before(const struct tune_study *study, int size);
double tune_seconds_after(const struct tune_study *study, int size);

/* Run each size once, as long as the time that is there will do for it; sizes that are left out are taken out of the studies. */
int tune_look(struct tune *tune);

/* Find the choices of a study.  These return 0, or -1 having complained (not of a Ctrl-C). */
int tune_measure(struct tune *tune, struct tune_study *study);

/* Candidates beside `from` for matrices of order n: one of its numbers is another one in each.  Returns how many, the nearest first; 0
 * where the job has no such number. */
enum tune_number { TUNE_BAND, TUNE_TILE, TUNE_CHASE, TUNE_INVERSE };
enum { TUNE_NEIGHBOURS = 16 };
int tune_neighbours(enum tuning_job job, enum tune_number number, int64_t n, struct tuning_choice from,
		    struct tuning_choice found[TUNE_NEIGHBOURS]);

/* The table with what was chosen: each size speaks for orders up to 1.4 times away from it. */
void tune_table(const struct tune *tune, struct tuning *table);

/* Whether the table can be written where it is to go; makes the folder of the user's own.  path receives where that is.
 * Returns 0, or -1 having complained. */
int tune_output(const struct tune *tune, char path[TUNING_NAME]);

/* Write it there: all of it or, after a failure or a Ctrl-C, nothing.  Rows of a table that is there already stay where no others were
 * measured.  path is "" for standard output.  Returns 0 or -1. */
int tune_write(const struct tune *tune, const char *path, struct tuning *table);

#endif
