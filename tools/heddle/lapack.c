#include "tools/heddle/lapack.h"

#include <lapacke.h>
#include <limits.h>
#include <stdlib.h>

enum { TOO_LARGE = -1000 };

void *lapack_allocate(const struct kind *kind, int64_t m, int64_t n)
{
	return malloc(((size_t)n + 1) * (size_t)m * kind->size + kind->size);
}

static int gesdd(heddle_type type, int m, int n, void *a, void *s)
{
	switch (type) {
	case HEDDLE_S: return LAPACKE_sgesdd(LAPACK_COL_MAJOR, 'N', m, n, a, m, s, NULL, 1, NULL, 1);
	case HEDDLE_D: return LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'N', m, n, a, m, s, NULL, 1, NULL, 1);
	case HEDDLE_C: return LAPACKE_cgesdd(LAPACK_COL_MAJOR, 'N', m, n, a, m, s, NULL, 1, NULL, 1);
	case HEDDLE_Z: return LAPACKE_zgesdd(LAPACK_COL_MAJOR, 'N', m, n, a, m, s, NULL, 1, NULL, 1);
	}
	return TOO_LARGE;
}

static int heevd(heddle_type type, int n, void *a, void *w)
{
	switch (type) {
	case HEDDLE_S: return LAPACKE_ssyevd(LAPACK_COL_MAJOR, 'N', 'L', n, a, n, w);
	case HEDDLE_D: return LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'N', 'L', n, a, n, w);
	case HEDDLE_C: return LAPACKE_cheevd(LAPACK_COL_MAJOR, 'N', 'L', n, a, n, w);
	case HEDDLE_Z: return LAPACKE_zheevd(LAPACK_COL_MAJOR, 'N', 'L', n, a, n, w);
	}
	return TOO_LARGE;
}

static int gbbrd(heddle_type type, int n, int kd, void *ab, void *d, void *e)
{
	int ld = kd + 1;

	switch (type) {
	case HEDDLE_S: return LAPACKE_sgbbrd(LAPACK_COL_MAJOR, 'N', n, n, 0, 0, kd, ab, ld, d, e, NULL, 1, NULL, 1, NULL, 1);
	case HEDDLE_D: return LAPACKE_dgbbrd(LAPACK_COL_MAJOR, 'N', n, n, 0, 0, kd, ab, ld, d, e, NULL, 1, NULL, 1, NULL, 1);
	case HEDDLE_C: return LAPACKE_cgbbrd(LAPACK_COL_MAJOR, 'N', n, n, 0, 0, kd, ab, ld, d, e, NULL, 1, NULL, 1, NULL, 1);
	case HEDDLE_Z: return LAPACKE_zgbbrd(LAPACK_COL_MAJOR, 'N', n, n, 0, 0, kd, ab, ld, d, e, NULL, 1, NULL, 1, NULL, 1);
	}
	return TOO_LARGE;
}

static int hbtrd(heddle_type type, char uplo, int n, int kd, void *ab, void *d, void *e)
{
	int ld = kd + 1;

	switch (type) {
	case HEDDLE_S: return LAPACKE_ssbtrd(LAPACK_COL_MAJOR, 'N', uplo, n, kd, ab, ld, d, e, NULL, 1);
	case HEDDLE_D: return LAPACKE_dsbtrd(LAPACK_COL_MAJOR, 'N', uplo, n, kd, ab, ld, d, e, NULL, 1);
	case HEDDLE_C: return LAPACKE_chbtrd(LAPACK_COL_MAJOR, 'N', uplo, n, kd, ab, ld, d, e, NULL, 1);
	case HEDDLE_Z: return LAPACKE_zhbtrd(LAPACK_COL_MAJOR, 'N', uplo, n, kd, ab, ld, d, e, NULL, 1);
	}
	return TOO_LARGE;
}

int lapack_values(const struct problem *p, void *values)
{
	heddle_type type = p->kind->type;

	if (p->m > INT_MAX || p->n > INT_MAX)
		return TOO_LARGE;
	if (p->m == 0 || p->n == 0)
		return 0;
	LAPACKE_set_nancheck(0); /* the check is a pass over the matrix that LAPACK itself does not make */
	return p->hermitian ? heevd(type, (int)p->n, p->a, values) : gesdd(type, (int)p->m, (int)p->n, p->a, values);
}

int lapack_chase(const struct problem *p, int64_t kd, void *ab, void *d, void *e)
{
	heddle_type type = p->kind->type;

	if (p->n > INT_MAX || kd >= INT_MAX)
		return TOO_LARGE;
	if (p->n == 0)
		return 0;
	LAPACKE_set_nancheck(0);
	return p->hermitian ? hbtrd(type, (char)p->uplo, (int)p->n, (int)kd, ab, d, e) : gbbrd(type, (int)p->n, (int)kd, ab, d, e);
}

const char *lapack_failure(int info)
{
	if (info == TOO_LARGE)
		return "the matrix is too large for LAPACK's integers";
	if (info == LAPACK_WORK_MEMORY_ERROR)
		return "LAPACK found no memory";
	return info > 0 ? "LAPACK's iteration did not converge" : "LAPACK rejected the matrix (is there a NaN in it?)";
}
