/* codelets/device/blas.h without a vendor's library: products by our own kernel, no triangular solve. */
#include <math.h>
#include "codelets/device/blas.h"
#include "codelets/device/gemm.h"
#include "codelets/device/tile.h"

void NAME(gpu_gemm)(gpu_stream stream, heddle_trans ta, heddle_trans tb, int64_t m, int64_t n, int64_t k, scalar alpha, const scalar *a,
		    int64_t lda, const scalar *b, int64_t ldb, scalar beta, scalar *c, int64_t ldc)
{
	NAME(gpu_gemm_own)(stream, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

/* Nobody calls it who has asked gpu_has_blas; B left as it is would pass for a solution. */
void NAME(gpu_trsm_blas)(gpu_stream stream, struct solve_kind kind, int64_t m, int64_t n, scalar alpha, const scalar *a, int64_t lda, scalar *b,
			 int64_t ldb)
{
	(void)kind, (void)alpha, (void)a, (void)lda;
	NAME(gpu_set)(stream, m, n, (scalar)NAN, (scalar)NAN, b, ldb);
}

bool NAME(gpu_has_blas)(void)
{
	return false;
}

const char *NAME(gpu_blas_name)(void)
{
	return "own";
}
