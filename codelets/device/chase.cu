/* The chase on a device: which kernels, on which passes; chase_kernels.h has them and chase_step.h says what a step does. */
#include "codelets/device/chase.h"
#include "codelets/device/chase_kernels.h"

/* Shared memory a block may have. */
static int most_shared()
{
	int bytes = 0;

#if defined(HEDDLE_EMULATE)
	bytes = 163 << 10;
#elif defined(__HIPCC__)
	int device = 0;
	if (hipGetDevice(&device) != hipSuccess ||
	    hipDeviceGetAttribute(&bytes, hipDeviceAttributeMaxSharedMemoryPerBlock, device) != hipSuccess)
		bytes = 0;
#else
	int device = 0;
	if (cudaGetDevice(&device) != cudaSuccess ||
	    cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) != cudaSuccess)
		bytes = 0;
#endif
	const int reserved = 1 << 10; /* the kernels' own, and what the system takes */
	return bytes > (48 << 10) ? bytes - reserved : (48 << 10) - reserved;
}

static int processors()
{
	int count = 0;

#if defined(__HIPCC__) && !defined(HEDDLE_EMULATE)
	int device = 0;
	if (hipGetDevice(&device) != hipSuccess ||
	    hipDeviceGetAttribute(&count, hipDeviceAttributeMultiprocessorCount, device) != hipSuccess)
		count = 0;
#elif defined(__CUDACC__)
	int device = 0;
	if (cudaGetDevice(&device) != cudaSuccess || cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device) != cudaSuccess)
		count = 0;
#endif
	return count > 0 ? count : 108;
}

static int smaller(int64_t a, int64_t b)
{
	return (int)(a < b ? a : b);
}

/* Whether all sweeps of the part are whole. */
static bool has_whole_sweeps(const struct chase_part *p)
{
	int64_t last = p->s1 - 1; /* of the skewed sweeps it ends last */

	return p->first == 0 && p->s1 > p->s0 && p->steps >= chase_steps(p, last) + CHASE_SKEW * (last - p->s0);
}

static bool is_whole(const struct chase_part *p)
{
	return has_whole_sweeps(p) && p->s0 == 0 && p->s1 >= p->n - 2;
}

/* The pass that begins with b diagonals.  Its sweeps are those that have something to clear, or those of the part. */
static pass pass_of(const struct chase_part *p, const struct gpu_chase_choice *c, int b)
{
	bool whole = is_whole(p);
	int tile = whole && c->tile > 0 ? smaller(c->tile, b - 1) : b - 1, last = (int)p->n - 1 - (b - tile);

	return pass{ (int)p->n, b, tile, b - tile, whole ? 0 : (int)p->s0, whole ? last : smaller(p->s1, p->n - 2), (int)p->ld, (int)p->above,
		     (int)p->column };
}

static int64_t shared_bytes(const pass &p, bool hermitian, int group)
{
	int64_t numbers = vector_numbers(p.tile, group > 0 ? group : 1);

	return (int64_t)sizeof(number) * (numbers + (group > 0 ? window_shape(p, hermitian, group).numbers() : 0));
}

/* The largest group up to that of the choice whose window fits. */
static int group_of(const struct chase_part *part, const struct gpu_chase_choice *c, const pass &p)
{
	int group = c->persistent && has_whole_sweeps(part) ? c->group : 0;

	while (group > 0 && shared_bytes(p, part->hermitian, group) > most_shared())
		group--;
	return group;
}

/* Sweeps under way at once where each cycle is a launch. */
static int places_of(const pass &p)
{
	return p.steps(p.s0) / DISTANCE + 2;
}

static int threads_of(const struct gpu_chase_choice *c)
{
	int threads = c->threads / GPU_WARP * GPU_WARP;

	return threads < GPU_WARP ? GPU_WARP : threads > MOST_THREADS ? MOST_THREADS : threads;
}

static bool has_sweeps(const pass &p)
{
	return p.s0 < p.s1;
}

static size_t work_of(const pass &p, const struct gpu_chase_choice *c, bool whole_sweeps)
{
	if (!has_sweeps(p))
		return 0;
	if (c->persistent || !whole_sweeps)
		return sizeof(int) * (size_t)(p.s1 - p.s0 + 1);
	return sizeof(number) * (size_t)places_of(p) * (size_t)(p.tile + 2);
}

DEVICE_API size_t NAME(gpu_chase_work)(const struct chase_part *p, const struct gpu_chase_choice *c)
{
	size_t most = 0;

	for (int b = (int)p->b, tile; b > 1 && p->n > 2; b -= tile) {
		pass x = pass_of(p, c, b);
		size_t bytes = work_of(x, c, has_whole_sweeps(p));
		most = bytes > most ? bytes : most;
		tile = x.tile;
	}
	return most;
}

DEVICE_API int NAME(gpu_chase_shared)(const struct chase_part *p, const struct gpu_chase_choice *c)
{
	int most = 0;

	for (int b = (int)p->b, tile; b > 1 && p->n > 2; b -= tile) {
		pass x = pass_of(p, c, b);
		int bytes = smaller(shared_bytes(x, p->hermitian, group_of(p, c, x)), INT_MAX);
		most = bytes > most ? bytes : most;
		tile = x.tile;
	}
	return most;
}

/* The paper's tile is a cache line, where the band is in device memory; from a window, a pass that takes all at once moves less and is shorter.
 * A group of g sweeps keeps n / (b (g + 1)) blocks busy, and should leave none idle. */
