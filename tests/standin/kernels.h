/* Kernels of the stand-in's own tests, in double precision. */
#ifndef TESTS_STANDIN_KERNELS_H
#define TESTS_STANDIN_KERNELS_H

#include "codelets/device/device.h"

/* y(i) += alpha x(i) */
DEVICE_API void standin_test_axpy(gpu_stream stream, int64_t n, double alpha, const double *x, double *y);

/* Y += alpha X, m by n */
DEVICE_API void standin_test_add(gpu_stream stream, int64_t m, int64_t n, double alpha, const double *x, int64_t ldx, double *y,
	int64_t ldy);

#endif
