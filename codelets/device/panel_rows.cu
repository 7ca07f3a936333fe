/* Two products in a row on blocks of rows: Z := alpha A B [+ Y], X := beta Z C [+ X], with Z in shared memory between the two.  B and C are small,
 * all else tall; a block owns its rows, so that X, Y, Z and A may be one. */
#include "codelets/device/panel.h"

enum { THREADS = 256, COLUMNS = 8 /* a thread and pass */, MOST_BYTES = 48 * 1024 };
enum { UPPER_B = 1, UPPER_C = 2, ADJOINT_C = 4, ADD_X = 8, STORE_Z = 16, COPY_A = 32 };

/* How a block works: rows times groups of threads, and the rows of B and C it holds at once. */
struct cut {
	int rows, chunk;
};

static size_t bytes_of(struct cut cut, int64_t columns)
{
	return (size_t)(cut.rows * columns + cut.chunk * (THREADS / cut.rows * COLUMNS)) * sizeof(scalar);
}

static struct cut cut_of(int64_t columns)
{
	static const struct cut cuts[] = { { 32, 8 }, { 16, 8 }, { 8, 4 }, { 4, 2 }, { 2, 1 }, { 1, 1 } };
	int i = 0;

	while (i < 5 && bytes_of(cuts[i], columns) > MOST_BYTES)
		i++;
	return cuts[i];
}

/* For this thread's row: finish(c, sum over p < inner of left(p) right(p, c)) for all its columns c.  b is shared. */
template <class Left, class Right, class Finish>
static __device__ __forceinline__ void row_product(int columns, int inner, struct cut cut, number *b, Left left, Right right, Finish finish)
{
	int group = (int)threadIdx.x / cut.rows, pass = THREADS / cut.rows * COLUMNS;

	for (int c0 = 0; c0 < columns; c0 += pass) {
		number sum[COLUMNS];
		GPU_UNROLL
		for (int q = 0; q < COLUMNS; q++)
			sum[q] = from_real(0);
		for (int p0 = 0; p0 < inner; p0 += cut.chunk) {
			__syncthreads();
			for (int i = (int)threadIdx.x; i < cut.chunk * pass; i += THREADS) {
				int p = i % cut.chunk, c = i / cut.chunk;
				b[p * pass + c] = p0 + p < inner && c0 + c < columns ? right(p0 + p, c0 + c) : from_real(0);
			}
			__syncthreads();
			for (int p = 0; p < cut.chunk && p0 + p < inner; p++) {
				number l = left(p0 + p);
				GPU_UNROLL
				for (int q = 0; q < COLUMNS; q++)
					sum[q] += l * b[p * pass + group * COLUMNS + q];
			}
		}
		GPU_UNROLL
		for (int q = 0; q < COLUMNS; q++)
			if (c0 + group * COLUMNS + q < columns)
				finish(c0 + group * COLUMNS + q, sum[q]);
	}
}

/* Z := alpha A B + Y's first y_rows rows: columns; A: inner columns.  X: x_columns, 0: only Z is wanted. */
static __global__ void GPU_BOUNDS(THREADS) two_products(struct cut cut, int flags, int64_t m, int columns, int inner, int x_columns, real alpha,
							 real beta, int64_t y_rows, const scalar *y, int64_t ldy, const scalar *a, int64_t lda,
							 const scalar *b, int64_t ldb, const scalar *c, int64_t ldc, scalar *z, int64_t ldz,
							 scalar *x, int64_t ldx, scalar *copy, scalar *copy_again, int64_t ldcopy)
{
	GPU_DYNAMIC_SHARED(number, shared);
	number *own = shared + threadIdx.x % cut.rows, *staged = shared + cut.rows * columns;
	int64_t row = (int64_t)blockIdx.x * cut.rows + threadIdx.x % cut.rows;
	bool here = row < m;

	row_product(
		columns, inner, cut, staged, [=](int p) { return here ? load(a[row + p * lda]) : from_real(0); },
		[=](int p, int j) { return (flags & UPPER_B) && p > j ? from_real(0) : load(b[p + j * ldb]); },
		[=](int j, number sum) { own[j * cut.rows] = alpha * sum + (row < y_rows ? load(y[row + j * ldy]) : from_real(0)); });
	__syncthreads();
	int group = (int)threadIdx.x / cut.rows, groups = THREADS / cut.rows;
	for (int j = group; j < columns && here && (flags & STORE_Z); j += groups)
		z[row + j * ldz] = store(own[j * cut.rows]);
	for (int j = group; j < inner && here && (flags & COPY_A); j += groups)
		copy[row + j * ldcopy] = copy_again[row + j * ldcopy] = a[row + j * lda];
	row_product(
		x_columns, x_columns ? columns : 0, cut, staged, [=](int p) { return own[p * cut.rows]; },
		[=](int p, int j) {
			return flags & ADJOINT_C ? conjugate(load(c[j + p * ldc])) : (flags & UPPER_C) && p > j ? from_real(0) : load(c[p + j * ldc]);
		},
		[=](int j, number sum) {
			if (here)
				x[row + j * ldx] = store(beta * sum + (flags & ADD_X ? load(x[row + j * ldx]) : from_real(0)));
		});
}

