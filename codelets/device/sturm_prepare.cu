/* Preparing a search, by one block: what the host does entry by entry is done in a few passes over the matrix. */
#include <float.h>
#include "codelets/device/sturm_search.h"

/* As in codelets/host/sturm_prepare.c, but for the parts.  A thread can not know where the host would begin a part without all steps before.
 * Here parts begin at multiples of LONGEST, at zeros, around steps that lose more than LOSS, and where the sum of losses since the last
 * multiple of LONGEST passes a multiple of LOSS: steps of a part after its first lose less than LOSS, and the first no more. */
enum {
	SMALL = 315,
	SHRINK = 640,
	LOSS = SHRINK / 2,
	LONGEST = 2 * GPU_WARP, /* two steps a lane */
	MARGIN = 4,
	SAFE = 1000,
	ZERO = -(1 << 30),
	PREPARE_THREADS = 512,
	WARPS = PREPARE_THREADS / GPU_WARP,
	SIGN_THREADS = 128,
	SELECT_THREADS = 256
};

struct prepare_shared {
	double most[WARPS];
	int parts[WARPS], last_zero[WARPS];
};

/* The largest of all threads' numbers, in all of them. */
static __device__ double block_largest(double x, double *shared)
{
	for (int d = GPU_WARP / 2; d > 0; d /= 2)
		x = fmax(x, gpu_shuffle_xor(x, d));
	if (threadIdx.x % GPU_WARP == 0)
		shared[threadIdx.x / GPU_WARP] = x;
	__syncthreads();
	for (int w = 0; w < WARPS; w++)
		x = fmax(x, shared[w]);
	__syncthreads();
	return x;
}

static __global__ void GPU_BOUNDS(PREPARE_THREADS)
gather_entries(struct sturm *m, int64_t n, int64_t tile, gpu_list<real> d, int64_t d_rows, gpu_list<real> e, int64_t e_rows)
{
	double *entries = entries_of(m);

	for (int64_t i = (int64_t)blockIdx.x * PREPARE_THREADS + threadIdx.x; i < n; i += (int64_t)gridDim.x * PREPARE_THREADS) {
		int64_t at = i / d_rows - tile, beside = i / e_rows - tile;
		if (at >= 0 && at < GPU_LIST)
			entries[2 * i + 1] = (double)d.p[at][i % d_rows];
		if (beside >= 0 && beside < GPU_LIST && i < n - 1)
			entries[2 * i + 2] = (double)e.p[beside][i % e_rows];
	}
	if (tile == 0 && blockIdx.x == 0 && threadIdx.x == 0)
		entries[0] = 0;
}

/* Zero for those e of a tridiagonal that a relative change of 2^-55 of its diagonal outweighs. */
static __device__ void drop_negligible(double *entries, int n)
{
	for (int k = 1 + (int)threadIdx.x; k < n; k += PREPARE_THREADS) {
		double *e = entries + 2 * k;
		if (fabs(e[0]) <= 0x1p-55 * (sqrt(fabs(e[-1])) * sqrt(fabs(e[1]))))
			e[0] = 0;
	}
	__syncthreads();
}

/* Coefficients of entry i for both forms.  Returns whether the square is too small. */
static __device__ bool coefficient(const struct sturm *m, int i, double half, double rest, int shift)
{
	double entry = entries_of(m)[i], x = fabs(entry) * half * rest, *careful = careful_of(m) + 2 * i;
	bool squared = m->kind == BIDIAGONAL || i % 2 == 0;
	int e;
	double mantissa = frexp(entry, &e), c = squared ? x * x : -entry * half * rest;

	coefficients_of(m)[i] = c;
	careful[0] = squared ? mantissa * mantissa : -ldexp(entry, -shift);
	careful[1] = !squared ? 0 : mantissa == 0 ? ZERO : 2 * (e - shift);
	return squared && mantissa != 0 && c < ldexp(1.0, -SMALL);
}

