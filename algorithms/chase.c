/* The graph of the chase, from an upper band to a bidiagonal or from a Hermitian one to a tridiagonal: sweeps in groups, each group cut
 * into tasks of a few steps (codelets/host/chase.c and chase_hermitian.c say what a step is and what must come before it).  The tasks
 * depend on each other through the handles of the band alone. */
#include "algorithms/chase.h"

#include <stdlib.h>
#include "algorithms/algorithms.h"
#include "algorithms/blocking.h"
#include "codelets/host/chase.h"
#include "runtime/error.h"
#include "runtime/runtime.h"

/* Seconds that the chase would take with tasks of `group` sweeps by `steps` steps.  Three things bound it: submitting the tasks,
 * doing the work on all workers, and waiting, since each group follows the one before at a distance; where the last two are
 * alike they add up a little.  From measurements on one machine; it only has to rank the choices. */
static double chase_seconds(const heddle_band *band, int64_t group, int64_t steps)
{
	const double submission = 2e-6, overhead = 3e-6, latency = 3e-6;
	const double rate = (sizeof(real) == sizeof(float) ? 55e9 : 28e9) * (IS_COMPLEX ? 1.4 : 1);
	double n = (double)band->n, b = (double)band->kd, g = (double)group, l = (double)steps;
	double work = n * n / (2 * b) * (0.2e-6 + FLOPS_PER_PAIR * (band->hermitian ? 12 : 16) * b * b / rate);
	double groups = fmax(1, n / g), pieces = fmax(1, (n / (2 * b) + CHASE_SKEW * (g - 1)) / l);
	double distance = fmin(pieces, fmax(1, (l + CHASE_SKEW * (g - 1) + (double)band->width / b - 1) / l));
	double tasks = groups * pieces, task = work / tasks + overhead;
	double working = tasks * task / runtime_workers(), waiting = groups * distance * (task + latency);

	return fmax(tasks * submission, pow(pow(working, 4) + pow(waiting, 4), 0.25));
}

/* Seconds that one task for all of it would take on a GPU, where each sweep is a block of threads and two or three steps behind the one
 * before.  An estimate from the memory rates of one multiprocessor and of the device's cache, until it is measured. */
static double gpu_seconds(const heddle_band *band)
{
	const double latency = 3e-6, one = 80e9, all = 3e12, behind = 2.5;
	double n = (double)band->n, b = (double)band->kd, bytes = (band->hermitian ? 3 : 4) * b * b * sizeof(scalar);

	return fmax((n * behind + n / b) * (latency + bytes / one), n * n / (2 * b) * bytes / all);
}

/* Fill in group and steps where the options leave them open.  Returns the seconds that this is expected to take. */
static double choose_task(const heddle_band *band, const heddle_options *options, int64_t *group, int64_t *steps)
{
	int64_t given_group = options ? options->group : 0, given_steps = options ? options->steps : 0;
	double best = INFINITY;

	for (int64_t g = 1; g <= 16; g *= 2)
		for (int64_t l = 1; l <= 16; l *= 2) {
			int64_t g_tried = given_group > 0 ? given_group : g, l_tried = given_steps > 0 ? given_steps : l;
			double seconds = chase_seconds(band, g_tried, l_tried);
			if (seconds < best) {
				best = seconds;
				*group = g_tried;
				*steps = l_tried;
			}
		}
	return best;
}

/* After the last sweep but two nothing is left outside the two diagonals. */
static int64_t sweeps_of(const struct chase *c)
{
	return c->band->n - 2;
}

static struct chase_part part_of(const struct chase *c, int64_t group)
{
	int64_t s0 = group * c->group;

	return (struct chase_part){ .n = c->band->n, .b = c->band->kd, .hermitian = c->band->hermitian, .s0 = s0,
				    .s1 = least(s0 + c->group, sweeps_of(c)), .first = c->next[group], .steps = c->steps };
}

/* The columns of the group's next task.  Returns whether it has one. */
static bool next_columns(struct chase *c, int64_t group, int64_t *from, int64_t *to)
{
	struct chase_part part = part_of(c, group);
	int64_t last = chase_steps(&part, part.s0) - 1 + CHASE_SKEW * (part.s1 - 1 - part.s0);

	for (; part.first <= last; part.first += c->steps) {
		c->next[group] = part.first;
		if (chase_columns(&part, from, to))
			return true;
	}
	c->next[group] = part.first;
	return false;
}

int NAME(chase_begin)(struct chase *c, struct submit to, heddle_band *band, const heddle_options *options)
{
	*c = (struct chase){ .to = to, .band = band, .group = 1, .steps = 1 };
	if (band->kd == 1 || band->n <= 2)
		return HEDDLE_OK;
	double seconds = choose_task(band, options, &c->group, &c->steps);
	bool given = options && (options->group > 0 || options->steps > 0);
	c->on_gpu = runtime_gpus() > 0 && !given && (!runtime_has_cpus() || gpu_seconds(band) < seconds);
	if (c->on_gpu) {
		c->group = sweeps_of(c);
		c->steps = band->n + CHASE_SKEW * c->group;
	}
	c->groups = (sweeps_of(c) + c->group - 1) / c->group;
	c->next = calloc((size_t)c->groups, sizeof(c->next[0]));
	return c->next ? HEDDLE_OK : HEDDLE_ENOMEM;
}

