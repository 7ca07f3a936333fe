/* The runtime layer: Heddle starts and stops beside an application's StarPU, sequences keep the first error, can be cancelled and watched,
 * matrices and bands give the caller's memory back, and the BLAS threads are what they were. */
#include <check.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cblas.h>
#include <heddle/heddle.h>
#include <heddle/starpu.h>
#include "runtime/sequence.h"
#include "runtime/runtime.h"
#include "tests/suite.h"

extern int openblas_get_num_threads(void) __attribute__((weak));

enum { N = 96 };

static void fill(double *a)
{
	for (int i = 0; i < N * N; i++)
		a[i] = (double)((i * 7919) % 1009) / 1009 - 0.5;
}

START_TEST(starts_and_stops_again_and_again)
{
	for (int i = 0; i < 50; i++) {
		double a[N * N], ab[N * 9];
		fill(a);
		ck_assert_int_eq(heddle_start(NULL), 0);
		ck_assert(starpu_is_initialized());
		if (i % 10 == 0)
			ck_assert_int_eq(heddle_dge2gb(N, N, 8, a, N, ab, 9), 0);
		heddle_stop();
		ck_assert(!starpu_is_initialized());
	}
}
END_TEST

START_TEST(calls_nest)
{
	ck_assert_int_eq(heddle_start(NULL), 0);
	ck_assert_int_eq(heddle_start(NULL), 0);
	heddle_stop();
	ck_assert(starpu_is_initialized());
	heddle_stop();
	ck_assert(!starpu_is_initialized());
	heddle_stop(); /* one too many does nothing */
}
END_TEST

START_TEST(lives_with_the_applications_starpu)
{
	double a[N * N], ab[N * 9];

	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(starpu_init(NULL), 0);
		ck_assert_int_eq(heddle_start(NULL), 0);
		fill(a);
		ck_assert_int_eq(heddle_dge2gb(N, N, 8, a, N, ab, 9), 0);
		heddle_stop();
		ck_assert_msg(starpu_is_initialized(), "stopped a StarPU that was not its own");
		starpu_shutdown();
	}
}
END_TEST

START_TEST(objects_need_a_running_heddle)
{
	heddle_sequence *sequence;
	heddle_matrix *matrix;
	heddle_band *band;
	heddle_info info;
	double a[4];

	ck_assert_int_eq(heddle_sequence_create(&sequence), HEDDLE_ERUNTIME);
	ck_assert_ptr_nonnull(strstr(heddle_error_message(), "heddle_start"));
	ck_assert_int_eq(heddle_matrix_create(&matrix, HEDDLE_D, 2, 2, a, 2, 2), HEDDLE_ERUNTIME);
	ck_assert_int_eq(heddle_band_create(&band, HEDDLE_D, 2, 1), HEDDLE_ERUNTIME);
	ck_assert_int_eq(heddle_get_info(&info), HEDDLE_ERUNTIME);
}
END_TEST

START_TEST(a_wrong_scheduler_is_an_error)
{
	static const char *const wrong[] = { "no-such-policy", "graph_test", "" };

	for (int i = 0; i < 3; i++) {
		heddle_config config = { .scheduler = wrong[i] };
		ck_assert_int_eq(heddle_start(&config), HEDDLE_ERUNTIME);
		ck_assert_ptr_nonnull(strstr(heddle_error_message(), "expected one of eager, "));
		ck_assert(!starpu_is_initialized());
	}
	ck_assert_int_eq(heddle_start(NULL), 0);
	heddle_stop();
}
END_TEST

START_TEST(the_number_of_workers_is_kept)
{
	heddle_config config = { .workers = 1 };
	heddle_info info;

	ck_assert_int_eq(heddle_start(&config), 0);
	ck_assert_int_eq(heddle_get_info(&info), 0);
	ck_assert_int_eq(info.cpu_workers, 1);
	ck_assert_int_ge(info.cores, 1);
	ck_assert(info.memory > 0);
	ck_assert_str_ne(info.starpu, "");
	heddle_stop();
}
END_TEST

