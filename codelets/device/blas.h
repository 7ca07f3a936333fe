/* Products and triangular solves by the vendor's BLAS, or products by our own kernel: codelets/device/blas_cuda.c, blas_hip.c and
 * blas_own.c are three forms of the same functions, of which one is linked. */
#ifndef CODELETS_DEVICE_BLAS_H
#define CODELETS_DEVICE_BLAS_H

#include "codelets/device/device.h"

/* C := alpha op(A) op(B) + beta C, C m by n, k the inner size.  C is not read where beta = 0, nor A and B where alpha = 0. */
DEVICE_API void NAME(gpu_gemm)(gpu_stream stream, heddle_trans ta, heddle_trans tb, int64_t m, int64_t n, int64_t k, scalar alpha,
			       const scalar *a, int64_t lda, const scalar *b, int64_t ldb, scalar beta, scalar *c, int64_t ldc);

/* B := alpha op(A)^-1 B or alpha B op(A)^-1, B m by n; only where gpu_has_blas says so. */
DEVICE_API void NAME(gpu_trsm_blas)(gpu_stream stream, struct solve_kind kind, int64_t m, int64_t n, scalar alpha, const scalar *a,
				    int64_t lda, scalar *b, int64_t ldb);

/* Whether it is a vendor's BLAS, and its name. */
DEVICE_API bool NAME(gpu_has_blas)(void);
DEVICE_API const char *NAME(gpu_blas_name)(void);

#endif
