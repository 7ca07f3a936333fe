/* What tests of triangular solves share: the variants, triangles to try, and the backward error. */
#ifndef TESTS_TRIANGLE_H
#define TESTS_TRIANGLE_H

#include "codelets/host/solve.h"
#include "tests/support.h"

enum { VARIANTS = 24 };

static inline struct solve_kind variant(int i)
{
	static const heddle_trans trans[3] = { HEDDLE_NO_TRANS, HEDDLE_TRANS, HEDDLE_CONJ_TRANS };

	return (struct solve_kind){ i % 2 ? HEDDLE_RIGHT : HEDDLE_LEFT, i / 2 % 2 ? HEDDLE_UPPER : HEDDLE_LOWER, trans[i / 4 % 3],
				    i / 12 % 2 ? HEDDLE_UNIT : HEDDLE_NON_UNIT };
}

static inline bool in_triangle(struct solve_kind kind, int64_t i, int64_t j)
{
	return i == j ? kind.diag == HEDDLE_NON_UNIT : (i > j) == (kind.uplo == HEDDLE_LOWER);
}

enum triangle { WELL, STEEP, NEARLY_SINGULAR, TRIANGLES };

/* A triangle of order k, with NaN wherever it must not be read. */
static inline void fill_triangle(enum triangle which, struct solve_kind kind, int64_t k, scalar *a, int64_t lda, uint64_t seed)
{
	real off = 1 / (real)sqrt((double)k + 1);

	for (int64_t j = 0; j < k; j++)
		for (int64_t i = 0; i < lda; i++) {
			scalar x = random_scalar(&seed) * off;
			real row_grade = (real)pow(2, -(double)(i % 30)), grade = (real)pow(2, -(double)(j % 13));
			if (i == j)
				x = which == NEARLY_SINGULAR && (i == k / 2 || i == 3) ? x * REAL_EPS : x + (scalar)(i % 2 ? 2 : -1.5);
			if (which == STEEP)
				x *= kind.diag == HEDDLE_UNIT ? grade : i == j ? row_grade : row_grade * grade;
			a[i + j * lda] = i < k && in_triangle(kind, i, j) ? x : (scalar)NAN;
		}
}

static inline void fill_sides(int64_t m, int64_t n, scalar *b, int64_t ldb, uint64_t seed)
{
	for (int64_t j = 0; j < n; j++)
		for (int64_t i = 0; i < ldb; i++)
			b[i + j * ldb] = i < m ? random_scalar(&seed) : (scalar)77;
}

/* Element i, j of op(A) */
static inline scalar element_of(struct solve_kind kind, const scalar *a, int64_t lda, int64_t i, int64_t j)
{
	bool stands = kind.trans == HEDDLE_NO_TRANS;
	int64_t row = stands ? i : j, column = stands ? j : i;
	scalar x = row == column && kind.diag == HEDDLE_UNIT ? 1 : in_triangle(kind, row, column) ? a[row + column * lda] : 0;

	return kind.trans == HEDDLE_CONJ_TRANS ? conjugate(x) : x;
}

/* The largest |alpha B - op(A) X| / (k eps |op(A)||X|), element by element, for an m by n X; a NaN counts as infinity. */
static inline double backward_error(struct solve_kind kind, int64_t m, int64_t n, scalar alpha, const scalar *a, int64_t lda, const scalar *b,
				    const scalar *x, int64_t ldb)
{
	bool left = kind.side == HEDDLE_LEFT;
	int64_t k = left ? m : n;
	double worst = 0;
	scalar *op = malloc((size_t)(k * k + 1) * sizeof(*op)); /* row r of op(A) on the left, column r on the right */

	for (int64_t r = 0; r < k; r++)
		for (int64_t l = 0; l < k; l++)
			op[l + r * k] = left ? element_of(kind, a, lda, r, l) : element_of(kind, a, lda, l, r);
	for (int64_t j = 0; j < n; j++)
		for (int64_t i = 0; i < m; i++) {
			const scalar *row = op + (left ? i : j) * k;
			long double re = 0, im = 0, size = 0;
			for (int64_t l = 0; l < k; l++) {
				scalar y = left ? x[l + j * ldb] : x[i + l * ldb];
				long double ar = __real__ row[l], ai = __imag__ row[l], yr = __real__ y, yi = __imag__ y;
				if (ar == 0 && ai == 0)
					continue;
				re += ar * yr - ai * yi;
				im += ar * yi + ai * yr;
				size += sqrtl((ar * ar + ai * ai) * (yr * yr + yi * yi));
			}
			long double br = __real__ b[i + j * ldb], bi = __imag__ b[i + j * ldb], fr = __real__ alpha, fi = __imag__ alpha;
			double error = (double)hypotl(fr * br - fi * bi - re, fr * bi + fi * br - im);
			error = error == 0 ? 0 : error / ((double)size * (double)k * REAL_EPS);
			if (!(error <= worst))
				worst = isnan(error) ? INFINITY : error;
		}
	free(op);
	return worst;
}

/* The bound of tests: |alpha B - op(A) X| <= 4 k eps |op(A)||X|. */
static const double TRIANGLE_BOUND = 4;

/* A solved problem whose triangle has a zero at `zero` of its diagonal: no unknown there is finite, and those solved for before are right. */
struct solved {
	struct solve_kind kind;
	int64_t m, n, lda, ldb;
	scalar alpha;
	const scalar *a, *b, *x;
};

static inline void check_before_zero(struct solved p, int64_t zero)
{
	bool left = p.kind.side == HEDDLE_LEFT, forward = solves_forward(p.kind), finite = false;
	int64_t k = left ? p.m : p.n, many = left ? p.n : p.m, before = forward ? zero : k - 1 - zero, first = forward ? 0 : zero + 1;

	for (int64_t i = 0; i < many; i++) {
		scalar x = left ? p.x[zero + i * p.ldb] : p.x[i + zero * p.ldb];
		finite = finite || (isfinite(__real__ x) && isfinite(__imag__ x));
	}
	ck_assert(!finite);
	*(left ? &p.m : &p.n) = before;
	p.a += first * (p.lda + 1);
	p.b += left ? first : first * p.ldb;
	p.x += left ? first : first * p.ldb;
	ck_assert_double_le(backward_error(p.kind, p.m, p.n, p.alpha, p.a, p.lda, p.b, p.x, p.ldb), TRIANGLE_BOUND);
}

#endif
