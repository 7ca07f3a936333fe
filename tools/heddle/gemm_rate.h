/* The rate of the BLAS's gemm, the measure of everything else: Heddle's stages are products at best. */
#ifndef HEDDLE_GEMM_RATE_H
#define HEDDLE_GEMM_RATE_H

#include "tools/heddle/kind.h"

struct gemm_rate {
	const struct kind *kind;
	int n, threads;
	void *a, *b, *c;
	double best; /* GFLOP/s, the fastest so far */
};

/* Returns 0, or -1 if there is no memory (having said so).  Measures a few times already. */
int gemm_rate_open(struct gemm_rate *rate, const struct kind *kind, int threads);

/* Once more. */
void gemm_rate_measure(struct gemm_rate *rate);

void gemm_rate_close(struct gemm_rate *rate);

/* All of that at once, for a rate in GFLOP/s.  Returns 0 or -1. */
int gemm_rate_once(const struct kind *kind, int threads, double *gflops);

/* Fill count elements with numbers between -1 and 1, the same for the same seed. */
void random_fill(const struct kind *kind, void *elements, int64_t count, uint64_t seed);

#endif
