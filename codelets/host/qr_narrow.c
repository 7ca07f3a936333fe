/* QR of a tall block of a few columns, in one pass over the memory for each column: the pass that applies reflector j also finds the
 * inner products with column j + 1, as it becomes, that reflector j + 1 needs.  Real precisions; entries whose squares are safe
 * (the drivers scale), with a careful way out where a column is so small that they are not. */
#include <string.h>
#include "codelets/host/kernels.h"

#if !IS_COMPLEX

enum { CHUNK = 512 }; /* rows at a time, so that they stay in the first cache */

/* Four columns a_k += c_k x; s_k += y a_k */
static void pass_four(int64_t n, const real *restrict x, const real *restrict y, const real *c, real *restrict a, int64_t lda, real *s)
{
	real *restrict a1 = a + lda, *restrict a2 = a1 + lda, *restrict a3 = a2 + lda;
	real c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3], s0 = 0, s1 = 0, s2 = 0, s3 = 0;

#pragma omp simd reduction(+ : s0, s1, s2, s3)
	for (int64_t i = 0; i < n; i++) {
		real t0 = a[i] + c0 * x[i], t1 = a1[i] + c1 * x[i], t2 = a2[i] + c2 * x[i], t3 = a3[i] + c3 * x[i];
		a[i] = t0;
		a1[i] = t1;
		a2[i] = t2;
		a3[i] = t3;
		s0 += y[i] * t0;
		s1 += y[i] * t1;
		s2 += y[i] * t2;
		s3 += y[i] * t3;
	}
	s[0] += s0;
	s[1] += s1;
	s[2] += s2;
	s[3] += s3;
}

/* s_k += y a_k for four columns */
static void dots_four(int64_t n, const real *restrict y, const real *restrict a, int64_t lda, real *s)
{
	const real *restrict a1 = a + lda, *restrict a2 = a1 + lda, *restrict a3 = a2 + lda;
	real s0 = 0, s1 = 0, s2 = 0, s3 = 0;

#pragma omp simd reduction(+ : s0, s1, s2, s3)
	for (int64_t i = 0; i < n; i++) {
		s0 += y[i] * a[i];
		s1 += y[i] * a1[i];
		s2 += y[i] * a2[i];
		s3 += y[i] * a3[i];
	}
	s[0] += s0;
	s[1] += s1;
	s[2] += s2;
	s[3] += s3;
}

/* a += c x; returns y a */
static real pass_one(int64_t n, const real *restrict x, real c, real *restrict a, const real *restrict y)
{
	real p = 0;

#pragma omp simd reduction(+ : p)
	for (int64_t i = 0; i < n; i++) {
		real u = a[i] + c * x[i];
		a[i] = u;
		p += y[i] * u;
	}
	return p;
}

/* a += c x; returns a a */
static real pass_self(int64_t n, const real *restrict x, real c, real *restrict a)
{
	real p = 0;

#pragma omp simd reduction(+ : p)
	for (int64_t i = 0; i < n; i++) {
		real u = a[i] + c * x[i];
		a[i] = u;
		p += u * u;
	}
	return p;
}

static real dot(int64_t n, const real *x, const real *y)
{
	real p = 0;

#pragma omp simd reduction(+ : p)
	for (int64_t i = 0; i < n; i++)
		p += x[i] * y[i];
	return p;
}

/* Columns j+1 .. n-1, rows below j+1: add c[k] times column j; s[k] := inner product with column j+1 of what results; and column j times
 * `factor`, which makes it v. */
static void pass(int64_t m, int64_t n, int64_t j, real *a, int64_t lda, const real *c, real factor, real *s)
{
	int64_t next = j + 1, begin = next + 1;

	memset(s, 0, (size_t)n * sizeof(*s));
	for (int64_t i = begin; i < m; i += CHUNK) {
		int64_t rows = m - i < CHUNK ? m - i : CHUNK, k = next + 1;
		real *x = a + i + j * lda, *y = a + i + next * lda;
		s[next] += pass_self(rows, x, c[next], y);
		for (; k + 3 < n; k += 4)
			pass_four(rows, x, y, c + k, a + i + k * lda, lda, s + k);
		for (; k < n; k++)
			s[k] += pass_one(rows, x, c[k], a + i + k * lda, y);
		for (int64_t l = 0; l < rows; l++)
			x[l] *= factor;
	}
}

