/* The runtime's copies.
 *
 * From and to pinned memory they are asynchronous.  Pageable memory is read before the call returns, though what it is copied to is
 * written in the stream's order; a copy to pageable memory is waited for.  That is what the runtimes' manuals let a program rely on. */
#include <stdlib.h>
#include <string.h>
#include "tests/standin/internal.h"

static bool is_device(const void *pointer)
{
	return memory_device(pointer) >= 0;
}

static bool kind_fits(const struct rows *r, runtime_copy_kind kind)
{
	if (kind == RUNTIME(MemcpyHostToDevice))
		return is_device(r->to) && !is_device(r->from);
	if (kind == RUNTIME(MemcpyDeviceToHost))
		return !is_device(r->to) && is_device(r->from);
	if (kind == RUNTIME(MemcpyDeviceToDevice))
		return is_device(r->to) && is_device(r->from);
	if (kind == RUNTIME(MemcpyHostToHost))
		return !is_device(r->to) && !is_device(r->from);
	return kind == RUNTIME(MemcpyDefault);
}

/* Read pageable memory now. */
static void stage(struct operation *o)
{
	struct rows *r = &o->rows;
	char *copy = malloc(r->width * r->height);

	if (!copy)
		abort();
	for (size_t i = 0; i < r->height; i++)
		memcpy(copy + i * r->width, r->from + i * r->from_pitch, r->width);
	r->from = copy;
	r->from_pitch = r->width;
	o->staged = copy;
}

static runtime_error put_copy(struct rows r, runtime_copy_kind kind, bool between_devices, runtime_stream stream)
{
	struct stream *s = stream_find(stream);
	struct operation o = { .kind = COPY, .rows = r, .between_devices = between_devices };

	if (!s)
		return failed(RUNTIME(ErrorInvalidResourceHandle));
	if (r.width > r.to_pitch || r.width > r.from_pitch)
		return failed(RUNTIME(ErrorInvalidPitchValue));
	if (!kind_fits(&r, kind)) {
		report("a copy of kind %d does not fit %p <- %p", (int)kind, (void *)r.to, (const void *)r.from);
		return failed(RUNTIME(ErrorInvalidValue));
	}
	if (r.width == 0 || r.height == 0)
		return RUNTIME(Success);
	o.to_pinned = !is_device(r.to) && pinned_holds(r.to, (r.height - 1) * r.to_pitch + r.width);
	o.from_pinned = !is_device(r.from) && pinned_holds(r.from, (r.height - 1) * r.from_pitch + r.width);
	bool to_pageable = !is_device(r.to) && !o.to_pinned, from_pageable = !is_device(r.from) && !o.from_pinned;
	if (to_pageable || from_pageable)
		count(STAGED, stream_device(s), 1);
	if (from_pageable && !to_pageable)
		stage(&o);
	stream_put(s, o);
	if (to_pageable)
		stream_finish(s);
	return RUNTIME(Success);
}

EXPORTED runtime_error RUNTIME(Memcpy2DAsync)(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
	runtime_copy_kind kind, runtime_stream stream)
{
	return put_copy((struct rows){ to, from, to_pitch, from_pitch, width, height }, kind, false, stream);
}

EXPORTED runtime_error RUNTIME(MemcpyAsync)(void *to, const void *from, size_t bytes, runtime_copy_kind kind, runtime_stream stream)
{
	return put_copy((struct rows){ to, from, bytes, bytes, bytes, 1 }, kind, false, stream);
}

/* Within device memory nobody waits; nor does the real one. */
EXPORTED runtime_error RUNTIME(Memcpy2D)(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
	runtime_copy_kind kind)
{
	runtime_error error = RUNTIME(Memcpy2DAsync)(to, to_pitch, from, from_pitch, width, height, kind, NULL);

	if (error == RUNTIME(Success) && !(is_device(to) && is_device(from)))
		stream_finish(stream_find(NULL));
	return error;
}

EXPORTED runtime_error RUNTIME(Memcpy)(void *to, const void *from, size_t bytes, runtime_copy_kind kind)
{
	return RUNTIME(Memcpy2D)(to, bytes, from, bytes, bytes, 1, kind);
}

static bool belong(const void *to, int to_device, const void *from, int from_device)
{
	bool fit = memory_device(to) == to_device && memory_device(from) == from_device;

	if (!fit)
		report("a copy from device %d to device %d names memory of %d and %d", from_device, to_device, memory_device(from), memory_device(to));
	return fit;
}

EXPORTED runtime_error RUNTIME(MemcpyPeerAsync)(void *to, int to_device, const void *from, int from_device, size_t bytes,
	runtime_stream stream)
{
	if (!belong(to, to_device, from, from_device))
		return failed(RUNTIME(ErrorInvalidValue));
	return put_copy((struct rows){ to, from, bytes, bytes, bytes, 1 }, RUNTIME(MemcpyDefault), true, stream);
}

/* In order with all work of both devices. */
EXPORTED runtime_error RUNTIME(MemcpyPeer)(void *to, int to_device, const void *from, int from_device, size_t bytes)
{
	if (!belong(to, to_device, from, from_device))
		return failed(RUNTIME(ErrorInvalidValue));
	streams_finish(to_device);
	streams_finish(from_device);
	runtime_error error = RUNTIME(MemcpyPeerAsync)(to, to_device, from, from_device, bytes, NULL);
	stream_finish(stream_find(NULL));
	return error;
}

#if !defined(STANDIN_HIP)
EXPORTED cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *p, cudaStream_t stream)
{
	if (!belong(p->dstPtr.ptr, p->dstDevice, p->srcPtr.ptr, p->srcDevice))
		return failed(cudaErrorInvalidValue);
	for (size_t z = 0; z < p->extent.depth; z++) {
		struct rows r = { .to_pitch = p->dstPtr.pitch, .from_pitch = p->srcPtr.pitch, .width = p->extent.width, .height = p->extent.height };
		r.to = (char *)p->dstPtr.ptr + ((z + p->dstPos.z) * p->dstPtr.ysize + p->dstPos.y) * r.to_pitch + p->dstPos.x;
		r.from = (const char *)p->srcPtr.ptr + ((z + p->srcPos.z) * p->srcPtr.ysize + p->srcPos.y) * r.from_pitch + p->srcPos.x;
		cudaError_t error = put_copy(r, cudaMemcpyDefault, true, stream);
		if (error != cudaSuccess)
			return error;
	}
	return cudaSuccess;
}

EXPORTED cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *p)
{
	streams_finish(p->srcDevice);
	streams_finish(p->dstDevice);
	cudaError_t error = cudaMemcpy3DPeerAsync(p, NULL);
	stream_finish(stream_find(NULL));
	return error;
}
#endif
