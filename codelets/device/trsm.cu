/* Solves with a triangle of any order: diagonal blocks, each by halves, and products with what is left. */
#include "codelets/device/trsm_tile.h"
#include "codelets/device/blas.h"

/* Where the block changes, by the triangle's order; a guess after the paper's 256 at 1024 and 512 at 8192 for real types, until it
 * is measured.  Products with an inner size of a block are what the time goes to; complex ones are dense enough at half of it. */
static const struct {
	int64_t order, block;
} blocks[] = { { 8192, 512 }, { 1024, 256 }, { 256, 128 }, { 0, 64 } };

int64_t NAME(gpu_trsm_block)(int64_t k, int64_t many)
{
	int i = 0;

	while (k < blocks[i].order)
		i++;
	int64_t block = blocks[i].block;
	if (IS_COMPLEX && block > 128)
		block /= 2;
	if (many <= GPU_SOLVE_BLOCK && block > 128) /* products are thin: fewer of them by halves would not be denser */
		block = 128;
	return block;
}

/* Up to which order our own is taken where there is a vendor's; a guess too: the paper finds no gain for large complex ones. */
static const int64_t OWN_ORDER = IS_COMPLEX ? 2048 : INT64_MAX;

enum gpu_trsm_way NAME(gpu_trsm_way) = GPU_TRSM_BY_TABLE;

bool NAME(gpu_trsm_own)(int64_t k, int64_t)
{
	if (NAME(gpu_trsm_way) == GPU_TRSM_BY_TABLE)
		return !NAME(gpu_has_blas)() || k <= OWN_ORDER;
	return NAME(gpu_trsm_way) == GPU_TRSM_OWN || !NAME(gpu_has_blas)();
}

struct solve {
	gpu_stream stream;
	struct solve_kind kind;
	int64_t many;
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
	scalar minus = from_real(-1);

	if (t_count == 0)
		return;
	if (s->left)
		NAME(gpu_gemm)(s->stream, s->kind.trans, HEDDLE_NO_TRANS, t_count, s->many, k_count, minus, block_of(s, t, k), s->lda,
			       unknowns(s, k), s->ldb, alpha, unknowns(s, t), s->ldb);
	else
		NAME(gpu_gemm)(s->stream, HEDDLE_NO_TRANS, s->kind.trans, s->many, t_count, k_count, minus, unknowns(s, k), s->ldb,
			       block_of(s, k, t), s->lda, alpha, unknowns(s, t), s->ldb);
}

/* The unknowns k .. k+count-1, k a multiple of GPU_SOLVE_BLOCK: one half, its part in the other, the other half. */
static void solve_range(const struct solve *s, int64_t k, int64_t count, scalar alpha)
{
	if (count <= GPU_SOLVE_BLOCK) {
		struct tile_solve t = { s->kind, count, s->many, alpha, block_of(s, k, k), s->lda, 0, unknowns(s, k), s->ldb, 0, 1,
					s->inverses ? s->inverses + k : NULL, s->ld_inverses };
		NAME(gpu_solve_tile)(s->stream, &t);
		return;
	}
	int64_t half = (count / 2 + GPU_SOLVE_BLOCK - 1) / GPU_SOLVE_BLOCK * GPU_SOLVE_BLOCK, middle = k + half, rest = count - half;

	if (s->forward) {
		solve_range(s, k, half, alpha);
		update(s, middle, rest, k, half, alpha);
		solve_range(s, middle, rest, from_real(1));
	} else {
		solve_range(s, middle, rest, alpha);
		update(s, k, half, middle, rest, alpha);
		solve_range(s, k, half, from_real(1));
	}
}

void NAME(gpu_trsm)(gpu_stream stream, struct solve_kind kind, int64_t m, int64_t n, scalar alpha, const scalar *a, int64_t lda, scalar *b,
		    int64_t ldb, const scalar *inverses, int64_t ld_inverses, int64_t block)
{
	bool left = kind.side == HEDDLE_LEFT, forward = solves_forward(kind);
	struct solve s = { stream, kind, left ? n : m, a, inverses, b, lda, ldb, ld_inverses, left, forward };
	int64_t k = left ? m : n;

	if (m <= 0 || n <= 0)
		return;
	if (alpha == from_real(0)) {
		NAME(gpu_gemm)(stream, HEDDLE_NO_TRANS, HEDDLE_NO_TRANS, m, n, 0, alpha, a, m, a, 1, alpha, b, ldb);
		return;
	}
	block = block <= GPU_SOLVE_BLOCK ? (int64_t)GPU_SOLVE_BLOCK : block / GPU_SOLVE_BLOCK * GPU_SOLVE_BLOCK;
	for (int64_t i = 0, count = (k + block - 1) / block; i < count; i++) {
		int64_t at = (forward ? i : count - 1 - i) * block, end = k - at < block ? k : at + block;
		solve_range(&s, at, end - at, alpha);
		if (forward)
			update(&s, end, k - end, at, end - at, alpha);
		else
			update(&s, 0, at, at, end - at, alpha);
		alpha = from_real(1); /* all others have it by now */
	}
}
