/* The backward error of a triangular solve.  All is a solve from the left here: X op(A) = alpha B is op(A)^T X^T = alpha B^T. */
#include "tools/heddle/solve.h"

#include <cblas.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include "tools/io/readers.h"

enum { SIDES_AT_ONCE = 64 };

/* In double; complex numbers in pairs where the type is complex. */
struct work {
	const struct solve *s;
	int64_t k;
	bool is_complex;
	double *a, *x;           /* the triangle with zeros beside it, and right-hand sides as columns: X, then op(A) X */
	double *a_size, *x_size; /* absolute values, likewise */
	double smallest;         /* positive normal number of the type */
};

static bool work_open(struct work *w, const struct solve *s)
{
	size_t k = (size_t)solve_order(s);

	*w = (struct work){ .s = s, .k = (int64_t)k, .is_complex = s->kind->size > s->kind->real_size,
			    .smallest = s->kind->real == HEDDLE_S ? (double)FLT_MIN : DBL_MIN };
	size_t parts = w->is_complex ? 2 : 1;
	w->a = calloc(k * k + 1, parts * sizeof(double));
	w->a_size = calloc(k * k + 1, sizeof(double));
	w->x = calloc(k * SIDES_AT_ONCE + 1, parts * sizeof(double));
	w->x_size = calloc(k * SIDES_AT_ONCE + 1, sizeof(double));
	return w->a && w->a_size && w->x && w->x_size;
}

static void work_close(struct work *w)
{
	free(w->a);
	free(w->a_size);
	free(w->x);
	free(w->x_size);
}

double solve_check_bytes(const struct solve *s)
{
	double k = (double)solve_order(s), parts = s->kind->size > s->kind->real_size ? 3 : 2;

	return parts * sizeof(double) * k * (k + SIDES_AT_ONCE);
}

static void put(double *to, bool is_complex, int64_t at, struct number x)
{
	if (is_complex) {
		to[2 * at] = x.re;
		to[2 * at + 1] = x.im;
	} else {
		to[at] = x.re;
	}
}

static void load_triangle(struct work *w)
{
	const struct form f = w->s->form;
	const struct dense d = { w->s->kind->type, w->k, w->k, w->s->a };
	bool lower = f.uplo == HEDDLE_LOWER;

	for (int64_t j = 0; j < w->k; j++)
		for (int64_t i = lower ? j : 0; i < (lower ? w->k : j + 1); i++) {
			int64_t at = i + j * w->k;
			struct number x = i == j && f.diag == HEDDLE_UNIT ? (struct number){ 1, 0 } : dense_get(&d, at);

			if (f.trans == HEDDLE_CONJ_TRANS)
				x.im = -x.im;
			put(w->a, w->is_complex, at, x);
			w->a_size[at] = hypot(x.re, x.im);
		}
}

/* Element i of right-hand side number r in an m by n matrix */
static struct number element(const struct work *w, const void *b, int64_t i, int64_t r)
{
	const struct dense d = { w->s->kind->type, w->s->m, w->s->n, (void *)(uintptr_t)b };

	return dense_get(&d, w->s->form.side == HEDDLE_LEFT ? i + r * d.m : r + i * d.m);
}

static bool side_is_finite(const struct work *w, const void *b, int64_t r)
{
	bool finite = true;

	for (int64_t i = 0; i < w->k && finite; i++) {
		struct number x = element(w, b, i, r);

		finite = isfinite(x.re) && isfinite(x.im);
	}
	return finite;
}

/* Right-hand side number r of X into column c; numbers that underflowed are as uncertain as the smallest normal one. */
static void load_side(struct work *w, int64_t r, int64_t c)
{
	for (int64_t i = 0; i < w->k; i++) {
		struct number x = element(w, w->s->b, i, r);

		put(w->x, w->is_complex, i + c * w->k, x);
		w->x_size[i + c * w->k] = fmax(hypot(x.re, x.im), w->smallest);
	}
}

