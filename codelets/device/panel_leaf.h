/* QR of a leaf's rows by one warp, a few of them in each lane's registers. */
#ifndef CODELETS_DEVICE_PANEL_LEAF_H
#define CODELETS_DEVICE_PANEL_LEAF_H

#include "codelets/device/panel_warp.h"

enum {
	LANE_ROWS = sizeof(number) == 16 ? 2 : 4, /* 64 or 128 registers of rows at most */
	LEAF = GPU_WARP * LANE_ROWS,
	FOLDS = sizeof(number) == 16 ? 2 : 1, /* parts in which inner products are summed, for the registers' sake */
};

/* The part of a matrix that a leaf is. */
struct leaf {
	scalar *x;
	int64_t ld;
	int rows, columns;
};

/* The largest real or imaginary part of the column at hand from row j on. */
static __device__ __forceinline__ real largest_part(const number (&x)[LANE_ROWS][WIDTH], int j, int lane)
{
	real size = 0;

	GPU_UNROLL
	for (int r = 0; r < LANE_ROWS; r++)
		if (r > 0 || lane >= j)
			size = larger(size, larger(fabs(real_part(x[r][0])), fabs(imaginary_part(x[r][0]))));
	return warp_largest(size);
}

/* Which of the products below a lane is left with, and whether it is the first such lane. */
static __device__ __forceinline__ int place_of(int lane) { return lane / (2 * FOLDS) + lane % FOLDS * (WIDTH / FOLDS); }
static __device__ __forceinline__ bool first_of_place(int lane) { return lane % (2 * FOLDS) < FOLDS; }

/* Inner products of column j, below row j, with all columns: a lane has that with column j + place_of(lane) of the turned rows.  Row j goes
 * to `row`. */
static __device__ __forceinline__ number inner_products(const number (&x)[LANE_ROWS][WIDTH], int j, number *row, int lane)
{
	number result = zero();

	if (lane == j) {
		GPU_UNROLL
		for (int k = 0; k < WIDTH; k++)
			row[k] = x[0][k];
	}
	GPU_UNROLL
	for (int f = 0; f < FOLDS; f++) {
		number v[WIDTH / FOLDS];
		GPU_UNROLL
		for (int r = 0; r < LANE_ROWS; r++) {
			number y = pick(r > 0 || lane > j, conjugate(x[r][0]), zero());
			GPU_UNROLL
			for (int k = 0; k < WIDTH / FOLDS; k++)
				v[k] = r ? v[k] + y * x[r][k + f * (WIDTH / FOLDS)] : y * x[r][k + f * (WIDTH / FOLDS)];
		}
		fold<WIDTH / FOLDS>(v, lane, GPU_WARP / 2);
		result = pick(lane % FOLDS == f, v[0], result);
	}
	gpu_sync_warp();
	return result;
}

/* The reflector of column j: tau, the factor that makes v of x below row j, and beta.  A column whose squares over- or underflow is first divided
 * by its largest part; one that is nothing beside any matrix the drivers scale counts as zero. */
struct reflector {
	number tau, factor, beta;
};

static __device__ __forceinline__ reflector reflector_of(number (&x)[LANE_ROWS][WIDTH], int j, number *row, int lane, number *products)
{
	const real small = SMALLEST / ROUNDING / ROUNDING, large = ROUNDING * ROUNDING / SMALLEST;
	real scale = 1, square, whole;

	GPU_ROLLED
	for (int turn = 0;; turn++) {
		*products = inner_products(x, j, row, lane);
		square = gpu_shuffle(real_part(*products), 0);
		whole = square + square_size(row[0]);
		if (turn || (whole > small && whole < large))
			break;
		scale = largest_part(x, j, lane);
		if (whole <= small && scale < SMALLEST / ROUNDING) { /* not for a NaN */
			scale = 1;
			square = 0;
			break;
		}
		GPU_UNROLL
		for (int r = 0; r < LANE_ROWS; r++)
			if (r > 0 || lane >= j)
				x[r][0] = x[r][0] * (1 / scale);
		gpu_sync_warp();
	}
	number alpha = row[0];
	real beta = copysign(sqrt(whole), -real_part(alpha));
	bool nothing = square == 0;
	return reflector{ pick(nothing, zero(), (from_real(beta) - alpha) * (1 / beta)),
			  pick(nothing, zero(), from_real(1) / (alpha - from_real(beta))), pick(nothing, alpha, from_real(beta)) * scale };
}

