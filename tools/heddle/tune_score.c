#include "tools/heddle/tune_score.h"

#include <math.h>

static double best_time(const struct tune_times *times, int size)
{
	double best = INFINITY;

	for (int c = 0; c < times->candidates; c++)
		best = fmin(best, times->seconds[c + size * times->stride]);
	return best;
}

double tune_regret(const struct tune_times *times, int candidate)
{
	double total = 0;
	int measured = 0;

	for (int s = 0; s < times->sizes; s++) {
		double seconds = times->seconds[candidate + s * times->stride], best = best_time(times, s);

		measured += isfinite(seconds);
		if (isfinite(best))
			total += isfinite(seconds) ? seconds / best - 1 : 1;
	}
	return measured > 0 ? total : INFINITY;
}

int tune_best(const struct tune_times *times, int preferred)
{
	double least = INFINITY, tie = TUNE_TIE * times->sizes;

	for (int c = 0; c < times->candidates; c++)
		least = fmin(least, tune_regret(times, c));
	if (!isfinite(least))
		return -1;
	if (preferred >= 0 && tune_regret(times, preferred) <= least + tie)
		return preferred;
	for (int c = 0; c < times->candidates; c++)
		if (tune_regret(times, c) <= least + tie)
			return c;
	return -1;
}

void tune_choose(const struct tune_times *times, const int *step, int *chosen)
{
	int before = -1;

	for (int first = 0, end; first < times->sizes; first = end) {
		for (end = first + 1; end < times->sizes && step[end] == step[first];)
			end++;
		struct tune_times part = { times->seconds + first * times->stride, times->candidates, end - first, times->stride };
		int best = tune_best(&part, before);
		for (int s = first; s < end; s++)
			chosen[s] = best;
		before = best >= 0 ? best : before;
	}
}

int tune_crossover(const double *direct, const double *tasks, int sizes)
{
	double least = INFINITY;
	int choice = 0;

	for (int count = 0; count <= sizes; count++) {
		double total = 0;

		for (int s = 0; s < sizes; s++) {
			double best = fmin(direct[s], tasks[s]), taken = s < count ? direct[s] : tasks[s];
			if (isfinite(best))
				total += isfinite(taken) ? taken / best - 1 : HUGE_VAL;
		}
		if (total < least || (isfinite(total) && total <= least + TUNE_TIE)) {
			least = fmin(least, total);
			choice = count;
		}
	}
	return choice;
}
