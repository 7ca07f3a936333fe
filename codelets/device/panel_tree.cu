/* The top of a panel's TSQR over many leaves, and the reconstruction of the whole's Householder form from the tree's Q: the formulas of
 * codelets/panel_top.c. */
#include "codelets/device/panel.h"
#include "codelets/device/panel_solve.h"
#include "codelets/device/panel_warp.h"

enum { THREADS = 256, HALF = THREADS / 2 };

/* Behind the block at j: a row a thread, L := X (-S) U^-1; and a column a thread, X := L^-1 X. */
static __device__ __forceinline__ void extend(int k, int j, scalar *q, int64_t ldq, const number *lu, const number *s)
{
	number y[WIDTH];
	bool is_row = threadIdx.x < HALF;

	for (int i = j + WIDTH + (int)threadIdx.x % HALF; i < k; i += HALF) {
		asm volatile("" ::: "memory"); /* lest all of lu be read into registers first */
		scalar *x = is_row ? q + i + j * ldq : q + j + i * ldq;
		int64_t step = is_row ? ldq : 1;
		GPU_UNROLL
		for (int c = 0; c < WIDTH; c++)
			y[c] = load(x[c * step]);
		if (is_row) {
			solve_row(y, lu, s);
		} else {
			GPU_UNROLL
			for (int c = 0; c < WIDTH; c++) {
				GPU_UNROLL
				for (int p = 0; p < WIDTH; p++)
					if (p < c)
						y[c] -= lu[c * STRIDE + p] * y[p];
			}
		}
		GPU_UNROLL
		for (int c = 0; c < WIDTH; c++)
			x[c * step] = store(y[c]);
	}
}

/* What is behind the block in both directions: X -= L X. */
static __device__ __forceinline__ void shrink(int k, int j, scalar *q, int64_t ldq)
{
	number l[WIDTH];

	for (int i = j + WIDTH + (int)threadIdx.x % HALF; i < k; i += HALF) {
		GPU_UNROLL
		for (int p = 0; p < WIDTH; p++)
			l[p] = load(q[i + (j + p) * ldq]);
		for (int c = j + WIDTH + (int)threadIdx.x / HALF; c < k; c += 2) {
			number sum = load(q[i + c * ldq]);
			GPU_UNROLL
			for (int p = 0; p < WIDTH; p++)
				sum -= l[p] * load(q[j + p + c * ldq]);
			q[i + c * ldq] = store(sum);
		}
	}
}

/* I - Q1 S = V1 U, by blocks of 16 columns, in place; then its parts to their places, T's to become U V1^-H, and S^H R.  One block. */
static __global__ void GPU_BOUNDS_FEW(THREADS) reconstruct(int k, scalar *q, int64_t ldq, scalar *v, int64_t ldv, scalar *u, int64_t ldu, scalar *t,
							int64_t ldt, scalar *r, int64_t ldr, scalar *signs)
{
	GPU_SHARED(number, lu, WIDTH * STRIDE);
	GPU_SHARED(number, row, WIDTH);
	GPU_SHARED(number, s, WIDTH);
	int thread = (int)threadIdx.x;

	for (int j = 0; j < k; j += WIDTH) {
		int w = k - j < WIDTH ? k - j : (int)WIDTH;
		if (thread < GPU_WARP) {
			number x[WIDTH];
			GPU_UNROLL
			for (int c = 0; c < WIDTH; c++)
				x[c] = thread < w && c < w ? load(q[j + thread + (j + c) * ldq]) : zero();
			reconstruct_rows(x, row, s, lu, thread);
			if (thread < w)
				signs[j + thread] = store(s[thread]);
		}
		__syncthreads();
		for (int i = thread; i < w * (j + w); i += THREADS) { /* the block, and U above it */
			int c = i / (j + w), p = i % (j + w);
			scalar *x = q + p + (j + c) * ldq;
			*x = store(p < j ? -(s[c] * load(*x)) : lu[(p - j) * STRIDE + c]);
		}
		extend(k, j, q, ldq, lu, s);
		__syncthreads();
		shrink(k, j, q, ldq);
		__syncthreads();
	}
	for (int i = thread; i < k * k; i += THREADS) {
		int p = i % k, c = i / k;
		number x = load(q[p + c * ldq]);
		v[p + c * ldv] = store(p > c ? x : from_real(p == c));
		u[p + c * ldu] = t[p + c * ldt] = store(p <= c ? x : zero());
		if (p <= c)
			r[p + c * ldr] = store(conjugate(load(signs[p])) * load(r[p + c * ldr]));
	}
}

