/* Bugs of barriers and of memory; see planted.h.  `bad` is an argument, so that the compiler cannot use it. */
#include "tests/emulation/planted_threads.h"

static __global__ void GPU_BOUNDS(MOST) missing_barrier(int bad, const double *from, double *to, int *)
{
	GPU_SHARED(double, s, MOST);

	s[own()] = from[at(own())];
	if (!bad)
		__syncthreads();
	to[at(own())] = s[next()];
}

static __global__ void GPU_BOUNDS(MOST) missing_barrier_before_reuse(int bad, const double *from, double *to, int *)
{
	GPU_SHARED(double, s, MOST);

	s[own()] = 7;
	__syncthreads();
	double seven = s[next()];
	if (!bad)
		__syncthreads();
	s[own()] = from[at(own())];
	__syncthreads();
	to[at(own())] = s[next()] + (seven - 7);
}

static __global__ void GPU_BOUNDS(MOST) divergent_barrier(int bad, const double *from, double *to, int *)
{
	GPU_SHARED(double, s, MOST);

	s[own()] = from[at(own())];
	if (bad && own() % 2)
		__syncthreads();
	else
		__syncthreads();
	to[at(own())] = s[next()];
}

static __global__ void GPU_BOUNDS(MOST) good_reductions(int, const double *from, double *to, int *)
{
	GPU_SHARED(double, s, MOST);

	s[own()] = from[at(own())];
	int all = __syncthreads_and(1) && !__syncthreads_and(own() != 3), any = __syncthreads_or(own() == 3) && !__syncthreads_or(0);
	int count = __syncthreads_count(own() % 2 == 0);
	to[at(own())] = all && any && count == ((int)blockDim.x + 1) / 2 ? s[next()] : -1;
}

static __global__ void GPU_BOUNDS(MOST) early_exit(int bad, const double *from, double *to, int *)
{
	GPU_SHARED(double, s, MOST);

	s[own()] = from[at(own())];
	if (bad && own() == 3)
		return;
	__syncthreads();
	to[at(own())] = s[next()];
	if (own() == 3)
		return;
}

static __global__ void GPU_BOUNDS(MOST) exit_behind_barrier(int bad, const double *from, double *to, int *)
{
	to[at(own())] = from[at(next())];
	if (bad && own() == (int)blockDim.x - 1)
		return;
	__syncthreads();
}

static __global__ void GPU_BOUNDS(MOST) past_global(int bad, const double *from, double *to, int *)
{
	int last = bad && own() == (int)blockDim.x - 1 && blockIdx.x == gridDim.x - 1;

	to[at(own())] = from[at(next())];
	to[at(own()) + last] = from[at(next())];
}

static __global__ void GPU_BOUNDS(MOST) read_past_global(int bad, const double *from, double *to, int *)
{
	int first = bad && own() == 0 && blockIdx.x == 0;

	to[at(own())] = from[first ? -1 : at(next())];
}

static __global__ void GPU_BOUNDS(MOST) past_shared(int bad, const double *from, double *to, int *)
{
	GPU_SHARED(double, s, MOST);
	GPU_SHARED(double, other, MOST);

	other[own()] = 0;
	s[own()] = from[at(own())];
	__syncthreads();
	double *p = s;
	if (bad && own() == 0)
		p[MOST - 1 + bad] = 1;
	to[at(own())] = s[next()] + other[own()];
}

static __global__ void GPU_BOUNDS(MOST) read_past_shared(int bad, const double *from, double *to, int *)
{
	GPU_SHARED(double, s, MOST);

	s[own()] = from[at(own())];
	__syncthreads();
	const double *p = s;
	to[at(own())] = p[bad && own() == 0 ? MOST - 1 + bad : next()];
}

static __global__ void GPU_BOUNDS(MOST) uninitialised_shared(int bad, const double *from, double *to, int *)
{
	GPU_SHARED(int, s, MOST);

	if (!bad || own() != 5)
		s[own()] = 0;
	__syncthreads();
	to[at(own())] = from[at(next())] + s[next()];
}

static __global__ void GPU_BOUNDS(MOST) writes_of_blocks(int bad, const double *from, double *to, int *flags)
{
	to[at(own())] = from[at(next())];
	if (own() != 0)
		return;
	if (bad)
		flags[0] = (int)blockIdx.x;
	else
		atomicMax(flags, (int)blockIdx.x);
}

static __global__ void GPU_BOUNDS(MOST) plain_beside_atomic(int bad, const double *from, double *to, int *flags)
{
	to[at(own())] = from[at(next())];
	if (!bad || own() % 2)
		atomicAdd(flags, 1);
	else
		to[at(own())] += flags[0] < 0;
}

/* Threads write neighbouring bytes and halves. */
static __global__ void GPU_BOUNDS(MOST) small_neighbours(int bad, const double *from, double *to, int *)
{
	GPU_SHARED(unsigned char, bytes, MOST);
	GPU_SHARED(gpu_half, halves, MOST);

	bytes[bad ? own() / 2 : own()] = (unsigned char)own();
	halves[own()] = (gpu_half)own();
	__syncthreads();
	int wrong = !bad && (bytes[next()] != next() || halves[next()] != (gpu_half)next());
	to[at(own())] = wrong ? -1 : from[at(next())];
}

