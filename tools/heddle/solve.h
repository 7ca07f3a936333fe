/* One triangular solve, by Heddle and by the BLAS. */
#ifndef HEDDLE_SOLVE_H
#define HEDDLE_SOLVE_H

#include "tools/heddle/arguments.h"
#include "tools/heddle/run.h"

/* op(A) X = alpha B or X op(A) = alpha B with an m by n matrix B, which X replaces. */
struct solve {
	const struct kind *kind;
	struct form form;
	double alpha[2];
	int64_t m, n;
	void *a, *b;             /* leading dimensions: the order of A, and m; at least 1 */
	heddle_options options;  /* of solve_run; zeros are Heddle's to choose */
};

/* The order of A, and the number of right-hand sides: columns on the left, rows on the right. */
int64_t solve_order(const struct solve *s);
int64_t solve_sides(const struct solve *s);

/* Order squared times right-hand sides; four times that in complex. */
double solve_flops(const struct solve *s);

/* By the asynchronous form, which Ctrl-C cancels; and by the blocking one, without the options.  Return a code of Heddle. */
int solve_run(struct run *run, const struct solve *s);
int solve_blocking(const struct solve *s);

/* The asynchronous form alone. */
int solve_submit(const struct solve *s, heddle_sequence *sequence, heddle_matrix *A, heddle_matrix *B);

/* `count` solves in one call; a and b hold the matrices of all, one after the other. */
int solve_batch(const struct solve *s, int64_t count);

/* By the BLAS, one after the other; dimensions fit its integers. */
void solve_blas(const struct solve *s, int64_t count);

/* Fill a with a well-conditioned triangle of order k, and NaN where it is not to be read; the same for the same seed. */
void triangle_fill(const struct kind *kind, struct form form, int64_t k, void *a, uint64_t seed);

/* How many elements of a diagonal that counts are zero; *first receives the first one's index from 0. */
int64_t diagonal_zeros(const struct solve *s, int64_t *first);

struct solve_error {
	double error;     /* the largest |alpha B - op(A) X| / (k eps |op(A)||X|), element by element; k is the order of A */
	int64_t skipped;  /* right-hand sides whose X holds Inf or NaN, which are left out; */
	int64_t finite;   /* those of them whose B holds none */
};

/* What the error may be. */
static const double SOLVE_BOUND = 4;

/* The error of X = s->b, of which `given` was B; for large orders, of every step-th right-hand side.  Returns 0, or -1 (no memory). */
int solve_check(const struct solve *s, const void *given, int64_t step, struct solve_error *error);

/* Bytes that solve_check takes. */
double solve_check_bytes(const struct solve *s);

#endif
