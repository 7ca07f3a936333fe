/* Streams: queues of operations, run by whoever waits for one of them.
 *
 * One lock guards all queues and marks; it is not held while an operation runs, so that devices, and streams of a device, work at the same
 * time.  A wait in a queue is for a mark that was put in its stream earlier, and whoever meets it runs that stream up to there:
 * these waits form no cycle. */
#include <stdlib.h>
#include "tests/standin/internal.h"

struct stream {
	int device, polls;
	bool blocking, destroyed, busy; /* blocking: in order with the device's default stream */
	struct operation *head, **tail;
	struct mark *last; /* behind what is in the queue; NULL once something was put behind it */
	struct stream *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t progress = PTHREAD_COND_INITIALIZER;
static struct stream defaults[MAX_DEVICES];
static struct stream *streams; /* a destroyed one stays: marks may name it */

__attribute__((constructor)) static void start(void)
{
	for (int d = 0; d < MAX_DEVICES; d++) {
		defaults[d] = (struct stream){ .device = d, .tail = &defaults[d].head, .next = streams };
		streams = &defaults[d];
	}
}

static void release(struct mark *mark)
{
	if (mark && --mark->references == 0)
		free(mark);
}

static void append(struct stream *s, struct operation operation)
{
	struct operation *new = malloc(sizeof(*new));

	if (!new)
		abort();
	*new = operation;
	new->next = NULL;
	*s->tail = new;
	s->tail = &new->next;
	release(s->last);
	s->last = NULL;
	if (operation.kind != RECORD && operation.kind != WAIT)
		count(PENDING, s->device, 1);
}

static bool idle(const struct stream *s)
{
	return !s->head && !s->busy;
}

/* A mark behind all that is in the stream now, held for the caller. */
static struct mark *mark_end(struct stream *s)
{
	if (!s->last) {
		struct mark *new = calloc(1, sizeof(*new));
		if (!new)
			abort();
		new->stream = s;
		new->references = 2; /* the operation's and s->last */
		append(s, (struct operation){ .kind = RECORD, .mark = new });
		s->last = new;
	}
	s->last->references++;
	return s->last;
}

static void append_wait(struct stream *s, struct mark *mark)
{
	if (!mark->done) {
		mark->references++;
		append(s, (struct operation){ .kind = WAIT, .mark = mark });
	}
}

static void wait_for_end(struct stream *s, struct stream *other)
{
	if (!idle(other)) {
		struct mark *end = mark_end(other);
		append_wait(s, end);
		release(end);
	}
}

/* The default stream waits for the blocking streams of its device, and they for it. */
static void order_with_default(struct stream *s)
{
	if (s == &defaults[s->device]) {
		for (struct stream *other = streams; other; other = other->next)
			if (other->blocking && other->device == s->device)
				wait_for_end(s, other);
	} else if (s->blocking) {
		wait_for_end(s, &defaults[s->device]);
	}
}

static void run_until(struct mark *mark);

/* Run the first operation of a stream that nobody is at, or what it waits for. */
static void run_first(struct stream *s)
{
	struct operation *first = s->head;
	struct mark *mark = first->mark;

	if (first->kind == WAIT && !mark->done) {
		mark->references++;
		run_until(mark);
		release(mark);
		return;
	}
	s->head = first->next;
	if (!s->head)
		s->tail = &s->head;
	if (first->kind == RECORD) {
		mark->done = true;
		clock_gettime(CLOCK_MONOTONIC, &mark->time);
	} else if (first->kind != WAIT) {
		s->busy = true;
		pthread_mutex_unlock(&lock);
		operation_run(first, s->device);
		pthread_mutex_lock(&lock);
		s->busy = false;
		count(PENDING, s->device, -1);
	}
	release(mark);
	free(first);
	pthread_cond_broadcast(&progress);
}

static void run_until(struct mark *mark)
{
	while (!mark->done)
		if (mark->stream->busy)
			pthread_cond_wait(&progress, &lock);
		else
			run_first(mark->stream);
}

void stream_put(struct stream *s, struct operation operation)
{
	pthread_mutex_lock(&lock);
	order_with_default(s);
	append(s, operation);
	if (!settings.lazy) {
		struct mark *end = mark_end(s);
		run_until(end);
		release(end);
	}
	pthread_mutex_unlock(&lock);
}

void stream_wait_for(struct stream *s, struct mark *mark)
{
	pthread_mutex_lock(&lock);
	append_wait(s, mark);
	pthread_mutex_unlock(&lock);
}

struct mark *stream_mark(struct stream *s)
{
	pthread_mutex_lock(&lock);
	order_with_default(s);
	struct mark *mark = mark_end(s);
	if (!settings.lazy)
		run_until(mark);
	pthread_mutex_unlock(&lock);
	return mark;
}

void mark_wait(struct mark *mark)
{
	pthread_mutex_lock(&lock);
	run_until(mark);
	pthread_mutex_unlock(&lock);
}

bool mark_done(struct mark *mark)
{
	pthread_mutex_lock(&lock);
	bool done = mark->done;
	pthread_mutex_unlock(&lock);
	return done;
}

void mark_hold(struct mark *mark)
{
	pthread_mutex_lock(&lock);
	mark->references++;
	pthread_mutex_unlock(&lock);
}

void mark_release(struct mark *mark)
{
	pthread_mutex_lock(&lock);
	release(mark);
	pthread_mutex_unlock(&lock);
}

static void finish(struct stream *s)
{
	if (!idle(s)) {
		struct mark *end = mark_end(s);
		run_until(end);
		release(end);
	}
}

/* For the default stream that is the end of the blocking ones too. */
void stream_finish(struct stream *s)
{
	pthread_mutex_lock(&lock);
	order_with_default(s);
	finish(s);
	pthread_mutex_unlock(&lock);
}

bool stream_query(struct stream *s)
{
	bool done = true;

	pthread_mutex_lock(&lock);
	if (!idle(s) && s->polls++ < settings.polls) {
		done = false;
	} else {
		finish(s);
		s->polls = 0;
	}
	pthread_mutex_unlock(&lock);
	return done;
}

void streams_finish(int device)
{
	pthread_mutex_lock(&lock);
	for (struct stream *s = streams; s; s = s->next)
		if (s->device == device)
			finish(s);
	pthread_mutex_unlock(&lock);
}

long streams_unfinished(int device)
{
	long unfinished = 0;

	pthread_mutex_lock(&lock);
	for (const struct stream *s = streams; s; s = s->next)
		for (const struct operation *o = s->head; o && s->device == device; o = o->next)
			unfinished += o->kind != RECORD && o->kind != WAIT;
	pthread_mutex_unlock(&lock);
	return unfinished;
}

runtime_stream stream_new(bool blocking)
{
	struct stream *s = calloc(1, sizeof(*s));

	if (s) {
		*s = (struct stream){ .device = current_device, .blocking = blocking, .tail = &s->head };
		pthread_mutex_lock(&lock);
		s->next = streams;
		streams = s;
		pthread_mutex_unlock(&lock);
	}
	return (runtime_stream)(void *)s;
}

void stream_destroy(struct stream *s)
{
	pthread_mutex_lock(&lock);
	s->destroyed = true;
	pthread_mutex_unlock(&lock);
}

int stream_device(const struct stream *s)
{
	return s->device;
}

struct stream *stream_find(runtime_stream handle)
{
	struct stream *s;

	if (!handle)
		return &defaults[current_device];
#if !defined(STANDIN_HIP)
	if (handle == cudaStreamLegacy)
		return &defaults[current_device];
#endif
	pthread_mutex_lock(&lock);
	for (s = streams; s && (s->destroyed || (void *)s != (void *)handle); s = s->next)
		;
	pthread_mutex_unlock(&lock);
	if (!s)
		report("%p is no stream, or one that was destroyed", (void *)handle);
	return s;
}
