/* A small triangular solve, vectorised over the right-hand sides.  In the order in which the unknowns are solved for, all variants are
 *	x_j = (b_j - sum over s < j of x_s t(s,j)) / t(j,j)
 * with t packed once; the right-hand sides come in groups of a few vectors, packed so that those of one unknown lie side by side.  Complex
 * elements are split into vectors of real and of imaginary parts. */
#include "codelets/host/kernels.h"
#include "codelets/host/vector.h"

enum {
	TOGETHER = 4,                                                             /* unknowns in registers */
	VECTORS = VECTOR_BYTES == 64 ? (IS_COMPLEX ? 2 : 4) : IS_COMPLEX ? 1 : 3, /* of right-hand sides beside each other, for each of them */
	GROUP = VECTORS * LANES,
	ALIGNED = 64
};

struct triangle {
	int64_t k;   /* a multiple of TOGETHER: filled up with unknowns of their own */
	bool divide; /* the diagonal is stored; otherwise its reciprocals */
	_Alignas(ALIGNED) real t[(SOLVE_BLOCK * (SOLVE_BLOCK + TOGETHER) / 2) * PARTS];
};

static real size_of(scalar x) { return (real)fmax(fabs((double)__real__ x), fabs((double)__imag__ x)); }

/* Reciprocals are as good as division unless they are so small or large that they lose digits themselves. */
static bool reciprocals_safe(int64_t k, const scalar *a, int64_t lda)
{
	bool safe = true;

	for (int64_t j = 0; j < k; j++) {
		real size = size_of(a[j + j * lda]);
		safe = safe && size > 4 / REAL_MAX && size < 1 / (4 * REAL_MIN);
	}
	return safe;
}

INLINE int64_t at_most(int64_t x, int64_t limit) { return x < limit ? x : limit; }

INLINE real *put(real *t, scalar x)
{
	t[0] = __real__ x;
	if (IS_COMPLEX)
		t[PARTS - 1] = __imag__ x;
	return t + PARTS;
}

/* For each TOGETHER unknowns the coefficients of those before, unknown by unknown; then the triangle among themselves. */
static void pack_triangle(struct triangle *p, struct solve_kind kind, int64_t k, const scalar *a, int64_t lda)
{
	bool forward = solves_forward(kind), swapped = (kind.side == HEDDLE_LEFT) != (kind.trans != HEDDLE_NO_TRANS);
	int64_t down = swapped ? lda : 1, across = swapped ? 1 : lda, step = forward ? 1 : -1;
	const scalar *corner = forward ? a : a + (k - 1) * (lda + 1);
	bool conjugated = IS_COMPLEX && kind.trans == HEDDLE_CONJ_TRANS, unit = kind.diag == HEDDLE_UNIT;
	real *t = p->t;

	p->k = (k + TOGETHER - 1) / TOGETHER * TOGETHER;
	p->divide = !unit && !reciprocals_safe(k, a, lda);
	for (int64_t j = 0; j < p->k; j += TOGETHER) {
		for (int64_t s = 0; s < j; s++)
			for (int64_t c = j; c < j + TOGETHER; c++) {
				scalar x = c < k ? corner[step * (s * down + c * across)] : 0;
				t = put(t, conjugated ? conjugate(x) : x);
			}
		for (int64_t c = j; c < j + TOGETHER; c++) {
			for (int64_t s = j; s < c; s++) {
				scalar x = c < k ? corner[step * (s * down + c * across)] : 0;
				t = put(t, conjugated ? conjugate(x) : x);
			}
			scalar x = c < k && !unit ? corner[step * c * (lda + 1)] : 1;
			x = conjugated ? conjugate(x) : x;
			t = put(t, p->divide ? x : 1 / x);
		}
	}
}

/* Vectors of the right-hand sides of one unknown */
struct values {
	vec re[VECTORS], im[VECTORS];
};

INLINE struct values load_values(const int vectors, const real *x)
{
	struct values v;

	UNROLL
	for (int i = 0; i < vectors; i++) {
		v.re[i] = load(x + i * LANES);
		if (IS_COMPLEX)
			v.im[i] = load(x + GROUP + i * LANES);
	}
	return v;
}

/* y - t x */
INLINE void subtract(const int vectors, struct values *y, const real *t, const struct values *x)
{
	vec re = t[0] - (vec){ 0 }, im = t[PARTS - 1] - (vec){ 0 };

	UNROLL
	for (int i = 0; i < vectors; i++) {
		y->re[i] -= re * x->re[i];
		if (IS_COMPLEX) {
			y->im[i] -= re * x->im[i];
			y->re[i] += im * x->im[i];
			y->im[i] -= im * x->re[i];
		}
	}
}

