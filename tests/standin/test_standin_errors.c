/* Wrong programs, planted in processes of their own, are stopped by the stand-in, and it says why. */
#include <signal.h>
#include <stdio.h>
#include "tests/child.h"
#include "tests/standin/kernels.h"
#include "tests/standin/support.h"

enum { N = 16 };

static inline void axpy(runtime_stream stream, int64_t n, double alpha, const double *x, double *y)
{
	standin_test_axpy((gpu_stream)(void *)stream, n, alpha, x, y);
}

static void host_access(void)
{
	double *x = device_numbers(N, 1);

	x[3] = 2;
}

static void host_reads_freed(void)
{
	double *x = device_numbers(N, 1);

	ok(RUNTIME(Free)(x));
	exit(((volatile double *)x)[1] > 0);
}

static void freed_twice(void)
{
	void *x = device_new(N);

	ok(RUNTIME(Free)(x));
	RUNTIME(Free)(x);
}

static void freed_in_use(void)
{
	double *x = device_numbers(N, 1), *y = device_numbers(N, 1);

	ok(RUNTIME(Free)(x));
	axpy(NULL, N, 1, x, y);
	RUNTIME(DeviceSynchronize)();
}

static void overrun(void)
{
	double *x = device_numbers(N, 1), more[N + 1];

	RUNTIME(Memcpy)(more, x, sizeof(more), RUNTIME(MemcpyDeviceToHost));
}

static void kernel_of_other_device(void)
{
	double *x = device_numbers(N, 1);
	runtime_stream s = stream_of(1);

	axpy(s, N, 1, x, device_numbers(N, 1));
	RUNTIME(StreamSynchronize)(s);
}

static void copy_of_other_device(void)
{
	double *x = device_numbers(N, 1);
	runtime_stream s = stream_of(1);

	RUNTIME(MemcpyAsync)(device_new(8), x, 8, RUNTIME(MemcpyDeviceToDevice), s);
	RUNTIME(StreamSynchronize)(s);
}

static void peer_of_wrong_device(void)
{
	double *x = device_numbers(N, 1);

	RUNTIME(MemcpyPeerAsync)(x, 0, x, 1, 8, NULL);
}

static void stream_of_other_device(void)
{
	double *x = device_numbers(N, 1);
	runtime_stream s = stream_of(1);

	ok(RUNTIME(SetDevice)(0));
	axpy(s, N, 1, x, x);
}

static void event_of_other_device(void)
{
	runtime_event event;

	ok(RUNTIME(SetDevice)(0));
	ok(RUNTIME(EventCreate)(&event));
	RUNTIME(EventRecord)(event, stream_of(1));
}

static void host_memory_in_kernel(void)
{
	double x[N] = { 0 };

	axpy(NULL, N, 1, x, device_numbers(N, 1));
	RUNTIME(DeviceSynchronize)();
}

static void pinned_freed_early(void)
{
	double *x = device_numbers(N, 1), *host = pinned_new(N);

	ok(RUNTIME(MemcpyAsync)(host, x, sizeof(*x), RUNTIME(MemcpyDeviceToHost), stream_of(0)));
	ok(RUNTIME_HOST_FREE(host));
	RUNTIME(DeviceSynchronize)();
}

static void wrong_kind(void)
{
	double *x = device_numbers(N, 1);

	RUNTIME(Memcpy)(x, x + 1, 8, RUNTIME(MemcpyHostToDevice));
}

static void reset_too_early(void)
{
	double *x = device_numbers(N, 1);

	axpy(NULL, N, 1, x, x);
	RUNTIME(DeviceReset)();
}

static void never_waited_for(void)
{
	double *x = device_numbers(N, 1);

	axpy(stream_of(0), N, 1, x, x);
	exit(EXIT_SUCCESS);
}

static void stream_destroyed(void)
{
	runtime_stream s = stream_of(0);

	ok(RUNTIME(StreamDestroy)(s));
	RUNTIME(StreamSynchronize)(s);
}

static const struct {
	void (*plant)(void);
	const char *says;
	int signal;
	bool lazy_only;
} wrong[] = {
	{ host_access, "host access to device memory of device 0, allocation of 128 bytes, byte 24", SIGSEGV, false },
	{ host_reads_freed, "host access to device memory of device 0, allocation of 128 bytes (freed), byte 8", SIGSEGV, false },
	{ freed_twice, "is no allocation, or was freed before", SIGABRT, false },
	{ freed_in_use, "a kernel of device 0 uses freed memory", SIGABRT, false },
	{ overrun, "a copy's source of device 0 runs over the end: 136 bytes at device 0, allocation of 128 bytes", SIGABRT, false },
	{ kernel_of_other_device, "a kernel of device 1 uses another device's memory without peer access", SIGABRT, false },
	{ copy_of_other_device, "a copy's source of device 1 uses another device's memory without peer access", SIGABRT, false },
	{ peer_of_wrong_device, "a copy from device 1 to device 0 names memory of 0 and 0", SIGABRT, false },
	{ stream_of_other_device, "a kernel is put on a stream of device 1 while device 0 is current", SIGABRT, false },
	{ event_of_other_device, "an event of device 0 is recorded on a stream of device 1", SIGABRT, false },
	{ host_memory_in_kernel, "is handed the pageable host pointer", SIGABRT, false },
	{ pinned_freed_early, "was given back before a copy of it ran", SIGABRT, true },
	{ wrong_kind, "does not fit", SIGABRT, false },
	{ reset_too_early, "device 0 is reset with 1 operations that nobody waited for", SIGABRT, true },
	{ never_waited_for, "ends with 1 operations that nobody waited for", SIGABRT, true },
	{ stream_destroyed, "is no stream, or one that was destroyed", SIGABRT, false },
};