/* All coefficients; *bound: the largest sum of adjacent entries, or of a tridiagonal's row.  Returns whether a square is too small. */
static __device__ bool coefficients(const struct sturm *m, int shift, int exponent, double *shared, double *bound)
{
	double half = ldexp(1.0, -(exponent + shift) / 2), rest = ldexp(1.0, -(exponent + shift) + (exponent + shift) / 2), most = 0;
	const double *entries = entries_of(m);
	bool small = false, bidiagonal = m->kind == BIDIAGONAL;

	for (int k = (int)threadIdx.x; k < m->n; k += PREPARE_THREADS) {
		double before = k > 0 ? fabs(entries[2 * k - 1]) * half * rest : 0, e = fabs(entries[2 * k]) * half * rest;
		double d = fabs(entries[2 * k + 1]) * half * rest, after = k + 1 < m->n ? fabs(entries[2 * k + 2]) * half * rest : 0;
		small |= coefficient(m, 2 * k, half, rest, shift);
		small |= coefficient(m, 2 * k + 1, half, rest, shift);
		most = fmax(most, bidiagonal ? fmax(before, d) + e : e + d + after);
	}
	*bound = ldexp(block_largest(most, shared) * (1 + 0x1p-40), exponent);
	return __syncthreads_or(small);
}

/* At most so many powers of 2 are lost by step k. */
static __device__ __forceinline__ int loss_of(const double *c, bool bidiagonal, int k)
{
	int e = c[2 * k] == 0 ? 0 : -ilogb(c[2 * k]), d = !bidiagonal || c[2 * k + 1] == 0 ? 0 : -ilogb(c[2 * k + 1]);

	return e + d + MARGIN;
}

static __device__ __forceinline__ int sum_to_here(int x)
{
	int lane = (int)threadIdx.x % GPU_WARP;

	for (int d = 1; d < GPU_WARP; d *= 2) {
		int other = gpu_shuffle(x, lane >= d ? lane - d : lane);
		x += lane >= d ? other : 0;
	}
	return x;
}

static __device__ __forceinline__ int largest_to_here(int x)
{
	int lane = (int)threadIdx.x % GPU_WARP;

	for (int d = 1; d < GPU_WARP; d *= 2) {
		int other = gpu_shuffle(x, lane >= d ? lane - d : lane);
		x = other > x ? other : x;
	}
	return x;
}

/* What a lane knows of its steps k and k + 1. */
struct two_steps {
	bool begins[2]; /* a part begins */
	int last_zero;  /* entry, or -1 */
};

static __device__ two_steps look_at(const struct sturm *m, int k)
{
	const double *c = coefficients_of(m), *entries = entries_of(m);
	bool bidiagonal = m->kind == BIDIAGONAL;
	int lane = (int)threadIdx.x % GPU_WARP, n = (int)m->n, loss[2] = { 0, 0 };
	two_steps s = { { false, false }, -1 };

	for (int i = 0; i < 2; i++)
		if (k + i < n)
			loss[i] = loss_of(c, bidiagonal, k + i);
	int sum = sum_to_here(loss[0] + loss[1]), before = gpu_shuffle(loss[1], lane > 0 ? lane - 1 : 0);
	int sums[3] = { sum - loss[0] - loss[1], sum - loss[1], sum }, losses[3] = { before, loss[0], loss[1] };
	for (int i = 0; i < 2; i++) {
		int at = k + i;
		if (at >= n)
			break;
		s.begins[i] = at % LONGEST == 0 || c[2 * at] == 0 || (bidiagonal && c[2 * at - 1] == 0) || losses[i] > LOSS ||
			      losses[i + 1] > LOSS || sums[i] / LOSS != sums[i + 1] / LOSS;
		for (int j = 2 * at; j < 2 * at + 2; j++)
			s.last_zero = entries[j] == 0 ? j : s.last_zero;
	}
	return s;
}

/* Where parts end.  Returns this thread's share of the singular values that are zero: one for each entry of d that is, where the zero before
 * it is one of e, or there is none. */
static __device__ int plan(struct sturm *m, prepare_shared *shared)
{
	const double *c = coefficients_of(m), *entries = entries_of(m);
	int n = (int)m->n, warp = (int)threadIdx.x / GPU_WARP, lane = (int)threadIdx.x % GPU_WARP, parts = 0, last = 0, zeros = 0;
	struct sturm_part *part = parts_of(m);

	for (int base = 0; base < n; base += 2 * PREPARE_THREADS) {
		int k = base + 2 * (int)threadIdx.x;
		two_steps s = look_at(m, k);
		int begun = sum_to_here(s.begins[0] + s.begins[1]), zero = largest_to_here(s.last_zero);
		int previous = gpu_shuffle(zero, lane > 0 ? lane - 1 : 0);
		if (lane == GPU_WARP - 1) {
			shared->parts[warp] = begun;
			shared->last_zero[warp] = zero;
		}
		__syncthreads();
		int at = parts + begun - s.begins[0] - s.begins[1], seen = last;
		for (int w = 0; w < WARPS; w++) {
			at += w < warp ? shared->parts[w] : 0;
			seen = w < warp && shared->last_zero[w] > seen ? shared->last_zero[w] : seen;
			parts += shared->parts[w];
			last = shared->last_zero[w] > last ? shared->last_zero[w] : last;
		}
		seen = lane > 0 && previous > seen ? previous : seen;
		for (int i = 0; i < 2 && k + i < n; i++) {
			int here = k + i;
			if (s.begins[i] && here > 0)
				part[at - 1] = { here, c[2 * here] == 0 };
			at += s.begins[i];
			seen = entries[2 * here] == 0 ? 2 * here : seen;
			zeros += entries[2 * here + 1] == 0 && seen % 2 == 0;
			seen = entries[2 * here + 1] == 0 ? 2 * here + 1 : seen;
		}
		__syncthreads();
	}
	if (threadIdx.x == 0) {
		part[parts - 1] = { n, 0 };
		m->parts = parts;
	}
	return zeros;
}

