/* What one-sided and two-sided reductions have in common. */
#ifndef ALGORITHMS_REDUCTION_H
#define ALGORITHMS_REDUCTION_H

#include "algorithms/algorithms.h"
#include "algorithms/panels.h"

/* Priorities: what the next panel waits for goes first. */
enum { FIRST = 4, NEXT_PANEL = 3, ROW_PANEL = 2, PRODUCTS = 1 };

struct reduction {
	struct submit to;
	struct view a;
	int64_t kd; /* columns a block */
	heddle_band *band;
	struct side rows, columns;
	heddle_matrix *gram[2]; /* M = W^H U */
	const struct follower *follower;
};

static inline struct submit submit_at(struct submit to, int priority)
{
	to.priority += priority;
	return to;
}

/* W := C^H V with C the rows from p and the columns from q on: piece by piece of the columns, each a sum over the tile rows in their
 * order, so that the result does not depend on the schedule. */
void NAME(left_products)(const struct reduction *r, int parity, int64_t p, int64_t q, int64_t kb);

/* C -= P Q^H with C the rows from p and the columns from q on, P and Q the first `inner` columns of the work matrices; the
 * columns of the next panel, `next` wide, first. */
void NAME(update_trailing)(const struct reduction *r, int parity, int64_t p, int64_t q, int64_t inner, int64_t next);

#endif
