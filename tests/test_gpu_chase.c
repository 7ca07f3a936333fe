/* The chase on a device: values are kept and nothing is left outside the two diagonals, by launches for cycles and by waiting sweeps, in the
 * band and in windows, at once and in passes; every part of it does what the host's kernel does.  With HALF the storage is half. */
#include "tests/device_support.h"
#include "tests/band_problem.h"
#include "codelets/device/chase.h"
#include "codelets/host/kernels.h"

#if defined(HALF)
__extension__ typedef _Float16 element;
#define GPU(x) h_gpu_##x
static const double coarser = 0x1p13; /* than float */
#else
typedef scalar element;
#define GPU(x) NAME(gpu_##x)
static const double coarser = 1;
#endif

static int64_t smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Less is done where checks make it slow. */
static bool slow(void)
{
#if defined(HEDDLE_EMULATE)
	if (gpu_emu_get("asan_build") == 1)
		return true;
#endif
	return device_slow();
}

/* A band as runtime/band.h says, on the host. */
struct band {
	struct chase_part part; /* all of the chase */
	size_t count;
	element *x;
};

static struct band band_of(const struct problem *p)
{
	int64_t n = p->shape.n, b = smaller(p->shape.kd, n - 1), line = 64 / (int64_t)sizeof(element);

	b = b > 0 ? b : 1;
	struct band band = { .count = 0 };
	band.part = (struct chase_part){ .n = n, .b = b, .above = (p->hermitian ? 0 : 2 * b) + line, .hermitian = p->hermitian, .s1 = n - 2,
					 .steps = 2 * n };
	band.part.ld = ((((p->hermitian ? 2 : 3) * b + 3 * line - 1) / line) | 1) * line + 1;
	band.count = (size_t)(n * band.part.ld);
	band.x = calloc(band.count, sizeof(element));
	for (int64_t j = 0; j < n; j++)
		for (int64_t i = 0; i < n; i++)
			if (p->hermitian ? i >= j && i - j <= b : i <= j && j - i <= b)
				band.x[j * band.part.ld + band.part.above + i - j] = (element)p->dense[i + j * n];
	return band;
}

/* The two diagonals; everything else must be zero. */
static void take_diagonals(const struct band *band, real *d, real *e)
{
	const struct chase_part *p = &band->part;
	int64_t beside = p->hermitian ? 1 : -1;

	for (int64_t j = 0; j < p->n; j++) {
		const element *column = band->x + j * p->ld + p->above;
		for (int64_t k = -p->above; k < p->ld - p->above; k++)
			if (k != 0 && k != beside && column[k] != (element)0)
				ck_abort_msg("n %d, b %d: column %d has an element %d below the diagonal", (int)p->n, (int)p->b, (int)j, (int)k);
		scalar here = (scalar)column[0], next = (scalar)column[beside];
		d[j] = p->hermitian ? real_part(here) : (real)hypot((double)__real__ here, (double)__imag__ here);
		if (p->hermitian && here != (scalar)d[j])
			ck_abort_msg("the diagonal is not real");
		if (j + beside >= 0 && j + beside < p->n)
			e[p->hermitian ? j : j - 1] = (real)hypot((double)__real__ next, (double)__imag__ next);
	}
}

/* Asynchronous copies happen as late as they may, or at once. */
static void set_order(int order, int resident)
{
	device_order(order % ORDERS, resident);
#if defined(HEDDLE_EMULATE)
	gpu_emu_set("copy_early", order / 2 % 2);
#endif
}

static void chase(const struct band *band, const struct chase_part *part, const struct gpu_chase_choice *c)
{
	size_t bytes = band->count * sizeof(element), first = (size_t)(part->column * part->ld) * sizeof(element);
	void *columns = device_copy((char *)band->x + first, bytes - first, "band"), *work = device_new(GPU(chase_work)(part, c), "work");

	GPU(chase)(NULL, part, c, columns, work);
	device_finish();
	device_take((char *)band->x + first, columns, bytes - first);
	device_free(work);
}

