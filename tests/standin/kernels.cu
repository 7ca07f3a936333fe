/* Kernels of the stand-in's own tests: one thread an element, or a row. */
#include "tests/standin/kernels.h"

enum { THREADS = 64 };

static __global__ void GPU_BOUNDS(THREADS) axpy(int64_t n, double alpha, const double *x, double *y)
{
	int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;

	if (i < n)
		y[i] += alpha * x[i];
}

DEVICE_API void standin_test_axpy(gpu_stream stream, int64_t n, double alpha, const double *x, double *y)
{
	if (n > 0)
		GPU_LAUNCH(axpy, dim3((unsigned)((n + THREADS - 1) / THREADS)), dim3(THREADS), 0, stream, n, alpha, x, y);
}

static __global__ void GPU_BOUNDS(THREADS) add(int64_t m, int64_t n, double alpha, const double *x, int64_t ldx, double *y, int64_t ldy)
{
	int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;

	for (int64_t j = 0; i < m && j < n; j++)
		y[i + j * ldy] += alpha * x[i + j * ldx];
}

DEVICE_API void standin_test_add(gpu_stream stream, int64_t m, int64_t n, double alpha, const double *x, int64_t ldx, double *y,
	int64_t ldy)
{
	if (m > 0 && n > 0)
		GPU_LAUNCH(add, dim3((unsigned)((m + THREADS - 1) / THREADS)), dim3(THREADS), 0, stream, m, n, alpha, x, ldx, y, ldy);
}
