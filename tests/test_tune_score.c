/* From times to choices: regrets, ties, steps with several sizes, sizes without a time, and the crossover to a direct call. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include "tests/suite.h"
#include "tools/heddle/tune_score.h"

#define NONE INFINITY

/* Candidates are columns here, and the stride is larger than their number. */
static int best_of(int candidates, int sizes, const double *seconds, int preferred)
{
	return tune_best(&(struct tune_times){ seconds, candidates, sizes, candidates }, preferred);
}

START_TEST(regret_is_a_share_of_the_best)
{
	const double seconds[] = { 1, 2, 4, 4, 4, 2 };
	const struct tune_times times = { seconds, 2, 2, 3 }; /* the third column does not count */

	ck_assert_double_eq_tol(tune_regret(&times, 0), 0, 1e-12);
	ck_assert_double_eq_tol(tune_regret(&times, 1), 1, 1e-12);
	ck_assert_double_eq_tol(tune_regret(&(struct tune_times){ seconds, 3, 2, 3 }, 0), 0 + 1, 1e-12);
}
END_TEST

START_TEST(the_least_total_wins_not_the_most_wins)
{
	/* the first is best at two sizes of three, and far off at the other */
	const double seconds[] = { 1.00, 1.02, 1.00, 1.02, 3.00, 1.00 };

	ck_assert_int_eq(best_of(2, 3, seconds, -1), 1);
}
END_TEST

START_TEST(large_sizes_do_not_outweigh_small_ones)
{
	const double seconds[] = { 0.001, 0.0015, 100, 90 };

	ck_assert_int_eq(best_of(2, 2, seconds, -1), 0);
}
END_TEST

START_TEST(of_equals_the_preferred_then_the_first)
{
	const double seconds[] = { 1.008, 1.0, 1.005 };

	ck_assert_int_eq(best_of(3, 1, seconds, -1), 0);
	ck_assert_int_eq(best_of(3, 1, seconds, 2), 2);
	const double far[] = { 1.05, 1.0, 1.02 };
	ck_assert_int_eq(best_of(3, 1, far, -1), 1);
	ck_assert_int_eq(best_of(3, 1, far, 2), 1);
}
END_TEST

START_TEST(what_has_no_time_counts_as_twice_the_best)
{
	const double given_up[] = { 1.0, 1.5, NONE, 1.0 }; /* regrets 0 + 1 and 0.5 + 0 */

	ck_assert_int_eq(best_of(2, 2, given_up, -1), 1);
	ck_assert_int_eq(best_of(2, 2, given_up, 0), 1);
	const double none[] = { NONE, NONE };
	ck_assert_int_eq(best_of(2, 1, none, -1), -1);
	ck_assert_int_eq(best_of(2, 1, none, 0), -1);
	const double one[] = { NONE, 5 };
	ck_assert_int_eq(best_of(2, 1, one, 0), 1);
}
END_TEST

START_TEST(steps_are_chosen_one_by_one)
{
	/* three steps, of one, two and one size */
	const int step[] = { 10, 12, 12, 14 };
	const double seconds[] = { 1.00, 1.30, 1.30,
				   1.20, 1.00, 1.10,
				   1.20, 1.40, 1.10,
				   1.00, 1.00, 1.002 };
	int chosen[4];

	tune_choose(&(struct tune_times){ seconds, 3, 4, 3 }, step, chosen);
	ck_assert_int_eq(chosen[0], 0);
	ck_assert_int_eq(chosen[1], 2);
	ck_assert_int_eq(chosen[2], 2);
	ck_assert_int_eq(chosen[3], 2); /* as the step before, of equals */
}
END_TEST

START_TEST(a_step_without_times_is_left_open)
{
	const int step[] = { 1, 2, 3 };
	const double seconds[] = { 2, 1, NONE, NONE, 1.001, 1.0 };
	int chosen[3];

	tune_choose(&(struct tune_times){ seconds, 2, 3, 2 }, step, chosen);
	ck_assert_int_eq(chosen[0], 1);
	ck_assert_int_eq(chosen[1], -1);
	ck_assert_int_eq(chosen[2], 1); /* still the last choice there was */
}
END_TEST

START_TEST(the_crossover)
{
	const double tasks[] = { 1, 1, 1, 1 };
	const struct {
		double direct[4];
		int count;
	} tries[] = {
		{ { 0.5, 0.8, 1.2, 2 }, 2 },
		{ { 2, 3, 4, 5 }, 0 },
		{ { 0.1, 0.1, 0.1, 0.1 }, 4 },
		{ { 0.5, 1.005, 1.5, 3 }, 2 },      /* of equals the direct call */
		{ { 0.5, 1.1, 0.5, 3 }, 3 },        /* one bad size between is worth it */
		{ { 0.5, 3, 0.9, 3 }, 1 },          /* and here it is not */
		{ { 0.5, NONE, NONE, NONE }, 1 },
		{ { NONE, 0.1, 0.1, 0.1 }, 0 },
		{ { NONE, NONE, NONE, NONE }, 0 },
	};

	for (unsigned i = 0; i < sizeof(tries) / sizeof(tries[0]); i++)
		ck_assert_msg(tune_crossover(tries[i].direct, tasks, 4) == tries[i].count, "try %u gives %d", i,
			      tune_crossover(tries[i].direct, tasks, 4));
	ck_assert_int_eq(tune_crossover(NULL, NULL, 0), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("tune_score");
	TCase *c = tcase_create("scores");

	tcase_add_test(c, regret_is_a_share_of_the_best);
	tcase_add_test(c, the_least_total_wins_not_the_most_wins);
	tcase_add_test(c, large_sizes_do_not_outweigh_small_ones);
	tcase_add_test(c, of_equals_the_preferred_then_the_first);
	tcase_add_test(c, what_has_no_time_counts_as_twice_the_best);
	tcase_add_test(c, steps_are_chosen_one_by_one);
	tcase_add_test(c, a_step_without_times_is_left_open);
	tcase_add_test(c, the_crossover);
	suite_add_tcase(suite, c);
	return run_here(suite);
}
