/* Candidates are run in turns, size by size.  What lies behind is dropped soon, so that the time goes to telling the best ones apart. */
#include "tools/heddle/tune.h"

#include <string.h>
#include "runtime/clock.h"
#include "tools/heddle/interrupt.h"
#include "tools/heddle/message.h"
#include "tools/heddle/tune_case.h"
#include "tools/heddle/tune_score.h"

enum { DIRECT = -1 };                        /* the direct call, among candidates */
enum { RUNS_NEEDED = 24, RUNS_WANTED = 12 }; /* of a size, for all of its contests; where the user named it */
enum { FEW_ROUNDS = 6, MANY_ROUNDS = 60 };   /* of a contest: to find the best ones, to tell them apart */

static const double shortest = 0.02; /* seconds a run counts as at least when time is shared out */

/* The sizes of a study that fall into one step, with their matrices. */
struct group {
	struct tune *tune;
	struct tune_study *study;
	int first, count;
	struct tune_case cases[TUNE_SIZES];
};

/* A contest of some candidates. */
struct contest {
	const char *about;
	int list[TUNE_NEIGHBOURS + 5], count, rounds;
	int stay; /* how many of them, the first ones, the others are compared with: they stay to the end */
	double until; /* by seconds_now */
};

/* Not more often than an eye can follow. */
static void show(struct tune *tune, const struct tune_study *study, int64_t n, const char *what, int i, int count)
{
	double now = seconds_now(), spent = now - tune->begin, left = tune->end - now;
	int percent = (int)(100 * fmin(1, spent / (tune->end - tune->begin))), seconds = (int)ceil(fmax(0, left));

	if (interrupted() || now - tune->shown < 0.05) /* an interruption the line says by now */
		return;
	tune->shown = now;
	status_show("%s %c %lld: %s, %d of %d  %3d %%  at most %d:%02d:%02d left", tuning_job_names[study->job], (char)study->kind->type,
		    (long long)n, what, i + 1, count, percent, seconds / 3600, seconds / 60 % 60, seconds % 60);
}

/* The index of a candidate, a new one if it was none yet; when the list is full, that of one there is. */
static int candidate_of(struct tune_study *study, struct tuning_choice choice)
{
	int i = 0;

	choice.route = HEDDLE_ROUTE_GRAPH;
	while (i < study->candidates && memcmp(&study->candidate[i], &choice, sizeof(choice)) != 0)
		i++;
	if (i == TUNE_CANDIDATES)
		return 0;
	if (i == study->candidates)
		study->candidate[study->candidates++] = choice;
	return i;
}

/* One run at each size of the group. */
static int turn(struct group *g, int candidate)
{
	struct tuning_choice choice = candidate == DIRECT ? (struct tuning_choice){ .route = HEDDLE_ROUTE_LAPACK, .inverse = 1 } :
							    g->study->candidate[candidate];
	double seconds;

	for (int i = 0; i < g->count; i++) {
		int s = g->first + i;
		double *least = candidate == DIRECT ? &g->study->direct[s] : &g->study->seconds[s][candidate];

		if (tune_case_run(&g->cases[i], &choice, &seconds) != 0 || interrupted())
			return -1;
		if (!isfinite(*least) && tune_case_check(&g->cases[i]) != 0)
			return -1;
		*least = fmin(*least, seconds);
	}
	return 0;
}

static double regret(const struct group *g, int candidate)
{
	struct tune_study *study = g->study;
	struct tune_times times = { study->seconds[g->first], study->candidates, g->count, TUNE_CANDIDATES };
	double total = 0;

	if (candidate != DIRECT)
		return tune_regret(&times, candidate);
	for (int s = g->first; s < g->first + g->count; s++)
		total += fmax(0, study->direct[s] / study->seconds[s][study->chosen[s]] - 1);
	return total;
}

static int best(const struct group *g)
{
	struct tune_times times = { g->study->seconds[g->first], g->study->candidates, g->count, TUNE_CANDIDATES };
	int before = g->first > 0 ? g->study->chosen[g->first - 1] : -1, choice = tune_best(&times, before);

	return choice >= 0 ? choice : 0;
}

