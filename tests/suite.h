/* Running a suite of tests. */
#ifndef TESTS_SUITE_H
#define TESTS_SUITE_H

#include <check.h>
#include <stdlib.h>

/* In this process: threads, of StarPU or of emulated kernels, do not survive a fork. */
static inline int run_here(Suite *suite)
{
	SRunner *runner = srunner_create(suite);

	srunner_set_fork_status(runner, CK_NOFORK);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
