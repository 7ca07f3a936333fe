/* StarPU on the stand-in: sums of tiles on two emulated GPUs and a CPU worker are the same as done plainly, under several schedulers,
 * with memory for part of the tiles only; a function that uses the wrong stream, or touches device memory on the host, is found.
 *
 * The runs are processes of their own, since settings are read at start: this program with the name of a scheduler. */
#include <check.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <starpu.h>
#include "tests/child.h"
#include "tests/standin/kernels.h"
#include "tests/standin/names.h"
#include "tests/standin/standin.h"
#include "tests/suite.h"

#if defined(STANDIN_HIP)
#define GPU_WORKERS STARPU_HIP_WORKER
#define ON_GPUS STARPU_HIP
#define GPU_FUNCTION(f) .hip_funcs = { f }, .hip_flags = { STARPU_HIP_ASYNC }
#define gpu_local_stream() starpu_hip_get_local_stream()
#else
#define GPU_WORKERS STARPU_CUDA_WORKER
#define ON_GPUS STARPU_CUDA
#define GPU_FUNCTION(f) .cuda_funcs = { f }, .cuda_flags = { STARPU_CUDA_ASYNC }
#define gpu_local_stream() starpu_cuda_get_local_stream()
#endif

enum { TILES = 6, NB = 64, N = TILES * NB, ROUNDS = 1 };
enum { WRONG_RESULT = 3, NO_WORKERS = 4, NOT_AS_PLANNED = 5 };
static enum { NOTHING, WRONG_STREAM, HOST_ACCESS } plant;

#define TILE(i, j) ((i) * NB + (size_t)(j) * NB * N)
#define POINTER(i) ((double *)STARPU_MATRIX_GET_PTR(buffers[i]))
#define LD(i) ((int64_t)STARPU_MATRIX_GET_LD(buffers[i]))

static const double alpha = 0.625;

/* Y += alpha X, tiles of NB by NB */
static void add(const double *x, int64_t ldx, double *y, int64_t ldy)
{
	for (int64_t j = 0; j < NB; j++)
		for (int64_t i = 0; i < NB; i++)
			y[i + j * ldy] += alpha * x[i + j * ldx];
}

static void add_cpu(void *buffers[], void *argument)
{
	(void)argument;
	add(POINTER(0), LD(0), POINTER(1), LD(1));
}

static void add_gpu(void *buffers[], void *argument)
{
	gpu_stream stream = (gpu_stream)(void *)gpu_local_stream();

	(void)argument;
	if (plant == WRONG_STREAM)
		stream = NULL;
	if (plant == HOST_ACCESS)
		POINTER(1)[0] += 1;
	standin_test_add(stream, NB, NB, alpha, POINTER(0), LD(0), POINTER(1), LD(1));
}

static struct starpu_perfmodel model = { .type = STARPU_HISTORY_BASED, .symbol = "standin_add" };
static struct starpu_codelet codelet = {
	.cpu_funcs = { add_cpu },
	GPU_FUNCTION(add_gpu),
	.nbuffers = 2,
	.modes = { STARPU_R, STARPU_RW },
	.model = &model,
	.name = "standin_add",
};

struct tiled {
	double *x;
	starpu_data_handle_t tiles[TILES][TILES];
};

/* b gets the same numbers. */
static void new_matrix(struct tiled *m, double *b, bool pinned)
{
	size_t bytes = (size_t)N * N * sizeof(*m->x);
	void *memory = malloc(bytes);

	m->x = memory;
	for (int i = 0; i < N * N; i++)
		b[i] = m->x[i] = (double)rand() / RAND_MAX;
	if (pinned)
		starpu_memory_pin(m->x, bytes);
	for (int i = 0; i < TILES; i++)
		for (int j = 0; j < TILES; j++)
			starpu_matrix_data_register(&m->tiles[i][j], STARPU_MAIN_RAM, (uintptr_t)(m->x + TILE(i, j)), N, NB, NB, sizeof(*m->x));
}

/* Largest difference from b, NaN if there is one. */
static double end_matrix(struct tiled *m, const double *b, bool pinned)
{
	double most = 0;

	for (int i = 0; i < TILES; i++)
		for (int j = 0; j < TILES; j++)
			starpu_data_unregister(m->tiles[i][j]);
	if (pinned)
		starpu_memory_unpin(m->x, (size_t)N * N * sizeof(*m->x));
	for (int i = 0; i < N * N; i++) {
		double d = fabs(b[i] - m->x[i]);
		most = d <= most ? most : d;
	}
	free(m->x);
	return most;
}

/* Tiles of x are added to the y's, and of y to the x's, each round in other places; done plainly on b and c too. */
static int submit(struct tiled *x, struct tiled *y, double *b, double *c)
{
	int failed = 0;

	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < TILES; i++)
			for (int j = 0; j < TILES; j++) {
				int from = (i + round) % TILES;
				failed |= starpu_task_insert(&codelet, STARPU_R, x->tiles[j][from], STARPU_RW, y->tiles[i][j], 0);
				add(b + TILE(j, from), N, c + TILE(i, j), N);
			}
		for (int i = 0; i < TILES; i++)
			for (int j = 0; j < TILES; j++) {
				int from = (j + round) % TILES;
				failed |= starpu_task_insert(&codelet, STARPU_R, y->tiles[from][i], STARPU_RW, x->tiles[i][j], 0);
				add(c + TILE(from, i), N, b + TILE(i, j), N);
			}
	}
	starpu_task_wait_for_all();
	return failed;
}

