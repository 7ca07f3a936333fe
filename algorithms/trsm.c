/* Triangular solves: op(A) X = alpha B and X op(A) = alpha B.  With the diagonal blocks in the order in which they are solved for,
 *	X_s = op(A)(s,s)^-1 B_s,   then for t > s   B_t -= op(A)(t,s) X_s        (left)
 *	X_s = B_s op(A)(s,s)^-1,   then for t > s   B_t -= X_s op(A)(s,t)        (right)
 * for each piece of the right-hand sides on its own. */
#include "algorithms/algorithms.h"

#include <heddle/blas3.h>
#include "algorithms/blocking.h"
#include "codelets/host/blas.h"
#include "runtime/blas_threads.h"
#include "runtime/error.h"
#include "runtime/runtime.h"

struct graph {
	struct submit to;
	struct solve_kind kind;
	const heddle_matrix *a, *b;
	heddle_matrix *inverses; /* NULL: none */
	bool left;
	int64_t blocks, pieces;
};

/* Block number s in solving order */
static int64_t block(const struct graph *g, int64_t s) { return solves_forward(g->kind) ? s : g->blocks - 1 - s; }

/* op(A)(i,j) as it is stored */
static handle triangle_tile(const struct graph *g, int64_t i, int64_t j)
{
	return g->kind.trans == HEDDLE_NO_TRANS ? matrix_tile(g->a, i, j) : matrix_tile(g->a, j, i);
}

/* Unknowns of block k in one piece of the right-hand sides */
static handle unknowns(const struct graph *g, int64_t k, int64_t piece)
{
	return g->left ? matrix_tile(g->b, k, piece) : matrix_tile(g->b, piece, k);
}

/* The sooner block s is solved for, the more its tasks matter. */
static struct submit submit_for(const struct graph *g, int64_t s)
{
	struct submit to = g->to;

	to.priority += (int)(g->blocks - s);
	return to;
}

static void solve_step(const struct graph *g, int64_t s, scalar alpha)
{
	int64_t k = block(g, s);
	handle inverses = g->inverses ? matrix_tile(g->inverses, k, 0) : NULL;

	if (inverses)
		NAME(invert)(submit_for(g, s), g->kind.uplo, g->kind.diag, matrix_tile(g->a, k, k), inverses);
	for (int64_t p = 0; p < g->pieces; p++)
		NAME(trsm)(submit_for(g, s), g->kind, alpha, matrix_tile(g->a, k, k), unknowns(g, k, p), inverses);
}

static void update_step(const struct graph *g, int64_t s, int64_t t, scalar alpha)
{
	int64_t k = block(g, s), i = block(g, t);

	for (int64_t p = 0; p < g->pieces; p++)
		if (g->left)
			NAME(gemm)(submit_for(g, t), g->kind.trans, HEDDLE_NO_TRANS, -1, triangle_tile(g, i, k), unknowns(g, k, p), alpha,
				   unknowns(g, i, p));
		else
			NAME(gemm)(submit_for(g, t), HEDDLE_NO_TRANS, g->kind.trans, -1, unknowns(g, k, p), triangle_tile(g, k, i), alpha,
				   unknowns(g, i, p));
}

int NAME(trsm_submit)(struct submit to, struct solve_kind kind, scalar alpha, const heddle_matrix *a, const heddle_matrix *b, bool invert)
{
	bool left = kind.side == HEDDLE_LEFT;
	struct graph g = { .to = to, .kind = kind, .a = a, .b = b, .left = left, .blocks = a->nt, .pieces = left ? b->nt : b->mt };

	if (alpha == 0) {
		for (int64_t i = 0; i < b->mt * b->nt; i++)
			NAME(set_zero)(to, b->tiles[i]);
		return HEDDLE_OK;
	}
	if (invert) {
		g.inverses = matrix_temporary(TYPE, a->m, INVERSE_COLUMNS, a->mb, INVERSE_COLUMNS);
		if (!g.inverses)
			return HEDDLE_ENOMEM;
	}
	for (int64_t s = 0; s < g.blocks; s++) {
		solve_step(&g, s, s == 0 ? alpha : 1);
		for (int64_t t = s + 1; t < g.blocks; t++)
			update_step(&g, s, t, s == 0 ? alpha : 1);
	}
	matrix_release(g.inverses);
	return HEDDLE_OK;
}

int API(trsm_async)(heddle_sequence *sequence, heddle_side side, heddle_uplo uplo, heddle_trans trans, heddle_diag diag, scalar alpha,
		    heddle_matrix *A, heddle_matrix *B, const heddle_options *options)
{
	struct solve_kind kind = { side, uplo, trans, diag };
	heddle_options o = options ? *options : (heddle_options){ 0 };
	bool left = side == HEDDLE_LEFT;

	CHECK_ARGUMENT(sequence, 1, "sequence", 0, "a sequence");
	int code = check_solve_kind(__func__, 2, kind);
	if (code != HEDDLE_OK)
		return code;
	CHECK_ARGUMENT(A && A->type == TYPE && A->m == A->n, 7, "A", A ? A->n : 0, "a square matrix of the function's type");
	CHECK_ARGUMENT(B != A, 8, "B", 0, "another matrix than A");
	CHECK_ARGUMENT(B && B->type == TYPE && (left ? B->m : B->n) == A->n, 8, "B", B ? (left ? B->m : B->n) : 0,
		       "a matrix of the function's type with A's order on this side");
	CHECK_ARGUMENT(A->n <= least(A->mb, left ? B->mb : B->nb) || (left ? B->mb : B->nb) == A->mb, 8, "B", left ? B->mb : B->nb,
		       "tiles as large as A's on this side");
	code = check_options(__func__, 9, options);
	if (code != HEDDLE_OK)
		return code;
	code = check_running(__func__);
	if (code != HEDDLE_OK || B->mt == 0)
		return code;
	heddle_trsm_options(TYPE, A->n, left ? B->n : B->m, &o);
	struct submit to = { .sequence = sequence, .stage = STAGE_TRSM, .priority = o.priority };
	code = NAME(trsm_submit)(to, kind, alpha, A, B, o.inverse == 2);
	return code == HEDDLE_OK ? code : error_set(code, "%s: no memory", __func__);
}

