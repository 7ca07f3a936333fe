/* Symmetric or Hermitian dense to band, on the lower triangle of the view: for each block of kd columns a QR panel below the diagonal block and
 * the rank-2kd update of the triangle behind it (V, T of the panel's reflector H = I - V T V^H):
 *   Y = C V,   X = (Y - 1/2 V T^H (V^H Y)) T,   C := H^H C H = C - X V^H - V X^H.                                            */
#include "algorithms/algorithms.h"

#include <heddle/eig.h>
#include "algorithms/blocking.h"
#include "algorithms/reduction.h"
#include "runtime/error.h"

struct symmetric {
	struct submit to;
	struct view a;
	int64_t kd;
	heddle_band *band;
	struct side side;
	heddle_matrix *y[2], *pairs[2], *gram[2]; /* Y; V, X and V again; V^H Y */
	const struct follower *follower;
};

static heddle_uplo stored_triangle(const struct view *a)
{
	return a->adjoint ? HEDDLE_UPPER : HEDDLE_LOWER;
}

/* Y := C V, kr columns.  The tile rows come from the last to the first: Y's last piece is then the first that is complete, and begins where the last
 * update ended, which finds more of C in cache.  Each piece is a sum in this order, so that the result does not depend on the schedule. */
static void products(const struct symmetric *r, int parity, int64_t q, int64_t kr)
{
	const struct side *s = &r->side;
	int64_t top = q / s->block, last = (s->length - 1) / s->block;
	struct submit to = submit_at(r->to, PRODUCTS);

	for (int64_t i = last; i >= top; i--) {
		struct part yi = NAME(piece_part)(r->y[parity], i, q, 0, kr), vi = NAME(piece_part)(s->work[parity], i, q, 0, kr);
		for (int64_t j = top; j < i; j++) {
			struct part yj = NAME(piece_part)(r->y[parity], j, q, 0, kr), vj = NAME(piece_part)(s->work[parity], j, q, 0, kr);
			struct part c = NAME(view_part)(&r->a, i, j, q, q);
			bool first = i == last;
			NAME(thin)(to, yi, c, r->a.adjoint, vj, first && j == top, first && j == top);
			NAME(thin)(to, yj, c, !r->a.adjoint, vi, first, first);
		}
		NAME(hemm)(to, yi, NAME(view_part)(&r->a, i, i, q, q), stored_triangle(&r->a), vi, i == top && i == last);
		struct part gram = { .tile = matrix_tile(r->gram[parity], 0, 0), .rows = kr, .columns = kr };
		NAME(thin)(submit_at(r->to, ROW_PANEL), gram, vi, true, yi, i == last, i == last);
	}
}

/* X, beside V and V again, in each piece. */
static void make_pairs(const struct symmetric *r, int parity, int64_t q, int64_t kr, handle factor)
{
	for (int64_t i = q / r->side.block; i * r->side.block < r->side.length; i++)
		NAME(rank_pair)(submit_at(r->to, ROW_PANEL), NAME(piece_part)(r->pairs[parity], i, q, 0, 3 * kr),
				NAME(piece_part)(r->side.work[parity], i, q, 0, kr), NAME(piece_part)(r->y[parity], i, q, 0, kr),
				matrix_tile(r->gram[parity], 0, 0), factor);
}

/* C -= [V X] [X V]^H on the triangle, in the order of the next block's products, so that a tile's product can follow its update while the tile is
 * in cache; but what the next panel waits for goes first. */
static void update(const struct symmetric *r, int parity, int64_t q, int64_t kr)
{
	const struct side *s = &r->side;

	for (int64_t i = (s->length - 1) / s->block; i >= q / s->block; i--) {
		struct part below = NAME(piece_part)(r->pairs[parity], i, q, 0, 2 * kr);
		for (int64_t j = q / s->block; j <= i; j++) {
			struct submit to = submit_at(r->to, j * s->block < q + r->kd ? NEXT_PANEL : 0);
			struct part c = NAME(view_part)(&r->a, i, j, q, q), right = NAME(piece_part)(r->pairs[parity], j, q, kr, 2 * kr);
			if (i == j)
				NAME(her2k)(to, c, stored_triangle(&r->a), below, kr);
			else /* on the adjoint, C^H -= P Q^H is C -= Q P^H */
				NAME(update)(to, c, r->a.adjoint ? right : below, r->a.adjoint ? below : right);
		}
	}
}

