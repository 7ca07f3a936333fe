/* Tiles of Hermitian matrices of which one triangle is there, and diagonals of bands. */
#include "codelets/device/tile.h"
#include "codelets/device/tile_elements.h"

/* Whether a square on or beside the diagonal has elements of the triangle. */
static __device__ __forceinline__ bool square_in_triangle(enum whole_or_triangle which, int64_t i0, int64_t j0)
{
	return which == LOWER_TRIANGLE ? i0 >= j0 : i0 <= j0;
}

/* Each element of the triangle goes to its own place at once and to its mirror's through shared memory. */
static __global__ void GPU_BOUNDS_FEW(TILE_THREADS)
hermitian_full_kernel(enum whole_or_triangle which, int64_t n, const scalar *a, int64_t lda, scalar *w, int64_t ldw)
{
	GPU_SHARED2(scalar, square, TILE_SIDE, TILE_SIDE + 1);
	int x = threadIdx.x % TILE_SIDE, y = threadIdx.x / TILE_SIDE;
	int64_t i0 = (int64_t)blockIdx.x * TILE_SIDE;

	for (int64_t j0 = (int64_t)blockIdx.y * TILE_SIDE; j0 < n; j0 += (int64_t)gridDim.y * TILE_SIDE) {
		if (!square_in_triangle(which, i0, j0))
			continue;
		GPU_UNROLL
		for (int c = 0; c < TILE_SIDE; c += TILE_THREADS / TILE_SIDE) {
			int64_t i = i0 + x, j = j0 + y + c;
			if (i >= n || j >= n || !in_triangle(which, i, j))
				continue;
			number v = load(a[i + j * lda]);
			v = i == j ? from_real(real_part(v)) : v;
			w[i + j * ldw] = store(v);
			square[y + c][x] = store(conjugate(v));
		}
		__syncthreads();
		GPU_UNROLL
		for (int c = 0; c < TILE_SIDE; c += TILE_THREADS / TILE_SIDE) {
			int64_t i = i0 + y + c, j = j0 + x;
			if (i < n && j < n && i != j && in_triangle(which, i, j))
				w[j + i * ldw] = square[x][y + c];
		}
		__syncthreads();
	}
}

/* alpha v + beta C(i, j), its imaginary part 0 on the diagonal */
static __device__ __forceinline__ void add_to(scalar *c, real alpha, number v, real beta, bool on_diagonal)
{
	number sum = alpha * v;

	if (beta != 0)
		sum += beta * load(*c);
	*c = store(on_diagonal ? from_real(real_part(sum)) : sum);
}

static __global__ void GPU_BOUNDS_FEW(TILE_THREADS)
add_triangle_kernel(enum whole_or_triangle which, bool both, int64_t n, real alpha, const scalar *w, int64_t ldw, real beta, scalar *c, int64_t ldc)
{
	GPU_SHARED2(scalar, mirror, TILE_SIDE, TILE_SIDE + 1);
	int x = threadIdx.x % TILE_SIDE, y = threadIdx.x / TILE_SIDE;
	int64_t i0 = (int64_t)blockIdx.x * TILE_SIDE;

	for (int64_t j0 = (int64_t)blockIdx.y * TILE_SIDE; j0 < n; j0 += (int64_t)gridDim.y * TILE_SIDE) {
		if (!square_in_triangle(which, i0, j0))
			continue;
		if (both) {
			GPU_UNROLL
			for (int q = 0; q < TILE_SIDE; q += TILE_THREADS / TILE_SIDE)
				if (j0 + x < n && i0 + y + q < n)
					mirror[y + q][x] = w[j0 + x + (i0 + y + q) * ldw];
			__syncthreads();
		}
		GPU_UNROLL
		for (int q = 0; q < TILE_SIDE; q += TILE_THREADS / TILE_SIDE) {
			int64_t i = i0 + x, j = j0 + y + q;
			if (i >= n || j >= n || !in_triangle(which, i, j))
				continue;
			number v = load(w[i + j * ldw]);
			if (both)
				v += conjugate(load(mirror[x][y + q]));
			add_to(&c[i + j * ldc], alpha, v, beta, i == j);
		}
		__syncthreads();
	}
}

enum { DIAGONAL_THREADS = 128 };

/* Elements i0 .. i0+count-1; the list's handles hold the columns from first_column on. */
static __global__ void GPU_BOUNDS(DIAGONAL_THREADS)
band_diagonal_kernel(gpu_list<const scalar> handles, int64_t first_column, int64_t width, int64_t above, int64_t kd, bool hermitian, int64_t beside,
		     int64_t i0, int64_t count, const real *factor, real *x)
{
	int64_t i = (int64_t)blockIdx.x * DIAGONAL_THREADS + threadIdx.x;

	if (i >= count)
		return;
	int64_t j = i0 + i + (hermitian ? 0 : beside) - first_column;
	number v = from_real(0);
	if (beside <= kd) {
		int h = (int)(j / width);
		v = load(handles.p[h][j % width * handles.ld[h] + above + (hermitian ? beside : -beside)]);
	}
	real size = modulus(v);
	x[i] = (factor ? *factor : 1) * (hermitian && beside == 0 ? real_part(v) : size);
}

void NAME(gpu_hermitian_full)(gpu_stream stream, heddle_uplo uplo, int64_t n, const scalar *a, int64_t lda, scalar *w, int64_t ldw)
{
	if (n > 0)
		GPU_LAUNCH(hermitian_full_kernel, tile_grid(n, n), dim3(TILE_THREADS), 0, stream, triangle_of(uplo), n, a, lda, w, ldw);
}

void NAME(gpu_add_triangle)(gpu_stream stream, heddle_uplo uplo, bool both, int64_t n, real alpha, const scalar *w, int64_t ldw, real beta,
			    scalar *c, int64_t ldc)
{
	if (n > 0)
		GPU_LAUNCH(add_triangle_kernel, tile_grid(n, n), dim3(TILE_THREADS), 0, stream, triangle_of(uplo), both, n, alpha, w, ldw, beta, c,
			   ldc);
}

void NAME(gpu_band_diagonal)(gpu_stream stream, const struct gpu_band *band, int64_t beside, int64_t i0, int64_t i1, const real *factor, real *x)
{
	int64_t shift = band->hermitian ? 0 : beside; /* from an element's index to its column */

	while (i0 < i1) {
		int64_t first = (i0 + shift) / band->width, end = (first + GPU_LIST) * band->width - shift, count = (end < i1 ? end : i1) - i0;
		gpu_list<const scalar> list = {};
		for (int64_t h = first; h < first + GPU_LIST && h * band->width < i0 + count + shift && beside <= band->kd; h++) {
			list.p[h - first] = band->handles[h];
			list.ld[h - first] = band->lds[h];
		}
		GPU_LAUNCH(band_diagonal_kernel, dim3((unsigned)((count + DIAGONAL_THREADS - 1) / DIAGONAL_THREADS)), dim3(DIAGONAL_THREADS), 0, stream,
			   list, first * band->width, band->width, band->above, band->kd, band->hermitian, beside, i0, count, factor, x);
		i0 += count;
		x += count;
	}
}
