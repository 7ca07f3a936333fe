/* The stand-in runtime: memory, streams, events and copies behave as the real runtimes' manuals say, where those leave a choice in the
 * way that shows a missing wait. */
#include "tests/standin/kernels.h"
#include "tests/standin/support.h"

enum { N = 100 };

static inline void axpy(runtime_stream stream, int64_t n, double alpha, const double *x, double *y)
{
	standin_test_axpy((gpu_stream)(void *)stream, n, alpha, x, y);
}

static bool lazy(void)
{
	const char *mode = getenv("STANDIN_MODE");

	return !mode || strcmp(mode, "eager") != 0;
}

START_TEST(fresh_memory_is_nan)
{
	double *x = device_new(N * sizeof(*x));

	ck_assert(isnan(device_number(x)));
	ck_assert(isnan(device_number(x + N - 1)));
	ok(RUNTIME(Free)(x));
	ok(RUNTIME(Free)(NULL));
}
END_TEST

START_TEST(memory_has_a_limit_for_each_device)
{
	size_t unused, total;
	void *half, *more;
	long refused = standin_get("refused");

	for (int device = 0; device < 2; device++) {
		ok(RUNTIME(SetDevice)(device));
		ok(RUNTIME(MemGetInfo)(&unused, &total));
		ck_assert_uint_eq(unused, total);
		half = device_new(total / 2 + 1);
		ok(RUNTIME(MemGetInfo)(&unused, &total));
		ck_assert_uint_eq(unused, total - total / 2 - 1);
		ck_assert_int_eq(RUNTIME(Malloc)(&more, total / 2), RUNTIME(ErrorMemoryAllocation));
		ck_assert_int_eq(RUNTIME(GetLastError)(), RUNTIME(ErrorMemoryAllocation));
		ok(RUNTIME(GetLastError)());
		ok(RUNTIME(Free)(half));
		ok(RUNTIME(Malloc)(&more, total / 2));
		ok(RUNTIME(Free)(more));
	}
	ck_assert_int_eq(standin_get("refused"), refused + 2);
	ck_assert_int_eq(standin_get("bytes"), 0);
}
END_TEST

START_TEST(a_kernel_runs_when_it_is_waited_for)
{
	runtime_stream s = stream_of(1);
	double *x = device_numbers(N, 1), *y = device_numbers(N, 2);
	long kernels = standin_get("kernels@1");

	axpy(s, N, 3, x, y);
	ck_assert_double_eq(device_number(y), lazy() ? 2 : 5);
	ck_assert_int_eq(standin_get("pending"), lazy() ? 1 : 0);
	ok(RUNTIME(StreamSynchronize)(s));
	ck_assert_double_eq(device_number(y), 5);
	ck_assert_double_eq(device_number(y + N - 1), 5);
	ck_assert_int_eq(standin_get("kernels@1"), kernels + 1);
	ck_assert_int_eq(standin_get("pending"), 0);
	ok(RUNTIME(Free)(x));
	ok(RUNTIME(Free)(y));
	ok(RUNTIME(StreamDestroy)(s));
}
END_TEST

START_TEST(memory_is_freed_after_the_device_is_done)
{
	runtime_stream s = stream_of(0);
	double *x = device_numbers(N, 1), *y = device_numbers(N, 2);

	axpy(s, N, 3, x, y);
	ok(RUNTIME(Free)(x));
	ck_assert_double_eq(device_number(y), 5);
	ok(RUNTIME(Free)(y));
	ok(RUNTIME(StreamDestroy)(s));
}
END_TEST

START_TEST(events_order_streams)
{
	runtime_stream first = stream_of(0), second = stream_of(0);
	runtime_event done;
	double *x = device_numbers(N, 1), *y = device_numbers(N, 0), *z = device_numbers(N, 0);

	ok(RUNTIME(EventCreateWithFlags)(&done, RUNTIME(EventDisableTiming)));
	axpy(first, N, 2, x, y);
	ok(RUNTIME(EventRecord)(done, first));
	axpy(first, N, 100, x, y); /* behind the event */
	ok(RUNTIME(StreamWaitEvent)(second, done, 0));
	axpy(second, N, 1, y, z);
	ok(RUNTIME(EventRecord)(done, second)); /* the wait keeps to the first record */
	ok(RUNTIME(StreamSynchronize)(second));
	ok(RUNTIME(EventQuery)(done));
	ck_assert_double_eq(device_number(z), lazy() ? 2 : 102);
	ck_assert_double_eq(device_number(y), lazy() ? 2 : 102);
	ok(RUNTIME(DeviceSynchronize)());
	ck_assert_double_eq(device_number(y), 102);
	ok(RUNTIME(EventDestroy)(done));
	ok(RUNTIME(Free)(x));
	ok(RUNTIME(Free)(y));
	ok(RUNTIME(Free)(z));
	ok(RUNTIME(StreamDestroy)(first));
	ok(RUNTIME(StreamDestroy)(second));
}
END_TEST