/* Sum of squares of x, divided by the square of *scale, where the plain sum is not to be trusted. */
static real careful_square(int64_t n, const real *x, real alpha, real *scale)
{
	real largest = alpha < 0 ? -alpha : alpha, s = 0;

	for (int64_t i = 0; i < n; i++) {
		real size = x[i] < 0 ? -x[i] : x[i];
		largest = size > largest ? size : largest;
	}
	*scale = largest > 0 ? largest : 1;
	for (int64_t i = 0; i < n; i++)
		s += x[i] / *scale * (x[i] / *scale);
	return s;
}

/* The reflector for alpha above x with x^T x = square: returns beta; *tau, and *factor with v = factor x. */
static real reflector_of(int64_t n, const real *x, real alpha, real square, real *tau, real *factor)
{
	real scale = 1;

	if (alpha * alpha + square < REAL_MIN / REAL_EPS / REAL_EPS)
		square = careful_square(n, x, alpha, &scale);
	if (square == 0 || scale < REAL_MIN / REAL_EPS) { /* nothing, or nothing beside the matrix's norm */
		*tau = *factor = 0;
		return alpha;
	}
	real a = alpha / scale, beta = -(real)copysign(sqrt((double)(a * a + square)), (double)a);
	*tau = (beta - a) / beta;
	*factor = 1 / (a - beta) / scale;
	return beta * scale;
}

/* g[k] = a_k y for k < n, from row `from` on */
static void dots(int64_t from, int64_t m, int64_t n, const real *y, const real *a, int64_t lda, real *g)
{
	memset(g, 0, (size_t)n * sizeof(*g));
	for (int64_t i = from; i < m; i += CHUNK) {
		int64_t rows = m - i < CHUNK ? m - i : CHUNK, k = 0;
		for (; k + 3 < n; k += 4)
			dots_four(rows, y + i, a + i + k * lda, lda, g + k);
		for (; k < n; k++)
			g[k] += dot(rows, y + i, a + i + k * lda);
	}
}

/* T from V (explicit) and tau: T(0:j,j) = -tau_j T(0:j,0:j) V(:,0:j)^T v_j */
static void form_t(int64_t m, int64_t n, const real *v, int64_t ldv, const real *tau, real *t, int64_t ldt)
{
	real g[QR_NARROW];

	for (int64_t j = 0; j < n; j++) {
		dots(j, m, j, v + j * ldv, v, ldv, g);
		for (int64_t i = 0; i < n; i++)
			t[i + j * ldt] = 0;
		for (int64_t k = 0; k < j; k++)
			for (int64_t i = 0; i <= k; i++)
				t[i + j * ldt] -= tau[j] * t[i + k * ldt] * g[k];
		t[j + j * ldt] = tau[j];
	}
}

void HOST(qr_narrow)(int64_t m, int64_t n, scalar *a, int64_t lda, scalar *r, int64_t ldr, scalar *t, int64_t ldt)
{
	real s[QR_NARROW] = { 0 }, c[QR_NARROW], tau[QR_NARROW];

	dots(1, m, n, a, a, lda, s); /* with the first column, below the first row */
	for (int64_t j = 0; j < n; j++) {
		real factor, *x = a + j + j * lda, beta = reflector_of(m - j - 1, x + 1, x[0], s[j], &tau[j], &factor);
		for (int64_t k = j + 1; k < n; k++) { /* row j, and what column k is to lose of column j */
			real w = tau[j] * (a[j + k * lda] + factor * s[k]);
			a[j + k * lda] -= w;
			c[k] = -w * factor;
		}
		if (j + 1 < n && j + 1 < m) {
			real first = x[1];
			x[1] *= factor;
			for (int64_t k = j + 1; k < n; k++)
				a[j + 1 + k * lda] += c[k] * first;
			pass(m, n, j, a, lda, c, factor, s);
		} else {
			for (int64_t i = 1; i < m - j; i++)
				x[i] *= factor;
		}
		for (int64_t k = j + 1; k < n; k++)
			r[j + k * ldr] = a[j + k * lda];
		for (int64_t i = 0; i < j; i++)
			a[i + j * lda] = 0;
		r[j + j * ldr] = beta;
		x[0] = 1;
	}
	form_t(m, n, a, lda, tau, t, ldt);
}

#endif
