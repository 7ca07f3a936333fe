/* Matrices of the benchmark, in the precision a file is compiled for: random ones, and products with a vector that check results in
 * O(n^2) operations.  Sums are in double. */
#ifndef TOOLS_GPU_MATRIX_H
#define TOOLS_GPU_MATRIX_H

#include <stdlib.h>
#include "runtime/prec.h"
#include "tools/gpu/bench.h"

typedef double _Complex wide; /* whatever the precision */

static const char type_letter = PREC_STRING(PREC_LETTER)[0];

static inline scalar random_scalar(uint64_t seed, uint64_t place)
{
#if IS_COMPLEX
	return (scalar)__builtin_complex(bench_random(seed, 2 * place), bench_random(seed, 2 * place + 1));
#else
	return (scalar)bench_random(seed, place);
#endif
}

/* count scalars on the host, random unless seed is 0; NULL if there is no memory */
static inline scalar *host_random(int64_t count, uint64_t seed)
{
	scalar *x = malloc((size_t)(count > 0 ? count : 1) * sizeof(scalar));

	for (int64_t i = 0; x && seed != 0 && i < count; i++)
		x[i] = random_scalar(seed, (uint64_t)i);
	return x;
}

static inline scalar *device_from_host(const scalar *x, int64_t count)
{
	scalar *d = device_new((size_t)count * sizeof(scalar));

	if (d && x)
		device_to(d, x, (size_t)count * sizeof(scalar));
	return d;
}

static inline double square_of(wide x) { return creal(x) * creal(x) + cimag(x) * cimag(x); }

static inline double norm_of(int64_t n, const wide *x)
{
	double sum = 0;

	for (int64_t i = 0; i < n; i++)
		sum += square_of(x[i]);
	return sqrt(sum);
}

static inline double norm_of_scalars(int64_t n, const scalar *x)
{
	double sum = 0;

	for (int64_t i = 0; i < n; i++)
		sum += square_of(x[i]);
	return sqrt(sum);
}

static inline wide *random_vector(int64_t n, uint64_t seed)
{
	wide *x = malloc((size_t)(n > 0 ? n : 1) * sizeof(wide));

	for (int64_t i = 0; x && i < n; i++)
		x[i] = random_scalar(seed, (uint64_t)i);
	return x;
}

/* Elements of a matrix that count: all of them, or those i >= j or i <= j. */
enum part_of_matrix { WHOLE, LOWER_PART, UPPER_PART };

/* y (m elements) := A x, or with adjoint y (n elements) := A^H x, A m by n */
static inline void times(enum part_of_matrix part, bool adjoint, int64_t m, int64_t n, const scalar *a, int64_t lda, const wide *x, wide *y)
{
	for (int64_t i = 0; i < (adjoint ? n : m); i++)
		y[i] = 0;
	for (int64_t j = 0; j < n; j++) {
		int64_t from = part == LOWER_PART ? j : 0, to = part == UPPER_PART && j + 1 < m ? j + 1 : m;
		const scalar *column = a + j * lda;
		wide sum = 0, xj = adjoint ? 0 : x[j];
		if (adjoint) {
			for (int64_t i = from; i < to; i++)
				sum += conj((wide)column[i]) * x[i];
			y[j] = sum;
		} else {
			for (int64_t i = from; i < to; i++)
				y[i] += column[i] * xj;
		}
	}
}

static inline struct row new_row(const char *part, const char *contestant)
{
	return (struct row){ .part = part, .contestant = contestant, .type = type_letter };
}

#endif