/* op(A) X and |op(A)||X| of `count` columns; op is transposed on the right. */
static void multiply(struct work *w, int64_t count)
{
	static const double one[2] = { 1, 0 };
	bool straight = (w->s->form.side == HEDDLE_LEFT) == (w->s->form.trans == HEDDLE_NO_TRANS);
	const CBLAS_TRANSPOSE trans = straight ? CblasNoTrans : CblasTrans;
	const CBLAS_UPLO uplo = w->s->form.uplo == HEDDLE_LOWER ? CblasLower : CblasUpper;
	int k = (int)w->k, n = (int)count;

	if (w->is_complex)
		cblas_ztrmm(CblasColMajor, CblasLeft, uplo, trans, CblasNonUnit, k, n, one, w->a, k, w->x, k);
	else
		cblas_dtrmm(CblasColMajor, CblasLeft, uplo, trans, CblasNonUnit, k, n, 1, w->a, k, w->x, k);
	cblas_dtrmm(CblasColMajor, CblasLeft, uplo, trans, CblasNonUnit, k, n, 1, w->a_size, k, w->x_size, k);
}

/* Of right-hand side number r, whose products are in column c; infinity for NaN. */
static double side_error(const struct work *w, const void *given, int64_t r, int64_t c)
{
	const double *alpha = w->s->alpha;
	double worst = 0;

	for (int64_t i = 0; i < w->k; i++) {
		int64_t at = i + c * w->k;
		struct number b = element(w, given, i, r);
		struct number y = w->is_complex ? (struct number){ w->x[2 * at], w->x[2 * at + 1] } : (struct number){ w->x[at], 0 };
		double residual = hypot(alpha[0] * b.re - alpha[1] * b.im - y.re, alpha[0] * b.im + alpha[1] * b.re - y.im);
		double error = residual / ((double)w->k * w->s->kind->eps * (w->x_size[at] + w->smallest));

		if (!(error <= worst))
			worst = isnan(error) ? INFINITY : error;
	}
	return worst;
}

/* Of right-hand sides first, first + step, ..., `count` of them. */
static void check_sides(struct work *w, const void *given, int64_t first, int64_t step, int64_t count, struct solve_error *error)
{
	int64_t taken[SIDES_AT_ONCE], columns = 0;

	for (int64_t c = 0; c < count; c++) {
		int64_t r = first + c * step;

		if (side_is_finite(w, w->s->b, r)) {
			load_side(w, r, columns);
			taken[columns++] = r;
		} else {
			error->skipped++;
			error->finite += side_is_finite(w, given, r);
		}
	}
	if (columns > 0)
		multiply(w, columns);
	for (int64_t c = 0; c < columns; c++)
		error->error = fmax(error->error, side_error(w, given, taken[c], c));
}

/* alpha = 0 makes X zero, whatever is in A and B. */
static double zero_error(const struct solve *s)
{
	const struct dense d = { s->kind->type, s->m, s->n, s->b };

	for (int64_t at = 0; at < s->m * s->n; at++) {
		struct number x = dense_get(&d, at);

		if (!(x.re == 0 && x.im == 0))
			return INFINITY;
	}
	return 0;
}

int solve_check(const struct solve *s, const void *given, int64_t step, struct solve_error *error)
{
	int64_t sides = (solve_sides(s) + step - 1) / step;
	struct work w;

	*error = (struct solve_error){ 0 };
	if (s->alpha[0] == 0 && s->alpha[1] == 0) {
		error->error = zero_error(s);
		return 0;
	}
	if (!work_open(&w, s)) {
		work_close(&w);
		return -1;
	}
	load_triangle(&w);
	for (int64_t first = 0; first < sides && w.k > 0; first += SIDES_AT_ONCE) {
		int64_t count = sides - first < SIDES_AT_ONCE ? sides - first : SIDES_AT_ONCE;

		check_sides(&w, given, first * step, step, count, error);
	}
	work_close(&w);
	return 0;
}
