/* Which triangular solve it is, and its direction. */
#ifndef CODELETS_HOST_SOLVE_KIND_H
#define CODELETS_HOST_SOLVE_KIND_H

#include <stdbool.h>
#include <heddle/types.h>

struct solve_kind {
	heddle_side side;
	heddle_uplo uplo;
	heddle_trans trans;
	heddle_diag diag;
};

/* True if op(A)'s first block row (left) or column (right) is solved for first, false if its last is: the one direction that side, uplo
 * and trans come down to. */
static inline bool solves_forward(struct solve_kind kind)
{
	return ((kind.uplo == HEDDLE_LOWER) == (kind.trans == HEDDLE_NO_TRANS)) == (kind.side == HEDDLE_LEFT);
}

#endif
