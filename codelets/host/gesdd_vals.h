/* Singular values of a small matrix by one LAPACK call. */
#ifndef CODELETS_HOST_GESDD_VALS_H
#define CODELETS_HOST_GESDD_VALS_H

#include "runtime/prec.h"

/* The min(m, n) singular values of A (overwritten), largest first.  Returns 0, HEDDLE_EINPUT for a NaN or an infinity in A
 * (looked for first: LAPACK may not come back from one), HEDDLE_ENOMEM or HEDDLE_ENOCONV. */
int NAME(gesdd_vals)(int64_t m, int64_t n, scalar *a, int64_t lda, real *s);

/* Which of n values, largest first, a selection names: `count` from `first` (counted from 0) on. */
void REAL_NAME(select_values)(const heddle_select *select, int64_t n, const real *s, int64_t *first, int64_t *count);

#endif
