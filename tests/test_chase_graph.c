/* The order of the chase's steps comes from the band's handles alone.  The graph that StarPU built, read from StarPU while its
 * workers pause, must order step t of a sweep behind step t + 2 of the sweep before (in a group of sweeps, t + 1), and any two
 * steps that touch the same elements, however the steps are grouped into tasks; for an upper band and for a Hermitian one. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <heddle/heddle.h>
#include "algorithms/algorithms.h"
#include "codelets/host/chase.h"
#include "runtime/band.h"
#include "runtime/task.h"
#include "tests/suite.h"

enum { N = 61, B = 4, MOST = N * (N / B + 1) };

static struct {
	int count;
	struct starpu_task *tasks[MOST];
	struct chase_part parts[MOST];
	bool before[MOST][MOST]; /* before[i][j]: there is a path from task i to task j */
} graph;

static struct problem {
	scalar ab[N * (B + 1)];
	real d[N], e[N];
	heddle_sequence *sequence;
	heddle_matrix *dm, *em;
	heddle_band *band;
	bool hermitian;
} p;

static void observe(struct starpu_task *task, const void *arguments)
{
	if (strcmp(task->cl->name, TRACE_NAME("chase")) != 0)
		return;
	ck_assert_int_lt(graph.count, MOST);
	graph.tasks[graph.count] = task;
	memcpy(&graph.parts[graph.count++], arguments, sizeof(struct chase_part));
}

static int index_of(const struct starpu_task *task)
{
	for (int i = 0; i < graph.count; i++)
		if (graph.tasks[i] == task)
			return i;
	return -1;
}

/* Paths from StarPU's successors of each task; tasks come after those they depend on.  without: a task whose edges are left out. */
static void read_edges(int without)
{
	static struct starpu_task *successors[4 * MOST];

	memset(graph.before, 0, sizeof(graph.before));
	for (int i = graph.count - 1; i >= 0; i--) {
		int edges = starpu_task_get_task_succs(graph.tasks[i], 4 * MOST, successors);
		ck_assert_int_lt(edges, 4 * MOST);
		for (int k = 0; k < edges && i != without; k++) {
			int j = index_of(successors[k]);
			ck_assert(j < 0 || j > i);
			for (int l = 0; j >= 0 && l < graph.count; l++)
				graph.before[i][l] |= l == j || graph.before[j][l];
		}
	}
}

static int64_t last_step(int64_t s)
{
	return (N - 2 - s) / B;
}

static int task_of(int64_t s, int64_t t)
{
	int found = -1;

	for (int i = 0; i < graph.count; i++) {
		const struct chase_part *part = &graph.parts[i];
		if (s >= part->s0 && s < part->s1 && t >= chase_first(part, s) && t < chase_end(part, s)) {
			ck_assert_msg(found < 0, "step %d of sweep %d is in two tasks", (int)t, (int)s);
			found = i;
		}
	}
	ck_assert_msg(found >= 0, "step %d of sweep %d is in no task", (int)t, (int)s);
	return found;
}

/* Whether a step of an earlier sweep is done before a step of a later one.  A task does one sweep after the other. */
static bool ordered(int64_t earlier, int64_t step, int64_t later, int64_t later_step)
{
	int i = task_of(earlier, step), j = task_of(later, later_step);

	return i == j || graph.before[i][j];
}

/* Steps t of every `every`-th sweep that may run before step t + distance of the sweep before is done. */
static int violations(int64_t distance, int64_t every)
{
	int count = 0;

	for (int64_t s = every; s < N - 2; s += every)
		for (int64_t t = 0; t <= last_step(s); t++) {
			int64_t needed = t + distance < last_step(s - 1) ? t + distance : last_step(s - 1);
			count += !ordered(s - 1, needed, s, t);
		}
	return count;
}

struct rectangle {
	int64_t i0, i1, j0, j1;
};

/* What a step reads and writes: U (or the row it begins with), D, and K in a column below the diagonal; or, Hermitian, E (or the column
 * it begins with), D, and K in the last row of the next E. */
static void touched(int64_t s, int64_t t, struct rectangle r[3])
{
	int64_t j1 = s + 1 + t * B, j2 = j1 + B < N ? j1 + B - 1 : N - 1, from = t > 0 ? j1 - B : s;

	r[1] = (struct rectangle){ j1, j2, j1, j2 };
	if (p.hermitian) {
		r[0] = (struct rectangle){ j1, j2, from, t > 0 ? j1 - 1 : s };
		r[2] = (struct rectangle){ j1 + 2 * B - 1, j1 + 2 * B - 1, j1, t < last_step(s) ? j1 + B - 2 : j1 - 1 };
	} else {
		r[0] = (struct rectangle){ from, j1 - 1, j1, j2 };
		r[2] = (struct rectangle){ from + 1, j1 - 1, from, t > 0 ? from : from - 1 };
	}
}

static bool overlap(int64_t s, int64_t t, int64_t other, int64_t other_step)
{
	struct rectangle a[3], b[3];

	touched(s, t, a);
	touched(other, other_step, b);
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			if (a[i].i0 <= b[j].i1 && b[j].i0 <= a[i].i1 && a[i].j0 <= b[j].j1 && b[j].j0 <= a[i].j1)
				return true;
	return false;
}