static long megabytes(void)
{
	return atol(getenv("STANDIN_MEM_MB") ? getenv("STANDIN_MEM_MB") : "256");
}

static int run(const char *scheduler, bool only_gpus)
{
	double *b = malloc(sizeof(double) * N * N), *c = malloc(sizeof(double) * N * N);
	struct starpu_conf conf;
	struct tiled x, y;

	starpu_conf_init(&conf);
	conf.sched_policy_name = scheduler;
	if (starpu_init(&conf) != 0 || starpu_worker_get_count_by_type(GPU_WORKERS) != 2 || (!only_gpus && starpu_cpu_worker_get_count() < 1))
		return NO_WORKERS;
	if (only_gpus)
		codelet.where = ON_GPUS;
	new_matrix(&x, b, true);
	new_matrix(&y, c, false);
	int failed = submit(&x, &y, b, c);
	long first = standin_get("kernels@0"), second = standin_get("kernels@1"), written_back = standin_get("bytes_d2h");
	double error = end_matrix(&x, b, true) + end_matrix(&y, c, false);
	starpu_shutdown();
	free(b);
	free(c);
	fprintf(stderr, "%s: difference %.1e, %ld and %ld kernels, peak %ld bytes, %ld to devices, %ld written back early\n", scheduler,
		error, first, second, standin_get("peak"), standin_get("bytes_h2d") + standin_get("bytes_d2d"), written_back);
	if (failed || error != 0)
		return WRONG_RESULT;
	if (standin_get("peak") > megabytes() << 20 || (only_gpus && first + second != 2 * ROUNDS * TILES * TILES))
		return NOT_AS_PLANNED;
	/* each tile is written by a device, and the two of 1 MiB do not hold them all */
	if (only_gpus && megabytes() == 1 && written_back == 0)
		return NOT_AS_PLANNED;
	if (only_gpus && strcmp(scheduler, "random") == 0 && (first == 0 || second == 0))
		return NOT_AS_PLANNED;
	return standin_get("errors") == 0 ? EXIT_SUCCESS : NOT_AS_PLANNED;
}

/* threads: one for each device, or one for all */
static const struct run {
	const char *scheduler, *places, *megabytes, *mode, *threads, *plant;
} runs[] = {
	{ "dmdas", "all", "256", "lazy", "0", "nothing" },
	{ "dmdas", "gpus", "1", "lazy", "0", "nothing" },
	{ "lws", "gpus", "1", "lazy", "1", "nothing" },
	{ "eager", "gpus", "1", "lazy", "0", "nothing" },
	{ "random", "all", "1", "lazy", "0", "nothing" },
	{ "random", "gpus", "256", "eager", "0", "nothing" },
};
static const struct run planted[] = {
	{ "eager", "gpus", "256", "lazy", "0", "stream" },
	{ "eager", "gpus", "256", "lazy", "0", "host" },
};

/* This program again, as the run says. */
static void run_again(const void *argument)
{
	const struct run *c = argument;

	setenv("STANDIN_MEM_MB", c->megabytes, 1);
	setenv("STANDIN_MODE", c->mode, 1);
	setenv("STARPU_CUDA_THREAD_PER_DEV", c->threads, 1);
	setenv("STARPU_HIP_THREAD_PER_DEV", c->threads, 1);
	if (strcmp(c->places, "gpus") == 0)
		setenv("STARPU_NCPU", "0", 1); /* it would only poll, in a GPU's time */
	setenv("STARPU_SUBALLOCATOR", "0", 1); /* its pieces are larger than the memory */
	execl("/proc/self/exe", "test_standin_starpu", c->scheduler, c->places, c->plant, (char *)NULL);
	_exit(EXIT_FAILURE);
}

START_TEST(results_are_right)
{
	char text[4096];
	int status = in_child(run_again, &runs[_i], text, sizeof(text));

	ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "run %d ends with status %x: %s", _i, (unsigned)status, text);
	fputs(text, stdout); /* who did how much */
}
END_TEST

START_TEST(a_wrong_stream_is_found)
{
	char text[4096];
	int status = in_child(run_again, &planted[0], text, sizeof(text));
	bool wrong = WIFEXITED(status) && WEXITSTATUS(status) == WRONG_RESULT;

	ck_assert_msg(wrong || (WIFSIGNALED(status) && strstr(text, "standin: ")), "status %x: %s", (unsigned)status, text);
}
END_TEST

START_TEST(a_host_access_is_found)
{
	char text[4096];
	int status = in_child(run_again, &planted[1], text, sizeof(text));

	ck_assert_msg(WIFSIGNALED(status) && strstr(text, "standin: host access to device memory of device"), "status %x: %s", (unsigned)status, text);
}
END_TEST

int main(int argc, char **argv)
{
	Suite *suite = suite_create("standin under StarPU");
	TCase *tests = tcase_create("runs");

	if (argc > 3) {
		plant = strcmp(argv[3], "stream") == 0 ? WRONG_STREAM : strcmp(argv[3], "host") == 0 ? HOST_ACCESS : NOTHING;
		return run(argv[1], strcmp(argv[2], "gpus") == 0);
	}
	tcase_add_loop_test(tests, results_are_right, 0, (int)(sizeof(runs) / sizeof(*runs)));
	tcase_add_test(tests, a_wrong_stream_is_found);
	tcase_add_test(tests, a_host_access_is_found);
	suite_add_tcase(suite, tests);
	return run_here(suite);
}
