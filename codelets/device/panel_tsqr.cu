/* TSQR of up to 16 columns and the Householder form of the whole, after section 4 of the paper on the two-stage reduction.
 *
 * A warp factors a leaf of LEAF rows, a few of them in each lane's registers, without a barrier.  A block has LEAVES of them, and as many R's make
 * one leaf more, its node.  The R's of more blocks than one are the rows of the next level.  On the way down Q of each level comes
 * from Q of the one above, Q_l = [E; 0] - V_l (T_l V_l1^H E) with E the leaf's rows of the level above; the lowest level makes V of it,
 * V = [E (-S) U^-1; 0] - V_l (T_l V_l1^H E (-S) U^-1), with the reconstruction I - Q1 S = V1 U done by every
 * block for itself.  One block alone does all that in one launch. */
#include "codelets/device/panel.h"
#include "codelets/device/panel_leaf.h"

enum {
	LEAVES = LEAF / WIDTH,
	THREADS = LEAVES * GPU_WARP,
	BLOCK = LEAF * LEAVES,
	SQUARE = WIDTH * WIDTH,
	NODE_T = 2 * SQUARE * LEAVES, /* behind T and V1 of the leaves */
	NODE_V = NODE_T + SQUARE,
	NODE = NODE_V + LEAF * WIDTH,
};
enum { UP = 1, DOWN = 2, LAST = 4 };

static_assert((int)WIDTH == (int)GPU_TSQR_COLUMNS, "the header says how many columns");

static __device__ __forceinline__ struct leaf leaf_of(int64_t m, int w, scalar *x, int64_t ldx, int64_t first)
{
	int64_t left = m - first;

	return leaf{ x + first, ldx, left < LEAF ? (int)left : (int)LEAF, w };
}

static __device__ __forceinline__ int leaves_of(int64_t m, int64_t block)
{
	int64_t left = m - block * BLOCK;

	return left >= BLOCK ? (int)LEAVES : (int)((left + LEAF - 1) / LEAF);
}

/* Leaves, then the node of their R's; R of the block is left in the first rows of stack. */
static __device__ __forceinline__ void go_up(int64_t m, int w, scalar *x, int64_t ldx, scalar *node, number *gram, number *stack)
{
	int warp = (int)threadIdx.x / GPU_WARP, lane = (int)threadIdx.x % GPU_WARP, leaves = leaves_of(m, blockIdx.x);

	GPU_ROLLED
	for (int level = 0; level < 2; level++) {
		if (level ? warp == 0 && leaves > 1 : warp < leaves) {
			number rows[LANE_ROWS][WIDTH];
			struct leaf from = leaf_of(m, w, x, ldx, (int64_t)blockIdx.x * BLOCK + warp * LEAF);
			if (level)
				from = leaf{ node + NODE_V, LEAF, LEAF, WIDTH };
			GPU_UNROLL
			for (int r = 0; r < LANE_ROWS; r++) {
				int p = r * GPU_WARP + lane;
				GPU_UNROLL
				for (int k = 0; k < WIDTH; k++)
					rows[r][k] = level ? (p < leaves * WIDTH ? stack[p * STRIDE + k] : zero())
						     : p < from.rows && k < w ? load(from.x[p + k * ldx]) : zero();
			}
			gpu_sync_warp();
			factor_rows(rows, gram + warp * SQUARE, lane);
			scalar *t = node + (level ? (int)NODE_T : 2 * SQUARE * warp);
			store_rows(rows, from, level ? node + NODE_V : t + SQUARE, level ? (int)LEAF : (int)WIDTH, stack + warp * WIDTH * STRIDE, lane);
			form_t(gram + warp * SQUARE, t, lane);
		}
		__syncthreads();
	}
}

/* A block's Q of the level above, WIDTH rows; the identity at the top. */
struct outer {
	const scalar *q; /* NULL: the top */
	int64_t ld;
};
static __device__ __forceinline__ number outer_element(struct outer e, int i, int c)
{
	return e.q ? load(e.q[i + c * e.ld]) : from_real(i == c);
}

/* A warp: gram := T V1^H E for a leaf or a node. */
static __device__ __forceinline__ void open_rows(const scalar *t, const scalar *v1, int ldv1, const number *e, number *gram, int lane)
{
	multiply<true>(v1, ldv1, e, STRIDE, gram, lane);
	multiply<false>(t, WIDTH, gram, WIDTH, gram, lane);
}

