/* For the panel kernels: what one warp does with blocks of 16 columns, a row or a column in a lane's registers.  Loops that index registers are
 * unrolled, each with a constant number of turns, for the compilers' sake, which also put arrays into memory where ?: picks between two of their
 * elements as lvalues: pick does not.  A loop over columns is not unrolled: each turn moves a row one place left, so that the column at hand
 * is x[0] (column j + k is x[k], from the other end again where j + k >= WIDTH), and after WIDTH turns all is in its place. */
#ifndef CODELETS_DEVICE_PANEL_WARP_H
#define CODELETS_DEVICE_PANEL_WARP_H

#include <float.h>
#include "codelets/device/scalar.h"

enum { WIDTH = 16, STRIDE = WIDTH + 1 /* between rows in shared memory */ };

#define SMALLEST (REAL_IS_SINGLE ? (real)FLT_MIN : (real)DBL_MIN)
#define ROUNDING (REAL_IS_SINGLE ? (real)FLT_EPSILON : (real)DBL_EPSILON)

static __device__ __forceinline__ number zero() { return from_real(0); }
static __device__ __forceinline__ number pick(bool first, number a, number b)
{
	return from_parts(first ? real_part(a) : real_part(b), first ? imaginary_part(a) : imaginary_part(b));
}
static __device__ __forceinline__ real larger(real a, real b) { return b > a ? b : a; }

static __device__ __forceinline__ void turn_left(number (&x)[WIDTH])
{
	number first = x[0];

	GPU_UNROLL
	for (int k = 0; k < WIDTH - 1; k++)
		x[k] = x[k + 1];
	x[WIDTH - 1] = first;
}

/* Sums over the warp of N numbers at once: lane l is left with the sum of v[l N / 32] in v[0]. */
template <int N> static __device__ __forceinline__ void fold(number *v, int lane, int distance)
{
	if constexpr (N > 1) {
		bool up = lane & distance;
		GPU_UNROLL
		for (int k = 0; k < N / 2; k++) {
			number given = pick(up, v[k], v[k + N / 2]);
			v[k] = pick(up, v[k + N / 2], v[k]) + gpu_shuffle_xor(given, distance);
		}
		fold<N / 2>(v, lane, distance / 2);
	} else {
		GPU_UNROLL
		for (int d = distance; d > 0; d /= 2)
			v[0] = v[0] + gpu_shuffle_xor(v[0], d);
	}
}

/* I - Q1 S = V1 U by LU without pivoting, row i of Q1 in lane i (the other lanes: zeros), s_j of modulus 1 such that no pivot is below 1.
 * lu, with STRIDE between rows, receives V1 below its diagonal and U above; row is WIDTH numbers of work.  A zero column of Q1 is as good
 * as any. */
static __device__ __forceinline__ void reconstruct_rows(number (&x)[WIDTH], number *row, number *s, number *lu, int lane)
{
	GPU_ROLLED
	for (int j = 0; j < WIDTH; j++) {
		if (lane == j) {
			GPU_UNROLL
			for (int k = 0; k < WIDTH; k++)
				row[k] = x[k];
		}
		gpu_sync_warp();
		number pivot = row[0];
		real size = modulus(pivot);
		number sign = size < SMALLEST / ROUNDING ? from_real(-1) : from_parts(-real_part(pivot) / size, imaginary_part(pivot) / size);
		number first = -(sign * x[0]);
		if (lane > j) {
			first = first * (1 / (1 + size));
			GPU_UNROLL
			for (int k = 1; k < WIDTH; k++)
				if (j + k < WIDTH)
					x[k] -= first * row[k];
		}
		x[0] = pick(lane == j, from_real(1 + size), first);
		if (lane == 0)
			s[j] = sign;
		turn_left(x);
		gpu_sync_warp();
	}
	if (lane < WIDTH) {
		GPU_UNROLL
		for (int k = 0; k < WIDTH; k++)
			lu[lane * STRIDE + k] = x[k];
	}
	gpu_sync_warp();
}

/* y := -y S U^-1, a row */
static __device__ __forceinline__ void solve_row(number (&y)[WIDTH], const number *lu, const number *s)
{
	GPU_UNROLL
	for (int j = 0; j < WIDTH; j++) {
		number sum = -(s[j] * y[j]);
		GPU_UNROLL
		for (int p = 0; p < WIDTH; p++)
			if (p < j)
				sum -= y[p] * lu[p * STRIDE + j];
		y[j] = sum * (1 / real_part(lu[j * STRIDE + j]));
	}
}

/* to := op(A) B, WIDTH by WIDTH, by a warp: A in device memory, B and to, which may be B, in shared memory, row by row. */
template <bool ADJOINT> static __device__ __forceinline__ void multiply(const scalar *a, int lda, const number *b, int ldb, number *to, int lane)
{
	number sum[WIDTH / 2];
	int c = lane % WIDTH, i0 = lane / WIDTH * (WIDTH / 2);

	GPU_UNROLL
	for (int i = 0; i < WIDTH / 2; i++)
		sum[i] = zero();
	GPU_ROLLED
	for (int p = 0; p < WIDTH; p++) {
		number x = b[p * ldb + c];
		GPU_UNROLL
		for (int i = 0; i < WIDTH / 2; i++)
			sum[i] += (ADJOINT ? conjugate(load(a[p + (i0 + i) * lda])) : load(a[i0 + i + p * lda])) * x;
	}
	gpu_sync_warp();
	GPU_UNROLL
	for (int i = 0; i < WIDTH / 2; i++)
		to[(i0 + i) * WIDTH + c] = sum[i];
	gpu_sync_warp();
}

#endif
