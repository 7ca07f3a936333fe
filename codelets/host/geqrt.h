/* QR of a tall block with the T factor of its block reflector. */
#ifndef CODELETS_HOST_GEQRT_H
#define CODELETS_HOST_GEQRT_H

#include "runtime/prec.h"

/* A (m by n) = (I - V T V^H) R with k = min(m, n) reflectors.  A's first k columns become V, explicit: unit lower trapezoidal with
 * zeros above.  R (k by n, upper trapezoidal; its lower part is not touched) and T (k by k, zeros below) go where r and t say.
 * work: k * n elements.  Recursive (Elmroth and Gustavson), down to blocks that qr_narrow does. */
void NAME(geqrt)(int64_t m, int64_t n, scalar *a, int64_t lda, scalar *r, int64_t ldr, scalar *t, int64_t ldt, scalar *work);

#endif
