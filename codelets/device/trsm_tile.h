/* What the kernels that solve with a triangle of order GPU_SOLVE_BLOCK at most have in common.
 *
 * All variants are one: in the order in which the unknowns are solved for, T x = alpha b with T lower triangular, its element i, s at
 * corner[i * row + s * column] with strides of either sign.  conj(T) x = b is solved as T conj(x) = conj(b).
 *
 * T is staged column panel by column panel, each without the rows above it, as far as there is one: asynchronous copies of later panels are in
 * flight while the first are solved with.  LANES neighbouring threads of a warp share a right-hand side; lane l holds the unknowns l,
 * l + LANES, ... in registers. */
#ifndef CODELETS_DEVICE_TRSM_TILE_H
#define CODELETS_DEVICE_TRSM_TILE_H

#include "codelets/device/trsm.h"

enum { TILE_ORDER = GPU_SOLVE_BLOCK, PANEL = 16 };

/* Triangles of order k, of `count` problems, as the caller has them; one block of a larger triangle is one as well. */
struct tile_solve {
	struct solve_kind kind;
	int64_t k, many; /* right-hand sides of a problem */
	scalar alpha;
	const scalar *a;
	int64_t lda, stride_a;
	scalar *b;
	int64_t ldb, stride_b, count;
	const scalar *inverse; /* of this block, or NULL */
	int64_t ld_inverse;
};

/* Launches. */
void NAME(gpu_solve_tile)(gpu_stream stream, const struct tile_solve *t);
void NAME(gpu_solve_pipelined)(gpu_stream stream, const struct tile_solve *t); /* complex double, without an inverse */

/* What kernels are told beside pointers. */
struct tile_shape {
	int k, unit, conjugated;
	int64_t many, chunks, items; /* a problem's right-hand sides are `chunks` items of work, all problems' are `items` */
	int64_t row, column, inverse_row, inverse_column, b_down, b_across, stride_a, stride_b;
};

static inline struct tile_shape shape_of(const struct tile_solve *t, int64_t chunks)
{
	bool left = t->kind.side == HEDDLE_LEFT, along = left == (t->kind.trans == HEDDLE_NO_TRANS);
	int64_t step = solves_forward(t->kind) ? 1 : -1;
	struct tile_shape s = {};

	s.k = (int)t->k;
	s.unit = t->kind.diag == HEDDLE_UNIT;
	s.conjugated = IS_COMPLEX && t->kind.trans == HEDDLE_CONJ_TRANS;
	s.many = t->many;
	s.chunks = chunks;
	s.items = chunks * t->count;
	s.row = along ? step : step * t->lda;
	s.column = along ? step * t->lda : step;
	s.inverse_row = along ? step : step * t->ld_inverse;
	s.inverse_column = along ? step * t->ld_inverse : step;
	s.b_down = step * (left ? 1 : t->ldb);
	s.b_across = left ? t->ldb : 1;
	s.stride_a = t->stride_a;
	s.stride_b = t->stride_b;
	return s;
}

/* The first unknown's element of the diagonal, and its right-hand sides */
static inline const scalar *corner_of(const struct tile_solve *t, const scalar *a, int64_t lda)
{
	return solves_forward(t->kind) ? a : a + (t->k - 1) * (lda + 1);
}

static inline scalar *first_unknown(const struct tile_solve *t)
{
	return solves_forward(t->kind) ? t->b : t->b + (t->k - 1) * (t->kind.side == HEDDLE_LEFT ? 1 : t->ldb);
}

/* y - t x, in as many operations as it has products */
static __device__ __forceinline__ number subtract_product(number y, number t, number x)
{
#if IS_COMPLEX
	return number{ (y.re - t.re * x.re) + t.im * x.im, (y.im - t.re * x.im) - t.im * x.re };
#else
	return y - t * x;
#endif
}

/* A right-hand side's element as it is solved for, and an unknown as it is stored */
static __device__ __forceinline__ number scaled(const struct tile_shape &t, number alpha, number x)
{
	if (!(alpha == from_real(1)))
		x = alpha * x;
	return t.conjugated ? conjugate(x) : x;
}

static __device__ __forceinline__ number unscaled(const struct tile_shape &t, number x)
{
	return t.conjugated ? conjugate(x) : x;
}

/* Bring T(i,s), i >= s, to shared memory; beyond order k T is an identity. */
static __device__ __forceinline__ void fetch(number *to, int k, int unit, const scalar *corner, int64_t row, int64_t column, int i, int s)
{
	if (i >= k || (unit && i == s))
		*to = from_real(i == s);
	else
		gpu_copy_async(to, corner + i * row + s * column);
}

static __device__ __forceinline__ bool adjacent(int64_t stride) { return stride == 1 || stride == -1; }

/* Unknown LANES q + r of EACH right-hand sides, and what it changes in those after; column[i] is T(i, LANES q + r). */
template <int LANES, int ROWS, int EACH>
static __device__ __forceinline__ void eliminate(number (&y)[EACH][ROWS], int q, int r, int unit, const number *column)
{
	int lane = threadIdx.x % LANES, group = threadIdx.x % GPU_WARP - lane;
	number d = column[q * LANES + r];

	GPU_UNROLL
	for (int e = 0; e < EACH; e++) {
		number x = gpu_shuffle(unit ? y[e][q] : y[e][q] / d, group + r);
		if (lane == r)
			y[e][q] = x;
		else if (lane > r)
			y[e][q] = subtract_product(y[e][q], column[q * LANES + lane], x);
		GPU_UNROLL
		for (int later = 0; later < ROWS; later++)
			if (later > q)
				y[e][later] = subtract_product(y[e][later], column[later * LANES + lane], x);
	}
}

#endif