START_TEST(a_query_is_not_ready_a_few_times)
{
	runtime_stream s = stream_of(0);
	runtime_event event;
	double *x = device_numbers(N, 1), *y = device_numbers(N, 0);
	int polls = getenv("STANDIN_POLLS") ? atoi(getenv("STANDIN_POLLS")) : 2;

	ok(RUNTIME(EventCreate)(&event));
	ok(RUNTIME(EventQuery)(event)); /* never recorded */
	axpy(s, N, 1, x, y);
	ok(RUNTIME(EventRecord)(event, s));
	for (int i = 0; lazy() && i < polls; i++)
		ck_assert_int_eq(RUNTIME(EventQuery)(event), RUNTIME(ErrorNotReady));
	ok(RUNTIME(EventQuery)(event));
	ck_assert_double_eq(device_number(y), 1);
	axpy(s, N, 1, x, y);
	for (int i = 0; lazy() && i < polls; i++)
		ck_assert_int_eq(RUNTIME(StreamQuery)(s), RUNTIME(ErrorNotReady));
	ok(RUNTIME(StreamQuery)(s));
	ck_assert_double_eq(device_number(y), 2);
	ck_assert_int_eq(RUNTIME(GetLastError)(), lazy() && polls > 0 ? RUNTIME(ErrorNotReady) : RUNTIME(Success));
	ok(RUNTIME(EventDestroy)(event));
	ok(RUNTIME(Free)(x));
	ok(RUNTIME(Free)(y));
	ok(RUNTIME(StreamDestroy)(s));
}
END_TEST

START_TEST(the_default_stream_waits_for_blocking_streams)
{
	runtime_stream s, apart = stream_of(0);
	double *x = device_numbers(N, 1), *y = device_numbers(N, 0);

	ok(RUNTIME(StreamCreate)(&s));
	axpy(s, N, 1, x, y);
	axpy(NULL, N, 1, y, y);
	axpy(s, N, 10, x, y);
	axpy(apart, N, 100, x, y);
	ok(RUNTIME(StreamSynchronize)(s));
	ck_assert_double_eq(device_number(y), lazy() ? 12 : 112);
	ok(RUNTIME(DeviceSynchronize)());
	ck_assert_double_eq(device_number(y), 112);
	ok(RUNTIME(Free)(x));
	ok(RUNTIME(Free)(y));
	ok(RUNTIME(StreamDestroy)(s));
	ok(RUNTIME(StreamDestroy)(apart));
}
END_TEST

START_TEST(pinned_memory_is_read_and_written_late)
{
	runtime_stream s = stream_of(0);
	double *from = pinned_new(N), *to = pinned_new(N), *x = device_new(N * sizeof(*x));

	from[0] = 1;
	to[0] = 7;
	ok(RUNTIME(MemcpyAsync)(x, from, N * sizeof(*x), RUNTIME(MemcpyHostToDevice), s));
	ok(RUNTIME(MemcpyAsync)(to, x, N * sizeof(*x), RUNTIME(MemcpyDeviceToHost), s));
	from[0] = 2;
	ck_assert_double_eq(to[0], lazy() ? 7 : 1);
	ok(RUNTIME(StreamSynchronize)(s));
	ck_assert_double_eq(to[0], lazy() ? 2 : 1);
	ok(RUNTIME_HOST_FREE(from));
	ok(RUNTIME_HOST_FREE(to));
	ok(RUNTIME(Free)(x));
	ok(RUNTIME(StreamDestroy)(s));
}
END_TEST

START_TEST(pageable_memory_is_read_at_once)
{
	runtime_stream s = stream_of(0);
	double from[N] = { 1 }, to[N] = { 7 }, *x = device_numbers(N, 4);
	long staged = standin_get("staged");

	ok(RUNTIME(MemcpyAsync)(x, from, sizeof(from), RUNTIME(MemcpyHostToDevice), s));
	from[0] = 2;
	ck_assert_double_eq(device_number(x), lazy() ? 4 : 1); /* another stream sees it when this one has been waited for */
	ok(RUNTIME(MemcpyAsync)(to, x, sizeof(to), RUNTIME(MemcpyDeviceToHost), s));
	ck_assert_double_eq(to[0], 1);
	ck_assert_int_ge(standin_get("staged"), staged + 2);
	ok(RUNTIME(HostRegister)(from, sizeof(from), 0));
	ck_assert_int_eq(RUNTIME(HostRegister)(from + 1, sizeof(*from), 0), RUNTIME(ErrorHostMemoryAlreadyRegistered));
	staged = standin_get("staged");
	ok(RUNTIME(MemcpyAsync)(x, from, sizeof(from), RUNTIME(MemcpyHostToDevice), s));
	ok(RUNTIME(StreamSynchronize)(s));
	ck_assert_int_eq(standin_get("staged"), staged);
	ck_assert_double_eq(device_number(x), 2);
	ok(RUNTIME(HostUnregister)(from));
	ck_assert_int_eq(RUNTIME(HostUnregister)(from), RUNTIME(ErrorHostMemoryNotRegistered));
	ok(RUNTIME(Free)(x));
	ok(RUNTIME(StreamDestroy)(s));
}
END_TEST

