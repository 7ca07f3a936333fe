/* Takes the place of libcublas where there is none, so that StarPU, which is linked to it, loads: Heddle then uses its own product.
 * An application that starts StarPU's cuBLAS support is told that it could not be. */
enum { NOT_INITIALIZED = 1 };

#define STUB(name)                              \
	__attribute__((visibility("default"))) int name(void); \
	int name(void) { return NOT_INITIALIZED; }

STUB(cublasCreate_v2)
STUB(cublasDestroy_v2)
STUB(cublasInit)
STUB(cublasSetKernelStream)
STUB(cublasSetStream_v2)
STUB(cublasShutdown)
