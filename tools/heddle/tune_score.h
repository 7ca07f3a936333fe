/* From times to choices.  A candidate's regret at a size is how much longer it takes than the best one there, as a share of the best. */
#ifndef HEDDLE_TUNE_SCORE_H
#define HEDDLE_TUNE_SCORE_H

/* Times of candidates at sizes: seconds[candidate + size * stride]; INFINITY where one was not measured, or given up. */
struct tune_times {
	const double *seconds;
	int candidates, sizes, stride;
};

/* Totals that differ by no more than this a size are as good as equal. */
#define TUNE_TIE 0.01

/* Regrets, added over the sizes; where a candidate has no time, as if it took twice the best one's.  INFINITY: it has none at all. */
double tune_regret(const struct tune_times *times, int candidate);

/* The candidate of least regret.  Of equals: `preferred`, if it is among them, else the first.  -1: none has a time. */
int tune_best(const struct tune_times *times, int preferred);

/* The same for each of the table's steps that sizes fall into: chosen[size] for all sizes, which ascend, where step[size] says which step a
 * size is in.  Of equals the choice of the step before is preferred. */
void tune_choose(const struct tune_times *times, const int *step, int *chosen);

/* How many of the sizes, the smallest ones, are to go by a direct call where that takes direct[size], when the other way takes tasks[size]:
 * the least regret in all; of equals the most. */
int tune_crossover(const double *direct, const double *tasks, int sizes);

#endif