/* Factor the rows: R on and above the diagonal, V below.  Row j of gram, turned like the rows: tau_j, then conj(tau_j) v_j^H of the columns
 * to come and, behind these, of the v's before. */
static __device__ __forceinline__ void factor_rows(number (&x)[LANE_ROWS][WIDTH], number *gram, int lane)
{
	GPU_ROLLED
	for (int j = 0; j < WIDTH; j++) {
		number products, *row = gram + j * WIDTH;
		reflector h = reflector_of(x, j, row, lane, &products);
		int k = place_of(lane);
		number w = conjugate(h.tau) * (row[k] + conjugate(h.factor) * products);
		gpu_sync_warp();
		if (first_of_place(lane))
			row[k] = pick(k > 0, w, h.tau);
		gpu_sync_warp();
		number v[LANE_ROWS];
		GPU_UNROLL
		for (int r = 0; r < LANE_ROWS; r++) {
			v[r] = pick(r > 0 || lane > j, x[r][0] * h.factor, from_real(lane == j));
			x[r][0] = pick(r > 0 || lane > j, v[r], pick(lane == j, h.beta, x[r][0]));
		}
		GPU_UNROLL
		for (int i = 1; i < WIDTH; i++)
			if (j + i < WIDTH) {
				number c = row[i];
				GPU_UNROLL
				for (int r = 0; r < LANE_ROWS; r++)
					x[r][i] -= v[r] * c;
			}
		GPU_UNROLL
		for (int r = 0; r < LANE_ROWS; r++)
			turn_left(x[r]);
	}
}

/* T over gram, column j where row j was: T(0:j, j) = -tau_j T(0:j, 0:j) V(:, 0:j)^H v_j, a row a lane. */
static __device__ __forceinline__ void form_t(number *gram, scalar *t, int lane)
{
	GPU_ROLLED
	for (int j = 0; j < WIDTH; j++) {
		number sum = zero(), tau = gram[j * WIDTH];
		if (lane < WIDTH)
			for (int k = 0; k < j; k++)
				sum -= gram[k * WIDTH + lane] * conjugate(gram[j * WIDTH + (k - j + WIDTH)]);
		gpu_sync_warp();
		if (lane < WIDTH) {
			sum = pick(lane < j, sum, pick(lane == j, tau, zero()));
			gram[j * WIDTH + lane] = sum;
			t[lane + j * WIDTH] = store(sum);
		}
		gpu_sync_warp();
	}
}

/* V, explicit, to where the leaf's rows came from, its top to v1, and R to `stack`. */
static __device__ __forceinline__ void store_rows(const number (&x)[LANE_ROWS][WIDTH], struct leaf to, scalar *v1, int ldv1, number *stack,
						  int lane)
{
	GPU_UNROLL
	for (int r = 0; r < LANE_ROWS; r++) {
		int p = r * GPU_WARP + lane;
		GPU_UNROLL
		for (int k = 0; k < WIDTH; k++) {
			number v = pick(p > k, x[r][k], from_real(p == k));
			if (p < to.rows && k < to.columns)
				to.x[p + k * to.ld] = store(v);
			if (r == 0 && p < WIDTH) {
				v1[p + k * ldv1] = store(v);
				stack[p * STRIDE + k] = pick(p <= k, x[r][k], zero());
			}
		}
	}
}

#endif
