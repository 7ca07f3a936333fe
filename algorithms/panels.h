/* One side of a matrix under reduction: its work matrices and its panels. */
#ifndef ALGORITHMS_PANELS_H
#define ALGORITHMS_PANELS_H

#include "codelets/codelets.h"
#include "codelets/panel.h"

/* Everything comes twice, for even and odd blocks, so that a block's panels need not wait for the last one's updates. */
struct side {
	int64_t length, block, width; /* elements, elements a piece, columns a panel at most */
	int64_t leaf;                 /* rows a leaf has at least */
	heddle_matrix *work[2];       /* length by halves * width */
	heddle_matrix *factor[2];     /* a panel's results */
	heddle_matrix *leaves[2];     /* its leaves' */
};

/* Returns 0 or HEDDLE_ENOMEM (side_release then frees what there is). */
int NAME(side_create)(struct side *s, int64_t length, int64_t block, int64_t width, int64_t halves, int64_t leaf);
void NAME(side_release)(struct side *s);

/* Rows a leaf should have, for panels `length` long and `width` wide with `beside` columns to update beside them. */
int64_t NAME(leaf_rows)(int64_t length, int64_t width, int64_t beside);

/* Rows begin .. of a work matrix as part of its piece l, columns column .. column + columns - 1. */
struct part NAME(piece_part)(const heddle_matrix *work, int64_t l, int64_t begin, int64_t column, int64_t columns);

/* The same of a side's half. */
struct part NAME(side_part)(const struct side *s, int parity, int64_t l, int64_t begin, int64_t half, int64_t columns);

/* Rows row .., columns column .. of the view in its tile i, j, as stored. */
struct part NAME(view_part)(const struct view *v, int64_t i, int64_t j, int64_t row, int64_t column);

/* Factor the panel that begins at element `begin` of side s, V into its work matrix; R goes to the band, or into the view if band is NULL.
 * With wanted = false V is not needed and only R is right. */
void NAME(factor_panel)(struct submit to, struct panel *p, const struct side *s, int parity, int64_t begin, heddle_band *band, bool wanted);

#endif
