/* Matrices with known singular values, U diag(values) V^H, or eigenvalues, U V diag(values) V^H U^H.  U and V are products of exactly
 * orthogonal factors that cost little to apply: random phases, Hadamard transforms and a Householder reflector. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/io/memory.h"
#include "tools/io/readers.h"
#include "tools/io/spectrum.h"

enum { batch = 8 };

/* Blackman and Vigna's xoshiro256++, seeded through splitmix64. */
struct generator {
	uint64_t state[4];
};

static void generator_seed(struct generator *g, uint64_t seed)
{
	for (int i = 0; i < 4; i++) {
		uint64_t z = seed += 0x9e3779b97f4a7c15u;
		z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
		z = (z ^ z >> 27) * 0x94d049bb133111ebu;
		g->state[i] = z ^ z >> 31;
	}
}

static uint64_t rotate(uint64_t x, int k)
{
	return x << k | x >> (64 - k);
}

/* Evenly spread over [-1, 1). */
static double draw(struct generator *g)
{
	uint64_t *s = g->state, result = rotate(s[0] + s[3], 23) + s[0], t = s[1] << 17;
	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotate(s[3], 45);
	return (double)(result >> 11) * 0x1p-52 - 1;
}

/* A vector; im is NULL where everything is real. */
struct vector {
	double *re, *im;
};

/* A unitary matrix of order n: (I - beta v v^H) times one or three of (Hadamard transform of a window) (diagonal of phases). */
struct factor {
	int64_t n;
	struct vector phase, v;
	double beta;
};

static bool vector_allocate(struct vector *x, int64_t n, bool is_complex)
{
	x->re = calloc((size_t)(n > 0 ? n : 1), sizeof(double));
	x->im = is_complex ? calloc((size_t)(n > 0 ? n : 1), sizeof(double)) : NULL;
	return x->re && (x->im || !is_complex);
}

static void vector_free(struct vector *x)
{
	free(x->re);
	free(x->im);
}

static bool factor_make(struct factor *q, int64_t n, bool is_complex, struct generator *g)
{
	double norm2 = 0;
	q->n = n;
	if (!vector_allocate(&q->phase, n, is_complex) || !vector_allocate(&q->v, n, is_complex))
		return false;
	for (int64_t i = 0; i < n; i++) {
		double re = draw(g), im = is_complex ? draw(g) : 0, r;
		while (re * re + im * im < 0x1p-20)
			re = draw(g);
		r = sqrt(re * re + im * im);
		q->phase.re[i] = re / r;
		q->v.re[i] = draw(g);
		norm2 += q->v.re[i] * q->v.re[i];
		if (is_complex) {
			q->phase.im[i] = im / r;
			q->v.im[i] = draw(g);
			norm2 += q->v.im[i] * q->v.im[i];
		}
	}
	q->beta = norm2 > 0 ? 2 / norm2 : 0;
	return true;
}

static void factor_free(struct factor *q)
{
	vector_free(&q->phase);
	vector_free(&q->v);
}

/* x := W x / sqrt(n), W the Hadamard matrix of order n, a power of two. */
static void hadamard(double *x, int64_t n)
{
	const double scale = sqrt(1 / (double)n);
	int64_t h = 1;
	for (; 4 * h <= n; h *= 4) {
		for (int64_t i = 0; i < n; i += 4 * h) {
			double *restrict a = x + i, *restrict b = a + h, *restrict c = b + h, *restrict d = c + h;
			for (int64_t k = 0; k < h; k++) {
				double p = a[k] + b[k], q = a[k] - b[k], r = c[k] + d[k], s = c[k] - d[k];
				a[k] = p + r;
				b[k] = q + s;
				c[k] = p - r;
				d[k] = q - s;
			}
		}
	}
	for (int64_t k = 0; k < h && 2 * h <= n; k++) {
		double p = x[k], q = x[k + h];
		x[k] = p + q;
		x[k + h] = p - q;
	}
	for (int64_t k = 0; k < n; k++)
		x[k] *= scale;
}

static void apply_phases(const struct factor *q, bool adjoint, struct vector x)
{
	for (int64_t i = 0; i < q->n; i++) {
		double re = x.re[i];
		if (!x.im) {
			x.re[i] = re * q->phase.re[i];
			continue;
		}
		double phase_im = adjoint ? -q->phase.im[i] : q->phase.im[i];
		x.re[i] = re * q->phase.re[i] - x.im[i] * phase_im;
		x.im[i] = re * phase_im + x.im[i] * q->phase.re[i];
	}
}

