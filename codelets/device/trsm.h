/* Triangular solves on the device, and the inverses of diagonal blocks.  None needs the triangle's other half, nor its diagonal if that is unit. */
#ifndef CODELETS_DEVICE_TRSM_H
#define CODELETS_DEVICE_TRSM_H

#include "codelets/device/device.h"

/* Order of the diagonal blocks that one kernel solves, and that are inverted: SOLVE_BLOCK of codelets/host/solve.h. */
enum { GPU_SOLVE_BLOCK = 64 };

/* B := alpha op(A)^-1 B or alpha B op(A)^-1, B m by n; A is not read where alpha = 0.
 * Orders up to GPU_SOLVE_BLOCK are one launch.  Larger ones go in diagonal blocks of `block` (rounded to a multiple of GPU_SOLVE_BLOCK),
 * each solved by halves, with products between.  inverses: NULL, or what gpu_invert_blocks made of A.  No work space is needed. */
DEVICE_API void NAME(gpu_trsm)(gpu_stream stream, struct solve_kind kind, int64_t m, int64_t n, scalar alpha, const scalar *a, int64_t lda,
			       scalar *b, int64_t ldb, const scalar *inverses, int64_t ld_inverses, int64_t block);

/* `count` such problems, their matrices at strides from each other (stride_a 0: one triangle for all).  Up to order 512 there are two launches
 * for each GPU_SOLVE_BLOCK unknowns, whatever the count; problems of larger orders follow one another. */
DEVICE_API void NAME(gpu_trsm_batch)(gpu_stream stream, struct solve_kind kind, int64_t m, int64_t n, scalar alpha, const scalar *a, int64_t lda,
				     int64_t stride_a, scalar *b, int64_t ldb, int64_t stride_b, int64_t count);

/* As invert_blocks of codelets/host/solve.h, in the same layout; a block is good if its condition in the 1- and the infinity-norm is
 * GPU_SOLVE_BLOCK at most. */
DEVICE_API void NAME(gpu_invert_blocks)(gpu_stream stream, heddle_uplo uplo, heddle_diag diag, int64_t k, const scalar *a, int64_t lda,
					scalar *inverses, int64_t ld_inverses);

/* The block for gpu_trsm by the triangle's order and the number of right-hand sides. */
DEVICE_API int64_t NAME(gpu_trsm_block)(int64_t k, int64_t many);

/* Whether gpu_trsm is to be used or the vendor's solve, where there is one.  gpu_trsm_way is for tests and measurements. */
enum gpu_trsm_way { GPU_TRSM_BY_TABLE, GPU_TRSM_OWN, GPU_TRSM_VENDOR };
#ifdef __cplusplus
extern "C"
#else
extern
#endif
enum gpu_trsm_way NAME(gpu_trsm_way);
DEVICE_API bool NAME(gpu_trsm_own)(int64_t k, int64_t many);

#endif
