#include "tools/heddle/kind.h"

#include <cblas.h>
#include <dlfcn.h>
#include <float.h>
#include <lapacke.h>
#include <limits.h>
#include <stdlib.h>

enum { TOO_LARGE = -1000 };

static const struct kind kinds[] = {
	{ HEDDLE_S, HEDDLE_S, sizeof(float), sizeof(float), FLT_EPSILON, 1,
	  heddle_sgesvd_vals_async, heddle_sge2gb_async, heddle_sgb2bd_async },
	{ HEDDLE_D, HEDDLE_D, sizeof(double), sizeof(double), DBL_EPSILON, 1,
	  heddle_dgesvd_vals_async, heddle_dge2gb_async, heddle_dgb2bd_async },
	{ HEDDLE_C, HEDDLE_S, 2 * sizeof(float), sizeof(float), FLT_EPSILON, 4,
	  heddle_cgesvd_vals_async, heddle_cge2gb_async, heddle_cgb2bd_async },
	{ HEDDLE_Z, HEDDLE_D, 2 * sizeof(double), sizeof(double), DBL_EPSILON, 4,
	  heddle_zgesvd_vals_async, heddle_zge2gb_async, heddle_zgb2bd_async },
};

const struct kind *kind_of(heddle_type type)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (kinds[i].type == type)
			return &kinds[i];
	return NULL;
}

double real_get(const struct kind *kind, const void *values, int64_t i)
{
	return kind->real == HEDDLE_S ? (double)((const float *)values)[i] : ((const double *)values)[i];
}

void blas_gemm(const struct kind *kind, int n, const void *a, const void *b, void *c)
{
	const float one_c[2] = { 1, 0 }, zero_c[2] = { 0, 0 };
	const double one_z[2] = { 1, 0 }, zero_z[2] = { 0, 0 };

	switch (kind->type) {
	case HEDDLE_S:
		cblas_sgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a, n, b, n, 0, c, n);
		break;
	case HEDDLE_D:
		cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a, n, b, n, 0, c, n);
		break;
	case HEDDLE_C:
		cblas_cgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, one_c, a, n, b, n, zero_c, c, n);
		break;
	case HEDDLE_Z:
		cblas_zgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, one_z, a, n, b, n, zero_z, c, n);
		break;
	}
}

void *lapack_allocate(const struct kind *kind, int64_t m, int64_t n)
{
	return malloc(((size_t)n + 1) * (size_t)m * kind->size + kind->size);
}

int lapack_svdvals(const struct kind *kind, int64_t rows, int64_t columns, void *a, void *s)
{
	int m = (int)rows, n = (int)columns;

	if (rows > INT_MAX || columns > INT_MAX)
		return TOO_LARGE;
	if (m == 0 || n == 0)
		return 0;
	LAPACKE_set_nancheck(0); /* the check is a pass over the matrix that LAPACK itself does not make */
	switch (kind->type) {
	case HEDDLE_S: return LAPACKE_sgesdd(LAPACK_COL_MAJOR, 'N', m, n, a, m, s, NULL, 1, NULL, 1);
	case HEDDLE_D: return LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'N', m, n, a, m, s, NULL, 1, NULL, 1);
	case HEDDLE_C: return LAPACKE_cgesdd(LAPACK_COL_MAJOR, 'N', m, n, a, m, s, NULL, 1, NULL, 1);
	case HEDDLE_Z: return LAPACKE_zgesdd(LAPACK_COL_MAJOR, 'N', m, n, a, m, s, NULL, 1, NULL, 1);
	}
	return TOO_LARGE;
}

int lapack_gb2bd(const struct kind *kind, int64_t order, int64_t width, void *ab, void *d, void *e)
{
	int n = (int)order, kd = (int)width, ld = kd + 1;

	if (order > INT_MAX || width >= INT_MAX)
		return TOO_LARGE;
	if (n == 0)
		return 0;
	LAPACKE_set_nancheck(0);
	switch (kind->type) {
	case HEDDLE_S: return LAPACKE_sgbbrd(LAPACK_COL_MAJOR, 'N', n, n, 0, 0, kd, ab, ld, d, e, NULL, 1, NULL, 1, NULL, 1);
	case HEDDLE_D: return LAPACKE_dgbbrd(LAPACK_COL_MAJOR, 'N', n, n, 0, 0, kd, ab, ld, d, e, NULL, 1, NULL, 1, NULL, 1);
	case HEDDLE_C: return LAPACKE_cgbbrd(LAPACK_COL_MAJOR, 'N', n, n, 0, 0, kd, ab, ld, d, e, NULL, 1, NULL, 1, NULL, 1);
	case HEDDLE_Z: return LAPACKE_zgbbrd(LAPACK_COL_MAJOR, 'N', n, n, 0, 0, kd, ab, ld, d, e, NULL, 1, NULL, 1, NULL, 1);
	}
	return TOO_LARGE;
}

const char *lapack_failure(int info)
{
	if (info == TOO_LARGE)
		return "the matrix is too large for LAPACK's integers";
	if (info == LAPACK_WORK_MEMORY_ERROR)
		return "LAPACK found no memory";
	return info > 0 ? "LAPACK's iteration did not converge" : "LAPACK rejected the matrix (is there a NaN in it?)";
}

int blas_threads_get(void)
{
	static const char *const names[] = { "openblas_get_num_threads", "mkl_get_max_threads", "bli_thread_get_num_threads" };
	int (*get)(void) = NULL;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && !get; i++)
		*(void **)&get = dlsym(RTLD_DEFAULT, names[i]);
	return get ? get() : 1;
}

void blas_threads_set(int count)
{
	static const char *const names[] = { "openblas_set_num_threads", "MKL_Set_Num_Threads", "bli_thread_set_num_threads" };
	void (*set)(int) = NULL;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && !set; i++)
		*(void **)&set = dlsym(RTLD_DEFAULT, names[i]);
	if (set)
		set(count);
}