static void run(const void *plant)
{
	(*(void (*const *)(void))plant)();
}

static int planted(void (*plant)(void), char *text, size_t size)
{
	return in_child(run, &plant, text, size);
}

START_TEST(is_found)
{
	char text[8192];
	bool eager = getenv("STANDIN_MODE") && strcmp(getenv("STANDIN_MODE"), "eager") == 0;

	if (eager && wrong[_i].lazy_only)
		return;
	int status = planted(wrong[_i].plant, text, sizeof(text));
	ck_assert_msg(strstr(text, wrong[_i].says) != NULL, "case %d says: %s", _i, text);
	/* a sanitizer explains the fault too, and then exits */
	bool exits = wrong[_i].signal == SIGSEGV && WIFEXITED(status) && WEXITSTATUS(status) != 0 && strstr(text, "Sanitizer");
	ck_assert_msg(exits || (WIFSIGNALED(status) && WTERMSIG(status) == wrong[_i].signal), "case %d ends with status %x", _i, (unsigned)status);
}
END_TEST

/* Reads y before s is waited for. */
static void reads_too_early(void)
{
	runtime_stream s = stream_of(0);
	double *x = device_numbers(N, 1), *y = device_new(N * sizeof(*y));

	ok(RUNTIME(MemcpyAsync)(y, x, N * sizeof(*y), RUNTIME(MemcpyDeviceToDevice), s));
	_exit(isnan(device_number(y)) ? 3 : EXIT_SUCCESS);
}

static void peers(void)
{
	double *x = device_numbers(N, 1);
	runtime_stream s = stream_of(1);
	double *y = device_numbers(N, 1);

	ok(RUNTIME(DeviceEnablePeerAccess)(0, 0));
	axpy(s, N, 2, x, y);
	ok(RUNTIME(StreamSynchronize)(s));
	_exit(device_number(y) == 3 ? 3 : EXIT_SUCCESS);
}

START_TEST(a_missing_wait_shows_in_the_data)
{
	char text[2048];
	bool eager = getenv("STANDIN_MODE") && strcmp(getenv("STANDIN_MODE"), "eager") == 0;
	int status = planted(reads_too_early, text, sizeof(text));

	ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == (eager ? 0 : 3), "status %x: %s", (unsigned)status, text);
	status = planted(peers, text, sizeof(text));
	ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 3, "status %x: %s", (unsigned)status, text);
}
END_TEST

/* In a process that starts with STANDIN_KEEP_GOING: freed memory is NaN, and errors are counted. */
START_TEST(goes_on)
{
	double *x = device_numbers(N, 1), *y = device_numbers(N, 1);

	ok(RUNTIME(Free)(x));
	axpy(NULL, N, 1, x, y);
	ok(RUNTIME(DeviceSynchronize)());
	ck_assert(RUNTIME(Free)(x) != RUNTIME_SUCCESS);
	ck_assert_int_eq(standin_get("errors"), 2);
	ck_assert(isnan(device_number(y)));
}
END_TEST

static void starts_again(void)
{
	setenv("STANDIN_KEEP_GOING", "1", 1);
	execl("/proc/self/exe", "test_standin_errors", "goes_on", (char *)NULL);
}

START_TEST(it_can_go_on)
{
	char text[2048];
	int status = planted(starts_again, text, sizeof(text));

	ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %x: %s", (unsigned)status, text);
	ck_assert_msg(strstr(text, "uses freed memory") && strstr(text, "was freed before"), "it says: %s", text);
}
END_TEST

int main(int argc, char **argv)
{
	Suite *suite = suite_create("standin errors");
	TCase *tests = tcase_create("planted");

	if (argc > 1 && strcmp(argv[1], "goes_on") == 0) {
		tcase_add_test(tests, goes_on);
	} else {
		tcase_add_loop_test(tests, is_found, 0, (int)(sizeof(wrong) / sizeof(*wrong)));
		tcase_add_test(tests, a_missing_wait_shows_in_the_data);
		tcase_add_test(tests, it_can_go_on);
	}
	suite_add_tcase(suite, tests);
	return run_here(suite);
}
