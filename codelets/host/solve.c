#include "codelets/host/solve.h"

#include <string.h>
#include "codelets/host/blas.h"
#include "codelets/host/kernels.h"

/* Beyond this order, or this many right-hand sides, the BLAS solves: its single real solve is faster than halves of it with products between, its
 * others are slower. */
#if defined(PREC_s)
static const int64_t OWN_ORDER = 2 * SOLVE_BLOCK, OWN_SIDES = 1024;
#else
static const int64_t OWN_ORDER = INT64_MAX, OWN_SIDES = INT64_MAX;
#endif

struct solve {
	struct solve_kind kind;
	int64_t many; /* right-hand sides */
	const scalar *a, *inverses;
	scalar *b;
	int64_t lda, ldb, ld_inverses;
	bool left, forward;
};

/* op(A)(i,j) as it is stored */
static const scalar *block_of(const struct solve *s, int64_t i, int64_t j)
{
	return s->kind.trans == HEDDLE_NO_TRANS ? s->a + i + j * s->lda : s->a + j + i * s->lda;
}

static scalar *unknowns(const struct solve *s, int64_t k) { return s->left ? s->b + k : s->b + k * s->ldb; }

/* B_t := alpha B_t - op(A)(t,k) X_k, or alpha B_t - X_k op(A)(k,t) on the right. */
static void update(const struct solve *s, int64_t t, int64_t t_count, int64_t k, int64_t k_count, scalar alpha)
{
	int op = cblas_trans(s->kind.trans);

	if (s->left)
		gemm(op, NO_TRANS, t_count, s->many, k_count, -1, block_of(s, t, k), s->lda, unknowns(s, k), s->ldb, alpha, unknowns(s, t), s->ldb);
	else
		gemm(NO_TRANS, op, s->many, t_count, k_count, -1, unknowns(s, k), s->ldb, block_of(s, k, t), s->lda, alpha, unknowns(s, t), s->ldb);
}

static void solve_by_blas(const struct solve *s, int64_t k, int64_t count, scalar alpha)
{
	CBLAS(trsm)(CblasColMajor, cblas_side(s->kind.side), cblas_uplo(s->kind.uplo),
		    cblas_trans(s->kind.trans), cblas_diag(s->kind.diag), s->left ? count : s->many,
		    s->left ? s->many : count, BLAS_SCALAR(alpha), block_of(s, k, k), s->lda, unknowns(s, k), s->ldb);
}

static void multiply_by_inverse(const struct solve *s, int64_t k, int64_t count, scalar alpha, const scalar *inverse)
{
	CBLAS(trmm)(CblasColMajor, cblas_side(s->kind.side), cblas_uplo(s->kind.uplo),
		    cblas_trans(s->kind.trans), cblas_diag(s->kind.diag), s->left ? count : s->many,
		    s->left ? s->many : count, BLAS_SCALAR(alpha), inverse, s->ld_inverses, unknowns(s, k), s->ldb);
}

static void solve_block(const struct solve *s, int64_t k, int64_t count, scalar alpha)
{
	const scalar *inverse = s->inverses ? s->inverses + k : NULL;

	if (inverse && inverse[SOLVE_BLOCK * s->ld_inverses] == 1)
		multiply_by_inverse(s, k, count, alpha, inverse);
	else
		NAME(host)()->solve_block(s->kind, count, s->many, alpha, block_of(s, k, k), s->lda, unknowns(s, k), s->ldb);
}

/* The unknowns k .. k+count-1, k a multiple of SOLVE_BLOCK: one half, its part in the other, the other half. */
static void solve_range(const struct solve *s, int64_t k, int64_t count, scalar alpha)
{
	if (!s->inverses && (count > OWN_ORDER || s->many > OWN_SIDES)) {
		solve_by_blas(s, k, count, alpha);
		return;
	}
	if (count <= SOLVE_BLOCK) {
		solve_block(s, k, count, alpha);
		return;
	}
	int64_t half = (count / 2 + SOLVE_BLOCK - 1) / SOLVE_BLOCK * SOLVE_BLOCK, middle = k + half, end = k + count;

	if (s->forward) {
		solve_range(s, k, half, alpha);
		update(s, middle, end - middle, k, half, alpha);
		solve_range(s, middle, end - middle, 1);
	} else {
		solve_range(s, middle, end - middle, alpha);
		update(s, k, half, middle, end - middle, alpha);
		solve_range(s, k, half, 1);
	}
}

void NAME(solve)(struct solve_kind kind, int64_t m, int64_t n, scalar alpha, const scalar *a, int64_t lda, scalar *b, int64_t ldb,
		 const scalar *inverses, int64_t ld_inverses)
{
	bool left = kind.side == HEDDLE_LEFT;
	struct solve s = { .kind = kind, .many = left ? n : m, .a = a, .lda = lda, .b = b, .ldb = ldb, .inverses = inverses,
			   .ld_inverses = ld_inverses, .left = left, .forward = solves_forward(kind) };

	if (m > 0 && n > 0)
		solve_range(&s, 0, left ? m : n, alpha);
}

void NAME(solve_zero)(int64_t m, int64_t n, scalar *b, int64_t ldb)
{
	for (int64_t j = 0; j < n; j++)
		memset(b + j * ldb, 0, (size_t)m * sizeof(*b));
}

void NAME(solve_batch)(const struct NAME(batch) *x, int64_t first, int64_t count)
{
	for (int64_t i = first; i < first + count; i++) {
		scalar *b = x->b_list ? x->b_list[i] : x->b + i * x->stride_b;
		if (x->alpha == 0)
			NAME(solve_zero)(x->m, x->n, b, x->ldb);
		else
			NAME(solve)(x->kind, x->m, x->n, x->alpha, x->a_list ? x->a_list[i] : x->a + i * x->stride_a, x->lda, b, x->ldb, NULL, 0);
	}
}
