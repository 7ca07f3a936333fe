/* The emulation that device kernels are tested with finds what it claims to find: each kind of bug is planted, must be found in the builds
 * that look for it, in every order of threads, and the same kernel without the bug must be right and raise nothing. */
#include "tests/child.h"
#include "tests/device_support.h"
#include "tests/emulation/planted.h"
#include <pthread.h>

void gpu_emu_message(char *text, size_t size);

enum { FLAGS = 16, LARGEST = 4 * 128, BUILDS = 3 };
enum build { PLAIN, RACE, ASAN };

static enum build build(void) { return gpu_emu_get("asan_build") ? ASAN : gpu_emu_get("race_build") ? RACE : PLAIN; }

/* found: part of the first message, by build.  WRONG: the result shows it, in one order at least; DIES: the sanitizer's message, after
 * which the program ends; NULL: nothing is claimed. */
#define WRONG "wrong"
#define DIES(message) "!" message
static const char barrier[] = "divergent barrier", early[] = "early exit", warp[] = "divergent warp operation", bounds[] = "out of bounds",
		  race[] = "race in", overflow[] = DIES("heap-buffer-overflow"), copy[] = "asynchronous copy", stuck[] = "deadlock with",
		  uninitialised[] = "uninitialised shared memory";

static const struct planted_case {
	const char *name;
	enum planted what;
	int blocks, threads, resident;
	bool some; /* found in one order at least */
	const char *found[BUILDS];
} cases[] = {
	{ "missing barrier", MISSING_BARRIER, 1, 64, 0, false, { WRONG, NULL, WRONG } },
	{ "missing barrier before reuse", MISSING_BARRIER_BEFORE_REUSE, 2, 64, 0, false, { WRONG, race, WRONG } },
	{ "divergent barrier", DIVERGENT_BARRIER, 2, 50, 0, false, { barrier, barrier, barrier } },
	{ "reductions", GOOD_REDUCTIONS, 2, 37, 0, false, { NULL, NULL, NULL } },
	{ "early exit", EARLY_EXIT, 2, 33, 0, false, { early, early, early } },
	{ "exit behind others at a barrier", EXIT_BEHIND_BARRIER, 1, 33, 0, false, { early, early, early } },
	{ "write past an array", WRITE_PAST_GLOBAL, 2, 32, 0, false, { bounds, bounds, overflow } },
	{ "read before an array", READ_PAST_GLOBAL, 2, 32, 0, false, { WRONG, bounds, overflow } },
	{ "write past a shared array", WRITE_PAST_SHARED, 2, 32, 0, false, { bounds, bounds, overflow } },
	{ "read past a shared array", READ_PAST_SHARED, 2, 32, 0, false, { WRONG, bounds, overflow } },
	{ "uninitialised shared memory", UNINITIALISED_SHARED, 2, 64, 2, false, { WRONG, uninitialised, WRONG } },
	{ "missing wait for a copy", MISSING_COPY_WAIT, 2, 64, 0, false, { WRONG, copy, WRONG } },
	{ "missing commit of a copy", MISSING_COPY_COMMIT, 2, 64, 0, false, { WRONG, copy, WRONG } },
	{ "copy into memory in use", COPY_INTO_USE, 2, 64, 0, false, { WRONG, race, WRONG } },
	{ "release before the barrier", RELEASE_BEFORE_BARRIER, 2, 64, 2, false, { NULL, race, NULL } },
	{ "no acquire", NO_ACQUIRE, 2, 64, 2, false, { NULL, race, NULL } },
	{ "write after the release", WRITE_AFTER_RELEASE, 2, 64, 2, false, { NULL, race, NULL } },
	{ "release before the warp is done", RELEASE_OF_A_WARP, 2, 64, 2, false, { NULL, race, NULL } },
	{ "release within the block", RELEASE_WITHIN_BLOCK, 1, 128, 0, false, { NULL, race, NULL } },
	{ "missing fence", MISSING_FENCE, 4, 64, 0, false, { NULL, race, NULL } },
	{ "dependence on co-residency", CO_RESIDENCY, 4, 32, 1, true, { stuck, stuck, stuck } },
	{ "the same, more blocks resident", CO_RESIDENCY, 8, 32, 3, true, { stuck, stuck, stuck } },
	{ "the same without a pause", CO_RESIDENCY_WITHOUT_PAUSE, 4, 32, 1, true, { stuck, stuck, stuck } },
	{ "warp operation of some lanes", DIVERGENT_WARP, 2, 64, 0, false, { warp, warp, warp } },
	{ "warp operation, others at a barrier", DIVERGENT_WARP_AT_BARRIER, 2, 64, 0, false, { warp, warp, warp } },
	{ "warp operations at two lines", DIVERGENT_WARP_LINES, 2, 64, 0, false, { warp, warp, warp } },
	{ "warp operation after an exit", WARP_AFTER_EXIT, 2, 64, 0, false, { warp, warp, warp } },
	{ "missing sync of a warp", MISSING_WARP_SYNC, 2, 64, 0, false, { WRONG, NULL, WRONG } },
	{ "two blocks write", WRITES_OF_BLOCKS, 4, 32, 0, false, { NULL, race, NULL } },
	{ "atomic and plain", PLAIN_BESIDE_ATOMIC, 4, 32, 0, false, { NULL, race, NULL } },
	{ "bytes and halves", SMALL_NEIGHBOURS, 2, 64, 0, false, { NULL, race, NULL } },
	{ "local variable of another", LOCAL_OF_ANOTHER, 1, 64, 0, false, { NULL, bounds, NULL } },
	{ "too many threads", TOO_MANY_THREADS, 1, 64, 0, false, { "GPU_BOUNDS", "GPU_BOUNDS", "GPU_BOUNDS" } },
	{ "dynamic shared memory not allowed", DYNAMIC_NOT_ALLOWED, 1, 64, 0, false, { "dynamic shared", "dynamic shared", "dynamic shared" } },
	{ "too much shared memory declared", DECLARED_TOO_MUCH, 1, 64, 0, false, { "are declared", "are declared", "are declared" } },
};
enum { CASES = sizeof(cases) / sizeof(cases[0]) };

