/* What differs between the element types: sizes, units and the routines of Heddle and BLAS. */
#ifndef HEDDLE_KIND_H
#define HEDDLE_KIND_H

#include <stdbool.h>
#include <stddef.h>
#include <heddle/heddle.h>

/* The asynchronous routines; those for symmetric and Hermitian matrices take the triangle besides. */
typedef int values_function(heddle_sequence *, heddle_matrix *, const heddle_select *, heddle_matrix *, int64_t *,
			    const heddle_options *);
typedef int hermitian_values_function(heddle_sequence *, heddle_uplo, heddle_matrix *, const heddle_select *, heddle_matrix *,
				      int64_t *, const heddle_options *);
typedef int band_function(heddle_sequence *, heddle_matrix *, heddle_band *, const heddle_options *);
typedef int hermitian_band_function(heddle_sequence *, heddle_uplo, heddle_matrix *, heddle_band *, const heddle_options *);
typedef int chase_function(heddle_sequence *, heddle_band *, heddle_matrix *, heddle_matrix *, const heddle_options *);

struct kind {
	heddle_type type, real; /* real: the type of the values */
	size_t size, real_size; /* bytes */
	double eps;             /* distance from 1 to the next number */
	double flop_weight;     /* real operations an operation counts as */
	values_function *gesvd_vals;
	band_function *ge2gb;
	chase_function *gb2bd;
	hermitian_values_function *heev_vals;
	hermitian_band_function *he2hb;
	chase_function *hb2st;
};

const struct kind *kind_of(heddle_type type);

/* Element i of an array of reals of this kind. */
double real_get(const struct kind *kind, const void *values, int64_t i);

/* C := A B, square of order n, on the BLAS's threads. */
void blas_gemm(const struct kind *kind, int n, const void *a, const void *b, void *c);

#endif