void NAME(gpu_reconstruct)(gpu_stream stream, int64_t k, scalar *q1, int64_t ldq, scalar *v, int64_t ldv, scalar *u, int64_t ldu, scalar *t,
			   int64_t ldt, scalar *r, int64_t ldr, scalar *s)
{
	if (k <= 0)
		return;
	GPU_LAUNCH(reconstruct, dim3(1), dim3(THREADS), 0, stream, (int)k, q1, ldq, v, ldv, u, ldu, t, ldt, r, ldr, s);
	NAME(gpu_solve_rows)(stream, k, k, 1, v, ldv, 1, t, ldt, 0, t, ldt, 0);
}

/* The leaves' R's, one below the other. */
static __global__ void GPU_BOUNDS(THREADS) stack_r(int k, struct gpu_list<scalar> leaves, scalar *v, int64_t ldv)
{
	const scalar *r = leaves.p[blockIdx.y];
	int64_t ld = leaves.ld[blockIdx.y];

	for (int i = (int)(blockIdx.x * THREADS + threadIdx.x); i < k * k; i += (int)gridDim.x * THREADS)
		v[blockIdx.y * k + i % k + i / k * ldv] = i % k <= i / k ? r[i % k + i / k * ld] : store(zero());
}

/* One leaf: V1 made explicit, and T. */
static __global__ void GPU_BOUNDS(THREADS) unpack(int k, const scalar *qr, const scalar *from, int64_t ld, scalar *v, scalar *t, int64_t ldf)
{
	for (int i = (int)(blockIdx.x * THREADS + threadIdx.x); i < k * k; i += (int)gridDim.x * THREADS) {
		int p = i % k, c = i / k;
		v[p + c * ldf] = p > c ? qr[p + c * ld] : store(from_real(p == c));
		t[p + c * ldf] = from[p + c * ld];
	}
}

void NAME(gpu_panel_of_leaf)(gpu_stream stream, int64_t k, int64_t width, const scalar *leaf, int64_t ldl, scalar *factor, int64_t ldf)
{
	if (k > 0)
		GPU_LAUNCH(unpack, dim3((unsigned)((k * k + THREADS - 1) / THREADS)), dim3(THREADS), 0, stream, (int)k, leaf + LEAF_QR * width * ldl,
			   leaf + LEAF_T * width * ldl, ldl, factor + PANEL_V * width * ldf, factor + PANEL_T * width * ldf, ldf);
}

/* LEAF_Q and LEAF_G times -S */
static __global__ void GPU_BOUNDS(THREADS) apply_signs(int k, int64_t width, struct gpu_list<scalar> leaves, const scalar *s)
{
	scalar *leaf = leaves.p[blockIdx.y];
	int64_t ld = leaves.ld[blockIdx.y];

	for (int i = (int)(blockIdx.x * THREADS + threadIdx.x); i < k * k; i += (int)gridDim.x * THREADS) {
		number minus = -load(s[i / k]);
		for (int block = LEAF_Q; block <= LEAF_G; block++) {
			scalar *x = leaf + (block * width + i / k) * ld + i % k;
			*x = store(minus * load(*x));
		}
	}
}

/* C := alpha op(A) op(B) + beta D for matrices of order k, one of each list a blockIdx.z; a tile of 16 by 16 a block.  With FIRST_IDENTITY the
 * first one of all has the identity for D, the others nothing. */
enum { UNIT_LOWER_A = 1, ADJOINT_A = 2, ADJOINT_B = 4, FIRST_IDENTITY = 8, ADD_D = 16 };

static __device__ __forceinline__ number element_of(const scalar *a, int64_t ld, int i, int j, int k, bool unit_lower, bool adjoint)
{
	int p = adjoint ? j : i, c = adjoint ? i : j;

	if (p >= k || c >= k || (unit_lower && p <= c))
		return from_real(unit_lower && p == c && p < k);
	number x = load(a[p + c * ld]);
	return adjoint ? conjugate(x) : x;
}

