/* The column and row panels of a two-sided reduction, and what their codelets share.
 *
 * A panel is a tall block of kb columns along one side of the matrix, QR-factored by TSQR: leaves of consecutive pieces, one top over
 * their R's, and the Householder vectors of the whole rebuilt from the tree's Q.  A row panel is the same on the adjoint.
 * The result is H = I - V T V^H with kr = min(kb, length) reflectors; V lies in one half of the side's work matrix, in pieces
 * of the tile size, and is explicit: unit lower trapezoidal, zeros above.                                              */
#ifndef CODELETS_PANEL_H
#define CODELETS_PANEL_H

#include "codelets/panel_blocks.h"
#include "codelets/view.h"
#include "runtime/band.h"
#include "runtime/matrix.h"
#include "runtime/prec.h"
#include "runtime/sequence.h"

/* A run of consecutive pieces of one side, entered `skip` elements into the first and left at index `end` of the side. */
struct run {
	int64_t first, count; /* pieces */
	int64_t block;        /* elements a piece */
	int64_t begin, end;   /* elements of the side: begin is in piece `first` */
};

/* What of piece l (0 .. count-1) of the run belongs to it: `rows` elements from `skip` on. */
static inline int64_t run_skip(const struct run *r, int64_t l)
{
	int64_t start = (r->first + l) * r->block;

	return r->begin > start ? r->begin - start : 0;
}
static inline int64_t run_rows(const struct run *r, int64_t l)
{
	int64_t start = (r->first + l) * r->block, stop = start + r->block;

	return (r->end < stop ? r->end : stop) - (r->begin > start ? r->begin : start);
}

enum { PANEL_LEAVES = 65 }; /* at most */

/* The panel's source and destination. */
struct panel {
	struct view view;
	bool is_row;         /* a row panel: its source is the adjoint of rows across .. of the view */
	int64_t across;      /* first column (row) of the panel in the view */
	int64_t below;       /* rows that a column panel's R lies below the diagonal */
	int64_t kb, kr;
	int64_t width;       /* of a half of the work matrix */
	heddle_matrix *work; /* the side's work matrix, length by 2 width: V in the half that `half` says */
	int64_t half;        /* 0 or 1 */
	handle factor;       /* the panel's results */
	const struct panel *other; /* of a row panel: the column panel of the same block */
};

/* A leaf: QR of the source's rows in the run. */
void NAME(panel_leaf)(struct submit to, const struct panel *p, const struct run *run, handle leaf);

/* The top: QR of the leaves' R's, reconstruction's LU, T; R goes to the band (or its adjoint, for a row panel) or, if band is NULL, to the
 * view's own tile.  */
void NAME(panel_top)(struct submit to, const struct panel *p, heddle_band *band, int64_t leaves, const handle *leaf);

/* A leaf's part of V from the tree's Q. */
void NAME(panel_rebuild)(struct submit to, const struct panel *p, const struct run *run, handle leaf, bool first);

#endif
