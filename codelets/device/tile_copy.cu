/* Copies of tiles, as they are or as their adjoints: each element is read once and written once, both in runs of 32. */
#include "codelets/device/tile.h"
#include "codelets/device/tile_elements.h"

/* What of the source is copied, and how its diagonal is. */
struct copied {
	enum whole_or_triangle which;
	bool hermitian;
};

static __device__ __forceinline__ number element(copied what, int64_t i, int64_t j, const scalar *a, int64_t lda)
{
	number x = load(a[i + j * lda]);

	return what.hermitian && i == j ? from_real(real_part(x)) : x;
}

static __global__ void GPU_BOUNDS(TILE_THREADS) copy_kernel(int64_t m, int64_t n, copied what, const scalar *a, int64_t lda, scalar *b, int64_t ldb)
{
	for_elements(m, n, [=](int64_t i, int64_t j) {
		if (in_triangle(what.which, i, j))
			b[i + j * ldb] = store(element(what, i, j, a, lda));
	});
}

/* The square turns in shared memory, where rows one element longer than its side keep both directions free of bank conflicts. */
static __global__ void GPU_BOUNDS(TILE_THREADS)
copy_adjoint_kernel(int64_t m, int64_t n, copied what, const scalar *a, int64_t lda, scalar *b, int64_t ldb)
{
	GPU_SHARED2(scalar, square, TILE_SIDE, TILE_SIDE + 1);
	int x = threadIdx.x % TILE_SIDE, y = threadIdx.x / TILE_SIDE;
	int64_t i0 = (int64_t)blockIdx.x * TILE_SIDE;

	for (int64_t j0 = (int64_t)blockIdx.y * TILE_SIDE; j0 < n; j0 += (int64_t)gridDim.y * TILE_SIDE) {
		GPU_UNROLL
		for (int c = 0; c < TILE_SIDE; c += TILE_THREADS / TILE_SIDE) {
			int64_t i = i0 + x, j = j0 + y + c;
			if (i < m && j < n && in_triangle(what.which, i, j))
				square[y + c][x] = store(conjugate(element(what, i, j, a, lda)));
		}
		__syncthreads();
		GPU_UNROLL
		for (int c = 0; c < TILE_SIDE; c += TILE_THREADS / TILE_SIDE) {
			int64_t i = i0 + y + c, j = j0 + x;
			if (i < m && j < n && in_triangle(what.which, i, j))
				b[j + i * ldb] = square[x][y + c];
		}
		__syncthreads();
	}
}

static void copy(gpu_stream stream, copied what, bool adjoint, int64_t m, int64_t n, const scalar *a, int64_t lda, scalar *b, int64_t ldb)
{
	if (m <= 0 || n <= 0)
		return;
	if (adjoint)
		GPU_LAUNCH(copy_adjoint_kernel, tile_grid(m, n), dim3(TILE_THREADS), 0, stream, m, n, what, a, lda, b, ldb);
	else
		GPU_LAUNCH(copy_kernel, tile_grid(m, n), dim3(TILE_THREADS), 0, stream, m, n, what, a, lda, b, ldb);
}

void NAME(gpu_copy)(gpu_stream stream, int64_t m, int64_t n, const scalar *a, int64_t lda, scalar *b, int64_t ldb)
{
	copy(stream, copied{ WHOLE, false }, false, m, n, a, lda, b, ldb);
}

void NAME(gpu_copy_adjoint)(gpu_stream stream, int64_t m, int64_t n, const scalar *a, int64_t lda, scalar *b, int64_t ldb)
{
	copy(stream, copied{ WHOLE, false }, true, m, n, a, lda, b, ldb);
}

void NAME(gpu_copy_trapezoid)(gpu_stream stream, heddle_uplo uplo, bool adjoint, int64_t m, int64_t n, const scalar *a, int64_t lda, scalar *b,
			      int64_t ldb)
{
	copy(stream, copied{ triangle_of(uplo), false }, adjoint, m, n, a, lda, b, ldb);
}

void NAME(gpu_copy_hermitian_part)(gpu_stream stream, heddle_uplo uplo, bool adjoint, int64_t m, int64_t n, const scalar *a, int64_t lda,
				   scalar *b, int64_t ldb)
{
	copy(stream, copied{ triangle_of(uplo), true }, adjoint, m, n, a, lda, b, ldb);
}