static void apply_reflector(const struct factor *q, struct vector x)
{
	const struct vector v = q->v;
	double re[4] = { 0 }, im[4] = { 0 }, dot_re, dot_im;
	for (int64_t i = 0; i < q->n; i++) {
		re[i & 3] += v.re[i] * x.re[i];
		if (x.im) {
			re[i & 3] += v.im[i] * x.im[i];
			im[i & 3] += v.re[i] * x.im[i] - v.im[i] * x.re[i];
		}
	}
	dot_re = q->beta * ((re[0] + re[1]) + (re[2] + re[3]));
	dot_im = q->beta * ((im[0] + im[1]) + (im[2] + im[3]));
	for (int64_t i = 0; i < q->n; i++) {
		x.re[i] -= v.re[i] * dot_re;
		if (x.im) {
			x.re[i] += v.im[i] * dot_im;
			x.im[i] -= v.re[i] * dot_im + v.im[i] * dot_re;
		}
	}
}

static void hadamard_window(int64_t first, int64_t length, struct vector x)
{
	hadamard(x.re + first, length);
	if (x.im)
		hadamard(x.im + first, length);
}

/* x := Q x.  The windows have the largest power of two as length; where that is not n, the first, the middle and the last one
 * overlap by more than half and mix everything. */
static void factor_apply(const struct factor *q, struct vector x)
{
	int64_t length = 1;
	while (2 * length <= q->n)
		length *= 2;
	for (int window = 0; window < (length < q->n ? 3 : 1) && q->n > 0; window++) {
		apply_phases(q, false, x);
		hadamard_window((q->n - length) * window / 2, length, x);
	}
	apply_reflector(q, x);
}

/* x := Q^H x: the same backwards.  Reflectors and Hadamard transforms are their own adjoints. */
static void factor_apply_adjoint(const struct factor *q, struct vector x)
{
	int64_t length = 1;
	while (2 * length <= q->n)
		length *= 2;
	apply_reflector(q, x);
	for (int window = (length < q->n ? 2 : 0); window >= 0 && q->n > 0; window--) {
		hadamard_window((q->n - length) * window / 2, length, x);
		apply_phases(q, true, x);
	}
}

struct made {
	struct factor left, right; /* of order max(m, n) and k = min(m, n) */
	struct vector work[batch];
	double *values;            /* in random order where the matrix is Hermitian: its diagonal has means of neighbours */
	int64_t k;
	bool hermitian;
};

/* Column j of the max(m, n) by k matrix.  One factor around a diagonal would not do for a Hermitian one: phases next to the values
 * have no effect, and a Hadamard transform of evenly spaced values is all but empty. */
static void make_column(const struct made *a, int64_t j, struct vector x)
{
	for (int64_t i = 0; i < a->left.n; i++)
		x.re[i] = i == j;
	if (x.im)
		memset(x.im, 0, (size_t)a->left.n * sizeof(double));
	if (a->hermitian) {
		factor_apply_adjoint(&a->left, x);
		factor_apply_adjoint(&a->right, x);
	} else {
		factor_apply(&a->right, x);
	}
	for (int64_t i = 0; i < a->k; i++) {
		x.re[i] *= a->values[i];
		if (x.im)
			x.im[i] *= a->values[i];
	}
	if (a->hermitian)
		factor_apply(&a->right, x);
	factor_apply(&a->left, x);
}

/* Put `columns` columns of the matrix, from column j on, where they belong; of a Hermitian one the part below the diagonal. */
static void put_columns(const struct made *a, struct dense *d, int64_t j, int64_t columns)
{
	for (int64_t c = 0; c < columns; c++)
		for (int64_t i = a->hermitian ? j + c : 0; i < d->m; i++)
			dense_set(d, i + (j + c) * d->m, a->work[c].re[i], a->work[c].im ? a->work[c].im[i] : 0);
}

/* The same as rows of the conjugate transpose; the part of them above the diagonal, and a diagonal that is real. */
static void put_rows(const struct made *a, struct dense *d, int64_t j, int64_t columns)
{
	for (int64_t i = a->hermitian ? j : 0; i < d->n; i++)
		for (int64_t c = 0; c < columns && (!a->hermitian || j + c <= i); c++)
			dense_set(d, j + c + i * d->m, a->work[c].re[i],
				a->work[c].im && !(a->hermitian && i == j + c) ? -a->work[c].im[i] : 0);
}

