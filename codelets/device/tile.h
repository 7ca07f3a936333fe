/* Copies, fills, maxima and scaling of tiles, and sums on a triangle. */
#ifndef CODELETS_DEVICE_TILE_H
#define CODELETS_DEVICE_TILE_H

#include "codelets/device/device.h"
#include "codelets/host/whole.h"

/* B := A, m by n; B := A^H, n by m. */
DEVICE_API void NAME(gpu_copy)(gpu_stream stream, int64_t m, int64_t n, const scalar *a, int64_t lda, scalar *b, int64_t ldb);
DEVICE_API void NAME(gpu_copy_adjoint)(gpu_stream stream, int64_t m, int64_t n, const scalar *a, int64_t lda, scalar *b, int64_t ldb);

/* The elements i >= j (lower) or i <= j (upper) of A, m by n, to the same places of B, or to those of A^H; nothing else of A is read, and of
 * B nothing else touched.  With ldb one less than a band's B is its slanted storage.  hermitian_part takes the diagonal to be real. */
DEVICE_API void NAME(gpu_copy_trapezoid)(gpu_stream stream, heddle_uplo uplo, bool adjoint, int64_t m, int64_t n, const scalar *a,
					 int64_t lda, scalar *b, int64_t ldb);
DEVICE_API void NAME(gpu_copy_hermitian_part)(gpu_stream stream, heddle_uplo uplo, bool adjoint, int64_t m, int64_t n, const scalar *a,
					      int64_t lda, scalar *b, int64_t ldb);

/* A, m by n, becomes off_diagonal with diagonal on its diagonal; zeros where i - j > diagonal or, above, j - i > diagonal. */
DEVICE_API void NAME(gpu_set)(gpu_stream stream, int64_t m, int64_t n, scalar off_diagonal, scalar diagonal, scalar *a, int64_t lda);
DEVICE_API void NAME(gpu_clear)(gpu_stream stream, int64_t m, int64_t n, int64_t diagonal, bool above, scalar *a, int64_t lda);

/* A tile, or its triangle, is multiplied with *factor; where that is 1 it is not touched. */
DEVICE_API void NAME(gpu_scale)(gpu_stream stream, enum whole_or_triangle which, int64_t m, int64_t n, const real *factor, scalar *a,
				int64_t lda);

/* *largest := 0; then the larger of *largest and the largest modulus of a real or imaginary part in a tile, of a triangle's diagonal the
 * real part alone: a NaN is larger than an infinity, and that than all numbers; then HEDDLE_EINPUT to *verdict if it is one of both. */
DEVICE_API void NAME(gpu_amax_begin)(gpu_stream stream, real *largest);
DEVICE_API void NAME(gpu_amax)(gpu_stream stream, enum whole_or_triangle which, int64_t m, int64_t n, const scalar *a, int64_t lda,
			       real *largest);
DEVICE_API void NAME(gpu_amax_verdict)(gpu_stream stream, const real *largest, int *verdict);

/* scale[0] := the power of two that brings a matrix whose parts have these maxima (count pointers to device memory, in host memory) into a
 * range where squares neither over- nor underflow, scale[1] its reciprocal; HEDDLE_EINPUT to *verdict if a maximum is not finite. */
DEVICE_API void NAME(gpu_safe_scale)(gpu_stream stream, int64_t count, const real *const *maxima, real *scale, int *verdict);

/* W := the Hermitian matrix of order n whose triangle uplo is A's, its diagonal real. */
DEVICE_API void NAME(gpu_hermitian_full)(gpu_stream stream, heddle_uplo uplo, int64_t n, const scalar *a, int64_t lda, scalar *w, int64_t ldw);

/* C := alpha W + beta C or, both, alpha (W + W^H) + beta C on the triangle uplo, whose diagonal becomes real; of order n.  C is not read
 * where beta = 0. */
DEVICE_API void NAME(gpu_add_triangle)(gpu_stream stream, heddle_uplo uplo, bool both, int64_t n, real alpha, const scalar *w, int64_t ldw,
				       real beta, scalar *c, int64_t ldc);

/* Part of a band's diagonal, with its other end where x begins: see codelets/band_diagonals.c.  x(i - i0) := |B(i, i + beside)| *factor for
 * i0 <= i < i1 (factor NULL: 1), of a Hermitian band |B(i + beside, i)|, and its diagonal with sign.  Column j is in handle j / width, at
 * handles[j / width] + j % width * lds[j / width], its diagonal element `above` further on.  The lists are in host memory. */
struct gpu_band {
	int64_t width, above, kd; /* where beside > kd there are zeros, and no handle is read */
	bool hermitian;
	const scalar *const *handles;
	const int64_t *lds;
};
DEVICE_API void NAME(gpu_band_diagonal)(gpu_stream stream, const struct gpu_band *band, int64_t beside, int64_t i0, int64_t i1,
					const real *factor, real *x);

#endif
