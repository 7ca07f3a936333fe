/* Runs one piece of work on the running Heddle, through the asynchronous interface, and takes its time. */
#ifndef HEDDLE_RUN_H
#define HEDDLE_RUN_H

#include "tools/heddle/kind.h"

enum { MOST_STAGES = 16 };

/* A matrix and what is asked of it: the eigenvalues of the Hermitian matrix whose triangle uplo it holds, or its singular values. */
struct problem {
	const struct kind *kind;
	bool hermitian;
	heddle_uplo uplo;
	int64_t m, n;           /* hermitian: m == n */
	void *a;                /* ld = m; overwritten */
	heddle_options options; /* zeros are Heddle's to choose */
};

/* How many values it has. */
int64_t problem_order(const struct problem *p);

/* Fill in what Heddle would choose. */
void problem_choose(const struct problem *p, heddle_options *options);

struct run {
	bool watched;     /* in: show progress */
	double seconds;   /* out: from the first call to the result in the caller's memory */
	int stages;       /* those that did something */
	heddle_stage stage[MOST_STAGES];
};

/* Each returns a code of Heddle.  Ctrl-C cancels them (tools/heddle/interrupt.h). */

/* *found values of the selection, to values, which has room for problem_order reals. */
int run_values(struct run *run, const struct problem *p, const heddle_select *select, void *values, int64_t *found);

/* Dense to band. */
int run_reduction(struct run *run, const struct problem *p, heddle_band *band);

/* Band to bidiagonal or tridiagonal; the matrix itself is not looked at.  d and e have room for n reals each. */
int run_chase(struct run *run, const struct problem *p, heddle_band *band, void *d, void *e);

/* Floating-point operations: of the reduction (of a general matrix by a QR first if that is less); of that to a band alone; and
 * of the chase from a band of width kd, which takes no more than the reduction of a full matrix. */
double values_flops(const struct problem *p);
double reduction_flops(const struct problem *p);
double chase_flops(const struct problem *p, int64_t kd);

#endif