INLINE void multiply_and_store(const int vectors, struct values *y, const real *t, real *x)
{
	vec re = t[0] - (vec){ 0 }, im = t[PARTS - 1] - (vec){ 0 };

	UNROLL
	for (int i = 0; i < vectors; i++) {
		vec r = y->re[i] * re;
		if (IS_COMPLEX) {
			vec product = y->re[i] * im;
			r -= y->im[i] * im;
			y->im[i] = y->im[i] * re + product;
			store(x + GROUP + i * LANES, y->im[i]);
		}
		y->re[i] = r;
		store(x + i * LANES, r);
	}
}

/* The same by division, lane by lane, for diagonals whose reciprocals are not safe. */
static void divide_and_store(struct values *y, const real *t, real *x)
{
	scalar d;

	put((real *)&d, IS_COMPLEX ? *(const scalar *)t : t[0]);
	for (int i = 0; i < VECTORS; i++)
		for (int l = 0; l < LANES; l++) {
			scalar z, q;
			((real *)&z)[0] = y->re[i][l];
			if (IS_COMPLEX)
				((real *)&z)[PARTS - 1] = y->im[i][l];
			q = z / d;
			y->re[i][l] = __real__ q;
			if (IS_COMPLEX)
				y->im[i][l] = __imag__ q;
		}
	for (int i = 0; i < VECTORS; i++) {
		store(x + i * LANES, y->re[i]);
		if (IS_COMPLEX)
			store(x + GROUP + i * LANES, y->im[i]);
	}
}

/* Solve for one group, in place; unknown j is at x + j * GROUP * PARTS. */
INLINE void solve_group(const int vectors, const bool divide, const struct triangle *p, real *x)
{
	const real *t = p->t;

	for (int64_t j = 0; j < p->k; j += TOGETHER) {
		struct values y[TOGETHER];
		real *xj = x + j * GROUP * PARTS;
		UNROLL
		for (int c = 0; c < TOGETHER; c++)
			y[c] = load_values(vectors, xj + c * GROUP * PARTS);
		for (int64_t s = 0; s < j; s++, t += TOGETHER * PARTS) {
			struct values xs = load_values(vectors, x + s * GROUP * PARTS);
			UNROLL
			for (int c = 0; c < TOGETHER; c++)
				subtract(vectors, &y[c], t + c * PARTS, &xs);
		}
		UNROLL
		for (int c = 0; c < TOGETHER; c++) {
			UNROLL
			for (int s = 0; s < c; s++, t += PARTS)
				subtract(vectors, &y[c], t, &y[s]);
			if (divide)
				divide_and_store(&y[c], t, xj + c * GROUP * PARTS);
			else
				multiply_and_store(vectors, &y[c], t, xj + c * GROUP * PARTS);
			t += PARTS;
		}
	}
}

/* B beside a group of right-hand sides: unknown l (in memory's order) of right-hand side i is at b[l * down + i * across]. */
struct place {
	scalar *b;
	int64_t k, count, down, across;
	bool forward;
};

/* The packed values of unknown l */
INLINE real *packed(const struct place *p, int64_t l, real *x)
{
	return x + (p->forward ? l : p->k - 1 - l) * GROUP * PARTS;
}

/* Vectors first .. first+LANES-1 of reals from row `row` on, of right-hand sides that are contiguous in memory, and back; and the rows where
 * they belong in x. */
INLINE void pack_square(const struct place *p, int64_t row, int64_t first, real *x)
{
	vec v[LANES];

	UNROLL
	for (int c = 0; c < LANES; c++)
		v[c] = first + c < p->count ? load((const real *)(p->b + (first + c) * p->across) + row) : (vec){ 0 };
	transpose(v);
	UNROLL
	for (int r = 0; r < LANES; r++)
		store(packed(p, (row + r) / PARTS, x) + (row + r) % PARTS * GROUP + first, v[r]);
}

INLINE void unpack_square(const struct place *p, int64_t row, int64_t first, real *x)
{
	vec v[LANES];

	UNROLL
	for (int r = 0; r < LANES; r++)
		v[r] = load(packed(p, (row + r) / PARTS, x) + (row + r) % PARTS * GROUP + first);
	transpose(v);
	UNROLL
	for (int c = 0; c < LANES; c++)
		if (first + c < p->count)
			store((real *)(p->b + (first + c) * p->across) + row, v[c]);
}