static __device__ double scan_entries(const struct sturm *m, int n, double *shared, bool *finite)
{
	const double *entries = entries_of(m);
	double most = 0;
	bool bad = false;

	for (int i = (int)threadIdx.x; i < 2 * n; i += PREPARE_THREADS) {
		double size = fabs(entries[i]);
		bad |= !(size <= DBL_MAX);
		most = fmax(most, size);
	}
	*finite = !__syncthreads_or(bad);
	return block_largest(most, shared);
}

/* Everything but signs and a selection by value. */
static __global__ void GPU_BOUNDS(PREPARE_THREADS)
prepare(struct sturm *m, enum sturm_kind kind, int n, const real *scale, int64_t first, int64_t count, int64_t *found,
	int *verdict)
{
	GPU_SHARED(prepare_shared, shared, 1);
	bool finite, bidiagonal = kind == BIDIAGONAL;
	double most = scan_entries(m, n, shared->most, &finite), bound;
	int e, low = bidiagonal ? -SAFE : 0;

	if (threadIdx.x == 0) {
		m->kind = kind;
		m->n = n;
		m->scale = scale ? (double)scale[1] : 1;
		m->known = false;
		m->negative = m->zeros = 0;
		m->lowest = 0;
		m->first = finite ? first : 0;
		m->count = finite ? count : 0;
		m->parts = 0;
		if (found)
			*found = m->count;
		if (!finite && verdict)
			*verdict = HEDDLE_EINPUT;
	}
	__syncthreads();
	if (!finite)
		return;
	frexp(most, &e);
	int shift = e > SAFE ? e - SAFE : e < low ? e - low : 0, exponent = e - shift;
	if (!bidiagonal)
		drop_negligible(entries_of(m), n);
	bool small = coefficients(m, shift, exponent, shared->most, &bound);
	if (threadIdx.x == 0) {
		m->shift = shift;
		m->exponent = exponent;
		m->bound = bound;
		m->floor = small ? (double)INFINITY : ldexp(1.0, exponent - SMALL / 2);
	}
	double zeros = plan(m, shared);
	for (int d = GPU_WARP / 2; d > 0; d /= 2)
		zeros += gpu_shuffle_xor(zeros, d);
	if (threadIdx.x % GPU_WARP == 0)
		shared->most[threadIdx.x / GPU_WARP] = zeros;
	__syncthreads();
	if (threadIdx.x == 0 && bidiagonal)
		for (int w = 0; w < WARPS; w++)
			m->zeros += (int64_t)shared->most[w];
}

/* How many eigenvalues are negative, and how many are zero, as on the host: from points at the floor, or, where something is nearer to 0 or
 * the floor is too high, the smallest points. */
static __global__ void GPU_BOUNDS(SIGN_THREADS) count_signs(struct sturm *m)
{
	GPU_SHARED(double, tiles, 2 * STURM_TILE);
	GPU_SHARED(int, below, 2);
	bool mine = threadIdx.x < 2, usable = m->floor < m->bound, decided = false;
	int at_floor[2] = { -1, -1 };

	if (m->parts == 0)
		return; /* not finite */
	for (int near = usable ? 0 : 1; near < 2 && !decided; near++) {
		double x = near ? SMALLEST_POINT : m->floor;
		device_point p = { threadIdx.x == 0 ? -x : x, 0, 0, 0 };
		__syncthreads(); /* all have read the counts before */
		evaluate_point(m, tiles, mine, &p);
		if (mine)
			below[threadIdx.x] = p.below;
		__syncthreads();
		decided = below[0] == below[1];
		at_floor[0] = near ? at_floor[0] : below[0];
		at_floor[1] = near ? at_floor[1] : below[1];
	}
	if (threadIdx.x == 0) {
		m->negative = below[0];
		m->zeros = below[1] > below[0] ? below[1] - below[0] : 0;
		m->lowest = at_floor[0] == below[0] && at_floor[1] == below[1] ? m->floor : SMALLEST_POINT;
	}
}

