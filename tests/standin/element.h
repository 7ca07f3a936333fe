/* cuBLAS's names and types in the precision of tests/standin/blas.c and its test. */
#ifndef TESTS_STANDIN_ELEMENT_H
#define TESTS_STANDIN_ELEMENT_H

#include <cublas_v2.h>
#include "runtime/prec.h"

#if defined(PREC_s)
#define CUBLAS(x) cublasS##x
typedef float element;
#elif defined(PREC_d)
#define CUBLAS(x) cublasD##x
typedef double element;
#elif defined(PREC_c)
#define CUBLAS(x) cublasC##x
typedef cuComplex element;
#else
#define CUBLAS(x) cublasZ##x
typedef cuDoubleComplex element;
#endif

/* A factor as CBLAS wants it */
#if IS_COMPLEX
#define FACTOR(x) (&(x))
#else
#define FACTOR(x) (x)
#endif

#endif
