/* LAPACK doing the same work, for comparison. */
#ifndef HEDDLE_LAPACK_H
#define HEDDLE_LAPACK_H

#include "tools/heddle/run.h"

/* Memory (from malloc) for an m by n matrix that LAPACK works on, with a column to spare: OpenBLAS's complex gemv reads, and then
 * ignores, up to a column behind the end. */
void *lapack_allocate(const struct kind *kind, int64_t m, int64_t n);

/* These return LAPACK's info, or -1000 if a dimension does not fit LAPACK's integers. */

/* All values by gesdd or syevd (heevd), without vectors; p->a is from lapack_allocate, and has the lower triangle of a Hermitian matrix
 * whatever uplo says: with the upper one cheevd has gemv read past its own workspace, too. */
int lapack_values(const struct problem *p, void *values);

/* The bidiagonal or tridiagonal of the band ab (ldab = kd + 1; overwritten) by gbbrd or sbtrd (hbtrd). */
int lapack_chase(const struct problem *p, int64_t kd, void *ab, void *d, void *e);

/* What to call it when info is not 0, for people. */
const char *lapack_failure(int info);

#endif
