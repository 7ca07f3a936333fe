/* What heddle tune runs: a job on a matrix of one order. */
#ifndef HEDDLE_TUNE_CASE_H
#define HEDDLE_TUNE_CASE_H

#include "tools/heddle/bench.h"
#include "tools/heddle/tune.h"

struct tune_case {
	enum tuning_job job;
	struct bench_case values; /* for svdvals and eigvals */
	struct {
		const struct kind *kind;
		int64_t k, many;      /* order of the triangle, right-hand sides */
		void *a, *input, *b;  /* triangle, right-hand sides, and a copy of them to be solved for */
		void *expected;       /* the solution */
	} solve;                  /* for triangular solves */
};

/* These return 0, or -1 having complained (not of a Ctrl-C). */
int tune_case_open(struct tune_case *c, enum tuning_job job, const struct kind *kind, int64_t n);

/* One run; its route is the choice's. */
int tune_case_run(struct tune_case *c, const struct tuning_choice *choice, double *seconds);

/* Whether the last run's result is right. */
int tune_case_check(const struct tune_case *c);

void tune_case_close(struct tune_case *c);

#endif