static int hold(struct group *g, struct contest *c)
{
	static const double far[] = { 0.2, 0.1, 0.05, 0.03 };
	enum { STEPS = sizeof(far) / sizeof(far[0]) };

	for (int round = 0; round < c->rounds && (c->count > 1 || round < 2); round++) {
		int kept = 0;

		for (int i = 0; i < c->count; i++) {
			if (seconds_now() > c->until && (round > 0 || i >= c->stay))
				return 0;
			show(g->tune, g->study, g->study->size[g->first], c->about, i, c->count);
			if (turn(g, c->list[i]) != 0)
				return -1;
		}
		for (int s = g->first; s < g->first + g->count; s++)
			g->study->chosen[s] = best(g);
		for (int i = 0; i < c->count; i++)
			if (i < c->stay || regret(g, c->list[i]) <= far[round < STEPS ? round : STEPS - 1] * g->count)
				c->list[kept++] = c->list[i];
		c->count = kept;
	}
	return 0;
}

static void enter(struct contest *c, int candidate)
{
	for (int i = 0; i < c->count; i++)
		if (c->list[i] == candidate)
			return;
	if (c->count < (int)(sizeof(c->list) / sizeof(c->list[0])))
		c->list[c->count++] = candidate;
}

/* What is in force and the choice of the step before stay in all; the direct call where it is to take part. */
static struct contest contest_of(const struct group *g, const char *about, double seconds, bool direct)
{
	struct contest c = { .about = about, .rounds = FEW_ROUNDS, .until = seconds_now() + seconds };

	enter(&c, g->study->in_force[g->first]);
	if (direct)
		enter(&c, DIRECT);
	if (g->first > 0)
		enter(&c, g->study->chosen[g->first - 1]);
	c.stay = c.count;
	enter(&c, best(g));
	return c;
}

/* Whether the direct call may be of use: it does not lie far behind at the size before, or is said to be the way not far from here.  Where a
 * study begins that is to be found out, whatever the table in force says, unless the matrix is large. */
static bool try_direct(const struct group *g)
{
	enum { LARGE = 1024 };
	const struct tune_study *study = g->study;
	int s = g->first;
	int64_t n = study->size[s];

	if (tune_by_call(study, s) || (s == 0 && n <= LARGE))
		return true;
	if (s > 0)
		return study->direct[s - 1] < 1.5 * study->seconds[s - 1][study->chosen[s - 1]];
	return tune_in_force(study->job, study->kind->type, n / 4 + 1).route == HEDDLE_ROUTE_LAPACK;
}

static int try_neighbours(struct group *g, enum tune_number number, const char *about, double seconds)
{
	struct tuning_choice found[TUNE_NEIGHBOURS], from = g->study->candidate[best(g)];
	int count = tune_neighbours(g->study->job, number, g->study->size[g->first], from, found);
	struct contest c = contest_of(g, about, seconds, false);

	for (int i = 0; i < count; i++)
		enter(&c, candidate_of(g->study, found[i]));
	return hold(g, &c);
}

/* Those that are still about as good as the best one. */
static struct contest finalists(const struct group *g, bool direct, double seconds)
{
	struct contest c = contest_of(g, "the best", seconds, direct);
	enum { MOST = 5 };

	c.rounds = MANY_ROUNDS;
	for (int i = 0; i < g->study->candidates && c.count < MOST; i++)
		if (regret(g, i) <= 3 * TUNE_TIE * g->count)
			enter(&c, i);
	return c;
}

/* All contests of a group: one for each number there is to choose (those that the job has not have no neighbours), and the best ones once
 * more.  Where the direct call is far ahead the rest matters little. */
