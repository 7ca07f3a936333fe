#include "tools/heddle/kind.h"

#include <cblas.h>
#include <float.h>

static const struct kind kinds[] = {
	{ HEDDLE_S, HEDDLE_S, sizeof(float), sizeof(float), FLT_EPSILON, 1,
	  heddle_sgesvd_vals_async, heddle_sge2gb_async, heddle_sgb2bd_async,
	  heddle_ssyev_vals_async, heddle_ssy2sb_async, heddle_ssb2st_async },
	{ HEDDLE_D, HEDDLE_D, sizeof(double), sizeof(double), DBL_EPSILON, 1,
	  heddle_dgesvd_vals_async, heddle_dge2gb_async, heddle_dgb2bd_async,
	  heddle_dsyev_vals_async, heddle_dsy2sb_async, heddle_dsb2st_async },
	{ HEDDLE_C, HEDDLE_S, 2 * sizeof(float), sizeof(float), FLT_EPSILON, 4,
	  heddle_cgesvd_vals_async, heddle_cge2gb_async, heddle_cgb2bd_async,
	  heddle_cheev_vals_async, heddle_che2hb_async, heddle_chb2st_async },
	{ HEDDLE_Z, HEDDLE_D, 2 * sizeof(double), sizeof(double), DBL_EPSILON, 4,
	  heddle_zgesvd_vals_async, heddle_zge2gb_async, heddle_zgb2bd_async,
	  heddle_zheev_vals_async, heddle_zhe2hb_async, heddle_zhb2st_async },
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
