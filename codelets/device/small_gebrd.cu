/* Bidiagonal form of a small matrix, m >= n.  Step j makes column j (beta, 0) by H = I - tau v v' from the left, then row j by I - tau u u'
 * from the right: A := A - v g - x u', where g = tau' v'A and x = tau (A - v g) u.  This is applied in step j + 1, whose reading of A gives the
 * next g at once: a step reads the matrix twice and writes it once. */
#include "codelets/device/small_steps.h"

/* Vectors: v and g as step j - 1 left them, and as step j leaves them, x and u. */
struct gebrd_vectors {
	const scalar *old_v, *old_g;
	scalar *v, *g, *x, *u;
};

static __device__ __forceinline__ gebrd_vectors vectors_of_step(int j, scalar *work, int m, int n)
{
	int64_t now = j % 2, before = 1 - now;
	scalar *g = work + 3 * (int64_t)m;

	return { work + before * m, g + before * n, work + now * m, g + now * n, work + 2 * (int64_t)m, g + 2 * (int64_t)n };
}

/* Element (i, c), a, after what step j - 1 left to do; g_c, and u_c conjugated. */
static __device__ __forceinline__ number updated(const gebrd_vectors &w, int j, number a, int i, number g_c, number u_c)
{
	return j > 0 ? a - w.old_v[i] * g_c - w.x[i] * u_c : a;
}

/* Update columns j + 1 .. n - 1, a warp a column; leave v and g. */
static __device__ void gebrd_columns(const gebrd_vectors &w, int j, int m, int n, scalar *a, int64_t lda, real *d, real *sums)
{
	int t = (int)threadIdx.x, lane = t % GPU_WARP, warps = (int)blockDim.x / GPU_WARP, warp = (int)blockIdx.x * warps + t / GPU_WARP;
	const scalar *column_j = a + j * lda;
	number g_j = j > 0 ? w.old_g[j] : from_real(0), u_j = j > 0 ? conjugate(w.u[j]) : from_real(0);
	real tail = 0;

	for (int i = j + 1 + t; i < m; i += (int)blockDim.x)
		tail += square_size(updated(w, j, column_j[i], i, g_j, u_j));
	tail = block_sum(tail, sums);
	small_reflector h = reflector_for(updated(w, j, column_j[j], j, g_j, u_j), tail);
	if (blockIdx.x == 0 && t == 0)
		d[j] = (real)fabs(h.beta);
	for (int c = j + 1 + warp; c < n; c += (int)gridDim.x * warps) {
		scalar *column = a + c * lda;
		number g_c = j > 0 ? w.old_g[c] : from_real(0), u_c = j > 0 ? conjugate(w.u[c]) : from_real(0), sum = from_real(0);
		for (int i = j + lane; i < m; i += GPU_WARP) {
			number x = updated(w, j, column[i], i, g_c, u_c);
			number v = i == j ? from_real(1) : h.factor * updated(w, j, column_j[i], i, g_j, u_j);
			column[i] = x;
			sum += conjugate(v) * x;
		}
		sum = warp_sum(sum);
		if (lane == 0)
			w.g[c] = conjugate(h.tau) * sum;
	}
	for (int i = j + (int)blockIdx.x * (int)blockDim.x + t; i < m; i += (int)gridDim.x * (int)blockDim.x)
		w.v[i] = i == j ? from_real(1) : h.factor * updated(w, j, column_j[i], i, g_j, u_j);
}

