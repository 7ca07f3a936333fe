#include "algorithms/panels.h"

#include "runtime/runtime.h"

enum { MAX_LEAVES = PANEL_LEAVES - 1 };

int NAME(side_create)(struct side *s, int64_t length, int64_t block, int64_t width, int64_t halves, int64_t leaf)
{
	int64_t leaves = least(length / leaf, MAX_LEAVES) + 1;

	*s = (struct side){ .length = length, .block = block, .width = width, .leaf = leaf };
	for (int i = 0; i < 2; i++) {
		s->work[i] = matrix_temporary(TYPE, length, halves * width, block, halves * width);
		s->factor[i] = matrix_temporary(TYPE, width, PANEL_BLOCKS * width, width, PANEL_BLOCKS * width);
		s->leaves[i] = matrix_temporary(TYPE, width, leaves * LEAF_BLOCKS * width, width, LEAF_BLOCKS * width);
		if (!s->work[i] || !s->factor[i] || !s->leaves[i])
			return HEDDLE_ENOMEM;
	}
	return HEDDLE_OK;
}

void NAME(side_release)(struct side *s)
{
	for (int i = 0; i < 2; i++) {
		matrix_release(s->work[i]);
		matrix_release(s->factor[i]);
		matrix_release(s->leaves[i]);
	}
}

/* One leaf costs the least work; more are worth it where the panels are what there is to do in parallel.  On a GPU a leaf is a tree itself. */
int64_t NAME(leaf_rows)(int64_t length, int64_t width, int64_t beside)
{
	int64_t workers = runtime_workers(), leaves = 1;

	if (runtime_gpus() > 0)
		leaves = 1;
	else if (beside < 4 * width)
		leaves = 2 * workers;
	else if (workers > 4)
		leaves = workers / 2;
	leaves = least(leaves, MAX_LEAVES);
	int64_t rows = (length + leaves - 1) / leaves;
	return rows > 4 * width ? rows : 4 * width;
}

struct part NAME(piece_part)(const heddle_matrix *work, int64_t l, int64_t begin, int64_t column, int64_t columns)
{
	int64_t start = l * work->mb, stop = least(start + work->mb, work->m), skip = begin > start ? begin - start : 0;

	return (struct part){ .tile = matrix_tile(work, l, 0), .row = skip, .column = column, .rows = stop - start - skip, .columns = columns };
}

struct part NAME(side_part)(const struct side *s, int parity, int64_t l, int64_t begin, int64_t half, int64_t columns)
{
	return NAME(piece_part)(s->work[parity], l, begin, half * s->width, columns);
}

struct part NAME(view_part)(const struct view *v, int64_t i, int64_t j, int64_t row, int64_t column)
{
	int64_t top = i * view_row_tile(v), left = j * view_column_tile(v);
	int64_t r = row > top ? row - top : 0, c = column > left ? column - left : 0;
	int64_t rows = least(view_row_tile(v), v->m - top) - r, columns = least(view_column_tile(v), v->n - left) - c;

	if (v->adjoint)
		return (struct part){ .tile = view_tile(v, i, j), .row = c, .column = r, .rows = columns, .columns = rows };
	return (struct part){ .tile = view_tile(v, i, j), .row = r, .column = c, .rows = rows, .columns = columns };
}

/* The run of pieces from element `begin` with at least `rows` elements, all that is left if less than `rows` would remain. */
static struct run next_run(const struct side *s, int64_t begin, int64_t rows)
{
	struct run r = { .first = begin / s->block, .block = s->block, .begin = begin };
	int64_t last = least((begin + rows - 1) / s->block, (s->length - 1) / s->block);

	r.end = least((last + 1) * s->block, s->length);
	if (s->length - r.end < rows)
		r.end = s->length;
	r.count = (r.end - 1) / s->block - r.first + 1;
	return r;
}

void NAME(factor_panel)(struct submit to, struct panel *p, const struct side *s, int parity, int64_t begin, heddle_band *band, bool wanted)
{
	struct run runs[MAX_LEAVES + 1];
	handle leaves[MAX_LEAVES + 1] = { 0 };
	int64_t count = 0;

	p->width = s->width;
	p->work = s->work[parity];
	p->factor = matrix_tile(s->factor[parity], 0, 0);
	for (int64_t at = begin; at < s->length; at = runs[count++].end) {
		int64_t rows = count == MAX_LEAVES ? s->length - at : s->leaf;
		runs[count] = next_run(s, at, rows > p->kb ? rows : p->kb);
		leaves[count] = matrix_tile(s->leaves[parity], 0, count);
		NAME(panel_leaf)(to, p, &runs[count], leaves[count]);
	}
	NAME(panel_top)(to, p, band, count, leaves);
	for (int64_t l = 0; l < count && count > 1 && wanted; l++)
		NAME(panel_rebuild)(to, p, &runs[l], leaves[l], l == 0);
}