/* The node's Q, WIDTH rows for each leaf, into stack. */
static __device__ __forceinline__ void open_node(const scalar *node, int leaves, struct outer e, number *gram, number *stack)
{
	int thread = (int)threadIdx.x, p = thread % LEAF, c0 = thread / LEAF * (WIDTH / 2);
	number sum[WIDTH / 2];

	static_assert(THREADS == 2 * LEAF, "two threads a row");
	for (int i = thread; i < SQUARE; i += THREADS)
		stack[i % WIDTH * STRIDE + i / WIDTH] = outer_element(e, i % WIDTH, i / WIDTH);
	__syncthreads();
	if (thread < GPU_WARP && leaves > 1)
		open_rows(node + NODE_T, node + NODE_V, LEAF, stack, gram, thread);
	__syncthreads();
	GPU_UNROLL
	for (int c = 0; c < WIDTH / 2; c++)
		sum[c] = p < WIDTH ? stack[p * STRIDE + c0 + c] : zero();
	GPU_ROLLED
	for (int k = 0; k < WIDTH && leaves > 1; k++) {
		number v = load(node[NODE_V + p + k * LEAF]);
		GPU_UNROLL
		for (int c = 0; c < WIDTH / 2; c++)
			sum[c] -= v * gram[k * WIDTH + c0 + c];
	}
	GPU_UNROLL
	for (int c = 0; c < WIDTH / 2; c++)
		stack[p * STRIDE + c0 + c] = sum[c];
	__syncthreads();
}

/* The first warp: the reconstruction from the first block, whose node is open. */
static __device__ __forceinline__ void rebuild_top(const scalar *node, const number *stack, number *gram, number *s, number *lu, int lane)
{
	number x[WIDTH];
	int i = lane % WIDTH;

	open_rows(node, node + SQUARE, WIDTH, stack, gram, lane);
	GPU_UNROLL
	for (int c = 0; c < WIDTH; c++)
		x[c] = lane < WIDTH ? stack[i * STRIDE + c] : zero();
	GPU_ROLLED
	for (int k = 0; k < WIDTH; k++) {
		number v = lane < WIDTH ? load(node[SQUARE + i + k * WIDTH]) : zero();
		GPU_UNROLL
		for (int c = 0; c < WIDTH; c++)
			x[c] -= v * gram[k * WIDTH + c];
	}
	gpu_sync_warp();
	reconstruct_rows(x, gram, s, lu, lane);
}

/* T = U V1^-H and S^H R, a row a lane. */
static __device__ __forceinline__ void store_t_and_r(int w, const number *lu, const number *s, const scalar *top, scalar *r, int64_t ldr, scalar *t,
						     int64_t ldt, int lane)
{
	number y[WIDTH];

	if (lane >= w)
		return;
	GPU_UNROLL
	for (int j = 0; j < WIDTH; j++) {
		y[j] = pick(j >= lane, lu[lane * STRIDE + j], zero());
		GPU_UNROLL
		for (int p = 0; p < WIDTH; p++)
			if (p < j)
				y[j] -= y[p] * conjugate(lu[j * STRIDE + p]);
		if (j < w)
			t[lane + j * ldt] = store(y[j]);
		if (j < w && j >= lane)
			r[lane + j * ldr] = store(conjugate(s[lane]) * load(top[lane + j * WIDTH]));
	}
}

/* A warp: its leaf's rows become Q's or, at the lowest level, V's. */
static __device__ __forceinline__ void finish_leaf(struct leaf x, bool last, bool first_leaf, number *e, number *gram, const number *s,
						   const number *lu, int lane)
{
	number y[WIDTH];

	if (last) {
		number *from = lane < WIDTH ? gram + lane * WIDTH : e + (lane - WIDTH) * STRIDE;
		GPU_UNROLL
		for (int c = 0; c < WIDTH; c++)
			y[c] = from[c];
		solve_row(y, lu, s);
		GPU_UNROLL
		for (int c = 0; c < WIDTH; c++)
			from[c] = y[c];
		gpu_sync_warp();
	}
	GPU_ROLLED
	for (int p = lane; p < x.rows; p += GPU_WARP) {
		GPU_UNROLL
		for (int c = 0; c < WIDTH; c++)
			y[c] = p < WIDTH ? e[p * STRIDE + c] : zero();
		GPU_ROLLED
		for (int k = 0; k < x.columns; k++) {
			number v = load(x.x[p + k * x.ld]);
			GPU_UNROLL
			for (int c = 0; c < WIDTH; c++)
				y[c] -= v * gram[k * WIDTH + c];
		}
		GPU_UNROLL
		for (int c = 0; c < WIDTH; c++) {
			if (last && first_leaf && p < WIDTH)
				y[c] = p > c ? lu[p * STRIDE + c] : from_real(p == c);
			if (c < x.columns)
				x.x[p + c * x.ld] = store(y[c]);
		}
	}
}

static __device__ __forceinline__ void copy_r(const number *stack, scalar *to, int64_t ld)
{
	for (int i = (int)threadIdx.x; i < SQUARE; i += THREADS)
		to[i % WIDTH + i / WIDTH * ld] = store(stack[i % WIDTH * STRIDE + i / WIDTH]);
}

/* One level, m rows: x becomes V's of its leaves on the way up; on the way down Q or V.  above: the next level, of which R's go up and Q
 * comes down; of the last block at the top R goes to `top`. */
