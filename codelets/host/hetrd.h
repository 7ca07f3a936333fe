/* Tridiagonal form of a small symmetric or Hermitian matrix by one LAPACK call. */
#ifndef CODELETS_HOST_HETRD_H
#define CODELETS_HOST_HETRD_H

#include "runtime/prec.h"

/* d (n values) and e (n - 1 values) of a tridiagonal whose eigenvalues times *unscale are those of A, of which the triangle uplo is read
 * and overwritten.  *unscale is a power of two, 1 unless A is so large or small that its squares would not be safe.  Returns 0,
 * HEDDLE_EINPUT for a NaN or an infinity in A (looked for first: LAPACK may not come back from one) or HEDDLE_ENOMEM. */
int NAME(hetrd)(heddle_uplo uplo, int64_t n, scalar *a, int64_t lda, real *d, real *e, real *unscale);

#endif
