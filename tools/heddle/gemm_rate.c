#include "tools/heddle/gemm_rate.h"

#include <math.h>
#include <stdlib.h>
#include "runtime/blas_threads.h"
#include "runtime/clock.h"
#include "tools/heddle/message.h"

enum { FEW_THREADS = 4, FIRST_TIMES = 3 };

/* Large enough for the full rate; on few threads, small enough to be brief. */
static int order_for(const struct kind *kind, int threads)
{
	bool many = threads > FEW_THREADS, is_complex = kind->size > kind->real_size;

	return is_complex ? (many ? 1280 : 1024) : (many ? 2048 : 1536);
}

void gemm_rate_measure(struct gemm_rate *rate)
{
	double n = rate->n;
	int before = blas_threads_get();

	blas_threads_set(rate->threads);
	double begin = seconds_now();
	blas_gemm(rate->kind, rate->n, rate->a, rate->b, rate->c);
	double seconds = seconds_now() - begin;
	blas_threads_set(before);
	rate->best = fmax(rate->best, 2e-9 * rate->kind->flop_weight * n * n * n / seconds);
}

int gemm_rate_open(struct gemm_rate *rate, const struct kind *kind, int threads)
{
	int n = order_for(kind, threads);
	int64_t count = (int64_t)n * n;

	*rate = (struct gemm_rate){ .kind = kind, .n = n, .threads = threads };
	rate->a = malloc((size_t)count * kind->size);
	rate->b = malloc((size_t)count * kind->size);
	rate->c = malloc((size_t)count * kind->size);
	if (!rate->a || !rate->b || !rate->c) {
		gemm_rate_close(rate);
		complain("no memory to measure gemm");
		return -1;
	}
	random_fill(kind, rate->a, count, 1);
	random_fill(kind, rate->b, count, 2);
	random_fill(kind, rate->c, count, 3);
	for (int i = 0; i < FIRST_TIMES; i++)
		gemm_rate_measure(rate);
	return 0;
}

void gemm_rate_close(struct gemm_rate *rate)
{
	free(rate->a);
	free(rate->b);
	free(rate->c);
	rate->a = rate->b = rate->c = NULL;
}

int gemm_rate_once(const struct kind *kind, int threads, double *gflops)
{
	struct gemm_rate rate;

	if (gemm_rate_open(&rate, kind, threads) != 0)
		return -1;
	*gflops = rate.best;
	gemm_rate_close(&rate);
	return 0;
}

/* splitmix64: one step. */
static double uniform(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	z ^= z >> 31;
	return (double)(z >> 11) * 0x1p-52 - 1;
}

void random_fill(const struct kind *kind, void *elements, int64_t count, uint64_t seed)
{
	int64_t reals = count * (int64_t)(kind->size / kind->real_size);

	for (int64_t i = 0; i < reals; i++) {
		double x = uniform(&seed);

		if (kind->real == HEDDLE_S)
			((float *)elements)[i] = (float)x;
		else
			((double *)elements)[i] = x;
	}
}