static __global__ void GPU_BOUNDS_FEW(THREADS) tsqr(int stages, int64_t m, int w, scalar *x, int64_t ldx, scalar *nodes, scalar *above, int64_t lda,
						 scalar *top, scalar *r, int64_t ldr, scalar *t, int64_t ldt)
{
	GPU_SHARED(number, gram, LEAVES * SQUARE);
	GPU_SHARED(number, stack, LEAF * STRIDE);
	GPU_SHARED(number, lu, WIDTH * STRIDE);
	GPU_SHARED(number, s, WIDTH);
	int warp = (int)threadIdx.x / GPU_WARP, lane = (int)threadIdx.x % GPU_WARP, leaves = leaves_of(m, blockIdx.x);
	bool is_top = gridDim.x == 1, last = stages & LAST;
	scalar *node = nodes + (int64_t)blockIdx.x * NODE;
	struct outer e = { is_top ? (const scalar *)0 : above + (last ? 0 : blockIdx.x * WIDTH), lda };

	if (stages & UP) {
		go_up(m, w, x, ldx, node, gram, stack);
		copy_r(stack, is_top ? top : above + blockIdx.x * WIDTH, is_top ? (int64_t)WIDTH : lda);
		__syncthreads();
	}
	if (!(stages & DOWN))
		return;
	if (last && is_top && leaves == 1) { /* one leaf is in Householder form already */
		for (int i = (int)threadIdx.x; i < SQUARE; i += THREADS)
			if (i % WIDTH < w && i / WIDTH < w) {
				t[i % WIDTH + i / WIDTH * ldt] = node[i];
				if (i % WIDTH <= i / WIDTH)
					r[i % WIDTH + i / WIDTH * ldr] = top[i];
			}
		return;
	}
	open_node(last ? nodes : node, last ? leaves_of(m, 0) : leaves, e, gram, stack);
	if (last) {
		if (warp == 0)
			rebuild_top(nodes, stack, gram, s, lu, lane);
		__syncthreads();
		if (blockIdx.x == 0 && warp == 0)
			store_t_and_r(w, lu, s, top, r, ldr, t, ldt, lane);
		if (blockIdx.x > 0) {
			e.q += blockIdx.x * WIDTH;
			open_node(node, leaves, e, gram, stack);
		}
	}
	if (warp < leaves) {
		number *q = stack + warp * WIDTH * STRIDE;
		const scalar *own = node + 2 * SQUARE * warp;
		gpu_sync_warp();
		open_rows(own, own + SQUARE, WIDTH, q, gram + warp * SQUARE, lane);
		finish_leaf(leaf_of(m, w, x, ldx, (int64_t)blockIdx.x * BLOCK + warp * LEAF), last, blockIdx.x == 0 && warp == 0, q,
			    gram + warp * SQUARE, s, lu, lane);
	}
}

static int64_t blocks_of(int64_t m) { return (m + BLOCK - 1) / BLOCK; }

/* Numbers of work of a level and those above it. */
static int64_t level_work(int64_t m)
{
	int64_t blocks = blocks_of(m);

	return blocks * NODE + (blocks > 1 ? blocks * SQUARE + level_work(blocks * WIDTH) : 0);
}

size_t NAME(gpu_tsqr_work)(int64_t m) { return (size_t)(level_work(m) + SQUARE) * sizeof(scalar); }

/* The level's own kernels around those of the levels above; work begins with R of the top. */
static void level(gpu_stream stream, int last, int64_t m, int w, scalar *x, int64_t ldx, scalar *top, scalar *nodes, scalar *r, int64_t ldr,
		  scalar *t, int64_t ldt)
{
	int64_t blocks = blocks_of(m), lda = blocks * WIDTH;
	scalar *above = nodes + blocks * NODE;
	dim3 grid((unsigned)blocks), block(THREADS);

	if (blocks == 1) {
		GPU_LAUNCH(tsqr, grid, block, 0, stream, UP | DOWN | last, m, w, x, ldx, nodes, above, lda, top, r, ldr, t, ldt);
		return;
	}
	GPU_LAUNCH(tsqr, grid, block, 0, stream, (int)UP, m, w, x, ldx, nodes, above, lda, top, r, ldr, t, ldt);
	level(stream, 0, lda, WIDTH, above, lda, top, above + blocks * SQUARE, r, ldr, t, ldt);
	GPU_LAUNCH(tsqr, grid, block, 0, stream, DOWN | last, m, w, x, ldx, nodes, above, lda, top, r, ldr, t, ldt);
}

void NAME(gpu_tsqr)(gpu_stream stream, int64_t m, int64_t n, scalar *a, int64_t lda, scalar *r, int64_t ldr, scalar *t, int64_t ldt, void *work)
{
	scalar *top = (scalar *)work;

	if (n > 0)
		level(stream, LAST, m, (int)n, a, lda, top, top + SQUARE, r, ldr, t, ldt);
}
