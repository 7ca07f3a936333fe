/* What differs between the element types: sizes, units and the routines of Heddle, BLAS and LAPACK. */
#ifndef HEDDLE_KIND_H
#define HEDDLE_KIND_H

#include <stdbool.h>
#include <stddef.h>
#include <heddle/heddle.h>

struct kind {
	heddle_type type, real; /* real: the type of the singular values */
	size_t size, real_size; /* bytes */
	double eps;             /* distance from 1 to the next number */
	double flop_weight;     /* real operations an operation counts as */
	int (*gesvd_vals)(heddle_sequence *, heddle_matrix *, const heddle_select *, heddle_matrix *, int64_t *,
			  const heddle_options *);
	int (*ge2gb)(heddle_sequence *, heddle_matrix *, heddle_band *, const heddle_options *);
	int (*gb2bd)(heddle_sequence *, heddle_band *, heddle_matrix *, heddle_matrix *, const heddle_options *);
};

const struct kind *kind_of(heddle_type type);

/* Element i of an array of reals of this kind. */
double real_get(const struct kind *kind, const void *values, int64_t i);

/* C := A B, square of order n, on the BLAS's threads. */
void blas_gemm(const struct kind *kind, int n, const void *a, const void *b, void *c);

/* Memory (from malloc) for an m by n matrix that LAPACK works on, with a column to spare: OpenBLAS's complex gemv reads, and then
 * ignores, up to a column behind the end. */
void *lapack_allocate(const struct kind *kind, int64_t m, int64_t n);

/* LAPACK's singular values of the m by n matrix a (overwritten; from lapack_allocate), ld = m, into s.  Returns LAPACK's info, or
 * -1000 if a dimension does not fit LAPACK's integers. */
int lapack_svdvals(const struct kind *kind, int64_t m, int64_t n, void *a, void *s);

/* LAPACK's bidiagonal of the band ab (overwritten; ldab = kd + 1).  Returns as above. */
int lapack_gb2bd(const struct kind *kind, int64_t n, int64_t kd, void *ab, void *d, void *e);

/* What to call it when lapack_* returned info, for people. */
const char *lapack_failure(int info);

/* Threads of the BLAS, where it has a call for that (else set does nothing and get returns 1). */
int blas_threads_get(void);
void blas_threads_set(int count);

#endif
