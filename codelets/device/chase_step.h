/* For the chase on a device: one step by a block, in the band or in a window of it.
 *
 * A pass takes `tile` of b diagonals away and keeps `kept` = b - tile (the paper's successive band reduction; all at once: kept = 1).
 * Sweep s clears row s right of diagonal `kept` and chases the bulge out of the band.  Its step t has columns and rows
 * c = s + kept + t b .. c + tile, cut at the end, and the row r = c - b, or s if t = 0, that it clears.  Like the host's, a step first
 * does what the reflector H of step t - 1 has left to do:
 *
 *	upper:      H^H on rows r .. r + tile of columns c - kept + 1 .. c + tile; then G, which clears row r, on all rows below down to
 *	            c + tile; then K, which clears column c, on columns up to c + tile
 *	Hermitian:  H on columns r .. r + tile of rows c - kept + 1 .. c + tile; then K, which clears column r, on the columns after it
 *	            from the left, and on both sides of the block of rows and columns c .. c + tile
 *
 * so that a step touches b columns (Hermitian: rows) only, up to c + tile.  Step t of sweep s needs step t + 1 of sweep s - 1 done, and may
 * run at the same time as its step t + 2, which begins one column behind c + tile: a distance of two cycles, where updating at once all
 * that a reflector acts on needs the paper's three.                                                                       */
#ifndef CODELETS_DEVICE_CHASE_STEP_H
#define CODELETS_DEVICE_CHASE_STEP_H

#include "codelets/device/chase_reflector.h"

struct pass {
	int n, b, tile, kept;
	int s0, s1;           /* sweeps */
	int ld, above, column; /* of the band: struct chase_part */

	__host__ __device__ __forceinline__ int steps(int s) const { return (n - 2 - s) / b + 1; }
	__host__ __device__ __forceinline__ int column_of(int s, int t) const { return s + kept + t * b; }
};

/* The band in device memory. */
struct band_view {
	scalar *columns;
	int64_t ld;
	int above, column;

	__device__ __forceinline__ band_view(scalar *memory, const pass &p) : columns(memory), ld(p.ld), above(p.above), column(p.column) {}
	__device__ __forceinline__ scalar *unused(int j) const { return columns + (j - column) * ld; }
	__device__ __forceinline__ scalar *at(int i, int j) const { return unused(j) + (above + i - j); }
};

/* Columns of it in shared memory, a ring: column `first` is in place 0; columns from there on, less than two rounds. */
struct window_view {
	number *columns;
	int pitch, above, width, first;

	__device__ __forceinline__ number *top(int j) const
	{
		int place = j - first;
		return columns + (place >= width ? place - width : place) * pitch;
	}
	__device__ __forceinline__ number *at(int i, int j) const { return top(j) + (above + i - j); }
};

/* Vectors of a block: H of the step before and, behind it, its sigma; the row or column being cleared; column c or the product p. */
struct vectors {
	number *h, *x, *y;
};

static __device__ __forceinline__ int at_most(int a, int b)
{
	return a < b ? a : b;
}

static __device__ __forceinline__ reflection before(const pass &p, const vectors &v)
{
	return reflection{ v.h, v.h[p.tile + 1], from_real(1), 0 };
}

static __device__ __forceinline__ void keep(const pass &p, int length, const reflection &k, const vectors &v)
{
	for (int i = threadIdx.x; i < length; i += blockDim.x)
		v.h[i] = k.v(i);
	if (threadIdx.x == 0)
		v.h[p.tile + 1] = k.tau;
}

/* All threads of the block have passed a barrier before, and one at the end. */
template <class FORM, class VIEW>
static __device__ __forceinline__ void upper_step(const pass &p, const VIEW &a, int s, int t, const vectors &v)
{
	int c = p.column_of(s, t), r = t > 0 ? c - p.b : s, left = c - p.kept + 1, end = at_most(c + p.tile, p.n - 1), length = end - c + 1;

	if (t > 0)
		from_left<FORM>(a, r, p.tile + 1, left, end - left + 1, before(p, v), v.x, c - left);
	else
		for (int j = threadIdx.x; j < length; j += blockDim.x)
			v.x[j] = conjugate(get(a.at(r, c + j)));
	__syncthreads();
	if (length > 0) {
		reflection g = reflect(length, v.x);
		from_right<FORM>(a, r + 1, end - r, c, length, g, v.y, c - r - 1);
		for (int j = threadIdx.x; j < length; j += blockDim.x)
			put(a.at(r, c + j), from_real(j == 0 ? g.beta : 0));
		__syncthreads();
		reflection k = reflect(length, v.y);
		from_left<FORM>(a, c, length, c + 1, length - 1, k, v.x, length);
		for (int i = threadIdx.x; i < length; i += blockDim.x)
			put(a.at(c + i, c), from_real(i == 0 ? k.beta : 0));
		keep(p, length, k, v);
	}
	__syncthreads();
}