/* Right-hand sides a piece: products are the faster the more there are, and within a piece the updates can be shared by workers too. */
static int64_t piece_of(int64_t many)
{
	enum { SMALLEST = 256 / sizeof(real), LARGEST = 1024, MULTIPLE = 8 };
	int64_t piece = (many + runtime_workers() - 1) / runtime_workers();

	piece = (piece + MULTIPLE - 1) / MULTIPLE * MULTIPLE;
	return piece < SMALLEST ? SMALLEST : least(piece, LARGEST);
}

static int by_tasks(struct solve_kind kind, int64_t m, int64_t n, scalar alpha, const scalar *A, int64_t lda, scalar *B, int64_t ldb,
		    const heddle_options *o)
{
	bool left = kind.side == HEDDLE_LEFT;
	int64_t k = left ? m : n, many = left ? n : m;
	struct blocking b = { 0 };
	heddle_matrix *a, *x;
	int code = blocking_begin(&b);

	if (code == HEDDLE_OK)
		code = blocking_tiles(&b, &a, TYPE, k, k, A, lda, o->tile, o->tile);
	if (code == HEDDLE_OK)
		code = blocking_tiles(&b, &x, TYPE, m, n, B, ldb, left ? o->tile : piece_of(many), left ? piece_of(many) : o->tile);
	if (code == HEDDLE_OK)
		code = API(trsm_async)(b.sequence, kind.side, kind.uplo, kind.trans, kind.diag, alpha, a, x, o);
	return blocking_end(&b, code);
}

/* Where the caller's BLAS has threads its own solve is the faster one of a single call from these orders on (of a square problem with as much
 * work), by measurement. */
static bool blas_is_faster(double order)
{
	enum { LARGEST_FOR_OURS = sizeof(scalar) == 2 * sizeof(double) ? 32 : 80 };

	return order > LARGEST_FOR_OURS && blas_threads_get() > 1;
}

/* Whether one call in this thread does: if the table says so, above small orders only with a BLAS that has threads; or with some right-hand
 * sides, but few: such a solve is bound by reading the triangle once for each piece, and a few threads of the BLAS do as well as a graph,
 * without its start. */
static bool one_call_does(const heddle_options *o, double order, int64_t k, int64_t many)
{
	enum { ALONE = 192, SOME = 32, FEW = 96, THREADS = 4 };
	int threads = blas_threads_get();
	bool few = sizeof(scalar) > sizeof(float) && many >= SOME && many <= FEW && k > 4 * many && threads <= THREADS;

	return (o->route == HEDDLE_ROUTE_LAPACK && order <= ALONE) || (threads > 1 && (few || o->route == HEDDLE_ROUTE_LAPACK));
}

static void in_one_call(struct solve_kind kind, double order, int64_t m, int64_t n, scalar alpha, const scalar *A, int64_t lda, scalar *B,
			int64_t ldb)
{
	if (blas_is_faster(order))
		CBLAS(trsm)(CblasColMajor, cblas_side(kind.side), cblas_uplo(kind.uplo), cblas_trans(kind.trans), cblas_diag(kind.diag), m, n,
			    BLAS_SCALAR(alpha), A, lda, B, ldb);
	else
		NAME(solve)(kind, m, n, alpha, A, lda, B, ldb, NULL, 0);
}

int API(trsm)(heddle_side side, heddle_uplo uplo, heddle_trans trans, heddle_diag diag, int64_t m, int64_t n, scalar alpha, const scalar *A,
	      int64_t lda, scalar *B, int64_t ldb)
{
	struct solve_kind kind = { side, uplo, trans, diag };
	int64_t k = side == HEDDLE_LEFT ? m : n;
	heddle_options o = { 0 };
	int code = check_solve_call(__func__, &(struct solve_call){ kind, m, n, lda, ldb, A, B, 11, alpha != 0 });

	if (code != HEDDLE_OK)
		return code;
	if (m == 0 || n == 0)
		return HEDDLE_OK;
	int64_t many = side == HEDDLE_LEFT ? n : m;
	double order = cbrt((double)k * (double)m * (double)n); /* of a square problem with as much work */
	heddle_trsm_options(TYPE, k, many, &o);
	if (alpha == 0)
		NAME(solve_zero)(m, n, B, ldb);
	else if (one_call_does(&o, order, k, many))
		in_one_call(kind, order, m, n, alpha, A, lda, B, ldb);
	else
		code = by_tasks(kind, m, n, alpha, A, lda, B, ldb, &o);
	return code == HEDDLE_OK || code == HEDDLE_ERUNTIME ? code : error_set(code, "%s: %s", __func__, heddle_strerror(code));
}