/* Tasks that touch the same columns are submitted in the order of their sweeps.  A group may therefore go on as long as the next
 * task of the group before, if it has one left, lies behind its own: the groups before that one are further on still. */
void NAME(chase_advance)(void *chase, int64_t columns)
{
	struct chase *c = chase;
	int64_t limit = INT64_MAX; /* from of the next task of the group before */

	for (int64_t g = c->oldest; g < c->groups; g++) {
		struct submit to = c->to;
		int64_t from, end;
		bool more;

		to.priority -= (int)least(g, INT32_MAX / 2); /* earlier sweeps go first */
		while ((more = next_columns(c, g, &from, &end)) && end < columns && end < limit) {
			struct chase_part part = part_of(c, g);
			NAME(chase)(to, c->band, part.s0, part.s1, part.first, part.steps, c->on_gpu);
			c->next[g] += c->steps;
		}
		if (!more && g == c->oldest)
			c->oldest++;
		if (more && c->next[g] == 0)
			return;
		limit = more ? from : limit;
	}
}

void NAME(chase_end)(struct chase *c, heddle_matrix *d, heddle_matrix *e, handle scale)
{
	NAME(chase_advance)(c, c->band->n);
	NAME(band_diagonals)(c->to, c->band, d, e, scale);
	free(c->next);
}

int NAME(chase_band)(const char *function, bool hermitian, heddle_sequence *sequence, heddle_band *band, heddle_matrix *d,
		     heddle_matrix *e, const heddle_options *options)
{
	if (!sequence)
		return error_argument(function, 1, "sequence", 0, "a sequence");
	if (!band || band->type != TYPE)
		return error_argument(function, 2, "band", band ? band->type : 0, "a band of the function's type");
	if (band->hermitian != hermitian)
		return error_argument(function, 2, "band", band->uplo, hermitian ? "a Hermitian band" : "an upper band, not a Hermitian one");
	int64_t n = band->n;
	if (!d || d->type != REAL_TYPE || d->m < n || (d->n != 1 && n > 0))
		return error_argument(function, 3, "d", d ? d->m : 0, "a real one-column matrix of the band's order");
	if (!e || e == d || e->type != REAL_TYPE || e->m < n - 1 || (e->n != 1 && n > 1))
		return error_argument(function, 4, "e", e ? e->m : 0, "another real one-column matrix, of at least the band's order - 1");
	int code = check_options(function, 5, options);
	if (code == HEDDLE_OK)
		code = check_running(function);
	if (code != HEDDLE_OK || n == 0)
		return code;
	struct submit to = { .sequence = sequence, .stage = hermitian ? STAGE_SB2ST : STAGE_GB2BD,
			     .priority = options ? options->priority : 0 };
	heddle_matrix pieces = { .type = TYPE, .mt = 1, .nt = band->count, .tiles = band->handles }, *scale = NULL;
	struct chase chase;
	code = NAME(scale_input)(to, &(struct view){ .a = &pieces }, &scale);
	if (code == HEDDLE_OK)
		code = NAME(chase_begin)(&chase, to, band, options);
	if (code == HEDDLE_OK)
		NAME(chase_end)(&chase, d, e, matrix_tile(scale, 0, 0));
	matrix_release(scale);
	if (code == HEDDLE_OK)
		return code;
	sequence_fail(sequence, code);
	return error_set(code, "%s: no memory", function);
}

int NAME(chase_array)(const char *function, int first, const heddle_uplo *uplo, int64_t n, int64_t kd, const scalar *AB, int64_t ldab,
		      real *d, real *e)
{
	if (n < 0 || n > INT32_MAX)
		return error_argument(function, first, "n", n, "0 .. 2^31 - 1");
	if (kd < 0 || kd >= INT32_MAX / 8)
		return error_argument(function, first + 1, "kd", kd, "0 .. 2^28 - 1");
	if (!AB && n > 0)
		return error_argument(function, first + 2, "AB", 0, "a pointer");
	if (ldab <= kd)
		return error_argument(function, first + 3, "ldab", ldab, "more than kd");
	if (!d && n > 0)
		return error_argument(function, first + 4, "d", 0, "a pointer");
	if (!e && n > 1)
		return error_argument(function, first + 5, "e", 0, "a pointer");
	if (n == 0)
		return HEDDLE_OK;
	struct blocking b = { 0 };
	heddle_matrix *dm, *em;
	int64_t width = least(kd, n - 1);
	int code = blocking_begin(&b);
	if (code == HEDDLE_OK)
		code = blocking_matrix(&b, &dm, REAL_TYPE, n, 1, d, n, n);
	if (code == HEDDLE_OK)
		code = blocking_matrix(&b, &em, REAL_TYPE, n - 1, 1, e, n, n);
	if (code == HEDDLE_OK)
		code = uplo ? heddle_band_create_hermitian(&b.band, TYPE, *uplo, n, width) : heddle_band_create(&b.band, TYPE, n, width);
	if (code == HEDDLE_OK) /* diagonals beyond the matrix hold nothing */
		code = heddle_band_set(b.band, uplo && *uplo == HEDDLE_LOWER ? AB : AB + (kd - width), ldab);
	if (code == HEDDLE_OK)
		code = NAME(chase_band)(function, uplo != NULL, b.sequence, b.band, dm, em, NULL);
	code = blocking_end(&b, code);
	return code <= HEDDLE_OK ? code : error_set(code, "%s: %s", function, heddle_strerror(code));
}
