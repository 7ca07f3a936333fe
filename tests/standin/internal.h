/* What the stand-in's sources share. */
#ifndef TESTS_STANDIN_INTERNAL_H
#define TESTS_STANDIN_INTERNAL_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include "tests/standin/names.h"
#include "tests/standin/standin.h"

#define EXPORTED __attribute__((visibility("default")))

enum { MAX_DEVICES = 8 };

struct settings {
	int devices, polls;
	size_t memory;
	bool lazy, peer, keep_going, stats;
};
extern struct settings settings;

enum counter {
	ERRORS, KERNELS, BLAS, CALLS, FILLS, STAGED, ALLOCATIONS, FREES, REFUSED, BYTES, PEAK, PENDING,
	COPIES_H2D, COPIES_D2H, COPIES_D2D, COPIES_H2H, /* in one order, as the bytes below */
	BYTES_H2D, BYTES_D2H, BYTES_D2D, BYTES_H2H, COUNTERS
};

/* Counts are kept by device; `device` -1 is nobody's. */
void count(enum counter counter, int device, long amount);
void count_most(enum counter counter, int device, long value);
void report(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The current device of this thread, and the one whose kernel this thread runs (-1: none). */
extern _Thread_local int current_device, running_device;
/* Keeps an error for GetLastError, and returns it. */
runtime_error failed(runtime_error error);

/* memory.c.  The device a pointer belongs to, -1 for host memory. */
void memory_start(void);
int memory_device(const void *pointer);
void *memory_allocate(int device, size_t bytes);
bool memory_free(void *pointer);
/* Where n bytes lie that `user` names by this pointer, from device `device` (-1: any).  NULL if there are none, which is reported. */
char *memory_bytes(const void *pointer, size_t n, int device, const char *user);
/* "device 0, allocation of 64 bytes, byte 8", without a lock, for a signal handler. */
void memory_describe(const void *pointer, char *text, size_t size);
bool memory_set_peer(int device, int other, bool on);

/* pinned.c */
bool pinned_add(void *pointer, size_t bytes);
bool pinned_remove(void *pointer);
bool pinned_holds(const void *pointer, size_t bytes);

/* A point in a stream that can be waited for; what holds a mark counts as a reference. */
struct stream;
struct mark {
	int references;
	bool done;
	struct stream *stream;
	struct timespec time;
};

struct rows { /* rows of `width` bytes, as far apart as their pitch */
	char *to;
	const char *from;
	size_t to_pitch, from_pitch, width, height;
};

struct operation {
	struct operation *next;
	enum { COPY, FILL, CALL, RECORD, WAIT } kind;
	struct rows rows;
	bool between_devices; /* may name memory of any device */
	bool to_pinned, from_pinned;
	void *staged; /* freed afterwards */
	int value;
	void (*function)(void *);
	void *argument;
	enum counter counter;
	struct mark *mark;
};
void operation_run(struct operation *operation, int device);

/* stream.c */
struct stream *stream_find(runtime_stream handle);
runtime_stream stream_new(bool blocking);
void stream_destroy(struct stream *stream);
int stream_device(const struct stream *stream);
void stream_put(struct stream *stream, struct operation operation);
void stream_wait_for(struct stream *stream, struct mark *mark);
struct mark *stream_mark(struct stream *stream);
void stream_finish(struct stream *stream);
bool stream_query(struct stream *stream);
void streams_finish(int device);
long streams_unfinished(int device);

void mark_wait(struct mark *mark);
bool mark_done(struct mark *mark);
void mark_hold(struct mark *mark);
void mark_release(struct mark *mark);

#endif