static dim3 grid_of(int64_t m, struct cut cut) { return dim3((unsigned)((m + cut.rows - 1) / cut.rows)); }

void NAME(gpu_row_panel)(gpu_stream stream, int64_t m, int64_t n, int64_t k, const scalar *t, int64_t ldt, const scalar *v, int64_t ldv, scalar *w,
			 int64_t ldw, scalar *x, int64_t ldx)
{
	struct cut cut = cut_of(k);
	const scalar *left = w;

	if (m > 0 && k > 0)
		GPU_LAUNCH(two_products, grid_of(m, cut), dim3(THREADS), bytes_of(cut, k), stream, cut, UPPER_B | ADJOINT_C | ADD_X | STORE_Z, m,
			   (int)k, (int)k, (int)n, (real)1, (real)-1, (int64_t)0, left, ldw, left, ldw, t, ldt, v, ldv, w, ldw, x, ldx, w, w, ldw);
}

void NAME(gpu_finish_x)(gpu_stream stream, int64_t m, int64_t n, int64_t k, const scalar *v, int64_t ldv, const scalar *mid, int64_t ldm,
			const scalar *s, int64_t lds, scalar *x, int64_t ldx)
{
	struct cut cut = cut_of(n);
	const scalar *y = x;

	if (m > 0 && n > 0)
		GPU_LAUNCH(two_products, grid_of(m, cut), dim3(THREADS), bytes_of(cut, n), stream, cut, (int)UPPER_C, m, (int)n, (int)k, (int)n, (real)-1,
			   (real)1, m, y, ldx, v, ldv, mid, ldm, s, lds, x, ldx, x, ldx, x, x, ldx);
}

void NAME(gpu_rebuild)(gpu_stream stream, int64_t k, int64_t row, int64_t rows, scalar *v, int64_t ldv, const void *work)
{
	struct cut cut = cut_of(k);
	const scalar *f = (const scalar *)work, *g = f + k * k, *old = v;
	int64_t from_q = row < k ? k - row : 0;

	if (rows > 0 && k > 0)
		GPU_LAUNCH(two_products, grid_of(rows, cut), dim3(THREADS), bytes_of(cut, k), stream, cut, (int)STORE_Z, rows, (int)k, (int)k, 0, (real)-1,
			   (real)0, from_q < rows ? from_q : rows, from_q > 0 ? f + row : f, k, old, ldv, g, k, f, k, v, ldv, v, ldv, v, v, ldv);
}

/* M := T^H G, a block of 16 by 16 elements a block of threads. */
static __global__ void GPU_BOUNDS(THREADS) middle(int k, const scalar *g, int64_t ldg, const scalar *t, int64_t ldt, scalar *to)
{
	GPU_SHARED2(number, u, 16, 17);
	GPU_SHARED2(number, x, 16, 17);
	int a = (int)threadIdx.x % 16, b = (int)threadIdx.x / 16, i0 = (int)blockIdx.x * 16, j0 = (int)blockIdx.y * 16;
	number sum = from_real(0);

	for (int p = 0; p <= i0; p += 16) { /* T(p, i) with p <= i */
		bool upper = p + a <= i0 + b && i0 + b < k;
		u[a][b] = upper ? load(t[p + a + (i0 + b) * ldt]) : from_real(0);
		x[a][b] = p + a < k && j0 + b < k ? load(g[p + a + (j0 + b) * ldg]) : from_real(0);
		__syncthreads();
		for (int l = 0; l < 16; l++)
			sum += conjugate(u[l][a]) * x[l][b];
		__syncthreads();
	}
	if (i0 + a < k && j0 + b < k)
		to[i0 + a + (int64_t)(j0 + b) * k] = store(sum);
}

size_t NAME(gpu_rank_pair_work)(int64_t k) { return (size_t)(k * k) * sizeof(scalar); }

void NAME(gpu_rank_pair)(gpu_stream stream, int64_t m, int64_t k, const scalar *v, int64_t ldv, const scalar *y, int64_t ldy, const scalar *g,
			 int64_t ldg, const scalar *t, int64_t ldt, scalar *pair, int64_t ldp, void *work)
{
	struct cut cut = cut_of(k);
	scalar *mid = (scalar *)work, *x = pair + k * ldp, *again = x + k * ldp;
	unsigned tiles = (unsigned)((k + 15) / 16);

	if (m <= 0 || k <= 0)
		return;
	GPU_LAUNCH(middle, dim3(tiles, tiles), dim3(THREADS), 0, stream, (int)k, g, ldg, t, ldt, mid);
	GPU_LAUNCH(two_products, grid_of(m, cut), dim3(THREADS), bytes_of(cut, k), stream, cut, UPPER_C | COPY_A, m, (int)k, (int)k, (int)k, (real)-0.5,
		   (real)1, m, y, ldy, v, ldv, (const scalar *)mid, k, t, ldt, x, ldp, x, ldp, pair, again, ldp);
}