static const struct mode {
	struct gpu_chase_choice choice;
	int resident;
} modes[] = {
	{ { 0, 64, 8, false, 0 }, 0 },  { { 0, 64, 3, true, 1 }, 1 }, { { 0, 32, 8, true, 3 }, 8 },
	{ { 5, 32, 2, true, 0 }, 2 },   { { 3, 32, 1, false, 0 }, 1 }, { { 7, 128, 4, true, 2 }, 2 },
	{ { 0, 64, 8, true, 0 }, 8 },   { { 8, 128, 3, false, 0 }, 4 }, { { 16, 64, 8, true, 4 }, 0 },
	{ { 32, 96, 5, true, 1 }, 3 },
};
enum { MODES = sizeof(modes) / sizeof(modes[0]) };

static void check_mode(struct problem *p, const struct mode *mode, int order)
{
	struct band band = band_of(p);
	char what[200];

	set_order(order, mode->resident);
	chase(&band, &band.part, &mode->choice);
	snprintf(what, sizeof(what), "tile %d, threads %d, blocks %d, persistent %d, group %d, resident %d, order %d, hermitian %d", mode->choice.tile,
		 mode->choice.threads, mode->choice.blocks, mode->choice.persistent, mode->choice.group, mode->resident, order % ORDERS,
		 p->hermitian);
	take_diagonals(&band, p->d, p->e);
	values_of(p->hermitian, p->shape.n, p->d, p->e, p->s);
	int64_t n = p->shape.n;
	double error = p->hermitian ? eigen_error(n, p->s, p->wanted) : error_in_eps(n, p->s, p->wanted);
	ck_assert_msg(error <= coarser * bound_in_eps(n, n), "%s, n %d, kd %d: error %.1f eps*norm", what, (int)n, (int)p->shape.kd,
		      error / coarser);
	free(band.x);
}

/* About how long a mode takes under the emulation: steps times warps. */
static double cost_of(const struct shape *shape, const struct mode *mode)
{
	double n = (double)shape->n, cost = 0;
	int64_t b = smaller(shape->kd, shape->n - 1);

	for (int64_t tile; b > 1; b -= tile) {
		tile = mode->choice.tile > 0 ? smaller(mode->choice.tile, b - 1) : b - 1;
		cost += n * n / (2 * (double)b) * mode->choice.threads / 32 + (mode->choice.persistent ? 1 : 2 * n);
	}
	return cost;
}

/* Modes from `first` on for as long as there is time, but one. */
static void check_modes(enum kind kind, struct shape shape, bool hermitian, int first, double budget)
{
	uint64_t seed = (uint64_t)(shape.n + first);
	struct problem p = hermitian ? hermitian_problem(kind, shape, HEDDLE_LOWER, seed) : problem(kind, shape, seed);

	budget /= slow() ? 4 : 1;
	for (int m = 0; m < MODES && budget > 0; m++) {
		const struct mode *mode = &modes[(m + first) % MODES];
		budget -= cost_of(&shape, mode);
		if (m == 0 || budget > 0)
			check_mode(&p, mode, first + m);
	}
	problem_free(&p);
}

START_TEST(values_are_kept)
{
	struct shape shape = shapes[_i / 2];

	if (!slow() || shape.n <= 66)
		check_modes(_i % 4 < 2 ? RANDOM : GRADED, shape, _i % 2, _i * 3, 700);
}
END_TEST

START_TEST(every_kind_and_width)
{
	enum kind kind = (enum kind)_i;

	if (coarser > 1 && kind >= HUGE_NORM)
		return;
	for (int64_t b = 2; b <= 33; b += b < 5 ? 1 : b < 12 ? 3 : 7)
		for (int k = 0; k < 2; k++)
			check_modes(kind, (struct shape){ 3 * b / 2 + 7 + k, b, 0 }, k, _i + (int)b * 7 + k * 3, 250);
}
END_TEST

