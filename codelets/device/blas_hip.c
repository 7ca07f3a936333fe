/* codelets/device/blas.h by rocBLAS. */
#include "codelets/device/blas.h"
#include "codelets/device/blas_handle.h"

#define ROCBLAS(call) PREC_CAT(rocblas_, PREC_CAT(PREC_LETTER, call))

static rocblas_operation operation(heddle_trans trans)
{
	return trans == HEDDLE_NO_TRANS ? rocblas_operation_none :
	       trans == HEDDLE_TRANS	? rocblas_operation_transpose :
					  rocblas_operation_conjugate_transpose;
}

/* Short of memory the library takes a slower way, to the same result. */
static void done(rocblas_status status)
{
	blas_done(status == rocblas_status_perf_degraded ? 0 : (int)status);
}

/* The handle where the sizes fit the library's. */
static blas_handle handle_for(gpu_stream stream, int64_t m, int64_t n, int64_t k, int64_t ld)
{
	int64_t most = m > n ? m : n;

	most = k > most ? k : most;
	most = ld > most ? ld : most;
	if (most == (rocblas_int)most)
		return blas_handle_for((native_stream)stream);
	blas_done(rocblas_status_invalid_size);
	return NULL;
}

void NAME(gpu_gemm)(gpu_stream stream, heddle_trans ta, heddle_trans tb, int64_t m, int64_t n, int64_t k, scalar alpha, const scalar *a,
		    int64_t lda, const scalar *b, int64_t ldb, scalar beta, scalar *c, int64_t ldc)
{
	if (m <= 0 || n <= 0)
		return;
	int64_t ld = lda > ldb ? lda : ldb;
	blas_handle handle = handle_for(stream, m, n, k, ld > ldc ? ld : ldc);
	if (handle)
		done(ROCBLAS(gemm)(handle, operation(ta), operation(tb), (rocblas_int)m, (rocblas_int)n, (rocblas_int)k, (const void *)&alpha,
				   (const void *)a, (rocblas_int)lda, (const void *)b, (rocblas_int)ldb, (const void *)&beta, (void *)c,
				   (rocblas_int)ldc));
}

void NAME(gpu_trsm_blas)(gpu_stream stream, struct solve_kind kind, int64_t m, int64_t n, scalar alpha, const scalar *a, int64_t lda, scalar *b,
			 int64_t ldb)
{
	if (m <= 0 || n <= 0)
		return;
	blas_handle handle = handle_for(stream, m, n, 0, lda > ldb ? lda : ldb);
	if (handle)
		done(ROCBLAS(trsm)(handle, kind.side == HEDDLE_LEFT ? rocblas_side_left : rocblas_side_right,
				   kind.uplo == HEDDLE_LOWER ? rocblas_fill_lower : rocblas_fill_upper, operation(kind.trans),
				   kind.diag == HEDDLE_UNIT ? rocblas_diagonal_unit : rocblas_diagonal_non_unit, (rocblas_int)m,
				   (rocblas_int)n, (const void *)&alpha, (const void *)a, (rocblas_int)lda, (void *)b, (rocblas_int)ldb));
}

bool NAME(gpu_has_blas)(void)
{
	return true;
}

const char *NAME(gpu_blas_name)(void)
{
	return "rocBLAS";
}
