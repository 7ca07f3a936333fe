/* QR of a small block with the T factor of its block reflector. */
#ifndef CODELETS_HOST_GEQRT_H
#define CODELETS_HOST_GEQRT_H

#include "runtime/prec.h"

/* A (m by n, overwritten as by LAPACK: R above, V below the diagonal) = (I - V T V^H) R with k = min(m, n) reflectors; T is k by k, upper triangular,
 * its strict lower part set to zero.  work: m*k + k*n elements where m < n, else unused. */
void NAME(geqrt)(int64_t m, int64_t n, scalar *a, int64_t lda, scalar *t, int64_t ldt, scalar *work);

/* Copy the strictly lower part of the m by k block A under ones and zeros: V made explicit. */
void NAME(unit_lower)(int64_t m, int64_t k, const scalar *a, int64_t lda, scalar *v, int64_t ldv);

#endif