static void reduce(const struct symmetric *r)
{
	int64_t n = r->a.n, kb;
	int parity = 0;

	for (int64_t p = 0; p < n; p += kb, parity ^= 1) {
		kb = least(r->kd, n - p);
		int64_t q = p + kb, kr = least(kb, n - q);
		struct panel panel = { .view = r->a, .across = p, .below = kb, .kb = kb, .kr = kr };

		NAME(diagonal_block)(submit_at(r->to, FIRST), r->band, &r->a, p, kb);
		if (kr > 0)
			NAME(factor_panel)(submit_at(r->to, FIRST), &panel, &r->side, parity, q, r->band, true);
		if (r->follower)
			r->follower->columns_final(r->follower->state, q);
		if (kr == 0)
			break;
		products(r, parity, q, kr);
		make_pairs(r, parity, q, kr, panel.factor);
		update(r, parity, q, kr);
	}
}

int NAME(sy2sb_submit)(struct submit to, const struct view *a, heddle_band *band, const struct follower *follower, const heddle_options *options)
{
	int64_t n = a->n, kd = band->kd, block = view_row_tile(a);
	struct symmetric r = { .to = to, .a = *a, .kd = kd, .band = band, .follower = follower };

	if (n == 0)
		return HEDDLE_OK;
	int64_t leaf = options && options->leaf > 0 ? options->leaf : NAME(leaf_rows)(n, kd, n);
	int code = NAME(side_create)(&r.side, n, block, kd, 1, leaf);
	for (int i = 0; i < 2 && code == HEDDLE_OK; i++) {
		r.y[i] = matrix_temporary(TYPE, n, kd, block, kd);
		r.pairs[i] = matrix_temporary(TYPE, n, 3 * kd, block, 3 * kd);
		r.gram[i] = matrix_temporary(TYPE, kd, kd, kd, kd);
		code = r.y[i] && r.pairs[i] && r.gram[i] ? HEDDLE_OK : HEDDLE_ENOMEM;
	}
	if (code == HEDDLE_OK)
		reduce(&r);
	NAME(side_release)(&r.side);
	for (int i = 0; i < 2; i++) {
		matrix_release(r.y[i]);
		matrix_release(r.pairs[i]);
		matrix_release(r.gram[i]);
	}
	return code;
}

int API(BY_FIELD(sy2sb_async, he2hb_async))(heddle_sequence *sequence, heddle_uplo uplo, heddle_matrix *A, heddle_band *band,
					    const heddle_options *options)
{
	CHECK_ARGUMENT(sequence, 1, "sequence", 0, "a sequence");
	CHECK_ARGUMENT(uplo_valid(uplo), 2, "uplo", uplo, "HEDDLE_UPPER or HEDDLE_LOWER");
	CHECK_ARGUMENT(A && A->type == TYPE && A->m == A->n, 3, "A", A ? A->n : 0, "a square matrix of the function's type");
	CHECK_ARGUMENT(band && band->type == TYPE && band->hermitian && band->n == A->n, 4, "band", band ? band->n : 0,
		       "a Hermitian band of the function's type and of A's order");
	CHECK_ARGUMENT(band->stored > 0, 4, "band", 0, "a band of at least one subdiagonal");
	int code = check_options(__func__, 5, options);
	return code == HEDDLE_OK ? NAME(dense_band_async)(__func__, sequence, triangle_of(A, uplo), band, options) : code;
}

int API(BY_FIELD(sy2sb, he2hb))(heddle_uplo uplo, int64_t n, int64_t kd, scalar *A, int64_t lda, scalar *AB, int64_t ldab)
{
	CHECK_ARGUMENT(uplo_valid(uplo), 1, "uplo", uplo, "HEDDLE_UPPER or HEDDLE_LOWER");
	CHECK_ARGUMENT(n >= 0 && n <= INT32_MAX, 2, "n", n, "0 .. 2^31 - 1");
	CHECK_ARGUMENT(kd >= 1 && kd < INT32_MAX / 8, 3, "kd", kd, "1 .. 2^28 - 1");
	CHECK_ARGUMENT(A || n == 0, 4, "A", 0, "a pointer");
	CHECK_ARGUMENT(lda >= (n > 1 ? n : 1) && lda <= INT32_MAX, 5, "lda", lda, "at least max(1, n), at most 2^31 - 1");
	CHECK_ARGUMENT(AB || n == 0, 6, "AB", 0, "a pointer");
	CHECK_ARGUMENT(ldab > kd, 7, "ldab", ldab, "more than kd");
	return n > 0 ? NAME(dense_band)(__func__, &uplo, n, n, kd, A, lda, AB, ldab) : HEDDLE_OK;
}