DEVICE_API struct gpu_chase_choice NAME(gpu_chase_choice)(int64_t n, int64_t b, bool hermitian)
{
	const int line = 128 / (int)sizeof(real);
	struct chase_part part = { n, b, 2 * b, 4 * b, hermitian, 0, 0, n - 2, 0, n };
	struct gpu_chase_choice c = { 0, b > 16 ? 128 : 64, 4 * processors(), true, 1 };

	if (b <= 1 || n <= 2)
		return c;
	if (group_of(&part, &c, pass_of(&part, &c, (int)b)) == 0)
		c.tile = line;
	int busy = smaller(n / b / processors() - 1, 8);
	c.group = busy > 1 ? busy : 1;
	return c;
}

typedef form<4, 5> narrow; /* for vectors of up to 20 elements: the paper's tile of 16 */
typedef form<4, 9> middle; /* 36: of 32 */
typedef form<8, 0> general;

/* What a kernel of any form is launched with. */
struct launch {
	gpu_stream stream;
	int threads, blocks, bytes;
};

/* As much as there may be, always: another worker of the device may launch the same kernel with more. */
template <class KERNEL> static void allow(KERNEL *kernel, int bytes)
{
	const int own = 64; /* at most, for what the kernel itself declares */

	if (bytes > (48 << 10) - own)
		gpu_allow_shared(kernel, most_shared());
}

template <bool HERMITIAN, class FORM>
static void run_cycles(const launch &l, const pass &p, scalar *columns, number *kept)
{
	int places = places_of(p), first = p.s0;
	int last = DISTANCE * (p.s1 - 1 - p.s0) + p.steps(p.s1 - 1);

	allow(chase_cycle<HERMITIAN, FORM>, l.bytes);
	for (int q = 0; q < last; q++) {
		while (q - DISTANCE * (first - p.s0) >= p.steps(first))
			first++;
		int count = smaller(p.s0 + q / DISTANCE, p.s1 - 1) - first + 1;
		if (count > 0)
			GPU_LAUNCH((chase_cycle<HERMITIAN, FORM>), smaller(count, l.blocks), l.threads, l.bytes, l.stream, columns, p, q, first, count,
				   kept, places);
	}
}

static void clear_progress(const launch &l, int count, int *progress)
{
	GPU_LAUNCH(chase_clear, (count + MOST_THREADS) / MOST_THREADS, MOST_THREADS, 0, l.stream, progress, count + 1);
}

template <bool HERMITIAN, class FORM>
static void run_windows(const launch &l, const pass &p, int group, scalar *columns, int *progress)
{
	window_shape shape(p, HERMITIAN, group);
	int count = (p.s1 - p.s0 + group - 1) / group;

	clear_progress(l, count, progress);
	allow(chase_windows<HERMITIAN, FORM>, l.bytes);
	GPU_LAUNCH((chase_windows<HERMITIAN, FORM>), smaller(count, l.blocks), l.threads, l.bytes, l.stream, columns, p, shape, progress);
}

/* Without a window bands are wide or parts small: one form will do. */
template <bool HERMITIAN>
static void run_sweeps(const launch &l, const struct chase_part *part, const pass &p, scalar *columns, int *progress)
{
	int count = p.s1 - p.s0;

	clear_progress(l, count, progress);
	allow(chase_sweeps<HERMITIAN, general>, l.bytes);
	GPU_LAUNCH((chase_sweeps<HERMITIAN, general>), smaller(count, l.blocks), l.threads, l.bytes, l.stream, columns, p, (int)part->first,
		   smaller(part->steps, INT_MAX / 2), progress);
}

template <bool HERMITIAN, class FORM>
static void run_pass(launch l, const struct chase_part *part, const struct gpu_chase_choice *c, const pass &p, scalar *columns, void *work)
{
	int group = group_of(part, c, p);

	l.bytes = smaller(shared_bytes(p, HERMITIAN, group), INT_MAX);
	if (!c->persistent && has_whole_sweeps(part))
		run_cycles<HERMITIAN, FORM>(l, p, columns, (number *)work);
	else if (group > 0)
		run_windows<HERMITIAN, FORM>(l, p, group, columns, (int *)work);
	else
		run_sweeps<HERMITIAN>(l, part, p, columns, (int *)work);
}

template <bool HERMITIAN>
static void run_form(const launch &l, const struct chase_part *part, const struct gpu_chase_choice *c, const pass &p, scalar *columns,
		     void *work)
{
	if (p.tile + 1 <= narrow::LANES * narrow::HELD)
		run_pass<HERMITIAN, narrow>(l, part, c, p, columns, work);
	else if (p.tile + 1 <= middle::LANES * middle::HELD)
		run_pass<HERMITIAN, middle>(l, part, c, p, columns, work);
	else
		run_pass<HERMITIAN, general>(l, part, c, p, columns, work);
}

DEVICE_API void NAME(gpu_chase)(gpu_stream stream, const struct chase_part *p, const struct gpu_chase_choice *c, scalar *columns, void *work)
{
	launch l = { stream, threads_of(c), c->blocks > 1 ? c->blocks : 1, 0 };

	for (int b = (int)p->b, tile; b > 1 && p->n > 2; b -= tile) {
		pass x = pass_of(p, c, b);
		if (has_sweeps(x) && p->hermitian)
			run_form<true>(l, p, c, x, columns, work);
		else if (has_sweeps(x))
			run_form<false>(l, p, c, x, columns, work);
		tile = x.tile;
	}
}
