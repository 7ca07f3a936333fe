/* The runtime's functions on streams and events. */
#include <stdlib.h>
#include "tests/standin/internal.h"

struct event {
	int device, polls;
	struct mark *mark; /* NULL before the first record */
};

/* One thread records an event and others ask: the mark is taken and put under this lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

EXPORTED runtime_error RUNTIME(StreamCreateWithFlags)(runtime_stream *stream, unsigned flags)
{
	*stream = stream_new(!(flags & RUNTIME(StreamNonBlocking)));
	return *stream ? RUNTIME(Success) : failed(RUNTIME(ErrorMemoryAllocation));
}

EXPORTED runtime_error RUNTIME(StreamCreate)(runtime_stream *stream)
{
	return RUNTIME(StreamCreateWithFlags)(stream, 0);
}

/* What is in the stream is run by whoever waits for its device. */
EXPORTED runtime_error RUNTIME(StreamDestroy)(runtime_stream stream)
{
	struct stream *s = stream ? stream_find(stream) : NULL;

	if (!s)
		return failed(RUNTIME(ErrorInvalidResourceHandle));
	stream_destroy(s);
	return RUNTIME(Success);
}

EXPORTED runtime_error RUNTIME(StreamSynchronize)(runtime_stream stream)
{
	struct stream *s = stream_find(stream);

	if (!s)
		return failed(RUNTIME(ErrorInvalidResourceHandle));
	stream_finish(s);
	return RUNTIME(Success);
}

EXPORTED runtime_error RUNTIME(StreamQuery)(runtime_stream stream)
{
	struct stream *s = stream_find(stream);

	if (!s)
		return failed(RUNTIME(ErrorInvalidResourceHandle));
	return stream_query(s) ? RUNTIME(Success) : failed(RUNTIME(ErrorNotReady));
}

EXPORTED runtime_error RUNTIME(EventCreateWithFlags)(runtime_event *event, unsigned flags)
{
	struct event *new = calloc(1, sizeof(*new));

	(void)flags;
	if (!new)
		return failed(RUNTIME(ErrorMemoryAllocation));
	new->device = current_device;
	*event = (runtime_event)(void *)new;
	return RUNTIME(Success);
}

EXPORTED runtime_error RUNTIME(EventCreate)(runtime_event *event)
{
	return RUNTIME(EventCreateWithFlags)(event, 0);
}

/* The mark of the last record, held, or NULL. */
static struct mark *mark_of(runtime_event event)
{
	struct event *e = (struct event *)(void *)event;

	pthread_mutex_lock(&lock);
	struct mark *mark = e->mark;
	if (mark)
		mark_hold(mark);
	pthread_mutex_unlock(&lock);
	return mark;
}

static void set_mark(struct event *e, struct mark *mark)
{
	pthread_mutex_lock(&lock);
	struct mark *before = e->mark;
	e->mark = mark;
	e->polls = 0;
	pthread_mutex_unlock(&lock);
	if (before)
		mark_release(before);
}

EXPORTED runtime_error RUNTIME(EventRecord)(runtime_event event, runtime_stream stream)
{
	struct event *e = (struct event *)(void *)event;
	struct stream *s = stream_find(stream);

	if (!s)
		return failed(RUNTIME(ErrorInvalidResourceHandle));
	if (stream_device(s) != e->device) {
		report("an event of device %d is recorded on a stream of device %d", e->device, stream_device(s));
		return failed(RUNTIME(ErrorInvalidResourceHandle));
	}
	set_mark(e, stream_mark(s));
	return RUNTIME(Success);
}

EXPORTED runtime_error RUNTIME(StreamWaitEvent)(runtime_stream stream, runtime_event event, unsigned flags)
{
	struct stream *s = stream_find(stream);
	struct mark *mark = mark_of(event);

	(void)flags;
	if (s && mark)
		stream_wait_for(s, mark);
	if (mark)
		mark_release(mark);
	return s ? RUNTIME(Success) : failed(RUNTIME(ErrorInvalidResourceHandle));
}

EXPORTED runtime_error RUNTIME(EventSynchronize)(runtime_event event)
{
	struct mark *mark = mark_of(event);

	if (mark) {
		mark_wait(mark);
		mark_release(mark);
	}
	return RUNTIME(Success);
}

EXPORTED runtime_error RUNTIME(EventQuery)(runtime_event event)
{
	struct event *e = (struct event *)(void *)event;
	struct mark *mark = mark_of(event);
	bool done = !mark || mark_done(mark);

	if (!done) {
		pthread_mutex_lock(&lock);
		bool ask = e->polls++ >= settings.polls;
		pthread_mutex_unlock(&lock);
		if (ask) {
			mark_wait(mark);
			done = true;
		}
	}
	if (mark)
		mark_release(mark);
	return done ? RUNTIME(Success) : failed(RUNTIME(ErrorNotReady)); /* CUDA keeps that for GetLastError too */
}

EXPORTED runtime_error RUNTIME(EventDestroy)(runtime_event event)
{
	struct event *e = (struct event *)(void *)event;

	set_mark(e, NULL);
	free(e);
	return RUNTIME(Success);
}

EXPORTED runtime_error RUNTIME(EventElapsedTime)(float *milliseconds, runtime_event start, runtime_event end)
{
	struct mark *a = mark_of(start), *b = mark_of(end);
	runtime_error error = !a || !b ? RUNTIME(ErrorInvalidResourceHandle) :
		mark_done(a) && mark_done(b) ? RUNTIME(Success) : RUNTIME(ErrorNotReady);

	if (error == RUNTIME(Success))
		*milliseconds = (float)((double)(b->time.tv_sec - a->time.tv_sec) * 1e3 + (double)(b->time.tv_nsec - a->time.tv_nsec) * 1e-6);
	if (a)
		mark_release(a);
	if (b)
		mark_release(b);
	return error;
}

#if !defined(STANDIN_HIP)
EXPORTED cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *argument)
{
	struct stream *s = stream_find(stream);

	if (!s)
		return failed(cudaErrorInvalidResourceHandle);
	stream_put(s, (struct operation){ .kind = CALL, .function = function, .argument = argument, .counter = CALLS });
	return cudaSuccess;
}

/* Emulated kernels have no limits to raise. */
EXPORTED cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute, int value)
{
	(void)function, (void)attribute, (void)value;
	return cudaSuccess;
}
#endif