START_TEST(stopping_waits_for_tasks)
{
	double a[N * N], s[N];
	heddle_sequence *sequence;
	heddle_matrix *matrix, *values;
	heddle_options options = { .band = 8, .route = HEDDLE_ROUTE_GRAPH };

	fill(a);
	ck_assert_int_eq(heddle_start(NULL), 0);
	ck_assert_int_eq(heddle_start(NULL), 0);
	ck_assert_int_eq(heddle_sequence_create(&sequence), 0);
	ck_assert_int_eq(heddle_matrix_create(&matrix, HEDDLE_D, N, N, a, N, 16), 0);
	ck_assert_int_eq(heddle_matrix_create(&values, HEDDLE_D, N, 1, s, N, 0), 0);
	ck_assert_int_eq(heddle_dgesvd_vals_async(sequence, matrix, NULL, values, NULL, &options), 0);
	heddle_stop();
	ck_assert_int_eq(heddle_sequence_wait(sequence), 0);
	heddle_matrix_destroy(matrix);
	heddle_matrix_destroy(values);
	heddle_sequence_destroy(sequence);
	heddle_stop();
	ck_assert(!starpu_is_initialized());
}
END_TEST

/* One thread starts and stops while another computes: neither hangs, and no call fails. */
static void *start_and_stop(void *failures)
{
	for (int i = 0; i < 20; i++) {
		*(int *)failures += heddle_start(NULL) != 0;
		heddle_stop();
	}
	return NULL;
}

START_TEST(another_thread_starts_and_stops)
{
	double a[N * N], ab[N * 9];
	int failures = 0;
	pthread_t thread;

	ck_assert_int_eq(pthread_create(&thread, NULL, start_and_stop, &failures), 0);
	for (int i = 0; i < 40; i++) {
		fill(a);
		ck_assert_int_eq(heddle_dge2gb(N, N, 8, a, N, ab, 9), 0);
	}
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	ck_assert_int_eq(failures, 0);
}
END_TEST

START_TEST(a_stopped_heddle_refuses_work)
{
	double a[4], s[2];
	heddle_sequence *sequence;
	heddle_matrix *matrix, *values;

	ck_assert_int_eq(starpu_init(NULL), 0); /* objects outlive Heddle on the application's StarPU */
	ck_assert_int_eq(heddle_start(NULL), 0);
	ck_assert_int_eq(heddle_sequence_create(&sequence), 0);
	ck_assert_int_eq(heddle_matrix_create(&matrix, HEDDLE_D, 2, 2, a, 2, 0), 0);
	ck_assert_int_eq(heddle_matrix_create(&values, HEDDLE_D, 2, 1, s, 2, 0), 0);
	heddle_stop();
	ck_assert_int_eq(heddle_dgesvd_vals_async(sequence, matrix, NULL, values, NULL, NULL), HEDDLE_ERUNTIME);
	ck_assert_int_eq(heddle_dbd_vals_async(sequence, values, values, NULL, values, NULL, NULL), HEDDLE_ERUNTIME);
	heddle_matrix_destroy(matrix);
	heddle_matrix_destroy(values);
	heddle_sequence_destroy(sequence);
	starpu_shutdown();
}
END_TEST

/* A blocking call inside a task would wait for itself. */
static void blocking_call(void *buffers[], void *arg)
{
	static double a[200 * 200], s[200];
	(void)buffers;
	for (int i = 0; i < 200 * 200; i++)
		a[i] = i % 17;
	*(int *)arg = heddle_dgesvd_vals(200, 200, a, 200, s);
}
static struct starpu_codelet blocking_codelet = { .cpu_funcs = { blocking_call } };

START_TEST(a_blocking_call_in_a_task_is_refused)
{
	int code = -1;
	heddle_config config = { .own_tasks = 1 };
	struct starpu_task *task;

	ck_assert_int_eq(heddle_start(&config), 0);
	task = starpu_task_create();
	task->cl = &blocking_codelet;
	task->cl_arg = &code;
	task->synchronous = 1;
	ck_assert_int_eq(starpu_task_submit(task), 0);
	ck_assert_int_eq(code, HEDDLE_ERUNTIME);
	heddle_stop();
}
END_TEST

