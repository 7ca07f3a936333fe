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

/* The same, but not loaded again where it is used a second time, as compilers like to do. */
INLINE vec load_once(const real *p)
{
	vec x = load(p);

#if VECTOR_BYTES == 16 && defined(__SSE2__) || VECTOR_BYTES == 32 && defined(__AVX__) || VECTOR_BYTES == 64 && defined(__AVX512F__)
	__asm__("" : "+v"(x));
#endif
	return x;
}

#define SHUFFLE __builtin_shufflevector
#if VECTOR_BYTES == (SINGLE ? 8 : 16)
#define SWAPPED 1, 0
#elif VECTOR_BYTES == (SINGLE ? 16 : 32)
#define SWAPPED 1, 0, 3, 2
#elif VECTOR_BYTES == (SINGLE ? 32 : 64)
#define SWAPPED 1, 0, 3, 2, 5, 4, 7, 6
#else
#define SWAPPED 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14
#endif

/* i x, for complex elements */
INLINE vec times_i(vec x)
{
	static const real signs[16] = { -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1 };

	return SHUFFLE(x, x, SWAPPED) * load(signs);
}

/* Transposition of LANES vectors, LANES by LANES reals: blocks of h by h off the diagonal change places, h = 1, 2, 4, ... */
#define PICK(i, h, offset) ((i) & (h) ? LANES + (i) - (h) + (offset) : (i) + (offset))
#define PICK2(i, h, offset) PICK(i, h, offset), PICK((i) + 1, h, offset)
#define PICK4(i, h, offset) PICK2(i, h, offset), PICK2((i) + 2, h, offset)
#define PICK8(i, h, offset) PICK4(i, h, offset), PICK4((i) + 4, h, offset)
#define PICK16(i, h, offset) PICK8(i, h, offset), PICK8((i) + 8, h, offset)
#if VECTOR_BYTES == (SINGLE ? 8 : 16)
#define PICK_ALL PICK2
#elif VECTOR_BYTES == (SINGLE ? 16 : 32)
#define PICK_ALL PICK4
#elif VECTOR_BYTES == (SINGLE ? 32 : 64)
#define PICK_ALL PICK8
#else
#define PICK_ALL PICK16
#endif

#define EXCHANGE(h)                                                                                \
	UNROLL                                                                                     \
	for (int i = 0; i < LANES && (h) < LANES; i++)                                             \
		if (!(i & (h))) {                                                                  \
			vec upper = v[i], lower = v[i + (h) % LANES];                              \
			v[i] = SHUFFLE(upper, lower, PICK_ALL(0, (h) % LANES, 0));                 \
			v[i + (h) % LANES] = SHUFFLE(upper, lower, PICK_ALL(0, (h) % LANES, (h) % LANES)); \
		}

INLINE void transpose(vec v[LANES])
{
	EXCHANGE(1)
	EXCHANGE(2)
	EXCHANGE(4)
	EXCHANGE(8)
}

/* Integers as wide as reals, for masks of lanes. */
#if SINGLE
typedef int32_t lane_number;
#else
typedef int64_t lane_number;
#endif
typedef lane_number lanes __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(lane_number)), may_alias));

/* All ones in the lanes of elements `first` .., zeros in those before. */
INLINE lanes from_element(int64_t first)
{
	enum { ZEROS = 32 };
	static const lane_number table[ZEROS + 32] = { [ZEROS] = -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
						       -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1 };
	int64_t lane = first * PARTS;

	lane = lane < -LANES ? -LANES : lane > LANES ? LANES : lane;
	return *(const lanes *)(table + ZEROS - lane);
}

INLINE vec masked(vec x, lanes mask) { return (vec)((lanes)x & mask); }
INLINE vec merged(vec x, vec y, lanes where_y) { return (vec)(((lanes)x & ~where_y) | ((lanes)y & where_y)); }

/* A vector of elements, and i times it if they are complex. */
struct pair {
	real *x, *ix;
};

INLINE void pair_complete(struct pair p, int64_t count)
{
	for (int64_t i = 0; IS_COMPLEX && i < count * LANES; i += LANES)
		store(p.ix + i, times_i(load(p.x + i)));
}

/* Vector i of a x */
INLINE vec multiple(scalar a, struct pair x, int64_t i)
{
	vec y = (__real__ a) * load(x.x + i);

	if (IS_COMPLEX)
		y += (__imag__ a) * load(x.ix + i);
	return y;
}

/* Sums over lanes, of several vectors at once: halves are added until four (or two) lanes are left, then four vectors are added
 * crosswise into one. */
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

