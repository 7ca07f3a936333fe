/* The stages as they call each other: no argument checks, tasks go where `to` says.  Each returns 0 or HEDDLE_ENOMEM; what the run meets
 * goes to the sequence. */
#ifndef ALGORITHMS_ALGORITHMS_H
#define ALGORITHMS_ALGORITHMS_H

#include "codelets/codelets.h"
#include "codelets/panel.h"

/* A with at least as many rows as columns: itself, or its adjoint. */
static inline struct view view_of(const heddle_matrix *a)
{
	bool wide = a->m < a->n;

	return (struct view){ .a = a, .adjoint = wide, .m = wide ? a->n : a->m, .n = wide ? a->m : a->n };
}

/* The Hermitian matrix whose triangle uplo is stored, as a lower triangle. */
static inline struct view triangle_of(const heddle_matrix *a, heddle_uplo uplo)
{
	return (struct view){ .a = a, .adjoint = uplo == HEDDLE_UPPER, .hermitian = true, .m = a->n, .n = a->n };
}

/* Check all of A, or the triangle of a Hermitian view, for NaN and infinity (the sequence then fails with HEDDLE_EINPUT), and scale it into
 * the range where squares are safe.  *scale, for the caller to release, holds two reals: the factor and its reciprocal. */
int NAME(scale_input)(struct submit to, const struct view *a, heddle_matrix **scale);

/* Who wants to know how far a stage has been submitted: columns 0 .. columns-1 of its band are final in the graph as it stands. */
struct follower {
	void (*columns_final)(void *state, int64_t columns);
	void *state;
};

/* Dense (m >= n as viewed) to band.  follower may be NULL. */
int NAME(ge2gb_submit)(struct submit to, const struct view *a, heddle_band *band, const struct follower *follower, const heddle_options *options);

/* Hermitian dense (a triangle of it) to Hermitian band. */
int NAME(sy2sb_submit)(struct submit to, const struct view *a, heddle_band *band, const struct follower *follower, const heddle_options *options);

/* What ge2gb_async and sy2sb_async, and ge2gb (uplo NULL) and sy2sb, do once their arguments are known to be right. */
int NAME(dense_band_async)(const char *function, heddle_sequence *sequence, struct view a, heddle_band *band,
			   const heddle_options *options);
int NAME(dense_band)(const char *function, const heddle_uplo *uplo, int64_t m, int64_t n, int64_t kd, scalar *A, int64_t lda, scalar *AB,
		     int64_t ldab);

/* Eigenvalues of a small Hermitian matrix: one task for its tridiagonal, those of its values. */
int NAME(one_stage_submit)(struct submit to, const struct view *a, const heddle_select *select, heddle_matrix *w, int64_t *found);

/* Singular values of A as viewed (m >= n), or eigenvalues where it is Hermitian: the whole graph. */
int NAME(dense_vals_submit)(struct submit to, struct view a, const heddle_select *select, heddle_matrix *values, int64_t *found,
			    const heddle_options *options);

/* R of a matrix as viewed, m > n, in its leading n by n part, with zeros below. */
int NAME(tall_qr_submit)(struct submit to, const struct view *a, const heddle_options *options);

/* Band to bidiagonal, or to tridiagonal if it is Hermitian, while the band is still being made: the sweeps of the bulge chase in groups,
 * each cut into tasks of a few steps. */
struct chase {
	struct submit to;
	heddle_band *band;
	int64_t group, steps;  /* sweeps a task, steps of each */
	bool on_gpu;           /* all sweeps are one task of a GPU's */
	int64_t groups;
	int64_t oldest, *next; /* first group that is not done; where the next task of each begins */
};

int NAME(chase_begin)(struct chase *c, struct submit to, heddle_band *band, const heddle_options *options);

/* Submit what needs only the first `columns` columns of the band.  (A follower's function: `chase` is the struct chase.) */
void NAME(chase_advance)(void *chase, int64_t columns);

/* Submit the rest, and the diagonals into d and e, divided by the scale's first real (NULL: 1); frees what chase_begin allocated. */
void NAME(chase_end)(struct chase *c, heddle_matrix *d, heddle_matrix *e, handle scale);

/* A triangular solve, with the inverses of the diagonal blocks if `invert`; the matrices fit each other and are not empty. */
int NAME(trsm_submit)(struct submit to, struct solve_kind kind, scalar alpha, const heddle_matrix *a, const heddle_matrix *b, bool invert);

#endif