struct data {
	double *from, *to;
	int *flags;
};

static struct data data_new(int n)
{
	double from[LARGEST];
	int zero[FLAGS] = { 0 };

	for (int i = 0; i < n; i++)
		from[i] = i + 1;
	return (struct data){ device_copy(from, (size_t)n * sizeof(*from), "from"), device_new((size_t)n * sizeof(double), "to"),
			      device_copy(zero, sizeof(zero), "flags") };
}

static void data_free(struct data d)
{
	device_free(d.from);
	device_free(d.to);
	device_free(d.flags);
}

/* Run it; whether each thread got its neighbour's number. */
static bool run_case(const struct planted_case *c, bool bad)
{
	struct data d = data_new(c->blocks * c->threads);
	double to[LARGEST];
	bool right = true;

	run_planted(NULL, c->what, bad, c->blocks, c->threads, d.from, d.to, d.flags);
	device_from(to, d.to, (size_t)(c->blocks * c->threads) * sizeof(*to));
	for (int i = 0; i < c->blocks * c->threads; i++)
		right = right && to[i] == i / c->threads * c->threads + (i % c->threads + 1) % c->threads + 1;
	data_free(d);
	return right;
}

static void run_bad(const void *c) { run_case(c, true); }

static void expect_death(void (*run)(const void *), const void *argument, const char *message, const char *name)
{
	char text[8192];
	int status = in_child(run, argument, text, sizeof(text));

	ck_assert_msg(!WIFEXITED(status) || WEXITSTATUS(status) != 0, "%s: not found", name);
	ck_assert_msg(strstr(text, message) != NULL, "%s: found as '%s'", name, text);
}

/* One order; whether the bug was found. */
static bool bad_found(const struct planted_case *c, const char *expected)
{
	char text[1000];

	gpu_emu_reset();
	bool right = run_case(c, true);
	gpu_emu_message(text, sizeof(text));
	if (strcmp(expected, WRONG) == 0)
		return !right;
	ck_assert_msg(text[0] == '\0' || strstr(text, expected) != NULL || c->some, "%s: found as '%s'", c->name, text);
	return strstr(text, expected) != NULL;
}

static void check_good(const struct planted_case *c, int order)
{
	char text[1000];

	gpu_emu_reset();
	ck_assert_msg(run_case(c, false), "%s: without the bug the result is wrong, order %d", c->name, order);
	gpu_emu_message(text, sizeof(text));
	ck_assert_msg(gpu_emu_get("errors") == 0, "%s: without the bug, order %d: %s", c->name, order, text);
}

static void quiet(void) { gpu_emu_set("quiet", 1); }

static void restore(void)
{
	gpu_emu_set("quiet", 0);
	gpu_emu_set("copy_early", 0);
	gpu_emu_set("foreign", 0);
	device_order(ORDER_FORWARD, 0);
	gpu_emu_reset();
}

