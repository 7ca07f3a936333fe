/* What the kernels of planted.cu and planted_order.cu share. */
#ifndef TESTS_EMULATION_PLANTED_THREADS_H
#define TESTS_EMULATION_PLANTED_THREADS_H

#include "tests/emulation/planted.h"

enum { MOST = 128 };

static __device__ inline int at(int t) { return (int)(blockIdx.x * blockDim.x) + t; }
static __device__ inline int own() { return (int)threadIdx.x; }
static __device__ inline int next() { return (own() + 1) % (int)blockDim.x; }

#endif
