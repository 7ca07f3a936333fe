/* Several threads drive the stand-in's devices at once, with streams and events between them: each result is right, nothing hangs. */
#include <pthread.h>
#include "tests/standin/support.h"

enum { N = 64, THREADS = 4, ROUNDS = 60 };

/* y += alpha x: a kernel by hand, since the emulation's own threads are no subject of this test, and hide from thread sanitizers. */
struct job {
	double alpha;
	double *x, *y;
};

static void run_job(void *argument)
{
	struct job *job = argument;
	const double *x = standin_xlat(job->x);
	double *y = standin_xlat(job->y);

	for (int i = 0; i < N; i++)
		y[i] += job->alpha * x[i];
	free(job);
}

static void add(runtime_stream stream, double alpha, double *x, double *y)
{
	struct job *job = malloc(sizeof(*job));

	*job = (struct job){ alpha, x, y };
	standin_enqueue(stream, run_job, job);
}

/* What the threads share: a chain of additions on each device, ordered by events only. */
static struct shared {
	pthread_mutex_t turn;
	runtime_event last;
	bool recorded;
	double *sum, *one;
} shared[2];

static void *work(void *argument)
{
	int device = (int)(intptr_t)argument % 2;
	struct shared *all = &shared[device];
	runtime_stream s = stream_of(device), t = stream_of(device);
	runtime_event event;
	double *host = pinned_new(N), *own = device_numbers(N, 0);

	ok(RUNTIME(EventCreateWithFlags)(&event, RUNTIME(EventDisableTiming)));
	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&all->turn);
		if (all->recorded)
			ok(RUNTIME(StreamWaitEvent)(s, all->last, 0));
		add(s, 1, all->one, all->sum);
		ok(RUNTIME(EventRecord)(all->last, s));
		all->recorded = true;
		pthread_mutex_unlock(&all->turn);
		ok(RUNTIME(EventRecord)(event, s));
		ok(RUNTIME(StreamWaitEvent)(t, event, 0));
		add(t, 2, all->one, own);
		ok(RUNTIME(MemcpyAsync)(host, own, N * sizeof(*own), RUNTIME(MemcpyDeviceToHost), t));
		void *scratch = device_new(N);
		ok(RUNTIME(EventRecord)(event, t));
		while (RUNTIME(EventQuery)(event) == RUNTIME(ErrorNotReady))
			;
		ck_assert_double_eq(host[N - 1], 2 * (i + 1));
		ok(RUNTIME(Free)(scratch));
	}
	ok(RUNTIME(EventDestroy)(event));
	ok(RUNTIME(Free)(own));
	ok(RUNTIME_HOST_FREE(host));
	ok(RUNTIME(StreamSynchronize)(s));
	ok(RUNTIME(StreamDestroy)(s));
	ok(RUNTIME(StreamDestroy)(t));
	return NULL;
}

START_TEST(threads_share_devices)
{
	pthread_t threads[THREADS];

	for (int d = 0; d < 2; d++) {
		ok(RUNTIME(SetDevice)(d));
		pthread_mutex_init(&shared[d].turn, NULL);
		ok(RUNTIME(EventCreateWithFlags)(&shared[d].last, RUNTIME(EventDisableTiming)));
		shared[d].sum = device_numbers(N, 0);
		shared[d].one = device_numbers(N, 1);
	}
	for (intptr_t i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, work, (void *)i), 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int d = 0; d < 2; d++) {
		ok(RUNTIME(SetDevice)(d));
		ok(RUNTIME(EventSynchronize)(shared[d].last));
		ck_assert_double_eq(device_number(shared[d].sum), THREADS / 2 * ROUNDS);
		ck_assert_double_eq(device_number(shared[d].sum + N - 1), THREADS / 2 * ROUNDS);
		ok(RUNTIME(Free)(shared[d].sum));
		ok(RUNTIME(Free)(shared[d].one));
		ok(RUNTIME(EventDestroy)(shared[d].last));
	}
}
END_TEST

/* Two kernels that wait for each other finish only if devices work at the same time. */
static pthread_barrier_t both;

static void meet(void *argument)
{
	(void)argument;
	pthread_barrier_wait(&both);
}

static void *launch(void *argument)
{
	runtime_stream s = stream_of((int)(intptr_t)argument);

	standin_enqueue(s, meet, NULL);
	ok(RUNTIME(StreamSynchronize)(s));
	ok(RUNTIME(StreamDestroy)(s));
	return NULL;
}

START_TEST(devices_work_at_the_same_time)
{
	pthread_t threads[2];

	pthread_barrier_init(&both, NULL, 2);
	for (intptr_t i = 0; i < 2; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, launch, (void *)i), 0);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	pthread_barrier_destroy(&both);
	ck_assert_int_eq(standin_get("errors"), 0);
	ck_assert_int_eq(standin_get("pending"), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("standin threads");
	TCase *tests = tcase_create("threads");

	tcase_add_test(tests, threads_share_devices);
	tcase_add_test(tests, devices_work_at_the_same_time);
	suite_add_tcase(suite, tests);
	return run_here(suite);
}