START_TEST(planted_bugs_are_found)
{
	const struct planted_case *c = &cases[_i];
	const char *expected = c->found[build()];
	int found = 0;

	for (int order = 0; order < ORDERS; order++) {
		device_order(order, c->resident);
		for (int early_copies = 0; early_copies < 2; early_copies++) {
			gpu_emu_set("copy_early", early_copies);
			check_good(c, order);
		}
		gpu_emu_set("copy_early", c->what == COPY_INTO_USE);
		if (expected && expected[0] == '!' && order <= ORDER_REVERSE)
			expect_death(run_bad, c, expected + 1, c->name);
		else if (expected && expected[0] != '!')
			found += bad_found(c, expected);
	}
	if (expected && expected[0] != '!')
		ck_assert_msg(found == ORDERS || (found > 0 && (c->some || strcmp(expected, WRONG) == 0)), "%s: found in %d of %d orders", c->name,
			      found, ORDERS);
}
END_TEST

/* Reads of what is never written show before the race does, in some orders: both count here. */
START_TEST(races_are_counted)
{
	static const enum planted racing[] = { MISSING_BARRIER, MISSING_WARP_SYNC, MISSING_BARRIER_BEFORE_REUSE };

	if (build() != RACE)
		return;
	for (int i = 0; i < 3; i++)
		for (int order = 0; order < ORDERS; order++) {
			struct planted_case c = { "race", racing[i], 1, 64, 0, false, { NULL, NULL, NULL } };
			device_order(order, 0);
			gpu_emu_reset();
			run_case(&c, true);
			ck_assert_int_gt(gpu_emu_get("races"), 0);
			ck_assert_int_le(gpu_emu_get("races"), gpu_emu_get("errors"));
		}
}
END_TEST

static void use_after_free(const void *unused)
{
	struct data d = data_new(64);

	(void)unused;
	device_free(d.from);
	run_planted(NULL, MISSING_BARRIER, 0, 1, 64, d.from, d.to, d.flags);
}

static void free_twice(const void *unused)
{
	void *p = device_new(100, "twice");

	(void)unused;
	device_free(p);
	device_free(p);
}

static void host_memory(const void *unused)
{
	struct data d = data_new(64);
	double *from = calloc(64, sizeof(double));

	(void)unused;
	run_planted(NULL, MISSING_BARRIER, 0, 1, 64, from, d.to, d.flags);
	free(from);
	data_free(d);
}

static void expect_message(void (*run)(const void *), const char *message)
{
	char text[1000];

	gpu_emu_reset();
	run(NULL);
	gpu_emu_message(text, sizeof(text));
	ck_assert_msg(strstr(text, message) != NULL, "found as '%s'", text);
}

START_TEST(wrong_memory_is_found)
{
	if (build() == ASAN) {
		expect_death(use_after_free, NULL, "heap-use-after-free", "use after free");
		expect_death(free_twice, NULL, "double-free", "double free");
		return;
	}
	expect_message(free_twice, "not the beginning of device memory");
	if (build() == RACE) {
		expect_message(use_after_free, "from+0, which has been freed");
		expect_message(host_memory, "is not device memory");
	}
}
END_TEST

/* Memory comes round again, and is then as good as new. */
START_TEST(memory_is_used_again)
{
	enum { BYTES = 3 << 20, TIMES = 60 };
	unsigned char *p = NULL, *lowest = NULL, *highest = NULL;

	for (int i = 0; i < TIMES; i++) {
		p = device_new(BYTES, "memory");
		ck_assert_ptr_nonnull(p);
		ck_assert_msg(p[0] == 0xff && p[BYTES / 2] == 0xff && p[BYTES - 1] == 0xff, "fresh memory is not of NaNs");
		memset(p, 0, BYTES);
		lowest = i == 0 || p < lowest ? p : lowest;
		highest = p > highest ? p : highest;
		device_free(p);
	}
	if (build() != ASAN)
		ck_assert_int_le(highest - lowest, (TIMES - 1) * BYTES / 2);
	ck_assert_int_eq(gpu_emu_get("errors"), 0);
	ck_assert_ptr_null(build() == ASAN ? NULL : gpu_emu_malloc((size_t)1 << 40, "too much"));
}
END_TEST

START_TEST(impossible_launches_are_refused)
{
	static const int shapes[][2] = { { 0, 32 }, { 1, 0 }, { 1, 1025 } };
	struct data d = data_new(64);

	for (int i = 0; i < 3; i++) {
		gpu_emu_reset();
		run_planted(NULL, MISSING_BARRIER, 0, shapes[i][0], shapes[i][1], d.from, d.to, d.flags);
		ck_assert_int_eq(gpu_emu_get("errors"), 1);
		ck_assert_int_eq(gpu_emu_get("blocks"), 0);
	}
	data_free(d);
}
END_TEST