/* What the runtime uses, and that what it asks for is there. */
START_TEST(default_choice)
{
	static const int64_t shapes_of[][2] = { { 3, 2 }, { 90, 16 }, { 80, 31 }, { 90, 64 }, { 140, 128 }, { 40000, 32 }, { 100000, 64 }, { 9, 1 } };

	for (size_t i = 0; i < sizeof(shapes_of) / sizeof(shapes_of[0]); i++)
		for (int k = 0; k < 2; k++) {
			struct shape shape = { shapes_of[i][0], shapes_of[i][1], 0 };
			struct gpu_chase_choice c = GPU(chase_choice)(shape.n, shape.kd, k);
			struct chase_part part = { shape.n, shape.kd, 2 * shape.kd, 4 * shape.kd, k, 0, 0, shape.n - 2, 0, 2 * shape.n };
			ck_assert(c.persistent && c.threads >= 32 && c.blocks >= 1 && c.group >= 1);
			ck_assert_int_le(GPU(chase_shared)(&part, &c), 227 << 10);
			if (shape.n > (slow() ? 80 : 200))
				continue;
			struct problem p = k ? hermitian_problem(RANDOM, shape, HEDDLE_LOWER, 3) : problem(RANDOM, shape, 3);
			check_mode(&p, &(struct mode){ c, 4 }, ORDER_SHUFFLED);
			problem_free(&p);
		}
}
END_TEST

/* Not a number ends as such, and ends. */
START_TEST(nan_does_not_hang)
{
	struct problem p = _i % 2 ? hermitian_problem(RANDOM, (struct shape){ 30, 5, 0 }, HEDDLE_LOWER, 1) : problem(RANDOM, (struct shape){ 30, 5, 0 }, 1);
	struct band band = band_of(&p);

	band.x[11 * band.part.ld + band.part.above] = (element)NAN;
	set_order(_i, modes[_i / 2].resident);
	chase(&band, &band.part, &modes[_i / 2].choice);
	bool found = false;
	for (size_t i = 0; i < band.count; i++)
		found = found || band.x[i] != band.x[i];
	ck_assert(found);
	free(band.x);
	problem_free(&p);
}
END_TEST

START_TEST(small_bands_are_left_alone)
{
	for (int64_t n = 1; n <= 2; n++)
		for (int k = 0; k < 2; k++) {
			struct shape shape = { n, n, 0 };
			struct problem p = k ? hermitian_problem(RANDOM, shape, HEDDLE_LOWER, 1) : problem(RANDOM, shape, 1);
			struct band band = band_of(&p);
			element *copy = malloc(band.count * sizeof(element));
			memcpy(copy, band.x, band.count * sizeof(element));
			ck_assert_int_eq((int)GPU(chase_work)(&band.part, &modes[0].choice), 0);
			chase(&band, &band.part, &modes[n].choice);
			ck_assert(memcmp(copy, band.x, band.count * sizeof(element)) == 0);
			free(copy);
			free(band.x);
			problem_free(&p);
		}
}
END_TEST

#if !defined(HALF)
static double modulus(scalar x)
{
	return hypot((double)__real__ x, (double)__imag__ x);
}

/* All of the band, with what waits in it for the next part, as far as rounding lets it. */
static void check_equal(const struct band *a, const struct band *b, const struct chase_part *part)
{
	double norm = 0;

	for (size_t i = 0; i < a->count; i++)
		norm = fmax(norm, modulus(b->x[i]));
	for (size_t i = 0; i < a->count; i++) {
		double error = modulus(a->x[i] - b->x[i]);
		if (!(error <= 300 * REAL_EPS * norm))
			ck_abort_msg("n %d, b %d, sweeps %d .. %d, first %d, steps %d: column %d, place %d is off by %.1e eps*norm", (int)part->n,
				     (int)part->b, (int)part->s0, (int)part->s1, (int)part->first, (int)part->steps,
				     (int)(i / (size_t)part->ld), (int)(i % (size_t)part->ld), error / norm / REAL_EPS);
	}
}

