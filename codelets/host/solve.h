/* Triangular solves with many right-hand sides in one thread: blocks of SOLVE_BLOCK by a kernel of our own, the rest by gemm. */
#ifndef CODELETS_HOST_SOLVE_H
#define CODELETS_HOST_SOLVE_H

#include "codelets/host/solve_kind.h"
#include "runtime/prec.h"

/* Order of the blocks that the kernel of our own solves, and that are inverted where the caller wants that. */
enum { SOLVE_BLOCK = 64 };

/* Inverses of the diagonal blocks of a triangle, kept by its rows: block i, with rows from i*SOLVE_BLOCK on, has its inverse in columns
 * 0 .. SOLVE_BLOCK-1 of these rows and, in their first row, 1 in column SOLVE_BLOCK if it is good, 0 if the block has to be solved with. */
enum { INVERSE_COLUMNS = SOLVE_BLOCK + 1 };

/* B := alpha op(A)^-1 B or alpha B op(A)^-1, B m by n.  inverses may be NULL.  alpha is not 0. */
void NAME(solve)(struct solve_kind kind, int64_t m, int64_t n, scalar alpha, const scalar *a, int64_t lda, scalar *b, int64_t ldb,
		 const scalar *inverses, int64_t ld_inverses);

/* Independent problems of one shape: matrices from lists, or at a stride from each other where there is no list. */
struct NAME(batch) {
	struct solve_kind kind;
	int64_t m, n, lda, ldb, stride_a, stride_b;
	scalar alpha;
	const scalar *const *a_list, *a;
	scalar *const *b_list, *b;
};
void NAME(solve_batch)(const struct NAME(batch) *batch, int64_t first, int64_t count);

/* B := 0, whatever was in it. */
void NAME(solve_zero)(int64_t m, int64_t n, scalar *b, int64_t ldb);

/* The inverses of the diagonal blocks of a triangle of order k. */
void NAME(invert_blocks)(heddle_uplo uplo, heddle_diag diag, int64_t k, const scalar *a, int64_t lda, scalar *inverses, int64_t ld_inverses);

#endif