START_TEST(survives_the_end_of_the_applications_starpu)
{
	double a[N * N], ab[N * 9];
	heddle_sequence *sequence;

	ck_assert_int_eq(starpu_init(NULL), 0);
	fill(a);
	ck_assert_int_eq(heddle_dge2gb(N, N, 8, a, N, ab, 9), 0);
	starpu_shutdown();
	ck_assert_int_eq(heddle_start(NULL), 0);
	ck_assert_int_eq(heddle_sequence_create(&sequence), 0);
	heddle_sequence_destroy(sequence);
	heddle_stop();
}
END_TEST

START_TEST(a_forked_child_is_told)
{
	double a[N * N], ab[N * 9];

	fill(a);
	ck_assert_int_eq(heddle_start(NULL), 0);
	pid_t child = fork();
	if (child == 0)
		_exit(heddle_dge2gb(N, N, 8, a, N, ab, 9) == HEDDLE_ERUNTIME ? 0 : 1);
	int status = -1;
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	heddle_stop();
}
END_TEST

START_TEST(illegal_arguments)
{
	heddle_matrix *matrix;
	double a[16];

	ck_assert_int_eq(heddle_start(NULL), 0);
	ck_assert_int_eq(heddle_sequence_create(NULL), -1);
	ck_assert_int_eq(heddle_sequence_wait(NULL), -1);
	ck_assert_int_eq(heddle_matrix_create(NULL, HEDDLE_D, 4, 4, a, 4, 2), -1);
	ck_assert_int_eq(heddle_matrix_create(&matrix, (heddle_type)'x', 4, 4, a, 4, 2), -2);
	ck_assert_int_eq(heddle_matrix_create(&matrix, HEDDLE_D, -1, 4, a, 4, 2), -3);
	ck_assert_int_eq(heddle_matrix_create(&matrix, HEDDLE_D, 4, -1, a, 4, 2), -4);
	ck_assert_int_eq(heddle_matrix_create(&matrix, HEDDLE_D, 4, 4, NULL, 4, 2), -5);
	ck_assert_int_eq(heddle_matrix_create(&matrix, HEDDLE_D, 4, 4, a, 3, 2), -6);
	ck_assert_int_eq(heddle_matrix_create(&matrix, HEDDLE_D, 4, 4, a, 4, -2), -7);
	heddle_matrix_destroy(NULL);
	heddle_sequence_destroy(NULL);
	heddle_sequence_cancel(NULL);
	heddle_stop();
}
END_TEST

/* Submit ge2gb of an N by N matrix into a sequence; returns what waiting for it returns. */
static int run_sequence(double *a, int cancel, heddle_stage *stages)
{
	heddle_sequence *sequence;
	heddle_matrix *matrix;
	heddle_band *band;

	ck_assert_int_eq(heddle_sequence_create(&sequence), 0);
	ck_assert_int_eq(heddle_matrix_create(&matrix, HEDDLE_D, N, N, a, N, 16), 0);
	ck_assert_int_eq(heddle_band_create(&band, HEDDLE_D, N, 8), 0);
	if (cancel)
		heddle_sequence_cancel(sequence);
	ck_assert_int_eq(heddle_dge2gb_async(sequence, matrix, band, NULL), 0);
	int code = heddle_sequence_wait(sequence);
	ck_assert_int_eq(heddle_sequence_wait(sequence), code);
	if (stages)
		ck_assert_int_eq(heddle_sequence_stages(sequence, stages, 16), STAGE_COUNT);
	heddle_matrix_destroy(matrix);
	heddle_band_destroy(band);
	heddle_sequence_destroy(sequence);
	return code;
}

START_TEST(sequences_keep_errors_apart)
{
	double a[N * N], bad[N * N];
	heddle_stage stages[16];

	ck_assert_int_eq(heddle_start(NULL), 0);
	fill(a);
	fill(bad);
	bad[N * N / 2] = 0.0 / 0.0;
	ck_assert_int_eq(run_sequence(bad, 0, NULL), HEDDLE_EINPUT);
	ck_assert_int_eq(run_sequence(bad, 1, NULL), HEDDLE_ECANCELLED); /* the first error */
	ck_assert_int_eq(run_sequence(a, 0, stages), 0);
	for (int i = 0; i < 5; i++) {
		ck_assert_int_eq(stages[i].submitted, stages[i].done);
		ck_assert_double_eq(stages[i].flops, stages[i].flops_done);
		ck_assert_int_eq(stages[i].done > 0, stages[i].end >= 0);
	}
	ck_assert_str_eq(stages[2].name, "ge2gb");
	/* 8/3 n^3 and lower-order terms for panels and small blocks */
	ck_assert_double_ge(stages[2].flops, 8.0 / 3 * N * N * N);
	ck_assert_double_le(stages[2].flops, 2 * 8.0 / 3 * N * N * N);
	heddle_stop();
}
END_TEST