/* A wide matrix is the conjugate transpose of a tall one, made some rows at a time. */
static void fill(const struct made *a, struct dense *d)
{
	for (int64_t j = 0; j < a->k; j += batch) {
		const int64_t columns = a->k - j < batch ? a->k - j : batch;
		for (int64_t c = 0; c < columns; c++)
			make_column(a, j + c, a->work[c]);
		if (d->m >= d->n)
			put_columns(a, d, j, columns);
		if (d->m < d->n || a->hermitian)
			put_rows(a, d, j, columns);
	}
}

static double *values_copy(const double *values, int64_t k, bool shuffled, struct generator *g)
{
	double *copy = malloc((size_t)(k > 0 ? k : 1) * sizeof(double));
	if (!copy)
		return NULL;
	for (int64_t i = 0; i < k; i++) {
		int64_t at = shuffled ? (int64_t)((draw(g) + 1) / 2 * (double)(i + 1)) : i;
		copy[i] = copy[at];
		copy[at] = values[i];
	}
	return copy;
}

static int make(struct dense *d, const double *values, bool hermitian, uint64_t seed)
{
	const bool is_complex = type_is_complex(d->type);
	const int64_t longer = d->m > d->n ? d->m : d->n;
	struct made a = { .k = d->m < d->n ? d->m : d->n, .hermitian = hermitian };
	struct generator g;
	bool ok;
	generator_seed(&g, seed);
	ok = factor_make(&a.left, longer, is_complex, &g) && factor_make(&a.right, a.k, is_complex, &g);
	a.values = values_copy(values, a.k, hermitian, &g);
	ok = a.values && ok;
	for (int i = 0; i < batch; i++)
		ok = vector_allocate(&a.work[i], longer, is_complex) && ok;
	if (ok)
		fill(&a, d);
	for (int i = 0; i < batch; i++)
		vector_free(&a.work[i]);
	free(a.values);
	factor_free(&a.left);
	factor_free(&a.right);
	return ok ? 0 : -1;
}

static int fail(struct io_error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));
static int fail(struct io_error *error, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(error->text, sizeof error->text, format, arguments);
	va_end(arguments);
	return -1;
}

/* Everything that both kinds ask for. */
struct request {
	heddle_type type;
	int64_t m, n;
	bool hermitian, positive;
	const char *spectrum;
	double cond;
	uint64_t seed;
};

static bool request_values(const struct request *r, int64_t k, double *values)
{
	return r->hermitian ? hermitian_spectrum_values(r->spectrum, r->positive, r->cond, k, values)
		: spectrum_values(r->spectrum, r->cond, k, values);
}

static int generate(const struct request *r, struct dense *out, double **values, struct io_error *error)
{
	const int64_t k = r->m < r->n ? r->m : r->n;
	double probe;
	char why[200];
	*out = (struct dense){ 0 };
	*values = NULL;
	if (!strchr("sdcz", (int)r->type) || !r->type)
		return fail(error, "a random matrix has type s, d, c or z");
	if (r->m < 0 || r->n < 0)
		return fail(error, "a random matrix of %lld by %lld: sizes are not negative", (long long)r->m, (long long)r->n);
	if (!(r->cond >= 1) || isinf(r->cond))
		return fail(error, "a condition number of %g: it is finite and at least 1", r->cond);
	if (!request_values(r, 1, &probe))
		return fail(error, "unknown spectrum \"%s\": expected arith, log or %s", r->spectrum,
			r->hermitian ? "semicircle" : "quarter-circle");
	if (dense_allocate(out, r->type, r->m, r->n, memory_available(""), why, sizeof why))
		return fail(error, "%s", why);
	*values = malloc((size_t)(k > 0 ? k : 1) * sizeof(double));
	if (*values)
		request_values(r, k, *values);
	if (!*values || make(out, *values, r->hermitian, r->seed)) {
		free(*values);
		*values = NULL;
		dense_free(out);
		return fail(error, "no memory to make a matrix of %lld by %lld", (long long)r->m, (long long)r->n);
	}
	return 0;
}

int matrix_random(heddle_type type, int64_t m, int64_t n, const char *spectrum, double cond, uint64_t seed, struct dense *out,
	double **values, struct io_error *error)
{
	const struct request r = { .type = type, .m = m, .n = n, .spectrum = spectrum, .cond = cond, .seed = seed };
	return generate(&r, out, values, error);
}

int matrix_random_hermitian(heddle_type type, int64_t n, const char *spectrum, bool positive, double cond, uint64_t seed,
	struct dense *out, double **values, struct io_error *error)
{
	const struct request r = { .type = type, .m = n, .n = n, .hermitian = true, .positive = positive, .spectrum = spectrum,
		.cond = cond, .seed = seed };
	return generate(&r, out, values, error);
}
