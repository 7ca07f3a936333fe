/* Vectors of the instruction set a host kernel is compiled for, and three products with tall, thin blocks.
 *
 * A block is `count` vectors high and dense, `stride` reals from column to column.  Complex elements are pairs of reals: what
 * multiplies them is split into real and imaginary part, and i x is kept beside a vector x, so that the inner loops are
 * multiplications and additions of whole vectors, twice as many as for real elements. */
#ifndef CODELETS_HOST_VECTOR_H
#define CODELETS_HOST_VECTOR_H

#include "runtime/prec.h"

#if defined(ISA_v4)
#define VECTOR_BYTES 64
#elif defined(ISA_v3)
#define VECTOR_BYTES 32
#else
#define VECTOR_BYTES 16
#endif

#if defined(PREC_s) || defined(PREC_c)
#define SINGLE 1
#else
#define SINGLE 0
#endif

enum {
	PARTS = IS_COMPLEX ? 2 : 1,                /* reals an element */
	LANES = VECTOR_BYTES / (int)sizeof(real),  /* reals a vector */
	WIDE = IS_COMPLEX ? 4 : 8,                 /* columns that dots takes at once */
	NARROW = IS_COMPLEX ? 2 : 4,               /* columns that rank_two takes at once */
	TALL = IS_COMPLEX ? 6 : 12                 /* vectors that product takes at once */
};

/* Aligned vectors are faster, but none need be. */
typedef real vec __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(real)), may_alias));

#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 16")

INLINE vec load(const real *p) { return *(const vec *)p; }
INLINE void store(real *p, vec x) { *(vec *)p = x; }

/* A vector of elements, and i times it if they are complex. */
struct pair {
	real *x, *ix;
};

INLINE void pair_complete(struct pair p, int64_t count)
{
	for (int64_t i = 0; IS_COMPLEX && i < count * LANES; i += 2) {
		p.ix[i] = -p.x[i + 1];
		p.ix[i + 1] = p.x[i];
	}
}

/* Sums over lanes, of several vectors at once: halves are added until four (or two) lanes are left, then four vectors are added
 * crosswise into one. */
#define SHUFFLE __builtin_shufflevector
enum { FEW = LANES < 4 ? 2 : 4 };
typedef real few __attribute__((vector_size(FEW * sizeof(real)), aligned(sizeof(real)), may_alias));

INLINE few fold(vec x)
{
#if VECTOR_BYTES == 64 && SINGLE
	typedef real half __attribute__((vector_size(32)));
	half y = SHUFFLE(x, x, 0, 1, 2, 3, 4, 5, 6, 7) + SHUFFLE(x, x, 8, 9, 10, 11, 12, 13, 14, 15);
	return SHUFFLE(y, y, 0, 1, 2, 3) + SHUFFLE(y, y, 4, 5, 6, 7);
#elif VECTOR_BYTES == 64 || (VECTOR_BYTES == 32 && SINGLE)
	return SHUFFLE(x, x, 0, 1, 2, 3) + SHUFFLE(x, x, 4, 5, 6, 7);
#else
	return x;
#endif
}

/* The sum of x[i] in lane i, FEW of them */
INLINE few lane_sums(const vec *x)
{
#if VECTOR_BYTES == 16 && !SINGLE
	return SHUFFLE(x[0], x[1], 0, 2) + SHUFFLE(x[0], x[1], 1, 3);
#else
	few a = fold(x[0]), b = fold(x[1]), c = fold(x[2]), d = fold(x[3]);
	few ab = SHUFFLE(a, b, 0, 4, 2, 6) + SHUFFLE(a, b, 1, 5, 3, 7), cd = SHUFFLE(c, d, 0, 4, 2, 6) + SHUFFLE(c, d, 1, 5, 3, 7);

	return SHUFFLE(ab, cd, 0, 1, 4, 5) + SHUFFLE(ab, cd, 2, 3, 6, 7);
#endif
}

/* w[c] = u^H q(:,c) for c < columns, at most WIDE */
INLINE void dots(const int columns, int64_t count, struct pair u, const real *q, int64_t stride, real *w)
{
	vec re[WIDE], im[WIDE];

	UNROLL
	for (int c = 0; c < WIDE; c++)
		re[c] = im[c] = (vec){ 0 };
	for (int64_t i = 0; i < count * LANES; i += LANES) {
		vec ui = load(u.x + i), iui = load(u.ix + i);
		UNROLL
		for (int c = 0; c < columns; c++) {
			vec qi = load(q + c * stride + i);
			re[c] += ui * qi;
			if (IS_COMPLEX)
				im[c] += iui * qi;
		}
	}
	UNROLL
	for (int c = 0; c < (columns + FEW - 1) / FEW * FEW; c += FEW) {
		few sums = lane_sums(re + c), imaginary_sums = lane_sums(im + c);
		for (int k = 0; k < FEW && c + k < columns; k++) {
			w[(c + k) * PARTS] = sums[k];
			if (IS_COMPLEX)
				w[(c + k) * PARTS + 1] = imaginary_sums[k];
		}
	}
}

/* y = q v, `count` vectors of it, at most TALL */
INLINE void product(const int count, int64_t columns, const real *q, int64_t stride, const real *v, real *y)
{
	vec re[TALL], im[TALL];

	UNROLL
	for (int i = 0; i < count; i++)
		re[i] = im[i] = (vec){ 0 };
	for (int64_t c = 0; c < columns; c++) {
		UNROLL
		for (int i = 0; i < count; i++) {
			vec qi = load(q + c * stride + i * LANES);
			re[i] += v[c * PARTS] * qi;
			if (IS_COMPLEX)
				im[i] += v[c * PARTS + PARTS - 1] * qi;
		}
	}
	UNROLL
	for (int i = 0; i < count; i++) {
		store(y + i * LANES, re[i]);
		for (int k = 0; IS_COMPLEX && k < LANES; k += 2) {
			y[i * LANES + k] -= im[i][k + 1];
			y[i * LANES + k + 1] += im[i][k];
		}
	}
}

/* q := q - y v^H - u w, `columns` columns of it, at most NARROW */
INLINE void rank_two(const int columns, int64_t count, struct pair y, const real *v, struct pair u, const real *w, real *q,
		     int64_t stride)
{
	vec vr[NARROW], vi[NARROW], wr[NARROW], wi[NARROW];

	UNROLL
	for (int c = 0; c < columns; c++) {
		vr[c] = v[c * PARTS] - (vec){ 0 };
		wr[c] = w[c * PARTS] - (vec){ 0 };
		vi[c] = v[c * PARTS + PARTS - 1] - (vec){ 0 };
		wi[c] = w[c * PARTS + PARTS - 1] - (vec){ 0 };
	}
	for (int64_t i = 0; i < count * LANES; i += LANES) {
		vec yi = load(y.x + i), iyi = load(y.ix + i), ui = load(u.x + i), iui = load(u.ix + i);
		UNROLL
		for (int c = 0; c < columns; c++) {
			vec qi = load(q + c * stride + i);
			qi -= vr[c] * yi;
			qi -= wr[c] * ui;
			if (IS_COMPLEX) {
				qi += vi[c] * iyi;
				qi -= wi[c] * iui;
			}
			store(q + c * stride + i, qi);
		}
	}
}

#endif
