/* cuSOLVER, and the calls of cuBLAS that Heddle itself does not use, for comparison: looked up when first asked for, and absent where the
 * libraries are not found. */
#ifndef TOOLS_GPU_VENDOR_H
#define TOOLS_GPU_VENDOR_H

#include "codelets/host/solve_kind.h"
#include "tools/gpu/device.h"

/* Nothing is there from now on. */
void vendor_forbid(void);

/* alpha = 1; lists of device pointers in device memory */
bool vendor_has_batch(char type);
void vendor_trsm_batch(char type, gpu_stream stream, struct solve_kind kind, int m, int n, void **a, int lda, void **b, int ldb, int count);

/* Values without vectors: gesvd is by QR iterations, gesvdp by a polar decomposition, syevd the eigenvalues. */
enum vendor_routine { VENDOR_GESVD, VENDOR_GESVDP, VENDOR_SYEVD, VENDOR_ROUTINES };
const char *vendor_name(enum vendor_routine routine);
bool vendor_has(enum vendor_routine routine);

/* A square matrix and its values, on the device; its work space is allocated.  NULL if that cannot be. */
struct vendor_job;
struct vendor_job *vendor_begin(enum vendor_routine routine, char type, gpu_stream stream, int64_t n, void *a, void *values);
bool vendor_run(struct vendor_job *job);
int vendor_end(struct vendor_job *job); /* what the routine said: 0, or how it failed */

#endif