static __global__ void GPU_BOUNDS(THREADS) square_products(int k, int flags, real alpha, struct gpu_list<scalar> a, struct gpu_list<scalar> b,
							    struct gpu_list<scalar> to, const scalar *d, int64_t ldd)
{
	GPU_SHARED2(number, left, WIDTH, STRIDE);
	GPU_SHARED2(number, right, WIDTH, STRIDE);
	int x = (int)threadIdx.x % WIDTH, y = (int)threadIdx.x / WIDTH, l = blockIdx.z;
	int i0 = (int)blockIdx.x * WIDTH, j0 = (int)blockIdx.y * WIDTH, i = i0 + x, j = j0 + y;
	number sum = zero();

	for (int p = 0; p < k; p += WIDTH) {
		left[x][y] = element_of(a.p[l], a.ld[l], i, p + y, k, flags & UNIT_LOWER_A, flags & ADJOINT_A);
		right[x][y] = element_of(b.p[l], b.ld[l], p + x, j, k, false, flags & ADJOINT_B);
		__syncthreads();
		for (int q = 0; q < WIDTH; q++)
			sum += left[x][q] * right[q][y];
		__syncthreads();
	}
	if (i >= k || j >= k)
		return;
	number more = flags & ADD_D ? load(d[i + j * ldd]) : from_real(flags & FIRST_IDENTITY && l == 0 && i == j);
	to.p[l][i + j * to.ld[l]] = store(alpha * sum + more);
}

/* `count` entries of a list: base[l] or, if base is NULL, every `step` of from. */
static gpu_list<scalar> blocks_of(int64_t count, scalar *const *base, const int64_t *ld, int64_t block, scalar *from, int64_t step, int64_t ldfrom)
{
	gpu_list<scalar> list;

	for (int64_t l = 0; l < GPU_LIST; l++) {
		int64_t at = l < count ? l : 0; /* the rest is not used, but holds pointers all the same */
		list.p[l] = base ? base[at] + block * ld[at] : from + at * step;
		list.ld[l] = base ? ld[at] : ldfrom;
	}
	return list;
}

/* Where things are in the work memory. */
struct tree_work {
	scalar *v, *t, *g, *h, *q1, *s, *rest;
	int64_t rows; /* of v */
};
static int64_t blocks_at_once(int64_t leaves) { return leaves < GPU_LIST ? leaves : (int64_t)GPU_LIST; }
static struct tree_work tree_work_at(int64_t k, int64_t leaves, scalar *work)
{
	int64_t square = k * k, rows = leaves * k;
	struct tree_work w = { work, work + rows * k, 0, 0, 0, 0, 0, rows };

	w.g = w.t + square;
	w.h = w.g + square;
	w.q1 = w.h + square * blocks_at_once(leaves);
	w.s = w.q1 + square;
	w.rest = w.s + k;
	return w;
}

size_t NAME(gpu_panel_top_work)(int64_t k, int64_t leaves)
{
	return (size_t)(k * k * (leaves + 3 + blocks_at_once(leaves)) + k) * sizeof(scalar) + NAME(gpu_geqrt_work)(leaves * k, k);
}

