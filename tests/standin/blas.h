/* What the sources of the stand-in for cuBLAS share. */
#ifndef TESTS_STANDIN_BLAS_H
#define TESTS_STANDIN_BLAS_H

#include <cblas.h>
#include <cublas_v2.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include "tests/standin/standin.h"

#define EXPORTED __attribute__((visibility("default")))

struct cublasContext {
	cudaStream_t stream;
	cublasMath_t mode;
};

/* What cuBLAS would refuse, and what CBLAS's int does not hold. */
static inline bool fits(int64_t x)
{
	return x >= 0 && x <= INT32_MAX;
}

static inline enum CBLAS_TRANSPOSE cblas_trans(cublasOperation_t trans)
{
	return trans == CUBLAS_OP_N ? CblasNoTrans : trans == CUBLAS_OP_T ? CblasTrans : CblasConjTrans;
}

static inline int64_t at_least_one(int64_t x)
{
	return x > 1 ? x : 1;
}

#endif
