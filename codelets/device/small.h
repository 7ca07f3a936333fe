/* Small matrices to bidiagonal or tridiagonal form in one stage. */
#ifndef CODELETS_DEVICE_SMALL_H
#define CODELETS_DEVICE_SMALL_H

#include "codelets/device/device.h"

/* d (n values) and e (n - 1, not negative) of a tridiagonal whose eigenvalues times scale[1] are those of the Hermitian A, of which the
 * triangle uplo is read; A is overwritten.  scale[0] is 1 / scale[1], a power of two.  A NaN or an infinity gives the verdict HEDDLE_EINPUT,
 * and zeros for d and e. */
DEVICE_API size_t NAME(gpu_hetrd_small_work)(int64_t n);
DEVICE_API void NAME(gpu_hetrd_small)(gpu_stream stream, heddle_uplo uplo, int64_t n, scalar *a, int64_t lda, real *d, real *e, real *scale,
				      void *work, int *verdict);

/* The same of a bidiagonal (d not negative either) whose singular values times scale[1] are those of A, m by n, m >= n. */
DEVICE_API size_t NAME(gpu_gebrd_small_work)(int64_t m, int64_t n);
DEVICE_API void NAME(gpu_gebrd_small)(gpu_stream stream, int64_t m, int64_t n, scalar *a, int64_t lda, real *d, real *e, real *scale, void *work,
				      int *verdict);

#endif
