/* Triangular solves with many right-hand sides in one thread: blocks of SOLVE_BLOCK by a kernel of our own, the rest by gemm. */
#ifndef CODELETS_HOST_SOLVE_H
#define CODELETS_HOST_SOLVE_H

#include "runtime/prec.h"

/* Which of the solves it is. */
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

/* Order of the blocks that the kernel of our own solves, and that are inverted where the caller wants that. */
enum { SOLVE_BLOCK = 64 };

/* Inverses of the diagonal blocks of a triangle, kept by its rows: block i, with rows from i*SOLVE_BLOCK on, has its inverse in columns
 * 0 .. SOLVE_BLOCK-1 of these rows and, in their first row, 1 in column SOLVE_BLOCK if it is good, 0 if the block has to be solved with. */
enum { INVERSE_COLUMNS = SOLVE_BLOCK + 1 };

/* B := alpha op(A)^-1 B or alpha B op(A)^-1, B m by n.  inverses may be NULL.  alpha is not 0. */
void NAME(solve)(struct solve_kind kind, int64_t m, int64_t n, scalar alpha, const scalar *a, int64_t lda, scalar *b, int64_t ldb,
		 const scalar *inverses, int64_t ld_inverses);

/* B := 0, whatever was in it. */
void NAME(solve_zero)(int64_t m, int64_t n, scalar *b, int64_t ldb);

/* The inverses of the diagonal blocks of a triangle of order k. */
void NAME(invert_blocks)(heddle_uplo uplo, heddle_diag diag, int64_t k, const scalar *a, int64_t lda, scalar *inverses, int64_t ld_inverses);

#endif
