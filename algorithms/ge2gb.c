/* Dense to band: for each block of kd columns a QR panel, a row panel, and the rank-2kd update of what is left
 * (two-sided reduction with TSQR panels; V, T of the column panel, U, S of the row panel):
 *   W = C^H V T,   row panel := its LQ after C_top - V_top W^H,   X = (C_low U - V_low W^H U) S,   C_low -= [V X] [W U]^H.    */
#include "algorithms/algorithms.h"

#include <heddle/svd.h>
#include "algorithms/blocking.h"
#include "algorithms/reduction.h"
#include "runtime/error.h"

/* X := (C_low U - V_low W^H U) S */
static void right_products(const struct reduction *r, int parity, int64_t q, int64_t kb, int64_t kr, const struct panel *row)
{
	const struct side *rows = &r->rows, *columns = &r->columns;
	struct part gram = { .tile = matrix_tile(r->gram[parity], 0, 0), .rows = kb, .columns = kr };

	for (int64_t j = q / columns->block; j * columns->block < columns->length; j++) {
		bool first = j == q / columns->block;
		NAME(thin)(submit_at(r->to, ROW_PANEL), gram, NAME(side_part)(columns, parity, j, q, 0, kb), true,
			   NAME(side_part)(columns, parity, j, q, 1, kr), first, first);
	}
	/* from the last column back: left_products has just been there, so that more of C is still in cache */
	for (int64_t j = (columns->length - 1) / columns->block; j >= q / columns->block; j--) {
		bool first = j == (columns->length - 1) / columns->block;
		struct part u = NAME(side_part)(columns, parity, j, q, 1, kr);
		for (int64_t i = q / rows->block; i * rows->block < rows->length; i++)
			NAME(thin)(submit_at(r->to, PRODUCTS), NAME(side_part)(rows, parity, i, q, 1, kr), NAME(view_part)(&r->a, i, j, q, q),
				   r->a.adjoint, u, first, false);
	}
	for (int64_t i = q / rows->block; i * rows->block < rows->length; i++)
		NAME(finish_x)(submit_at(r->to, ROW_PANEL), NAME(side_part)(rows, parity, i, q, 1, kr), NAME(side_part)(rows, parity, i, q, 0, kb),
			       gram.tile, row->factor);
}

static void reduce(const struct reduction *r)
{
	int64_t n = r->a.n;
	int parity = 0;

	for (int64_t p = 0; p < n; p += r->kd, parity ^= 1) {
		int64_t kb = n - p < r->kd ? n - p : r->kd, q = p + kb, kr = n - q < kb ? n - q : kb;
		struct panel column = { .view = r->a, .across = p, .kb = kb, .kr = kb, .half = 0 };
		struct panel row = { .view = r->a, .is_row = true, .across = p, .kb = kb, .kr = kr, .half = 1, .other = &column };

		NAME(factor_panel)(submit_at(r->to, FIRST), &column, &r->rows, parity, p, r->band, q < n);
		if (r->follower)
			r->follower->columns_final(r->follower->state, q);
		if (q == n)
			break;
		NAME(left_products)(r, parity, p, q, kb);
		NAME(factor_panel)(submit_at(r->to, FIRST), &row, &r->columns, parity, q, r->band, true);
		right_products(r, parity, q, kb, kr, &row);
		NAME(update_trailing)(r, parity, q, q, kb + kr, r->kd);
	}
}

int NAME(ge2gb_submit)(struct submit to, const struct view *a, heddle_band *band, const struct follower *follower,
		       const heddle_options *options)
{
	int64_t m = a->m, n = a->n, kd = band->kd;
	struct reduction r = { .to = to, .a = *a, .kd = kd, .band = band, .follower = follower };
	int code = HEDDLE_OK;

	if (n == 0)
		return HEDDLE_OK;
	if (kd > n) /* one panel, no row panel */
		r.kd = kd = n;
	int64_t leaf = options && options->leaf > 0 ? options->leaf : NAME(leaf_rows)(m, kd, n);
	code = NAME(side_create)(&r.rows, m, view_row_tile(a), kd, 2, leaf);
	if (code == HEDDLE_OK)
		code = NAME(side_create)(&r.columns, n, view_column_tile(a), kd, 2, leaf);
	for (int i = 0; i < 2 && code == HEDDLE_OK; i++) {
		r.gram[i] = matrix_temporary(TYPE, kd, kd, kd, kd);
		code = r.gram[i] ? HEDDLE_OK : HEDDLE_ENOMEM;
	}
	if (code == HEDDLE_OK)
		reduce(&r);
	NAME(side_release)(&r.rows);
	NAME(side_release)(&r.columns);
	matrix_release(r.gram[0]);
	matrix_release(r.gram[1]);
	return code;
}

int API(ge2gb_async)(heddle_sequence *sequence, heddle_matrix *A, heddle_band *band, const heddle_options *options)
{
	CHECK_ARGUMENT(sequence, 1, "sequence", 0, "a sequence");
	CHECK_ARGUMENT(A && A->type == TYPE, 2, "A", A ? A->type : 0, "a matrix of the function's type");
	CHECK_ARGUMENT(band && band->type == TYPE && !band->hermitian && band->n == (A->m < A->n ? A->m : A->n), 3, "band", band ? band->n : 0,
		       "an upper band of the function's type and of order min(m, n)");
	CHECK_ARGUMENT(band->stored > 0, 3, "band", 0, "a band of at least one superdiagonal");
	int code = check_options(__func__, 4, options);
	return code == HEDDLE_OK ? NAME(dense_band_async)(__func__, sequence, view_of(A), band, options) : code;
}

int API(ge2gb)(int64_t m, int64_t n, int64_t kd, scalar *A, int64_t lda, scalar *AB, int64_t ldab)
{
	int64_t k = m < n ? m : n;

	CHECK_ARGUMENT(m >= 0 && m <= INT32_MAX, 1, "m", m, "0 .. 2^31 - 1");
	CHECK_ARGUMENT(n >= 0 && n <= INT32_MAX, 2, "n", n, "0 .. 2^31 - 1");
	CHECK_ARGUMENT(kd >= 1 && kd < INT32_MAX / 8, 3, "kd", kd, "1 .. 2^28 - 1");
	CHECK_ARGUMENT(A || k == 0, 4, "A", 0, "a pointer");
	CHECK_ARGUMENT(lda >= (m > 1 ? m : 1) && lda <= INT32_MAX, 5, "lda", lda, "at least max(1, m), at most 2^31 - 1");
	CHECK_ARGUMENT(AB || k == 0, 6, "AB", 0, "a pointer");
	CHECK_ARGUMENT(ldab > kd, 7, "ldab", ldab, "more than kd");
	return k > 0 ? NAME(dense_band)(__func__, NULL, m, n, kd, A, lda, AB, ldab) : HEDDLE_OK;
}
