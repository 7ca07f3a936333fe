/* QR of a matrix much taller than wide, of which only R is wanted: TSQR panels and block updates, without the right side. */
#include "algorithms/algorithms.h"

#include "algorithms/reduction.h"

enum { WIDTH = 64 };

/* W := W T in each piece from column q on. */
static void times_t(const struct reduction *r, int parity, int64_t q, int64_t kb, handle factor)
{
	const struct side *columns = &r->columns;

	for (int64_t j = q / columns->block; j * columns->block < columns->length; j++)
		NAME(finish_x)(submit_at(r->to, ROW_PANEL), NAME(side_part)(columns, parity, j, q, 0, kb),
			       NAME(side_part)(columns, parity, j, q, 0, 0), factor, factor);
}

/* What the panels left below R. */
static void clear(const struct reduction *r)
{
	int64_t n = r->a.n;
	struct view square = r->a;

	square.m = n;
	for (int64_t j = 0; j * r->columns.block < n; j++)
		for (int64_t i = 0; i * r->rows.block < n; i++) {
			int64_t below = j * r->columns.block - i * r->rows.block; /* row - column of the view's diagonal in the tile */
			if (below < r->rows.block)
				NAME(clear_below)(r->to, NAME(view_part)(&square, i, j, 0, 0), below, r->a.adjoint);
		}
}

int NAME(tall_qr_submit)(struct submit to, const struct view *a, const heddle_options *options)
{
	int64_t m = a->m, n = a->n, rt = view_row_tile(a), ct = view_column_tile(a), kb;
	int64_t width = least(least(WIDTH, n), least(rt, ct));
	int64_t leaf = options && options->leaf > 0 ? options->leaf : NAME(leaf_rows)(m, width, n);
	struct reduction r = { .to = to, .a = *a, .kd = width };
	int parity = 0, code;

	code = NAME(side_create)(&r.rows, m, rt, width, 1, leaf);
	if (code == HEDDLE_OK)
		code = NAME(side_create)(&r.columns, n, ct, width, 1, leaf);
	for (int64_t p = 0; p < n && code == HEDDLE_OK; p += kb, parity ^= 1) {
		/* R of a panel is written to one tile */
		kb = least(least(width, n - p), least(rt - p % rt, ct - p % ct));
		int64_t q = p + kb;
		struct panel panel = { .view = *a, .across = p, .kb = kb, .kr = kb };

		NAME(factor_panel)(submit_at(to, FIRST), &panel, &r.rows, parity, p, NULL, q < n);
		if (q == n)
			break;
		NAME(left_products)(&r, parity, p, q, kb);
		times_t(&r, parity, q, kb, panel.factor);
		NAME(update_trailing)(&r, parity, p, q, kb, width);
	}
	if (code == HEDDLE_OK)
		clear(&r);
	NAME(side_release)(&r.rows);
	NAME(side_release)(&r.columns);
	return code;
}