static int find(struct group *g, double seconds)
{
	static const struct {
		enum tune_number number;
		const char *about;
		double share;
	} kinds[] = { { TUNE_BAND, "bands", 0.3 }, { TUNE_TILE, "tiles", 0.25 }, { TUNE_CHASE, "chase", 0.15 }, { TUNE_INVERSE, "inverse", 0.1 } };
	bool direct = try_direct(g);
	struct contest c = contest_of(g, "in force", 0.1 * seconds, direct);
	int code = hold(g, &c);
	bool hopeless = false;
	for (int s = g->first; s < g->first + g->count; s++)
		hopeless = hopeless || g->study->direct[s] < 0.5 * g->study->seconds[s][g->study->chosen[s]];
	for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]) && code == 0 && !hopeless; i++)
		code = try_neighbours(g, kinds[i].number, kinds[i].about, kinds[i].share * seconds);
	if (code != 0)
		return code;
	c = finalists(g, direct, 0.2 * seconds);
	return hold(g, &c);
}

static int open_group(struct group *g)
{
	for (int i = 0; i < g->count; i++)
		if (tune_case_open(&g->cases[i], g->study->job, g->study->kind, g->study->size[g->first + i]) != 0)
			return -1;
	return 0;
}

static double weight(const struct tune_study *study, int size)
{
	return fmax(study->look[size], shortest);
}

int tune_measure(struct tune *tune, struct tune_study *study)
{
	int step[TUNE_SIZES], code = 0;

	for (int s = 0; s < study->sizes; s++)
		step[s] = tuning_step(study->size[s]);
	for (int first = 0, end; first < study->sizes && code == 0 && !interrupted(); first = end) {
		struct group g = { .tune = tune, .study = study, .first = first };
		double share = 0;

		for (end = first; end < study->sizes && step[end] == step[first]; end++)
			share += weight(study, end);
		g.count = end - first;
		code = open_group(&g);
		if (code == 0)
			code = find(&g, fmax(0, tune->end - seconds_now()) * share / tune->ahead);
		tune->ahead -= share;
		for (int i = 0; i < g.count; i++)
			tune_case_close(&g.cases[i]);
	}
	if (code != 0 || interrupted())
		return interrupted() ? 0 : -1;
	struct tune_times times = { study->seconds[0], study->candidates, study->sizes, TUNE_CANDIDATES };
	double tasks[TUNE_SIZES];
	tune_choose(&times, step, study->chosen);
	for (int s = 0; s < study->sizes; s++)
		tasks[s] = study->seconds[s][study->chosen[s]];
	study->by_call = tune_crossover(study->direct, tasks, study->sizes);
	return 0;
}

/* One run of one size, if the time suffices for all that follows from it: foreseen from the size before. */
static int look_at(struct tune *tune, struct tune_study *study, int s)
{
	struct tune_case c;
	struct tuning_choice choice = tune_in_force(study->job, study->kind->type, study->size[s]);
	double ratio = s > 0 ? (double)study->size[s] / (double)study->size[s - 1] : 1;
	double foreseen = s > 0 ? study->look[s - 1] * ratio * ratio * ratio : 0;

	if ((tune->arguments.sizes_given ? RUNS_WANTED : RUNS_NEEDED) * (tune->ahead + foreseen) > tune->arguments.seconds) {
		study->sizes = s;
		return 0;
	}
	show(tune, study, study->size[s], "a first look", 0, 1);
	int code = tune_case_open(&c, study->job, study->kind, study->size[s]);
	choice.route = HEDDLE_ROUTE_GRAPH;
	for (int i = 0; i < 2 && code == 0; i++) /* the first is a warm-up */
		if (i == 0 || study->look[s] < 1)
			code = tune_case_run(&c, &choice, &study->look[s]);
	tune_case_close(&c);
	study->in_force[s] = candidate_of(study, choice);
	tune->ahead += weight(study, s);
	return code;
}

int tune_look(struct tune *tune)
{
	int code = 0;

	for (int s = 0; s < TUNE_SIZES; s++)
		for (int i = 0; i < tune->count && code == 0 && !interrupted(); i++)
			if (s < tune->studies[i].sizes)
				code = look_at(tune, &tune->studies[i], s);
	return interrupted() ? 0 : code;
}
