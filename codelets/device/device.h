/* What device sources offer to codelets and tests: functions that put kernels on a stream and return at once.
 *
 * Matrices are column-major in device memory.  `work` is device memory, of as many bytes as the function's name with _work says, and used by
 * nobody else until the stream has got past the call.  Nothing is returned: a launch that fails shows in the runtime's last error, and what
 * the data say (a NaN where none may be) goes to the int that `verdict` points to, a HEDDLE_E* code or untouched, which may be pinned
 * host memory.  The functions of one source file stand together, under its name.                                    */
#ifndef CODELETS_DEVICE_DEVICE_H
#define CODELETS_DEVICE_DEVICE_H

#ifdef __cplusplus
#include "codelets/device/scalar.h"
#include <heddle/types.h>
#include "codelets/host/chase.h"
#include "codelets/host/solve_kind.h"
#define DEVICE_API extern "C"
#else
#include "codelets/host/chase.h"
#include "codelets/host/solve_kind.h"
#include "runtime/prec.h"
#define DEVICE_API
#endif
#include <stddef.h>

typedef struct gpu_stream_s *gpu_stream; /* a cudaStream_t or hipStream_t */

#endif
