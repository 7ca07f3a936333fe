/* cuBLAS handles. */
#include "tests/standin/blas.h"

EXPORTED cublasStatus_t cublasCreate_v2(cublasHandle_t *handle)
{
	*handle = calloc(1, sizeof(**handle));
	return *handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}

EXPORTED cublasStatus_t cublasDestroy_v2(cublasHandle_t handle)
{
	free(handle);
	return CUBLAS_STATUS_SUCCESS;
}

EXPORTED cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream)
{
	handle->stream = stream;
	return CUBLAS_STATUS_SUCCESS;
}

EXPORTED cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t *stream)
{
	*stream = handle->stream;
	return CUBLAS_STATUS_SUCCESS;
}

/* alpha and beta are read on the host. */
EXPORTED cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode)
{
	(void)handle;
	return mode == CUBLAS_POINTER_MODE_HOST ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
}

EXPORTED cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode)
{
	handle->mode = mode;
	return CUBLAS_STATUS_SUCCESS;
}

EXPORTED cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode)
{
	*mode = handle->mode;
	return CUBLAS_STATUS_SUCCESS;
}

EXPORTED cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *work, size_t bytes)
{
	(void)handle, (void)work, (void)bytes;
	return CUBLAS_STATUS_SUCCESS;
}

/* The old interface, which StarPU sets up too. */
cublasStatus_t cublasInit(void);
cublasStatus_t cublasShutdown(void);
cublasStatus_t cublasSetKernelStream(cudaStream_t stream);

EXPORTED cublasStatus_t cublasInit(void)
{
	return CUBLAS_STATUS_SUCCESS;
}

EXPORTED cublasStatus_t cublasShutdown(void)
{
	return CUBLAS_STATUS_SUCCESS;
}

EXPORTED cublasStatus_t cublasSetKernelStream(cudaStream_t stream)
{
	(void)stream;
	return CUBLAS_STATUS_SUCCESS;
}
