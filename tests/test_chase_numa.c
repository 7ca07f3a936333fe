/* Where StarPU moves data between NUMA nodes, a task's handles are no longer neighbours in memory; the chase then works on a
 * copy and leaves the same bits.  Two nodes are simulated. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <starpu.h>
#include <heddle/heddle.h>
#include "runtime/band.h"

enum { N = 203, KD = 9, RUNS = 10 };

static double ab[N * (KD + 1)];

static void bidiagonal(double *d, double *e)
{
	heddle_options options = { .group = 2, .steps = 3 };
	heddle_sequence *sequence;
	heddle_matrix *dm, *em;
	heddle_band *band = band_new(HEDDLE_D, N, KD, 2 * KD);

	ck_assert_ptr_nonnull(band);
	ck_assert_int_eq(heddle_band_set(band, ab, KD + 1), 0);
	ck_assert_int_eq(heddle_sequence_create(&sequence), 0);
	ck_assert_int_eq(heddle_matrix_create(&dm, HEDDLE_D, N, 1, d, N, 40), 0);
	ck_assert_int_eq(heddle_matrix_create(&em, HEDDLE_D, N, 1, e, N, 40), 0);
	ck_assert_int_eq(heddle_dgb2bd_async(sequence, band, dm, em, &options), 0);
	ck_assert_int_eq(heddle_sequence_wait(sequence), 0);
	heddle_matrix_destroy(dm);
	heddle_matrix_destroy(em);
	heddle_band_destroy(band);
	heddle_sequence_destroy(sequence);
}

START_TEST(same_bits_on_two_nodes)
{
	double d[RUNS][N], e[RUNS][N];

	for (int i = 0; i < N * (KD + 1); i++)
		ab[i] = (i * 7919) % 1009 - 500;
	for (int run = 0; run < RUNS; run++) {
		e[run][N - 1] = 5; /* one row more than needed: it stays */
		bidiagonal(d[run], e[run]);
		ck_assert(memcmp(d[0], d[run], sizeof(d[0])) == 0 && memcmp(e[0], e[run], sizeof(e[0])) == 0);
		ck_assert(e[run][N - 1] == 5);
	}
}
END_TEST

int main(void)
{
	unsetenv("HWLOC_COMPONENTS"); /* a list of components would come before the synthetic one */
	setenv("HWLOC_SYNTHETIC", "numa:2 core:1 pu:1", 1);
	setenv("STARPU_USE_NUMA", "1", 1);
	setenv("STARPU_NCPU", "2", 1);
	if (heddle_start(NULL) != 0)
		return EXIT_FAILURE;
	bool simulated = starpu_memory_nodes_get_numa_count() == 2;
	Suite *suite = suite_create("chase_numa");
	TCase *tests = tcase_create("chase_numa");
	SRunner *runner = srunner_create(suite);

	tcase_set_timeout(tests, 0);
	tcase_add_test(tests, same_bits_on_two_nodes);
	suite_add_tcase(suite, tests);
	srunner_set_fork_status(runner, CK_NOFORK);
	if (simulated)
		srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	heddle_stop();
	return !simulated ? 77 : failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
