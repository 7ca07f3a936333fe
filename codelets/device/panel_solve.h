/* Between the panel's own files. */
#ifndef CODELETS_DEVICE_PANEL_SOLVE_H
#define CODELETS_DEVICE_PANEL_SOLVE_H

#include "codelets/device/device.h"

/* out := in U^-1, m by k, for `count` matrices, the next so many elements further on.  U is the upper triangle of u or, if adjoint,
 * the adjoint of its unit lower one.  in and out may be one. */
DEVICE_API void NAME(gpu_solve_rows)(gpu_stream stream, int64_t m, int64_t k, int adjoint, const scalar *u, int64_t ldu, int64_t count,
				     const scalar *in, int64_t ldin, int64_t step_in, scalar *out, int64_t ldout, int64_t step_out);

#endif
