/* The largest part of many elements, and whether all are finite. */
#ifndef CODELETS_HOST_LARGEST_H
#define CODELETS_HOST_LARGEST_H

#include "runtime/prec.h"

struct largest {
	real size;   /* largest modulus of a real or imaginary part */
	real poison; /* 0 as long as nothing was a NaN or an infinity, which > does not see or keep apart */
};

static inline void largest_of_reals(struct largest *l, int64_t n, const real *x)
{
	real size = l->size, poison = l->poison;

#pragma omp simd reduction(max : size) reduction(+ : poison)
	for (int64_t i = 0; i < n; i++) {
		real modulus = x[i] < 0 ? -x[i] : x[i];
		size = modulus > size ? modulus : size;
		poison += x[i] * 0;
	}
	l->size = size;
	l->poison = poison;
}

static inline void largest_of(struct largest *l, int64_t n, const scalar *x)
{
	largest_of_reals(l, n * (1 + IS_COMPLEX), (const real *)x);
}

/* Column j, x, of a Hermitian matrix of order n whose triangle uplo is there; of the diagonal the real part counts. */
static inline void largest_of_column(struct largest *l, heddle_uplo uplo, int64_t n, int64_t j, const scalar *x)
{
	largest_of_reals(l, 1, (const real *)(x + j));
	if (uplo == HEDDLE_LOWER)
		largest_of(l, n - j - 1, x + j + 1);
	else
		largest_of(l, j, x);
}

#endif
