/* What streams run: copies, fills, and functions that stand for kernels. */
#include <stdlib.h>
#include <string.h>
#include "tests/standin/internal.h"

static size_t extent(size_t pitch, size_t width, size_t height)
{
	return (height - 1) * pitch + width;
}

/* The host's end of a copy must be pinned still. */
static bool host_is_there(const char *pointer, size_t bytes, bool was_pinned)
{
	if (!was_pinned || pinned_holds(pointer, bytes))
		return true;
	report("pinned memory at %p was given back before a copy of it ran", (const void *)pointer);
	return false;
}

static void run_copy(const struct operation *o, int device)
{
	const struct rows *r = &o->rows;
	size_t to_size = extent(r->to_pitch, r->width, r->height), from_size = extent(r->from_pitch, r->width, r->height);
	bool to_device = memory_device(r->to) >= 0, from_device = memory_device(r->from) >= 0;
	enum counter copies = to_device && from_device ? COPIES_D2D : to_device ? COPIES_H2D : from_device ? COPIES_D2H : COPIES_H2H;
	int owner = o->between_devices ? -1 : device;

	if (!host_is_there(r->to, to_size, o->to_pinned) || !host_is_there(r->from, from_size, o->from_pinned))
		return;
	char *to = memory_bytes(r->to, to_size, owner, "a copy's target");
	const char *from = memory_bytes(r->from, from_size, owner, "a copy's source");
	if (!to || !from)
		return;
	for (size_t i = 0; i < r->height; i++)
		memmove(to + i * r->to_pitch, from + i * r->from_pitch, r->width);
	count(copies, device, 1);
	count(copies - COPIES_H2D + BYTES_H2D, device, (long)(r->width * r->height));
}

static void run_fill(const struct operation *o, int device)
{
	const struct rows *r = &o->rows;
	char *to = memory_bytes(r->to, extent(r->to_pitch, r->width, r->height), device, "a fill");

	for (size_t i = 0; to && i < r->height; i++)
		memset(to + i * r->to_pitch, o->value, r->width);
	count(FILLS, device, 1);
}

void operation_run(struct operation *o, int device)
{
	int outer = running_device;

	if (o->kind == COPY) {
		run_copy(o, device);
	} else if (o->kind == FILL) {
		run_fill(o, device);
	} else {
		running_device = device;
		o->function(o->argument);
		running_device = outer;
		count(o->counter, device, 1);
	}
	free(o->staged);
}

static void put_call(void *handle, void (*function)(void *), void *argument, enum counter counter)
{
	struct stream *s = stream_find((runtime_stream)handle);

	if (s && stream_device(s) != current_device)
		report("a kernel is put on a stream of device %d while device %d is current", stream_device(s), current_device);
	if (s)
		stream_put(s, (struct operation){ .kind = CALL, .function = function, .argument = argument, .counter = counter });
}

EXPORTED void standin_enqueue(void *handle, void (*function)(void *), void *argument)
{
	put_call(handle, function, argument, KERNELS);
}

EXPORTED void standin_enqueue_blas(void *handle, void (*function)(void *), void *argument)
{
	put_call(handle, function, argument, BLAS);
}

EXPORTED void *standin_xlat(void *pointer)
{
	if (!pointer)
		return NULL;
	if (memory_device(pointer) < 0 && !pinned_holds(pointer, 1))
		report("a kernel of device %d is handed the pageable host pointer %p", running_device, pointer);
	return memory_bytes(pointer, 0, running_device, "a kernel");
}