START_TEST(rows_are_copied_and_filled)
{
	enum { WIDTH = 3, HEIGHT = 4, FROM = 5, TO = 7 };
	unsigned char host[FROM * HEIGHT], back[TO * HEIGHT];
	unsigned char *x = device_new(TO * HEIGHT);

	for (int i = 0; i < FROM * HEIGHT; i++)
		host[i] = (unsigned char)i;
	ok(RUNTIME(Memset)(x, 9, TO * HEIGHT));
	ok(RUNTIME(Memcpy2D)(x, TO, host, FROM, WIDTH, HEIGHT, RUNTIME(MemcpyHostToDevice)));
	ok(RUNTIME(Memset2DAsync)(x + WIDTH, TO, 8, 1, HEIGHT, NULL));
	ok(RUNTIME(Memcpy)(back, x, sizeof(back), RUNTIME(MemcpyDeviceToHost)));
	for (int i = 0; i < HEIGHT; i++)
		for (int j = 0; j < TO; j++)
			ck_assert_int_eq(back[i * TO + j], j < WIDTH ? i * FROM + j : j == WIDTH ? 8 : 9);
	ck_assert_int_eq(RUNTIME(Memcpy2D)(x, 2, host, FROM, WIDTH, HEIGHT, RUNTIME(MemcpyHostToDevice)), RUNTIME(ErrorInvalidPitchValue));
	ok(RUNTIME(Free)(x));
}
END_TEST

START_TEST(devices_exchange_data)
{
	int can = 0;
	double *there, *here;

	ok(RUNTIME(DeviceCanAccessPeer)(&can, 0, 1));
	ck_assert_int_eq(can, 1);
	ok(RUNTIME(SetDevice)(1));
	there = device_numbers(N, 3);
	ok(RUNTIME(SetDevice)(0));
	here = device_new(N * sizeof(*here));
	runtime_stream s = stream_of(0);
	ok(RUNTIME(MemcpyPeerAsync)(here, 0, there, 1, N * sizeof(*here), s));
	ok(RUNTIME(StreamSynchronize)(s));
	ck_assert_double_eq(device_number(here + N - 1), 3);
	ok(RUNTIME(MemcpyPeer)(there, 1, here, 0, sizeof(*here)));
#if !defined(STANDIN_HIP)
	struct cudaMemcpy3DPeerParms rows = { .dstDevice = 1, .srcDevice = 0, .dstPtr = { there, 16, 16, N / 2 },
		.srcPtr = { here, 16, 16, N / 2 }, .extent = { 8, 2, 1 } };
	ok(cudaMemsetAsync(here, 0, 64, s));
	ok(cudaMemcpy3DPeerAsync(&rows, s));
	ok(cudaStreamSynchronize(s));
	ok(cudaSetDevice(1));
	for (int i = 0; i < 5; i++)
		ck_assert_double_eq(device_number(there + i), i == 0 || i == 2 ? 0 : 3);
#endif
	ok(RUNTIME(Free)(here));
	ok(RUNTIME(Free)(there));
	ok(RUNTIME(StreamDestroy)(s));
}
END_TEST

START_TEST(nothing_is_left)
{
	ck_assert_int_eq(standin_get("errors"), 0);
	ck_assert_int_eq(standin_get("pending"), 0);
	ck_assert_int_eq(standin_get("bytes"), 0);
	ck_assert_int_eq(standin_get("allocations"), standin_get("frees"));
	ck_assert_int_eq(standin_get("copies"), standin_get("copies@0") + standin_get("copies@1"));
	ck_assert_int_gt(standin_get("peak"), standin_get("peak@1") - 1);
	ck_assert_int_eq(standin_get("no such counter"), -1);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("standin");
	TCase *tests = tcase_create("runtime");

	tcase_add_test(tests, memory_has_a_limit_for_each_device);
	tcase_add_test(tests, fresh_memory_is_nan);
	tcase_add_test(tests, a_kernel_runs_when_it_is_waited_for);
	tcase_add_test(tests, memory_is_freed_after_the_device_is_done);
	tcase_add_test(tests, events_order_streams);
	tcase_add_test(tests, a_query_is_not_ready_a_few_times);
	tcase_add_test(tests, the_default_stream_waits_for_blocking_streams);
	tcase_add_test(tests, pinned_memory_is_read_and_written_late);
	tcase_add_test(tests, pageable_memory_is_read_at_once);
	tcase_add_test(tests, rows_are_copied_and_filled);
	tcase_add_test(tests, devices_exchange_data);
	tcase_add_test(tests, nothing_is_left);
	suite_add_tcase(suite, tests);
	return run_here(suite);
}
