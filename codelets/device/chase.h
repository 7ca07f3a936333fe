/* The chase of bulges on a device (codelets/device/chase.cu): what struct chase_part in codelets/host/chase.h says. */
#ifndef CODELETS_DEVICE_CHASE_H
#define CODELETS_DEVICE_CHASE_H

#include "codelets/device/device.h"

/* How it is done; the result is the same up to rounding.  A part that is not the whole chase goes from b to 1 in one pass whatever tile
 * says, and one with sweeps that begin or end within it does not use a window. */
struct gpu_chase_choice {
	int tile;        /* diagonals removed a pass: b -> b - tile -> ... -> 1; 0: all at once */
	int threads;     /* of a block: a multiple of 32, at most 256 */
	int blocks;      /* a launch has at most */
	bool persistent; /* one launch a pass, where sweeps wait for each other; else one launch a cycle */
	int group;       /* persistent: sweeps of which a block keeps the window in shared memory; as many as fit if fewer do.  0: no window */
};

/* Bytes of work space, and of shared memory a block uses. */
DEVICE_API size_t NAME(gpu_chase_work)(const struct chase_part *p, const struct gpu_chase_choice *c);
DEVICE_API int NAME(gpu_chase_shared)(const struct chase_part *p, const struct gpu_chase_choice *c);

/* What should be quick for a band of order n with b diagonals on the device at hand. */
DEVICE_API struct gpu_chase_choice NAME(gpu_chase_choice)(int64_t n, int64_t b, bool hermitian);

/* columns: of the band, p->column first, one after the other. */
DEVICE_API void NAME(gpu_chase)(gpu_stream stream, const struct chase_part *p, const struct gpu_chase_choice *c, scalar *columns, void *work);

#ifndef __cplusplus
/* Half storage, float arithmetic */
size_t h_gpu_chase_work(const struct chase_part *p, const struct gpu_chase_choice *c);
int h_gpu_chase_shared(const struct chase_part *p, const struct gpu_chase_choice *c);
struct gpu_chase_choice h_gpu_chase_choice(int64_t n, int64_t b, bool hermitian);
void h_gpu_chase(gpu_stream stream, const struct chase_part *p, const struct gpu_chase_choice *c, uint16_t *columns, void *work);
#endif

#endif
