/* Rows times the inverse of a small triangle from the right, a row a thread: 16 columns at a time, in registers, less what the columns before
 * them take. */
#include "codelets/device/panel.h"
#include "codelets/device/panel_solve.h"
#include "codelets/device/panel_warp.h"

enum { THREADS = 64 };

/* The triangle's rows p0 .. and columns c0 .., 16 of each; on the diagonal the reciprocals. */
static __device__ __forceinline__ void stage_square(number *to, int k, bool adjoint, const scalar *u, int64_t ldu, int p0, int c0)
{
	for (int i = (int)threadIdx.x; i < WIDTH * WIDTH; i += THREADS) {
		int p = p0 + i % WIDTH, c = c0 + i / WIDTH;
		number x = zero();
		if (p < c && c < k)
			x = adjoint ? conjugate(load(u[c + p * ldu])) : load(u[p + c * ldu]);
		else if (p == c && p < k)
			x = adjoint ? from_real(1) : from_real(1) / load(u[p + c * ldu]);
		to[i % WIDTH * WIDTH + i / WIDTH] = x;
	}
}

/* out := in U^-1, blockIdx.y steps further on; U the upper triangle of u or the adjoint of its unit lower one.  in and out may be one. */
static __global__ void GPU_BOUNDS(THREADS) solve_rows(int64_t m, int k, int adjoint, const scalar *u, int64_t ldu, const scalar *in, int64_t ldin,
						       int64_t step_in, scalar *out, int64_t ldout, int64_t step_out)
{
	GPU_SHARED(number, square, WIDTH * WIDTH);
	int64_t row = (int64_t)blockIdx.x * THREADS + threadIdx.x;
	bool here = row < m;
	number y[WIDTH];

	in += blockIdx.y * step_in + row;
	out += blockIdx.y * step_out + row;
	for (int c0 = 0; c0 < k; c0 += WIDTH) {
		GPU_UNROLL
		for (int c = 0; c < WIDTH; c++)
			y[c] = here && c0 + c < k ? load(in[(c0 + c) * ldin]) : zero();
		for (int p0 = 0; p0 < c0; p0 += WIDTH) {
			stage_square(square, k, adjoint, u, ldu, p0, c0);
			__syncthreads();
			GPU_ROLLED
			for (int p = 0; p < WIDTH && here; p++) {
				number x = load(out[(p0 + p) * ldout]);
				GPU_UNROLL
				for (int c = 0; c < WIDTH; c++)
					y[c] -= x * square[p * WIDTH + c];
			}
			__syncthreads();
		}
		stage_square(square, k, adjoint, u, ldu, c0, c0);
		__syncthreads();
		GPU_UNROLL
		for (int c = 0; c < WIDTH; c++) {
			GPU_UNROLL
			for (int p = 0; p < WIDTH; p++)
				if (p < c)
					y[c] -= y[p] * square[p * WIDTH + c];
			y[c] = y[c] * square[c * WIDTH + c];
			if (here && c0 + c < k)
				out[(c0 + c) * ldout] = store(y[c]);
		}
		__syncthreads();
	}
}

void NAME(gpu_solve_rows)(gpu_stream stream, int64_t m, int64_t k, int adjoint, const scalar *u, int64_t ldu, int64_t count, const scalar *in,
			  int64_t ldin, int64_t step_in, scalar *out, int64_t ldout, int64_t step_out)
{
	if (m > 0 && k > 0)
		GPU_LAUNCH(solve_rows, dim3((unsigned)((m + THREADS - 1) / THREADS), (unsigned)count), dim3(THREADS), 0, stream, m, (int)k, adjoint, u, ldu,
			   in, ldin, step_in, out, ldout, step_out);
}

void NAME(gpu_solve_right)(gpu_stream stream, int64_t m, int64_t k, const scalar *u, int64_t ldu, scalar *x, int64_t ldx)
{
	NAME(gpu_solve_rows)(stream, m, k, 0, u, ldu, 1, x, ldx, 0, x, ldx, 0);
}

size_t NAME(gpu_rebuild_work)(int64_t k) { return (size_t)(2 * k * k) * sizeof(scalar); }

void NAME(gpu_rebuild_begin)(gpu_stream stream, int64_t k, int64_t width, const scalar *factor, int64_t ldf, const scalar *leaf,
				int64_t ldl, void *work)
{
	static_assert(LEAF_G == LEAF_Q + 1, "G lies behind Q");
	NAME(gpu_solve_rows)(stream, k, k, 0, factor + PANEL_U * width * ldf, ldf, 2, leaf + LEAF_Q * width * ldl, ldl, width * ldl, (scalar *)work, k,
			     k * k);
}