/* y := D v, D of which the lower triangle begins at row and column c */
template <class FORM, class VIEW>
static __device__ __forceinline__ void triangle_product(const VIEW &a, int c, int length, const reflection &k, number *y)
{
	const int lane = threadIdx.x % FORM::LANES, lines = blockDim.x / FORM::LANES;

	for (int base = threadIdx.x / GPU_WARP * FORM::ROWS; base < length; base += lines) {
		int i = base + threadIdx.x % GPU_WARP / FORM::LANES;
		number sum = from_real(0);
		for (int j = lane; i < length && j < length; j += FORM::LANES) {
			number d = get(a.at(c + (j < i ? i : j), c + (j < i ? j : i)));
			sum += (j < i ? d : j > i ? conjugate(d) : from_real(real_part(d))) * k.v(j);
		}
		sum = lanes_sum(sum, 1, FORM::LANES);
		if (lane == 0 && i < length)
			y[i] = sum;
	}
}

/* D := K^H D K = D - z v^H - v z^H,  z = tau y - |tau|^2 / 2 (v^H y) v,  y = D v */
template <class FORM, class VIEW>
static __device__ __forceinline__ void triangle_update(const VIEW &a, int c, int length, const reflection &k, const number *y)
{
	const int lane = threadIdx.x % FORM::LANES, lines = blockDim.x / FORM::LANES;
	real sum = 0;

	for (int i = threadIdx.x % GPU_WARP; i < length; i += GPU_WARP)
		sum += real_part(conjugate(k.v(i)) * y[i]);
	real alpha = square_size(k.tau) * warp_sum(sum) / 2;
	for (int j = threadIdx.x / FORM::LANES; j < length; j += lines) {
		number vj = conjugate(k.v(j)), zj = conjugate(k.tau * y[j] - alpha * k.v(j));
		for (int i = j + lane; i < length; i += FORM::LANES) {
			number vi = k.v(i), zi = k.tau * y[i] - alpha * vi;
			auto *d = a.at(c + i, c + j);
			number value = get(d) - (zi * vj + vi * zj);
			put(d, i == j ? from_real(real_part(value)) : value);
		}
	}
}

template <class FORM, class VIEW>
static __device__ __forceinline__ void hermitian_step(const pass &p, const VIEW &a, int s, int t, const vectors &v)
{
	int c = p.column_of(s, t), r = t > 0 ? c - p.b : s, top = c - p.kept + 1, end = at_most(c + p.tile, p.n - 1), length = end - c + 1;

	if (t > 0)
		from_right<FORM>(a, top, end - top + 1, r, p.tile + 1, before(p, v), v.x, c - top);
	else
		for (int i = threadIdx.x; i < length; i += blockDim.x)
			v.x[i] = get(a.at(c + i, r));
	__syncthreads();
	if (length > 0) {
		reflection k = reflect(length, v.x);
		from_left<FORM>(a, c, length, r + 1, c - r - 1, k, v.y, c - r);
		triangle_product<FORM>(a, c, length, k, v.y);
		for (int i = threadIdx.x; i < length; i += blockDim.x)
			put(a.at(c + i, r), from_real(i == 0 ? k.beta : 0));
		__syncthreads();
		triangle_update<FORM>(a, c, length, k, v.y);
		keep(p, length, k, v);
	}
	__syncthreads();
}

template <bool HERMITIAN, class FORM, class VIEW>
static __device__ __forceinline__ void step(const pass &p, const VIEW &a, int s, int t, const vectors &v)
{
	if (HERMITIAN)
		hermitian_step<FORM>(p, a, s, t, v);
	else
		upper_step<FORM>(p, a, s, t, v);
}

#endif