START_TEST(callers_blas_threads_are_kept)
{
	double a[N * N], ab[N * 9];

	if (!openblas_get_num_threads)
		return;
	fill(a);
	openblas_set_num_threads(2);
	int before = openblas_get_num_threads();
	ck_assert_int_eq(heddle_dge2gb(N, N, 8, a, N, ab, 9), 0);
	ck_assert_int_eq(openblas_get_num_threads(), before);
}
END_TEST

START_TEST(an_idle_heddle_burns_no_time)
{
	double a[N * N], ab[N * 9];
	struct timespec pause = { 0, 300 * 1000 * 1000 };

	fill(a);
	ck_assert_int_eq(heddle_dge2gb(N, N, 8, a, N, ab, 9), 0);
	clock_t before = clock();
	nanosleep(&pause, NULL);
	double used = (double)(clock() - before) / CLOCKS_PER_SEC;
	ck_assert_double_le(used, 0.1); /* two polling workers would use 0.6 s */
}
END_TEST

/* An application's task on a tile of a Heddle matrix. */
static void add_one(void *buffers[], void *arg)
{
	(void)arg;
	*(double *)STARPU_MATRIX_GET_PTR(buffers[0]) += 1;
}
static struct starpu_codelet add_one_codelet = { .cpu_funcs = { add_one }, .nbuffers = 1, .modes = { STARPU_RW } };

START_TEST(the_applications_tasks_use_the_tiles)
{
	double a[N * N];
	heddle_matrix *matrix;

	fill(a);
	double before = a[16 + 32 * N];
	ck_assert_int_eq(heddle_start(NULL), 0);
	ck_assert_int_eq(heddle_matrix_create(&matrix, HEDDLE_D, N, N, a, N, 16), 0);
	ck_assert_int_eq(heddle_matrix_tile_rows(matrix), 6);
	ck_assert_int_eq(heddle_matrix_tile_columns(matrix), 6);
	ck_assert_ptr_null(heddle_matrix_tile(matrix, 6, 0));
	ck_assert_int_eq(starpu_task_insert(&add_one_codelet, STARPU_RW, heddle_matrix_tile(matrix, 1, 2), 0), 0);
	heddle_matrix_destroy(matrix); /* waits for it */
	ck_assert_double_eq(a[16 + 32 * N], before + 1);
	heddle_stop();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("runtime");
	TCase *tests = tcase_create("runtime");

	tcase_set_timeout(tests, 0);
	tcase_add_test(tests, objects_need_a_running_heddle);
	tcase_add_test(tests, starts_and_stops_again_and_again);
	tcase_add_test(tests, calls_nest);
	tcase_add_test(tests, lives_with_the_applications_starpu);
	tcase_add_test(tests, a_wrong_scheduler_is_an_error);
	tcase_add_test(tests, the_number_of_workers_is_kept);
	tcase_add_test(tests, illegal_arguments);
	tcase_add_test(tests, sequences_keep_errors_apart);
	tcase_add_test(tests, the_applications_tasks_use_the_tiles);
	tcase_add_test(tests, stopping_waits_for_tasks);
	tcase_add_test(tests, a_stopped_heddle_refuses_work);
	tcase_add_test(tests, a_blocking_call_in_a_task_is_refused);
	tcase_add_test(tests, survives_the_end_of_the_applications_starpu);
	tcase_add_test(tests, a_forked_child_is_told);
	tcase_add_test(tests, another_thread_starts_and_stops);
	tcase_add_test(tests, callers_blas_threads_are_kept); /* from here on Heddle runs until the program ends */
	tcase_add_test(tests, an_idle_heddle_burns_no_time);
	suite_add_tcase(suite, tests);
	return run_here(suite);
}
