/* What tests of panels on the device share. */
#ifndef TESTS_PANEL_SUPPORT_H
#define TESTS_PANEL_SUPPORT_H

#include "tests/device_support.h"
#include "tests/support.h"
#include "codelets/device/panel.h"

static inline double size_of(scalar x) { return hypot((double)__real__ x, (double)__imag__ x); }

/* Euclidean norm, whatever the size. */
static inline double norm_of(int64_t n, const scalar *x)
{
	double largest = 0, sum = 0;

	for (int64_t i = 0; i < n; i++)
		if (!(size_of(x[i]) <= largest))
			largest = size_of(x[i]);
	for (int64_t i = 0; i < n && largest > 0; i++)
		sum += size_of(x[i]) / largest * (size_of(x[i]) / largest);
	return largest > 0 || largest != largest ? largest * sqrt(sum) : 0;
}

static inline double frobenius(int64_t m, int64_t n, const scalar *a, int64_t lda)
{
	double sum = 0;

	for (int64_t j = 0; j < n; j++)
		sum = hypot(sum, norm_of(m, a + j * lda));
	return sum;
}

/* A matrix on the host with its place on the device; both_from sees that the rows behind m, filled with 77, are untouched. */
struct both {
	int64_t m, n, ld;
	scalar *host;
	void *device;
};

static inline struct both both_new(int64_t m, int64_t n, int64_t pad, const char *name)
{
	struct both x = { .m = m, .n = n, .ld = m + pad > 0 ? m + pad : 1 };

	x.host = calloc((size_t)(x.ld * (n + 2) + 1), sizeof(scalar)); /* a BLAS is known that reads past the end */
	x.device = device_new((size_t)(x.ld * n) * sizeof(scalar), name);
	return x;
}
static inline bool is_mark(scalar x) { return x == (scalar)77; }
static inline void both_to(struct both *x)
{
	for (int64_t j = 0; j < x->n; j++)
		for (int64_t i = x->m; i < x->ld; i++)
			x->host[i + j * x->ld] = 77;
	device_to(x->device, x->host, (size_t)(x->ld * x->n) * sizeof(scalar));
}
static inline void both_from(struct both *x, const char *what)
{
	device_from(x->host, x->device, (size_t)(x->ld * x->n) * sizeof(scalar));
	for (int64_t j = 0; j < x->n; j++)
		for (int64_t i = x->m; i < x->ld; i++)
			ck_assert_msg(is_mark(x->host[i + j * x->ld]), "%s: touched behind column %d", what, (int)j);
}
static inline void both_free(struct both *x)
{
	free(x->host);
	device_free(x->device);
}
static inline struct both both_random(int64_t m, int64_t n, int64_t pad, const char *name, uint64_t seed)
{
	struct both x = both_new(m, n, pad, name);

	for (int64_t i = 0; i < x.ld * n; i++)
		x.host[i] = random_scalar(&seed);
	both_to(&x);
	return x;
}

/* |C - B| <= bound eps |C|, in Frobenius norm. */
static inline void check_close(int64_t m, int64_t n, const scalar *b, int64_t ldb, const scalar *c, int64_t ldc, double bound, const char *what)
{
	scalar *d = malloc((size_t)(m * n + 1) * sizeof(*d));

	for (int64_t j = 0; j < n; j++)
		for (int64_t i = 0; i < m; i++)
			d[i + j * m] = c[i + j * ldc] - b[i + j * ldb];
	double error = frobenius(m, n, d, m > 0 ? m : 1), norm = frobenius(m, n, c, ldc);
	ck_assert_msg(error <= bound * REAL_EPS * norm, "%s: off by %g eps", what, error / norm / REAL_EPS);
	free(d);
}

/* V unit lower trapezoidal, T upper triangular, Q := the first k columns of I - V T V^H orthonormal, and the whole unitary. */
static inline scalar *check_reflectors(const struct both *v, const struct both *t, int64_t k, const char *what)
{
	int64_t m = v->m, ld = k > 0 ? k : 1, ldq = m > 0 ? m : 1;
	size_t square = (size_t)(k * k + 2 * k + 1), tall = (size_t)(m * (k + 2) + 1);
	scalar *g = calloc(square, sizeof(*g)), *w = calloc(square, sizeof(*w)), *q = calloc(tall, sizeof(*q)), *vt = calloc(tall, sizeof(*vt));
	double bound = (10 * sqrt((double)k) + 40) * sqrt((double)k) * REAL_EPS;

	for (int64_t j = 0; j < k; j++)
		for (int64_t i = 0; i < k; i++) {
			ck_assert_msg(i > j || v->host[i + j * v->ld] == (scalar)(i == j), "%s: V(%d,%d)", what, (int)i, (int)j);
			ck_assert_msg(i <= j || t->host[i + j * t->ld] == (scalar)0, "%s: T(%d,%d)", what, (int)i, (int)j);
			w[i + j * k] = conjugate(v->host[j + i * v->ld]);
			g[i + j * k] = i == j;
			q[i + j * m] = i == j;
		}
	trmm(CblasLeft, CblasUpper, NO_TRANS, CblasNonUnit, k, k, t->host, t->ld, w, ld);
	gemm(NO_TRANS, NO_TRANS, m, k, k, -1, v->host, v->ld, w, ld, 1, q, ldq);
	gemm(ADJOINT, NO_TRANS, k, k, m, -1, q, ldq, q, ldq, 1, g, ld);
	double error = frobenius(k, k, g, ld);
	ck_assert_msg(error <= bound, "%s: |Q^H Q - I| = %g eps", what, error / REAL_EPS);
	/* T + T^H = T^H V^H V T, that is T^-1 + T^-H = V^H V where T has an inverse */
	gemm(NO_TRANS, NO_TRANS, m, k, k, 1, v->host, v->ld, t->host, t->ld, 0, vt, ldq);
	for (int64_t j = 0; j < k; j++)
		for (int64_t i = 0; i < k; i++)
			g[i + j * k] = t->host[i + j * t->ld] + conjugate(t->host[j + i * t->ld]);
	gemm(ADJOINT, NO_TRANS, k, k, m, -1, vt, ldq, vt, ldq, 1, g, ld);
	error = frobenius(k, k, g, ld);
	ck_assert_msg(error <= 2 * bound, "%s: |T + T^H - T^H V^H V T| = %g eps", what, error / REAL_EPS);
	free(g);
	free(w);
	free(vt);
	return q;
}

/* Each column of A - Q R beside the column of A, or nothing beside any matrix. */
static inline void check_product(const struct both *a, const struct both *r, const scalar *q, int64_t k, const char *what)
{
	int64_t m = a->m;
	scalar *x = malloc((size_t)(m + 1) * sizeof(*x));
	double bound = (4 * sqrt((double)m) + 10 * sqrt((double)k) + 20) * REAL_EPS, nothing = 4 * sqrt((double)m) * REAL_MIN / REAL_EPS;

	for (int64_t j = 0; j < a->n; j++) {
		memcpy(x, a->host + j * a->ld, (size_t)m * sizeof(*x));
		for (int64_t l = 0; l < k; l++)
			for (int64_t i = 0; i < m; i++)
				x[i] -= q[i + l * m] * r->host[l + j * r->ld];
		double error = norm_of(m, x), norm = norm_of(m, a->host + j * a->ld);
		ck_assert_msg(error <= bound * norm + nothing, "%s: column %d of A - Q R is %g, %g eps of A's", what, (int)j, error, error / norm / REAL_EPS);
	}
	free(x);
}

#endif