START_TEST(warp_operations_are_right)
{
	double to[128], *device = device_new(sizeof(to), "to");

	for (int order = 0; order < ORDERS; order++) {
		device_order(order, 0);
		run_warp_operations(NULL, 128, device);
		device_from(to, device, sizeof(to));
		for (int t = 0; t < 128; t++)
			ck_assert_msg(to[t] == 0, "thread %d: %g are wrong", t, to[t]);
	}
	device_free(device);
	device_finish();
}
END_TEST

/* A stand-in for the device runtime: it may put launches off, and device pointers may need a translation. */
static struct queued {
	void (*run)(void *);
	void *job;
} queue[8];
static int queued;
static bool put_off;
static ptrdiff_t displacement;

__attribute__((visibility("default"))) void standin_enqueue(void *stream, void (*run)(void *), void *job);
void standin_enqueue(void *stream, void (*run)(void *), void *job)
{
	(void)stream;
	if (put_off)
		queue[queued++] = (struct queued){ run, job };
	else
		run(job);
}

__attribute__((visibility("default"))) void *standin_xlat(void *p);
void *standin_xlat(void *p) { return p ? (char *)p + displacement : NULL; }

START_TEST(launches_go_through_the_stand_in)
{
	enum { N = 5, COUNT = 3 };
	const double ones[N] = { 1, 1, 1, 1, 1 };
	double *device[COUNT], *elsewhere[COUNT], *sum = device_new(sizeof(double), "sum"), result;

	displacement = 64;
	for (int i = 0; i < COUNT; i++) {
		device[i] = device_copy(ones, sizeof(ones), "ones");
		elsewhere[i] = (double *)((char *)device[i] - displacement);
	}
	put_off = true;
	run_sum_of_list(NULL, (const double *const *)elsewhere, COUNT, N, (double *)((char *)sum - displacement));
	ck_assert_int_eq(queued, 1);
	device_from(&result, sum, sizeof(result));
	ck_assert(result != result);
	queue[0].run(queue[0].job);
	device_take(&result, sum, sizeof(result));
	ck_assert(result == COUNT * N);
	put_off = false;
	queued = 0;
	displacement = 0;
	for (int i = 0; i < COUNT; i++)
		device_free(device[i]);
	device_finish();
}
END_TEST

static void *work(void *argument)
{
	int *failed = argument;

	for (int i = 0; i < 10; i++)
		for (int j = 0; j < CASES; j++)
			*failed += !run_case(&cases[j], false);
	return NULL;
}

START_TEST(threads_of_the_host_launch_together)
{
	enum { WORKERS = 3 };
	pthread_t workers[WORKERS];
	int failed[WORKERS] = { 0 };

	device_order(ORDER_SHUFFLED, 2);
	gpu_emu_reset();
	for (int i = 0; i < WORKERS; i++)
		ck_assert_int_eq(pthread_create(&workers[i], NULL, work, &failed[i]), 0);
	for (int i = 0; i < WORKERS; i++) {
		pthread_join(workers[i], NULL);
		ck_assert_int_eq(failed[i], 0);
	}
	ck_assert_int_eq(gpu_emu_get("launches"), WORKERS * 10 * CASES);
	device_finish();
}
END_TEST

START_TEST(work_is_counted)
{
	double *to = device_new(70 * sizeof(double), "to");

	gpu_emu_reset();
	run_barriers(NULL, 70, 30, to);
	ck_assert_int_eq(gpu_emu_get("launches"), 1);
	ck_assert_int_eq(gpu_emu_get("blocks"), 1);
	ck_assert_int_eq(gpu_emu_get("barriers"), 30);
	ck_assert_int_ge(gpu_emu_get("switches"), 30 * 69);
	device_free(to);
	device_finish();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("emulation");
	TCase *planted = tcase_create("planted"), *other = tcase_create("other");

	restore();
	tcase_add_checked_fixture(planted, quiet, restore);
	tcase_add_loop_test(planted, planted_bugs_are_found, 0, CASES);
	tcase_add_test(planted, races_are_counted);
	tcase_add_test(planted, wrong_memory_is_found);
	tcase_add_test(planted, impossible_launches_are_refused);
	suite_add_tcase(suite, planted);
	tcase_add_checked_fixture(other, restore, restore);
	tcase_add_test(other, memory_is_used_again);
	tcase_add_test(other, warp_operations_are_right);
	tcase_add_test(other, launches_go_through_the_stand_in);
	tcase_add_test(other, threads_of_the_host_launch_together);
	tcase_add_test(other, work_is_counted);
	suite_add_tcase(suite, other);
	return run_here(suite);
}
