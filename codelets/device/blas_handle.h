/* What the vendor's BLAS wants for its calls: a handle for each thread and device, made at the first call and destroyed with the thread.
 *
 * rocBLAS is linked.  cuBLAS, which is large, is looked up when it is first asked for, so that Heddle runs without it. */
#ifndef CODELETS_DEVICE_BLAS_HANDLE_H
#define CODELETS_DEVICE_BLAS_HANDLE_H

#if defined(HEDDLE_HIP)
#include <hip/hip_runtime_api.h>
#include <rocblas/rocblas.h>
typedef rocblas_handle blas_handle;
typedef hipStream_t native_stream;
#else
#include <cublas_v2.h>
typedef cublasHandle_t blas_handle;
typedef cudaStream_t native_stream;
#endif

/* The handle, its calls from now on on this stream.  NULL if there is none: with rocBLAS that is an error, left as below. */
blas_handle blas_handle_for(native_stream stream);

/* Whether this thread has one for its device. */
int blas_handle_there(void);

#if !defined(HEDDLE_HIP)
/* Where a function of cuBLAS is; NULL if there is no cuBLAS, or no such function. */
void *blas_function(const char *name);
#endif

/* A call of the BLAS has failed (status not 0): the device runtime's last error says so from now on, as after a launch that fails. */
void blas_done(int status);

#endif
