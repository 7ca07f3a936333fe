/* What lies where in the results of a panel's tasks. */
#ifndef CODELETS_PANEL_BLOCKS_H
#define CODELETS_PANEL_BLOCKS_H

/* A leaf's own results, `width` by 4 `width` with width >= kb the side's band width: blocks of width columns. */
enum leaf_block { LEAF_QR /* R above, V's top below, as LAPACK packs them */, LEAF_T, LEAF_Q, LEAF_G, LEAF_BLOCKS };

/* A panel's results, width by 3 width. */
enum panel_block { PANEL_T, PANEL_V /* its top kb by kr, unit lower trapezoidal */, PANEL_U /* of the reconstruction's LU */, PANEL_BLOCKS };

#endif