/* Unknowns from l on, one by one: what squares leave over, and right-hand sides that lie across memory. */
INLINE void pack_rest(const struct place *p, int64_t l, real *x)
{
	for (; l < p->k; l++) {
		const real *b = (const real *)(p->b + l * p->down);
		real *xl = packed(p, l, x);
		for (int64_t i = 0; i < p->count; i++) {
			xl[i] = b[i * p->across * PARTS];
			if (IS_COMPLEX)
				xl[i + GROUP] = b[i * p->across * PARTS + PARTS - 1];
		}
	}
}

INLINE void unpack_rest(const struct place *p, int64_t l, real *x)
{
	for (; l < p->k; l++) {
		real *b = (real *)(p->b + l * p->down);
		const real *xl = packed(p, l, x);
		for (int64_t i = 0; i < p->count; i++) {
			b[i * p->across * PARTS] = xl[i];
			if (IS_COMPLEX)
				b[i * p->across * PARTS + PARTS - 1] = xl[i + GROUP];
		}
	}
}

static void multiply(scalar alpha, int64_t rows, real *x)
{
	real re = __real__ alpha, im = __imag__ alpha;

	for (int64_t l = 0; l < rows; l++, x += GROUP * PARTS)
		for (int64_t i = 0; i < GROUP; i++) {
			real y = re * x[i];
			if (IS_COMPLEX) {
				y -= im * x[i + (PARTS - 1) * GROUP];
				x[i + (PARTS - 1) * GROUP] = re * x[i + (PARTS - 1) * GROUP] + im * x[i];
			}
			x[i] = y;
		}
}

static void pack_group(const struct place *p, scalar alpha, real *x)
{
	int64_t rows = p->down == 1 ? p->k * PARTS / LANES * LANES : 0;

	for (int64_t row = 0; row < rows; row += LANES)
		for (int64_t first = 0; first < p->count; first += LANES)
			pack_square(p, row, first, x);
	if (p->across == 1) /* the compiler makes vectors of it */
		pack_rest(&(struct place){ p->b, p->k, p->count, p->down, 1, p->forward }, 0, x);
	else
		pack_rest(p, rows / PARTS, x);
	if (alpha != 1)
		multiply(alpha, p->k, x);
}

static void unpack_group(const struct place *p, real *x)
{
	int64_t rows = p->down == 1 ? p->k * PARTS / LANES * LANES : 0;

	for (int64_t row = 0; row < rows; row += LANES)
		for (int64_t first = 0; first < p->count; first += LANES)
			unpack_square(p, row, first, x);
	if (p->across == 1)
		unpack_rest(&(struct place){ p->b, p->k, p->count, p->down, 1, p->forward }, 0, x);
	else
		unpack_rest(p, rows / PARTS, x);
}

static void solve_packed(const struct triangle *p, int64_t count, real *x)
{
	if (p->divide)
		solve_group(VECTORS, true, p, x);
	else if (VECTORS > 1 && count <= LANES)
		solve_group(1, false, p, x);
	else if (VECTORS > 2 && count <= 2 * LANES)
		solve_group(VECTORS > 2 ? 2 : 1, false, p, x);
	else
		solve_group(VECTORS, false, p, x);
}

void HOST(solve_block)(struct solve_kind kind, int64_t k, int64_t many, scalar alpha, const scalar *a, int64_t lda, scalar *b, int64_t ldb)
{
	bool left = kind.side == HEDDLE_LEFT, forward = solves_forward(kind);
	int64_t down = left ? 1 : ldb, across = left ? ldb : 1;
	struct triangle triangle;
	_Alignas(ALIGNED) real x[SOLVE_BLOCK * GROUP * PARTS];

	pack_triangle(&triangle, kind, k, a, lda);
	for (int64_t i = 0; i < triangle.k * GROUP * PARTS; i++)
		x[i] = 0;
	for (int64_t i = 0, count; i < many; i += count) { /* groups of much the same size */
		int64_t vectors = (many - i + LANES - 1) / LANES, groups = (vectors + VECTORS - 1) / VECTORS;
		count = at_most((vectors + groups - 1) / groups * LANES, many - i);
		struct place p = { .b = b + i * across, .k = k, .count = count, .down = down, .across = across, .forward = forward };
		pack_group(&p, alpha, x);
		solve_packed(&triangle, count, x);
		unpack_group(&p, x);
	}
}