/* LEAF_Q and LEAF_G of up to GPU_LIST leaves, from leaf `first` on. */
static void open_leaves(gpu_stream stream, const struct tree_work *w, int64_t k, int64_t width, int64_t first, int64_t count, scalar *const *leaf,
			const int64_t *ld)
{
	unsigned tiles = (unsigned)((k + WIDTH - 1) / WIDTH);
	dim3 grid(tiles, tiles, (unsigned)count);
	gpu_list<scalar> v = blocks_of(count, 0, 0, 0, w->v + first * k, k, w->rows), g = blocks_of(count, 0, 0, 0, w->g, 0, k);
	gpu_list<scalar> h = blocks_of(count, 0, 0, 0, w->h, k * k, k), top = blocks_of(count, leaf, ld, LEAF_QR * width, 0, 0, 0);
	gpu_list<scalar> t = blocks_of(count, leaf, ld, LEAF_T * width, 0, 0, 0), q = blocks_of(count, leaf, ld, LEAF_Q * width, 0, 0, 0);
	gpu_list<scalar> to = blocks_of(count, leaf, ld, LEAF_G * width, 0, 0, 0);
	const scalar *none = w->g;

	GPU_LAUNCH(square_products, grid, dim3(THREADS), 0, stream, (int)k, first == 0 ? (int)FIRST_IDENTITY : 0, (real)-1, v, g, q, none, k);
	GPU_LAUNCH(square_products, grid, dim3(THREADS), 0, stream, (int)k, UNIT_LOWER_A | ADJOINT_A, (real)1, top, q, h, none, k);
	GPU_LAUNCH(square_products, grid, dim3(THREADS), 0, stream, (int)k, 0, (real)1, t, h, to, none, k);
}

void NAME(gpu_panel_top)(gpu_stream stream, int64_t k, int64_t width, int64_t leaves, scalar *const *leaf, const int64_t *ld, scalar *factor,
			 int64_t ldf, scalar *r, int64_t ldr, void *work)
{
	struct tree_work w = tree_work_at(k, leaves, (scalar *)work);
	unsigned tiles = (unsigned)((k + WIDTH - 1) / WIDTH), blocks = (unsigned)((k * k + THREADS - 1) / THREADS);
	dim3 grid(tiles, tiles);

	for (int64_t l = 0; l < leaves; l += GPU_LIST) {
		int64_t count = leaves - l < GPU_LIST ? leaves - l : (int64_t)GPU_LIST;
		gpu_list<scalar> top = blocks_of(count, leaf + l, ld + l, LEAF_QR * width, 0, 0, 0);
		GPU_LAUNCH(stack_r, dim3(blocks, (unsigned)count), dim3(THREADS), 0, stream, (int)k, top, w.v + l * k, w.rows);
	}
	NAME(gpu_geqrt)(stream, w.rows, k, w.v, w.rows, r, ldr, w.t, k, w.rest);
	gpu_list<scalar> t = blocks_of(1, 0, 0, 0, w.t, 0, k), v = blocks_of(1, 0, 0, 0, w.v, 0, w.rows), g = blocks_of(1, 0, 0, 0, w.g, 0, k);
	GPU_LAUNCH(square_products, grid, dim3(THREADS), 0, stream, (int)k, (int)ADJOINT_B, (real)1, t, v, g, (const scalar *)w.t, k);
	for (int64_t l = 0; l < leaves; l += GPU_LIST)
		open_leaves(stream, &w, k, width, l, leaves - l < GPU_LIST ? leaves - l : (int64_t)GPU_LIST, leaf + l, ld + l);
	/* Q1 = Q_0 - V_0 G_0 */
	gpu_list<scalar> v0 = blocks_of(1, leaf, ld, LEAF_QR * width, 0, 0, 0), g0 = blocks_of(1, leaf, ld, LEAF_G * width, 0, 0, 0);
	gpu_list<scalar> q1 = blocks_of(1, 0, 0, 0, w.q1, 0, k);
	GPU_LAUNCH(square_products, grid, dim3(THREADS), 0, stream, (int)k, UNIT_LOWER_A | ADD_D, (real)-1, v0, g0, q1,
		   (const scalar *)(leaf[0] + LEAF_Q * width * ld[0]), ld[0]);
	NAME(gpu_reconstruct)(stream, k, w.q1, k, factor + PANEL_V * width * ldf, ldf, factor + PANEL_U * width * ldf, ldf,
			      factor + PANEL_T * width * ldf, ldf, r, ldr, w.s);
	for (int64_t l = 0; l < leaves; l += GPU_LIST) {
		int64_t count = leaves - l < GPU_LIST ? leaves - l : (int64_t)GPU_LIST;
		gpu_list<scalar> all = blocks_of(count, leaf + l, ld + l, 0, 0, 0, 0);
		GPU_LAUNCH(apply_signs, dim3(blocks, (unsigned)count), dim3(THREADS), 0, stream, (int)k, width, all, (const scalar *)w.s);
	}
}