static __global__ void GPU_BOUNDS(MOST) local_of_another(int bad, const double *from, double *to, int *)
{
	GPU_SHARED(double *, s, MOST);
	double x[2] = { from[at(own())], 0 };

	s[own()] = x;
	__syncthreads();
	to[at(own())] = bad ? *s[next()] : from[at(next())];
	__syncthreads();
}

static __global__ void GPU_BOUNDS(MOST / 4) few_threads(int, const double *from, double *to, int *) { to[at(own())] = from[at(next())]; }
static __global__ void GPU_BOUNDS(MOST / 2) enough_threads(int, const double *from, double *to, int *) { to[at(own())] = from[at(next())]; }

static __device__ void through_dynamic(const double *from, double *to)
{
	GPU_DYNAMIC_SHARED(double, s);

	s[7000 + own()] = from[at(own())];
	__syncthreads();
	to[at(own())] = s[7000 + next()];
}

static __global__ void GPU_BOUNDS(MOST) never_allowed(int, const double *from, double *to, int *) { through_dynamic(from, to); }
static __global__ void GPU_BOUNDS(MOST) allowed(int, const double *from, double *to, int *) { through_dynamic(from, to); }

template <int N> static __device__ void through_array(const double *from, double *to)
{
	GPU_SHARED(double, s, N);

	s[N - 1 - own()] = from[at(own())];
	__syncthreads();
	to[at(own())] = s[N - 1 - next()];
}

static __global__ void GPU_BOUNDS(MOST) declared(int bad, const double *from, double *to, int *)
{
	if (bad)
		through_array<6145>(from, to);
	else
		through_array<6144>(from, to);
}

#define RUN(kernel, bytes) GPU_LAUNCH(kernel, blocks, threads, bytes, stream, bad, from, to, flags)

DEVICE_API void run_planted(gpu_stream stream, enum planted what, int bad, int blocks, int threads, const double *from, double *to, int *flags)
{
	size_t dynamic_bytes = (7000 + MOST) * sizeof(double);

	switch (what) {
	case MISSING_BARRIER:
		return RUN(missing_barrier, 0);
	case MISSING_BARRIER_BEFORE_REUSE:
		return RUN(missing_barrier_before_reuse, 0);
	case DIVERGENT_BARRIER:
		return RUN(divergent_barrier, 0);
	case GOOD_REDUCTIONS:
		return RUN(good_reductions, 0);
	case EARLY_EXIT:
		return RUN(early_exit, 0);
	case EXIT_BEHIND_BARRIER:
		return RUN(exit_behind_barrier, 0);
	case WRITE_PAST_GLOBAL:
		return RUN(past_global, 0);
	case READ_PAST_GLOBAL:
		return RUN(read_past_global, 0);
	case WRITE_PAST_SHARED:
		return RUN(past_shared, 0);
	case READ_PAST_SHARED:
		return RUN(read_past_shared, 0);
	case UNINITIALISED_SHARED:
		return RUN(uninitialised_shared, 0);
	case WRITES_OF_BLOCKS:
		return RUN(writes_of_blocks, 0);
	case PLAIN_BESIDE_ATOMIC:
		return RUN(plain_beside_atomic, 0);
	case SMALL_NEIGHBOURS:
		return RUN(small_neighbours, 0);
	case LOCAL_OF_ANOTHER:
		return RUN(local_of_another, 0);
	case TOO_MANY_THREADS:
		if (bad)
			return RUN(few_threads, 0);
		return RUN(enough_threads, 0);
	case DYNAMIC_NOT_ALLOWED:
		if (bad)
			return RUN(never_allowed, dynamic_bytes);
		gpu_allow_shared(allowed, (int)dynamic_bytes);
		return RUN(allowed, dynamic_bytes);
	case DECLARED_TOO_MUCH:
		return RUN(declared, 0);
	default:
		return run_planted_order(stream, what, bad, blocks, threads, from, to, flags);
	}
}

static __global__ void GPU_BOUNDS(1024) barriers_kernel(int barriers, double *to)
{
	for (int i = 0; i < barriers; i++)
		__syncthreads();
	to[own()] = barriers;
}

DEVICE_API void run_barriers(gpu_stream stream, int threads, int barriers, double *to)
{
	GPU_LAUNCH(barriers_kernel, 1, threads, 0, stream, barriers, to);
}

static __global__ void GPU_BOUNDS(1) sum_of_list(gpu_list<const double> vectors, int count, int n, double *sum)
{
	double s = 0;

	for (int i = 0; i < count; i++)
		for (int j = 0; j < n; j++)
			s += vectors.p[i][j];
	*sum = s;
}

DEVICE_API void run_sum_of_list(gpu_stream stream, const double *const *vectors, int count, int n, double *sum)
{
	gpu_list<const double> list = {};

	for (int i = 0; i < count; i++)
		list.p[i] = vectors[i];
	GPU_LAUNCH(sum_of_list, 1, 1, 0, stream, list, count, n, sum);
}
