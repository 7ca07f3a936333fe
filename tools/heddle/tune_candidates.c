/* What there is to try, and what comes of it. */
#include "tools/heddle/tune.h"

#include <string.h>

struct tuning_choice tune_in_force(enum tuning_job job, heddle_type type, int64_t order)
{
	heddle_options o = { 0 };

	switch (job) {
	case TUNING_SVDVALS:
		heddle_svd_options(type, order, order, &o);
		break;
	case TUNING_EIGVALS:
		heddle_eig_options(type, order, &o);
		break;
	case TUNING_TRSM_FEW: /* whose route is that of the others */
		o.route = HEDDLE_ROUTE_GRAPH;
		heddle_trsm_options(type, order, 0, &o);
		break;
	default:
		heddle_trsm_options(type, order, order, &o);
	}
	return (struct tuning_choice){ .route = (int)o.route, .band = (int)o.band, .tile = (int)o.tile, .group = (int)o.group,
				       .steps = (int)o.steps, .inverse = o.inverse };
}

bool tune_by_call(const struct tune_study *study, int size)
{
	return tune_in_force(study->job, study->kind->type, study->size[size]).route == HEDDLE_ROUTE_LAPACK;
}

double tune_seconds_before(const struct tune_study *study, int size)
{
	return tune_by_call(study, size) ? study->direct[size] : study->seconds[size][study->in_force[size]];
}

double tune_seconds_after(const struct tune_study *study, int size)
{
	return size < study->by_call ? study->direct[size] : study->seconds[size][study->chosen[size]];
}

/* Those of the numbers that are in a range and at most `reach` times away from `from`, the nearest first. */
static int near(const int *numbers, int from, double reach, int64_t least, int64_t most, int found[TUNE_NEIGHBOURS])
{
	int count = 0;

	for (int i = 0; numbers[i] > 0; i++) {
		double distance = fabs(log((double)numbers[i] / from));
		int place = count;

		if (numbers[i] == from || distance > log(reach) || numbers[i] < least || numbers[i] > most || count == TUNE_NEIGHBOURS)
			continue;
		for (; place > 0 && fabs(log((double)found[place - 1] / from)) > distance; place--)
			found[place] = found[place - 1];
		found[place] = numbers[i];
		count++;
	}
	return count;
}

static int other_tasks(struct tuning_choice from, struct tuning_choice found[TUNE_NEIGHBOURS])
{
	static const int tasks[][2] = { { 0, 0 }, { 4, 4 }, { 8, 4 }, { 4, 8 }, { 8, 8 }, { 16, 8 }, { 2, 4 } };
	int count = 0;

	for (unsigned i = 0; i < sizeof(tasks) / sizeof(tasks[0]); i++)
		if (tasks[i][0] != from.group || tasks[i][1] != from.steps) {
			found[count] = from;
			found[count].group = tasks[i][0];
			found[count++].steps = tasks[i][1];
		}
	return count;
}

int tune_neighbours(enum tuning_job job, enum tune_number number, int64_t n, struct tuning_choice from,
		    struct tuning_choice found[TUNE_NEIGHBOURS])
{
	static const int bands[] = { 8, 12, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 256, 0 };
	static const int tiles[] = { 16, 24, 32, 48, 64, 96, 128, 160, 192, 256, 320, 384, 448, 512, 640, 768, 1024, 1280, 1536, 2048, 0 };
	static const int blocks[] = { 32, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 0 };
	bool solves = job == TUNING_TRSM || job == TUNING_TRSM_FEW;
	int numbers[TUNE_NEIGHBOURS], count = 0;

	if (number == TUNE_INVERSE && solves) {
		found[0] = from;
		found[0].inverse = 3 - from.inverse;
		return 1;
	}
	if (number == TUNE_CHASE && !solves)
		return other_tasks(from, found);
	if (number == TUNE_BAND && !solves)
		count = near(bands, from.band, 1.7, 1, n / 2, numbers);
	else if (number == TUNE_TILE && solves) /* of those from n on, which are all the same, one is enough */
		count = near(blocks, (int)fmin(from.tile, (double)n), 8, 1, from.tile < n ? 2 * n : n, numbers);
	else if (number == TUNE_TILE)
		count = near(tiles, from.tile, 1.7, from.band, n, numbers);
	for (int i = 0; i < count; i++) {
		found[i] = from;
		*(number == TUNE_BAND ? &found[i].band : &found[i].tile) = numbers[i];
	}
	return count;
}

/* The size that speaks for a step, -1: none is near enough. */
static int spokesman(const struct tune_study *study, int step)
{
	double nearest = 0.5 * log(2) + 1e-9;
	int found = -1;

	for (int s = 0; s < study->sizes; s++) {
		double order = (double)tuning_order(tuning_step(study->size[s]));
		double distance = fabs(log((double)tuning_order(step) / order));

		if (distance < nearest && study->chosen[s] >= 0) {
			nearest = distance;
			found = s;
		}
	}
	return found;
}

void tune_table(const struct tune *tune, struct tuning *table)
{
	*table = (struct tuning){ 0 };
	for (int job = 0; job < TUNING_JOBS; job++)
		for (int type = 0; type < TUNING_TYPES; type++)
			for (int step = 0; step < TUNING_STEPS; step++)
				table->choice[job][type][step] = tune_in_force(job, (heddle_type)"sdcz"[type], tuning_order(step));
	for (int i = 0; i < tune->count; i++) {
		const struct tune_study *study = &tune->studies[i];
		int type = tuning_type(study->kind->type);

		table->named[study->job][type] = study->sizes > 0;
		for (int step = 0; step < TUNING_STEPS; step++) {
			int s = spokesman(study, step);
			struct tuning_choice *choice = &table->choice[study->job][type][step];

			if (s >= 0)
				*choice = study->candidate[study->chosen[s]];
			if (s >= 0)
				choice->route = s < study->by_call ? HEDDLE_ROUTE_LAPACK : HEDDLE_ROUTE_GRAPH;
		}
	}
}