/* w[c] := the sums of re[c] and im[c], c < columns, of arrays of WIDE; as vectors where possible, since they are soon loaded as such */
INLINE void put_sums(const int columns, const vec *re, const vec *im, real *w)
{
	enum { STEP = FEW / PARTS }; /* elements a vector */

	UNROLL
	for (int c = 0; c < (columns + FEW - 1) / FEW * FEW; c += FEW) {
#if IS_COMPLEX && VECTOR_BYTES == 16 && !SINGLE
		few r = lane_sums(re + c), i = lane_sums(im + c), x[PARTS] = { SHUFFLE(r, i, 0, 2), SHUFFLE(r, i, 1, 3) };
#elif IS_COMPLEX
		few r = lane_sums(re + c), i = lane_sums(im + c), x[PARTS] = { SHUFFLE(r, i, 0, 4, 1, 5), SHUFFLE(r, i, 2, 6, 3, 7) };
#else
		few x[PARTS] = { lane_sums(re + c) };
		(void)im;
#endif
		UNROLL
		for (int k = 0; k < PARTS; k++) {
			int first = c + k * STEP;
			if (first + STEP <= columns)
				*(few *)(w + first * PARTS) = x[k];
			for (int l = first; l < first + STEP && l < columns && first + STEP > columns; l++)
				for (int part = 0; part < PARTS; part++)
					w[l * PARTS + part] = x[k][(l - first) * PARTS + part];
		}
	}
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
	put_sums(columns, re, im, w);
}

/* u^H q, in four sums at a time since each addition waits for the one before */
INLINE scalar dot(int64_t count, struct pair u, const real *q)
{
	vec re[WIDE] = { { 0 } }, im[WIDE] = { { 0 } };
	int64_t i = 0;
	scalar sum;

	for (; i + 4 * LANES <= count * LANES; i += 4 * LANES) {
		UNROLL
		for (int k = 0; k < 4; k++) {
			vec qi = load(q + i + k * LANES);
			re[k] += load(u.x + i + k * LANES) * qi;
			if (IS_COMPLEX)
				im[k] += load(u.ix + i + k * LANES) * qi;
		}
	}
	for (; i < count * LANES; i += LANES) {
		re[0] += load(u.x + i) * load(q + i);
		if (IS_COMPLEX)
			im[0] += load(u.ix + i) * load(q + i);
	}
	re[0] = (re[0] + re[1]) + (re[2] + re[3]);
	im[0] = (im[0] + im[1]) + (im[2] + im[3]);
	put_sums(1, re, im, (real *)&sum);
	return sum;
}

/* Sum of |x(k)|^2 for k > element, which is in the first vector */
INLINE real squares_after(int64_t count, int64_t element, const real *x)
{
	vec head = masked(load(x), from_element(element + 1)), sum[WIDE] = { head * head }, none[WIDE] = { { 0 } };
	int64_t i = LANES;
	scalar all;

	for (; i + 4 * LANES <= count * LANES; i += 4 * LANES) {
		UNROLL
		for (int k = 0; k < 4; k++)
			sum[k] += load(x + i + k * LANES) * load(x + i + k * LANES);
	}
	for (; i < count * LANES; i += LANES)
		sum[0] += load(x + i) * load(x + i);
	sum[0] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
	put_sums(1, sum, none, (real *)&all);
	return real_part(all);
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
		if (IS_COMPLEX)
			re[i] += times_i(im[i]);
		store(y + i * LANES, re[i]);
	}
}

/* Elements of v and w, each in all lanes; of conj(w) if `adjoint` */
struct factors {
	vec vr[NARROW], vi[NARROW], wr[NARROW], wi[NARROW];
};

INLINE struct factors factors(const int columns, const real *v, const real *w, const bool adjoint)
{
	struct factors f;

	UNROLL
	for (int c = 0; c < columns; c++) {
		f.vr[c] = v[c * PARTS] - (vec){ 0 };
		f.wr[c] = w[c * PARTS] - (vec){ 0 };
		f.vi[c] = v[c * PARTS + PARTS - 1] - (vec){ 0 };
		f.wi[c] = (adjoint ? -w[c * PARTS + PARTS - 1] : w[c * PARTS + PARTS - 1]) - (vec){ 0 };
	}
	return f;
}

/* One vector each of y, i y, u and i u, for all columns */
struct row {
	vec y, iy, u, iu;
};

INLINE struct row row(int64_t i, struct pair y, struct pair u)
{
	return (struct row){ load(y.x + i), load(y.ix + i), load(u.x + i), load(u.ix + i) };
}

/* A vector of column c of q - y v^H - u w */
INLINE vec minus_two(const struct factors *f, const int c, struct row r, vec q)
{
	q -= f->vr[c] * r.y;
	q -= f->wr[c] * r.u;
	if (IS_COMPLEX) {
		q += f->vi[c] * r.iy;
		q -= f->wi[c] * r.iu;
	}
	return q;
}

/* q := q - y v^H - u w, `columns` columns of it, at most NARROW */
INLINE void rank_two(const int columns, int64_t count, struct pair y, const real *v, struct pair u, const real *w, real *q,
		     int64_t stride)
{
	struct factors f = factors(columns, v, w, false);

	for (int64_t i = 0; i < count * LANES; i += LANES) {
		struct row r = row(i, y, u);
		UNROLL
		for (int c = 0; c < columns; c++)
			store(q + c * stride + i, minus_two(&f, c, r, load(q + c * stride + i)));
	}
}

#endif