/* Pairs of steps that touch the same elements and may run in either order. */
static int races(void)
{
	int count = 0;

	for (int64_t s = 1; s < N - 2; s++)
		for (int64_t t = 0; t <= last_step(s); t++)
			for (int64_t before = s > 2 * B ? s - 2 * B : 0; before < s; before++)
				for (int64_t step = 0; step <= last_step(before); step++)
					count += overlap(before, step, s, t) && !ordered(before, step, s, t);
	return count;
}

/* A band, and workers that pause. */
static void prepare(int64_t width)
{
	for (int i = 0; i < N * (B + 1); i++)
		p.ab[i] = (i * 7919) % 1009;
	ck_assert_int_eq(starpu_init(NULL), 0); /* by the application, so that Heddle leaves pausing to it */
	ck_assert_int_eq(heddle_start(NULL), 0);
	ck_assert_int_eq(heddle_sequence_create(&p.sequence), 0);
	ck_assert_int_eq(heddle_matrix_create(&p.dm, REAL_TYPE, N, 1, p.d, N, 0), 0);
	ck_assert_int_eq(heddle_matrix_create(&p.em, REAL_TYPE, N - 1, 1, p.e, N, 0), 0);
	p.band = p.hermitian ? band_new_hermitian(TYPE, HEDDLE_LOWER, N, B, width) : band_new(TYPE, N, B, width);
	ck_assert_ptr_nonnull(p.band);
	ck_assert_int_eq(heddle_band_set(p.band, p.ab, B + 1), 0);
	graph.count = 0;
	task_observer = observe;
	starpu_pause();
}

/* Submit a chase and keep its tasks. */
static void submit(int64_t group, int64_t steps, int64_t width)
{
	heddle_options options = { .group = group, .steps = steps };

	prepare(width);
	ck_assert_int_eq((p.hermitian ? API(sb2st_async) : API(gb2bd_async))(p.sequence, p.band, p.dm, p.em, &options), 0);
	read_edges(-1);
}

/* After each test, whether it failed or not. */
static void finish(void)
{
	task_observer = NULL;
	starpu_resume();
	ck_assert_int_eq(heddle_sequence_wait(p.sequence), 0);
	heddle_matrix_destroy(p.dm);
	heddle_matrix_destroy(p.em);
	heddle_band_destroy(p.band);
	heddle_sequence_destroy(p.sequence);
	heddle_stop();
	starpu_shutdown();
}

START_TEST(a_step_a_task)
{
	static const int64_t widths[] = { 1, B, 2 * B + 1, 4 * B };

	p.hermitian = _i % 2;
	submit(1, 1, widths[_i / 2]);
	ck_assert_int_eq(violations(2, 1), 0);
	ck_assert_int_eq(races(), 0);
	for (int i = 0; i < graph.count; i++)
		ck_assert_int_eq(graph.parts[i].steps, 1);
}
END_TEST

static const struct grouping {
	int64_t group, steps, width;
} groupings[] = { { 1, 4, 4 * B }, { 4, 4, 4 * B }, { 3, 5, B }, { 2, 1, 2 * B }, { 5, 2, 3 }, { 8, 8, 4 * B }, { 100, 3, B } };
enum { GROUPINGS = sizeof(groupings) / sizeof(groupings[0]) };

static void check_groups(int64_t group)
{
	ck_assert_int_eq(violations(CHASE_SKEW, 1), 0);
	ck_assert_int_eq(violations(2, group), 0); /* the first sweeps of groups */
	ck_assert_int_eq(races(), 0);
}

START_TEST(groups_of_steps)
{
	const struct grouping *c = &groupings[_i / 2];

	p.hermitian = _i % 2;
	submit(c->group, c->steps, c->width);
	check_groups(c->group);
}
END_TEST

/* Submitted piece by piece, as the reduction to a band does; the last task of a group may come after the first of the next. */
START_TEST(while_the_band_is_made)
{
	const struct grouping *c = &groupings[_i / 2 % GROUPINGS];
	int64_t columns = 1 + _i / 2 / GROUPINGS * 3;
	heddle_options options = { .group = c->group, .steps = c->steps };
	struct chase chase;

	p.hermitian = _i % 2;
	prepare(c->width);
	struct submit to = { .sequence = p.sequence, .stage = STAGE_GB2BD };
	ck_assert_int_eq(NAME(chase_begin)(&chase, to, p.band, &options), 0);
	for (int64_t made = 0; made < N; made += columns)
		NAME(chase_advance)(&chase, made);
	NAME(chase_end)(&chase, p.dm, p.em, NULL);
	read_edges(-1);
	check_groups(c->group);
}
END_TEST

/* The tests above can fail: the graph is not a mere line, and without the edges of one task something is missing. */
START_TEST(missing_edges_are_seen)
{
	p.hermitian = _i;
	submit(1, 1, B);
	ck_assert_int_gt(violations(4, 1), 0);
	read_edges(task_of(5, 4));
	ck_assert_int_gt(violations(2, 1), 0);
	ck_assert_int_gt(races(), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("chase_graph");
	TCase *tests = tcase_create("chase_graph");

	tcase_set_timeout(tests, 0);
	tcase_add_checked_fixture(tests, NULL, finish);
	tcase_add_loop_test(tests, a_step_a_task, 0, 2 * 4);
	tcase_add_loop_test(tests, groups_of_steps, 0, 2 * GROUPINGS);
	tcase_add_loop_test(tests, while_the_band_is_made, 0, 2 * 5 * GROUPINGS);
	tcase_add_loop_test(tests, missing_edges_are_seen, 0, 2);
	suite_add_tcase(suite, tests);
	return run_here(suite);
}
