#include "tools/heddle/solve.h"

#include <cblas.h>
#include <complex.h>
#include <math.h>
#include "tools/heddle/gemm_rate.h"
#include "tools/io/readers.h"

int64_t solve_order(const struct solve *s)
{
	return s->form.side == HEDDLE_LEFT ? s->m : s->n;
}

int64_t solve_sides(const struct solve *s)
{
	return s->form.side == HEDDLE_LEFT ? s->n : s->m;
}

double solve_flops(const struct solve *s)
{
	double k = (double)solve_order(s);

	return s->kind->flop_weight * k * k * (double)solve_sides(s);
}

static int64_t at_least_one(int64_t x)
{
	return x > 1 ? x : 1;
}

int solve_submit(const struct solve *s, heddle_sequence *sequence, heddle_matrix *A, heddle_matrix *B)
{
	const struct form f = s->form;
	const double re = s->alpha[0], im = s->alpha[1];

	switch (s->kind->type) {
	case HEDDLE_S:
		return heddle_strsm_async(sequence, f.side, f.uplo, f.trans, f.diag, (float)re, A, B, &s->options);
	case HEDDLE_D:
		return heddle_dtrsm_async(sequence, f.side, f.uplo, f.trans, f.diag, re, A, B, &s->options);
	case HEDDLE_C:
		return heddle_ctrsm_async(sequence, f.side, f.uplo, f.trans, f.diag, CMPLXF((float)re, (float)im), A, B, &s->options);
	case HEDDLE_Z:
		return heddle_ztrsm_async(sequence, f.side, f.uplo, f.trans, f.diag, CMPLX(re, im), A, B, &s->options);
	}
	return HEDDLE_ERUNTIME;
}

int solve_blocking(const struct solve *s)
{
	const struct form f = s->form;
	const double re = s->alpha[0], im = s->alpha[1];
	int64_t lda = at_least_one(solve_order(s)), ldb = at_least_one(s->m);

	switch (s->kind->type) {
	case HEDDLE_S:
		return heddle_strsm(f.side, f.uplo, f.trans, f.diag, s->m, s->n, (float)re, s->a, lda, s->b, ldb);
	case HEDDLE_D:
		return heddle_dtrsm(f.side, f.uplo, f.trans, f.diag, s->m, s->n, re, s->a, lda, s->b, ldb);
	case HEDDLE_C:
		return heddle_ctrsm(f.side, f.uplo, f.trans, f.diag, s->m, s->n, CMPLXF((float)re, (float)im), s->a, lda, s->b, ldb);
	case HEDDLE_Z:
		return heddle_ztrsm(f.side, f.uplo, f.trans, f.diag, s->m, s->n, CMPLX(re, im), s->a, lda, s->b, ldb);
	}
	return HEDDLE_ERUNTIME;
}

int solve_batch(const struct solve *s, int64_t count)
{
	const struct form f = s->form;
	const double re = s->alpha[0], im = s->alpha[1];
	int64_t m = s->m, n = s->n, k = solve_order(s), lda = at_least_one(k), ldb = at_least_one(m), all_a = k * k, all_b = m * n;

	switch (s->kind->type) {
	case HEDDLE_S:
		return heddle_strsm_batch_strided(f.side, f.uplo, f.trans, f.diag, m, n, (float)re, s->a, lda, all_a, s->b, ldb, all_b, count);
	case HEDDLE_D:
		return heddle_dtrsm_batch_strided(f.side, f.uplo, f.trans, f.diag, m, n, re, s->a, lda, all_a, s->b, ldb, all_b, count);
	case HEDDLE_C:
		return heddle_ctrsm_batch_strided(f.side, f.uplo, f.trans, f.diag, m, n, CMPLXF((float)re, (float)im), s->a, lda, all_a, s->b,
						  ldb, all_b, count);
	case HEDDLE_Z:
		return heddle_ztrsm_batch_strided(f.side, f.uplo, f.trans, f.diag, m, n, CMPLX(re, im), s->a, lda, all_a, s->b, ldb, all_b,
						  count);
	}
	return HEDDLE_ERUNTIME;
}

static void blas_trsm(const struct solve *s, void *a, void *b)
{
	const CBLAS_SIDE side = s->form.side == HEDDLE_LEFT ? CblasLeft : CblasRight;
	const CBLAS_UPLO uplo = s->form.uplo == HEDDLE_LOWER ? CblasLower : CblasUpper;
	const CBLAS_TRANSPOSE trans = s->form.trans == HEDDLE_NO_TRANS ? CblasNoTrans :
				      s->form.trans == HEDDLE_TRANS ? CblasTrans : CblasConjTrans;
	const CBLAS_DIAG diag = s->form.diag == HEDDLE_UNIT ? CblasUnit : CblasNonUnit;
	const float narrow[2] = { (float)s->alpha[0], (float)s->alpha[1] };
	int m = (int)s->m, n = (int)s->n, lda = (int)at_least_one(solve_order(s)), ldb = (int)at_least_one(m);

	switch (s->kind->type) {
	case HEDDLE_S:
		cblas_strsm(CblasColMajor, side, uplo, trans, diag, m, n, narrow[0], a, lda, b, ldb);
		break;
	case HEDDLE_D:
		cblas_dtrsm(CblasColMajor, side, uplo, trans, diag, m, n, s->alpha[0], a, lda, b, ldb);
		break;
	case HEDDLE_C:
		cblas_ctrsm(CblasColMajor, side, uplo, trans, diag, m, n, narrow, a, lda, b, ldb);
		break;
	case HEDDLE_Z:
		cblas_ztrsm(CblasColMajor, side, uplo, trans, diag, m, n, s->alpha, a, lda, b, ldb);
		break;
	}
}

void solve_blas(const struct solve *s, int64_t count)
{
	size_t a_bytes = (size_t)(solve_order(s) * solve_order(s)) * s->kind->size, b_bytes = (size_t)(s->m * s->n) * s->kind->size;

	for (size_t i = 0; i < (size_t)count; i++)
		blas_trsm(s, (char *)s->a + i * a_bytes, (char *)s->b + i * b_bytes);
}

/* Next to a diagonal of 1.5 to 2.5, elements of size 1/sqrt(k) leave X as large as B. */
void triangle_fill(const struct kind *kind, struct form form, int64_t k, void *a, uint64_t seed)
{
	struct dense d = { kind->type, k, k, a };
	double scale = 1 / sqrt((double)k + 1);

	random_fill(kind, a, k * k, seed);
	for (int64_t j = 0; j < k; j++)
		for (int64_t i = 0; i < k; i++) {
			struct number x = dense_get(&d, i + j * k);
			bool read = i == j ? form.diag == HEDDLE_NON_UNIT : (i > j) == (form.uplo == HEDDLE_LOWER);

			if (!read)
				dense_set(&d, i + j * k, NAN, NAN);
			else if (i == j)
				dense_set(&d, i + j * k, x.re / 2 + (i % 2 ? 2 : -2), x.im / 2);
			else
				dense_set(&d, i + j * k, x.re * scale, x.im * scale);
		}
}

int64_t diagonal_zeros(const struct solve *s, int64_t *first)
{
	int64_t k = solve_order(s), count = 0;
	const struct dense d = { s->kind->type, k, k, s->a };

	for (int64_t i = k - 1; i >= 0 && s->form.diag == HEDDLE_NON_UNIT; i--) {
		struct number x = dense_get(&d, i + i * k);

		if (x.re == 0 && x.im == 0) {
			*first = i;
			count++;
		}
	}
	return count;
}