/* How many results are <= vl and <= vu, from the results themselves: half the block for each, cutting what is left into as many pieces as it
 * has groups of lanes, and one. */
static __global__ void GPU_BOUNDS(SELECT_THREADS) select_by_value(struct sturm *m, int lanes, double vl, double vu, int64_t *found)
{
	GPU_SHARED(double, tiles, 2 * STURM_TILE);
	GPU_SHARED(int, above, SELECT_THREADS);
	GPU_SHARED(int, number, 2);
	int half = (int)threadIdx.x / (SELECT_THREADS / 2), groups = SELECT_THREADS / 2 / lanes, group = (int)threadIdx.x / lanes % groups;
	int n = (int)m->n, low = 0, high = n + 1; /* result(low) <= v < result(high) */
	double v = half == 0 ? vl : vu;

	if (m->parts == 0)
		return; /* not finite */
	while (__syncthreads_or(high - low > 1)) {
		int64_t left = high - low;
		int probe = low + (int)(left * (group + 1) / (groups + 1));
		bool inside = probe > low && probe < high;
		double x = search_value(m, tiles, inside ? probe : 0, lanes);
		if ((int)threadIdx.x % lanes == 0)
			above[half * groups + group] = (double)result_of(m, x) > v;
		__syncthreads();
		for (int g = 0, begin = low; g < groups; g++) {
			int at = begin + (int)(left * (g + 1) / (groups + 1));
			int larger = above[half * groups + g];
			if (at > low && at < high) {
				high = larger ? at : high;
				low = larger ? low : at;
			}
		}
	}
	if ((int)threadIdx.x % (SELECT_THREADS / 2) == 0)
		number[half] = low;
	__syncthreads();
	if (threadIdx.x == 0) {
		m->first = m->kind == BIDIAGONAL ? n - number[1] : number[0];
		m->count = number[1] > number[0] ? number[1] - number[0] : 0;
		if (found)
			*found = m->count;
	}
}

DEVICE_API void REAL_NAME(gpu_values_init)(gpu_stream stream, enum sturm_kind kind, int64_t n, struct sturm *m, real *const *d, int64_t d_rows,
					   real *const *e, int64_t e_rows, const real *scale, const heddle_select *select, int64_t *found,
					   int *verdict)
{
	bool by_index = select->kind == HEDDLE_INDEX;
	int64_t first = by_index ? select->il - 1 : 0, count = by_index ? select->iu - select->il + 1 : n;
	int64_t d_tiles = (n + d_rows - 1) / d_rows, blocks = (n + PREPARE_THREADS - 1) / PREPARE_THREADS;

	e_rows = n > 1 ? e_rows : 1;
	int64_t e_tiles = n > 1 ? (n - 1 + e_rows - 1) / e_rows : 0, tiles = d_tiles > e_tiles ? d_tiles : e_tiles;
	for (int64_t t = 0; t < tiles; t += GPU_LIST) {
		gpu_list<real> diagonal = {}, beside = {};
		for (int64_t i = 0; i < GPU_LIST; i++) {
			diagonal.p[i] = t + i < d_tiles ? d[t + i] : NULL;
			beside.p[i] = t + i < e_tiles ? e[t + i] : NULL;
		}
		GPU_LAUNCH(gather_entries, dim3((unsigned)(blocks < 64 ? blocks : 64)), dim3(PREPARE_THREADS), 0, stream, m, n, t, diagonal, d_rows,
			   beside, e_rows);
	}
	GPU_LAUNCH(prepare, dim3(1), dim3(PREPARE_THREADS), 0, stream, m, kind, (int)n, scale, first, count, found, verdict);
	if (kind != BIDIAGONAL)
		GPU_LAUNCH(count_signs, dim3(1), dim3(SIGN_THREADS), 0, stream, m);
	if (select->kind == HEDDLE_VALUE)
		GPU_LAUNCH(select_by_value, dim3(1), dim3(SELECT_THREADS), 0, stream, m, lanes_for(n), select->vl, select->vu, found);
}
