/* The values of a bidiagonal or tridiagonal on the device, by the mathematics and in the layout of codelets/host/sturm.h: host and device
 * tasks of one search may take turns.  Compiled for the real precisions. */
#ifndef CODELETS_DEVICE_STURM_H
#define CODELETS_DEVICE_STURM_H

#include "codelets/device/device.h"
#include "codelets/host/sturm.h"

/* Fill m (sturm_bytes(n) of device memory) from d and e, in tiles of so many rows, and write how many values are wanted to *found,
 * memory that the device can write, unless NULL.  scale: NULL, or two reals of device memory whose second multiplies the values.
 * A NaN or an infinity gives the verdict HEDDLE_EINPUT, and no values then. */
DEVICE_API void REAL_NAME(gpu_values_init)(gpu_stream stream, enum sturm_kind kind, int64_t n, struct sturm *m, real *const *d, int64_t d_rows,
					   real *const *e, int64_t e_rows, const real *scale, const heddle_select *select, int64_t *found,
					   int *verdict);

/* One of `parts` equal parts of the wanted values, of which there are at most `room` in all: room and the matrix decide about the bits. */
DEVICE_API void REAL_NAME(gpu_values_find)(gpu_stream stream, const struct sturm *m, int64_t part, int64_t parts, int64_t room, real *values);

/* The wanted values, at most `room`, from their parts into tiles of so many rows. */
DEVICE_API void REAL_NAME(gpu_values_collect)(gpu_stream stream, const struct sturm *m, int64_t parts, real *const *pieces, int64_t room,
					      real *const *tiles, int64_t rows);

#endif
