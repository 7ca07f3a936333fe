/* The panels of a two-stage reduction: QR of a tall block in Householder form, by TSQR and reconstruction (Ballard et al.), and the products
 * with triangles and narrow blocks around it.  Triangles have their other half ignored, unless something else is said. */
#ifndef CODELETS_DEVICE_PANEL_H
#define CODELETS_DEVICE_PANEL_H

#include "codelets/device/device.h"
#include "codelets/panel_blocks.h"

/* A (m by n) = (I - V T V^H) R, k = min(m, n) reflectors: codelets/host/geqrt.h's contract.  A's first k columns become V, explicit, unit lower
 * trapezoidal with zeros above; what A's other columns become is not said.  R (k by n) is upper trapezoidal, its lower part is not touched;
 * T (k by k) has zeros below.  R's diagonal may differ from other routines' by factors of modulus 1. */
DEVICE_API size_t NAME(gpu_geqrt_work)(int64_t m, int64_t n);
DEVICE_API void NAME(gpu_geqrt)(gpu_stream stream, int64_t m, int64_t n, scalar *a, int64_t lda, scalar *r, int64_t ldr, scalar *t, int64_t ldt,
				void *work);

/* The same of n <= GPU_TSQR_COLUMNS columns and m >= n rows, which is the step of gpu_geqrt. */
enum { GPU_TSQR_COLUMNS = 16 };
DEVICE_API size_t NAME(gpu_tsqr_work)(int64_t m);
DEVICE_API void NAME(gpu_tsqr)(gpu_stream stream, int64_t m, int64_t n, scalar *a, int64_t lda, scalar *r, int64_t ldr, scalar *t, int64_t ldt,
			       void *work);

/* From Q1, the first k rows of a Q of k columns, which is destroyed: V1, U and T (all k by k, explicit) and s, k numbers of modulus 1, with
 * I - Q1 S = V1 U and T = U V1^-H; R := S^H R.  Then (I - V T V^H) [I; 0] = Q S with V = ([I; 0] - Q S) U^-1. */
DEVICE_API void NAME(gpu_reconstruct)(gpu_stream stream, int64_t k, scalar *q1, int64_t ldq, scalar *v, int64_t ldv, scalar *u, int64_t ldu,
				      scalar *t, int64_t ldt, scalar *r, int64_t ldr, scalar *s);

/* What codelets/panel_top.c does with two leaves or more of k columns: factor receives PANEL_T, PANEL_V and PANEL_U, each leaf LEAF_Q and
 * LEAF_G, and r the upper triangle R.  leaf and ld are lists in host memory of device pointers and leading dimensions. */
DEVICE_API size_t NAME(gpu_panel_top_work)(int64_t k, int64_t leaves);
DEVICE_API void NAME(gpu_panel_top)(gpu_stream stream, int64_t k, int64_t width, int64_t leaves, scalar *const *leaf, const int64_t *ld,
				    scalar *factor, int64_t ldf, scalar *r, int64_t ldr, void *work);

/* The same of one leaf with k reflectors: PANEL_V and PANEL_T from LEAF_QR and LEAF_T. */
DEVICE_API void NAME(gpu_panel_of_leaf)(gpu_stream stream, int64_t k, int64_t width, const scalar *leaf, int64_t ldl, scalar *factor, int64_t ldf);

/* What codelets/panel_rebuild.c does: first, once a leaf, work := [LEAF_Q; LEAF_G] U^-1, 2 k by k; then the leaf's rows from `row` on, in v:
 * V := ([LEAF_Q; 0] - V LEAF_G) U^-1. */
DEVICE_API size_t NAME(gpu_rebuild_work)(int64_t k);
DEVICE_API void NAME(gpu_rebuild_begin)(gpu_stream stream, int64_t k, int64_t width, const scalar *factor, int64_t ldf, const scalar *leaf,
					int64_t ldl, void *work);
DEVICE_API void NAME(gpu_rebuild)(gpu_stream stream, int64_t k, int64_t row, int64_t rows, scalar *v, int64_t ldv, const void *work);

/* X := X U^-1 for m rows of X, U upper triangular of order k. */
DEVICE_API void NAME(gpu_solve_right)(gpu_stream stream, int64_t m, int64_t k, const scalar *u, int64_t ldu, scalar *x, int64_t ldx);

/* W := W T, m by k, T upper triangular; X -= W V^H, V n by k. */
DEVICE_API void NAME(gpu_row_panel)(gpu_stream stream, int64_t m, int64_t n, int64_t k, const scalar *t, int64_t ldt, const scalar *v, int64_t ldv,
				    scalar *w, int64_t ldw, scalar *x, int64_t ldx);

/* X := (X - V M) S, m by n, S upper triangular, V m by k. */
DEVICE_API void NAME(gpu_finish_x)(gpu_stream stream, int64_t m, int64_t n, int64_t k, const scalar *v, int64_t ldv, const scalar *mid, int64_t ldm,
				   const scalar *s, int64_t lds, scalar *x, int64_t ldx);

/* [V X V], 3 k columns of m rows, with X = (Y - 1/2 V T^H G) T, T upper triangular; no column of it lies over V or Y. */
DEVICE_API size_t NAME(gpu_rank_pair_work)(int64_t k);
DEVICE_API void NAME(gpu_rank_pair)(gpu_stream stream, int64_t m, int64_t k, const scalar *v, int64_t ldv, const scalar *y, int64_t ldy,
				    const scalar *g, int64_t ldg, const scalar *t, int64_t ldt, scalar *pair, int64_t ldp, void *work);

#endif
