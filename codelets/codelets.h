/* The functions that submit one task each, one a codelet file.  Compiled per precision: NAME(x) is d_x in the double build.
 * The codelet's file says what the task computes. */
#ifndef CODELETS_CODELETS_H
#define CODELETS_CODELETS_H

#include "codelets/host/solve.h"
#include "codelets/host/sturm.h"
#include "codelets/host/whole.h"
#include "codelets/view.h"
#include "runtime/band.h"
#include "runtime/matrix.h"
#include "runtime/prec.h"
#include "runtime/sequence.h"

/* Rows row .. row+rows-1, columns column .. column+columns-1 of a tile. */
struct part {
	handle tile;
	int64_t row, column, rows, columns;
};

/* Y := op(C) Z if first, else Y + op(C) Z; op(C) = C^H if adjoint.  overwrite: nothing else in Y's tile is wanted any more. */
void NAME(thin)(struct submit to, struct part y, struct part c, bool adjoint, struct part z, bool first, bool overwrite);

/* C := C - P Q^H */
void NAME(update)(struct submit to, struct part c, struct part p, struct part q);

/* Y := C Z if first, else Y + C Z; C := C - V X^H - X V^H with V and X, of k columns each, side by side.  C is a diagonal tile of a Hermitian
 * matrix, of which the triangle uplo is there. */
void NAME(hemm)(struct submit to, struct part y, struct part c, heddle_uplo uplo, struct part z, bool first);
void NAME(her2k)(struct submit to, struct part c, heddle_uplo uplo, struct part vx, int64_t k);

/* C := alpha op(A) op(B) + beta C; B := 0 */
void NAME(gemm)(struct submit to, heddle_trans trans_a, heddle_trans trans_b, scalar alpha, handle a, handle b, scalar beta, handle c);
void NAME(set_zero)(struct submit to, handle b);

/* B := alpha op(A)^-1 B or alpha B op(A)^-1, alpha not 0, with the inverses of A's diagonal blocks or NULL. */
void NAME(trsm)(struct submit to, struct solve_kind kind, scalar alpha, handle a, handle b, handle inverses);
/* The same for problems first .. first+count-1 of a batch, in the caller's memory. */
void NAME(trsm_batch)(struct submit to, const struct NAME(batch) *batch, int64_t first, int64_t count);

/* The inverses of A's diagonal blocks, INVERSE_COLUMNS columns of them. */
void NAME(invert)(struct submit to, heddle_uplo uplo, heddle_diag diag, handle a, handle inverses);

/* [V X V] of a Hermitian reduction, X := (Y - 1/2 V T^H G) T, with G and T the leading parts of theirs. */
void NAME(rank_pair)(struct submit to, struct part pair, struct part v, struct part y, handle g, handle t);

/* X := (X - V M) S with X and V in the same tile, M and S the leading V.columns by X.columns and X.columns by X.columns parts of theirs. */
void NAME(finish_x)(struct submit to, struct part x, struct part v, handle m, handle s);

/* The largest modulus of `count` tiles, one real; the sequence fails if there is a NaN or an infinity.  Of a triangle's diagonal the real
 * part counts. */
void NAME(amax)(struct submit to, handle result, int64_t count, const handle *tiles, enum whole_or_triangle which);

/* Two reals: the power of two a matrix with these largest moduli is to be scaled with, and its reciprocal. */
void NAME(safe_scale)(struct submit to, handle scale, int64_t count, const handle *maxima);

/* Multiply tiles with the first real of a scale, or with its reciprocal. */
void NAME(scale)(struct submit to, handle scale, bool inverse, int64_t count, const handle *tiles, enum whole_or_triangle which);

/* Zeros in a part: where row - column > diagonal, or, above, where column - row > diagonal. */
void NAME(clear_below)(struct submit to, struct part part, int64_t diagonal, bool above);

/* Singular values of the matrix that tiles (mt by nt, m by n in all) make up, by one LAPACK call; s as the selection says. */
void NAME(gesvd_lapack)(struct submit to, const heddle_matrix *a, const heddle_select *select, const heddle_matrix *s, int64_t *found);

#if !IS_COMPLEX
/* What the search for the values of a bidiagonal or tridiagonal works on, and *found (may be NULL) once it has run.  scale: NULL, or
 * two reals whose second multiplies the values.  work holds sturm_bytes(n) bytes. */
void NAME(prepare_values)(struct submit to, enum sturm_kind kind, handle work, const heddle_matrix *d, const heddle_matrix *e, handle scale,
			  const heddle_select *select, int64_t *found);

/* One of `parts` equal parts of these values, at most room in all. */
void NAME(bisect)(struct submit to, int64_t n, handle work, int64_t part, int64_t parts, int64_t room, handle values);

/* The values from their parts, the tiles of `pieces`.  certain: there are `room` values. */
void NAME(collect_values)(struct submit to, handle work, const heddle_matrix *pieces, const heddle_matrix *values, int64_t room,
			  bool certain);
#endif

/* Steps of the bulge chase: sweeps s0 .. s1-1, s0 from step `first` on, `steps` of them; see codelets/host/chase.h.  on_gpu: by a GPU, not
 * by a CPU. */
void NAME(chase)(struct submit to, const heddle_band *band, int64_t s0, int64_t s1, int64_t first, int64_t steps, bool on_gpu);

/* d and e := the moduli of a band's two diagonals times the second real of a scale (NULL: 1); d with its sign if the band is Hermitian. */
void NAME(band_diagonals)(struct submit to, const heddle_band *band, const heddle_matrix *d, const heddle_matrix *e, handle scale);

/* Tridiagonal form of a small Hermitian matrix by one LAPACK call: d, e, and the scale that they have. */
void NAME(hetrd_lapack)(struct submit to, const struct view *view, handle d, handle e, handle scale);

/* A Hermitian view's diagonal block at p, of order k, goes to the band. */
void NAME(diagonal_block)(struct submit to, const heddle_band *band, const struct view *view, int64_t p, int64_t k);

#endif