/* The reflector of row j, and x of rows j + 1 .. m - 1: a lane a row, the columns shared by the warps of a block. */
static __device__ void gebrd_rows(const gebrd_vectors &w, int j, int m, int n, const scalar *a, int64_t lda, real *e, real *real_sums,
				  number *number_sums, number (*partial)[GPU_WARP])
{
	int t = (int)threadIdx.x, lane = t % GPU_WARP, warp = t / GPU_WARP, warps = (int)blockDim.x / GPU_WARP;
	const scalar *row = a + j, *g = w.g, *v = w.v;
	number inner = from_real(0);
	real tail = 0;

	for (int c = j + 2 + t; c < n; c += (int)blockDim.x) {
		number z = conjugate(row[c * lda] - g[c]);
		tail += square_size(z);
		inner += g[c] * z;
	}
	tail = block_sum(tail, real_sums);
	inner = block_sum(inner, number_sums);
	small_reflector h = reflector_for(conjugate(row[(j + 1) * lda] - g[j + 1]), tail);
	inner = g[j + 1] + h.factor * inner;
	if (blockIdx.x == 0 && t == 0)
		e[j] = (real)fabs(h.beta);
	for (int c = j + 1 + (int)blockIdx.x * (int)blockDim.x + t; c < n; c += (int)gridDim.x * (int)blockDim.x)
		w.u[c] = c == j + 1 ? from_real(1) : h.factor * conjugate(row[c * lda] - g[c]);
	for (int base = j + 1 + (int)blockIdx.x * GPU_WARP; base < m; base += (int)gridDim.x * GPU_WARP) {
		int i = base + lane;
		number sum = from_real(0);
		for (int c = j + 1 + warp; c < n && i < m; c += warps)
			sum += a[i + c * lda] * (c == j + 1 ? from_real(1) : h.factor * conjugate(row[c * lda] - g[c]));
		partial[warp][lane] = sum;
		__syncthreads();
		if (warp == 0 && i < m) {
			for (int k = 1; k < warps; k++)
				sum += partial[k][lane];
			w.x[i] = h.tau * (sum - v[i] * inner);
		}
		__syncthreads();
	}
}

enum { COLUMNS = 1, ROWS = 2 };

/* Steps first .. last - 1, or halves of them. */
static __global__ void GPU_BOUNDS(STEP_THREADS)
gebrd_steps(int which, int first, int last, int m, int n, scalar *a, int64_t lda, scalar *work, real *d, real *e)
{
	GPU_SHARED(real, real_sums, STEP_WARPS);
	GPU_SHARED(number, number_sums, STEP_WARPS);
	GPU_SHARED2(number, partial, STEP_WARPS, GPU_WARP);

	for (int j = first; j < last; j++) {
		gebrd_vectors w = vectors_of_step(j, work, m, n);
		if (which & COLUMNS)
			gebrd_columns(w, j, m, n, a, lda, d, real_sums);
		__syncthreads();
		if ((which & ROWS) && j < n - 1)
			gebrd_rows(w, j, m, n, a, lda, e, real_sums, number_sums, partial);
		__syncthreads();
	}
}

DEVICE_API size_t NAME(gpu_gebrd_small_work)(int64_t m, int64_t n)
{
	return (size_t)(3 * (m + n)) * sizeof(scalar) + LARGEST_BLOCKS * sizeof(real);
}

DEVICE_API void NAME(gpu_gebrd_small)(gpu_stream stream, int64_t m, int64_t n, scalar *a, int64_t lda, real *d, real *e, real *scale, void *work,
				      int *verdict)
{
	enum { SHARED_COLUMNS = COLUMN_THREADS / GPU_WARP };
	scalar *vectors = (scalar *)work;
	int rows = (int)m, columns = (int)n, j = 0;

	if (n == 0)
		return;
	scale_to_one(stream, ALL_STORED, m, n, a, lda, (real *)(vectors + 3 * (m + n)), scale, verdict);
	for (; (m - j) * (n - j) > ALONE * ALONE; j++) {
		int blocks = (columns - j - 1 + SHARED_COLUMNS - 1) / SHARED_COLUMNS, bands = (rows - j - 1 + GPU_WARP - 1) / GPU_WARP;
		GPU_LAUNCH(gebrd_steps, dim3((unsigned)(blocks > 0 ? blocks : 1)), dim3(COLUMN_THREADS), 0, stream, (int)COLUMNS, j, j + 1, rows,
			   columns, a, lda, vectors, d, e);
		if (j < columns - 1)
			GPU_LAUNCH(gebrd_steps, dim3((unsigned)bands), dim3(STEP_THREADS), 0, stream, (int)ROWS, j, j + 1, rows, columns, a, lda,
				   vectors, d, e);
	}
	if (j < columns)
		GPU_LAUNCH(gebrd_steps, dim3(1), dim3(STEP_THREADS), 0, stream, COLUMNS | ROWS, j, columns, rows, columns, a, lda, vectors, d, e);
}