/* The first column that a part touches, so that memory before it is not handed over. */
static struct chase_part cut_off(struct chase_part part)
{
	int64_t from, to;

	part.column = chase_columns(&part, &from, &to) ? from : 0;
	return part;
}

/* Parts of `group` sweeps by `steps` steps, on host and device; compare: the device's result is compared with the host's and then put aside. */
static void run_parts(struct problem *p, int64_t group, int64_t steps, bool compare, int order)
{
	struct band band = band_of(p), host = band;
	struct chase_part part = band.part;
	int64_t n = part.n, count = 0;
	void *work;

	host.x = malloc(band.count * sizeof(scalar));
	ck_assert_int_eq(posix_memalign(&work, 64, (size_t)chase_work(part.b) * sizeof(scalar)), 0);
	for (part.s0 = 0; part.s0 < n - 2; part.s0 += group) {
		part.s1 = smaller(part.s0 + group, n - 2);
		int64_t end = chase_steps(&part, part.s0) + CHASE_SKEW * (part.s1 - 1 - part.s0);
		part.steps = steps;
		for (part.first = 0; part.first < end; part.first += steps) {
			struct gpu_chase_choice c = modes[(int)(count + order) % MODES].choice;
			struct chase_part ours = cut_off(part);
			bool on_host = compare || (count + order) % 2, on_device = compare || !on_host;
			set_order((int)(count++ + order), 4);
			if (on_host) {
				memcpy(host.x, band.x, band.count * sizeof(scalar));
				(part.hermitian ? NAME(host)()->chase_hermitian : NAME(host)()->chase)(&part, host.x, work);
			}
			if (on_device)
				chase(&band, &ours, &c);
			if (compare)
				check_equal(&band, &host, &part);
			if (on_host)
				memcpy(band.x, host.x, band.count * sizeof(scalar));
		}
	}
	take_diagonals(&band, p->d, p->e);
	check_values(p, compare ? "host" : "host and device in turns");
	free(work);
	free(host.x);
	free(band.x);
}

START_TEST(parts_do_what_the_host_does)
{
	static const struct shape of[] = { { 3, 2, 0 }, { 4, 3, 0 }, { 9, 8, 0 }, { 12, 4, 0 }, { 13, 4, 0 }, { 14, 4, 0 }, { 23, 2, 0 },
					   { 31, 7, 0 }, { 40, 39, 0 }, { 50, 33, 0 } };
	static const int64_t cuts[][2] = { { 1, 1 }, { 3, 2 }, { 4, 4 }, { 1000, 1 }, { 5, 1000 }, { 2, 1000 }, { 1000, 7 } };
	struct shape shape = of[_i / 2];

	for (int i = 0; i < (int)(sizeof(cuts) / sizeof(cuts[0])); i++) {
		if (slow() && (i + _i) % 3 != 0)
			continue;
		struct problem p = _i % 2 ? hermitian_problem(RANDOM, shape, HEDDLE_LOWER, 5) : problem(RANDOM, shape, 5);
		run_parts(&p, cuts[i][0], cuts[i][1], true, i);
		run_parts(&p, cuts[i][0], cuts[i][1], false, i);
		problem_free(&p);
	}
}
END_TEST
#endif

static void add(Suite *suite, const char *name, const TTest *test, int count)
{
	TCase *tests = tcase_create(name);

	tcase_set_timeout(tests, 0);
	tcase_add_loop_test(tests, test, 0, count);
	suite_add_tcase(suite, tests);
}

int main(void)
{
	Suite *suite = suite_create("gpu_chase");

	add(suite, "values", values_are_kept, 2 * SHAPES);
	add(suite, "kinds", every_kind_and_width, KINDS);
	add(suite, "choice", default_choice, 1);
	add(suite, "nan", nan_does_not_hang, 2 * MODES);
	add(suite, "small", small_bands_are_left_alone, 1);
#if !defined(HALF)
	add(suite, "parts", parts_do_what_the_host_does, 20);
#endif
	return run_here(suite);
}
