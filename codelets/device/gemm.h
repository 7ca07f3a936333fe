/* The product of our own, for where there is no vendor's BLAS and to compare with it: see codelets/device/blas.h for the meaning. */
#ifndef CODELETS_DEVICE_GEMM_H
#define CODELETS_DEVICE_GEMM_H

#include "codelets/device/device.h"

/* The same bits in every run: each element of C is one block's work, and its sum over k has a fixed order. */
DEVICE_API void NAME(gpu_gemm_own)(gpu_stream stream, heddle_trans ta, heddle_trans tb, int64_t m, int64_t n, int64_t k, scalar alpha,
				   const scalar *a, int64_t lda, const scalar *b, int64_t ldb, scalar beta, scalar *c, int64_t ldc);

#endif
