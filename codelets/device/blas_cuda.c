/* codelets/device/blas.h by cuBLAS, where it is found at run time; else products by our own kernel. */
#include "codelets/device/blas.h"

#include <pthread.h>
#include <string.h>
#include "codelets/device/blas_handle.h"
#include "codelets/device/gemm.h"
#include "codelets/device/tile.h"

#if defined(PREC_s)
#define CUBLAS_LETTER S
#elif defined(PREC_d)
#define CUBLAS_LETTER D
#elif defined(PREC_c)
#define CUBLAS_LETTER C
#else
#define CUBLAS_LETTER Z
#endif
/* Sizes of 64 bits where the library has calls that take them. */
#if CUBLAS_VER_MAJOR >= 12
#define CUBLAS(call) PREC_CAT(cublas, PREC_CAT(CUBLAS_LETTER, call##_64))
typedef int64_t blas_size;
#else
#define CUBLAS(call) PREC_CAT(cublas, PREC_CAT(CUBLAS_LETTER, call))
typedef int blas_size;
#endif

static pthread_once_t looked = PTHREAD_ONCE_INIT;
static __typeof__(&CUBLAS(gemm)) gemm;
static __typeof__(&CUBLAS(trsm)) trsm;

static void look_up(void)
{
	void *found[] = { blas_function(PREC_STRING(CUBLAS(gemm))), blas_function(PREC_STRING(CUBLAS(trsm))) };

	memcpy(&gemm, &found[0], sizeof(gemm));
	memcpy(&trsm, &found[1], sizeof(trsm));
}

/* NULL where there is no cuBLAS. */
static blas_handle handle_for(gpu_stream stream)
{
	(void)pthread_once(&looked, look_up);
	return gemm && trsm ? blas_handle_for((native_stream)stream) : NULL;
}

static cublasOperation_t operation(heddle_trans trans)
{
	return trans == HEDDLE_NO_TRANS ? CUBLAS_OP_N : trans == HEDDLE_TRANS ? CUBLAS_OP_T : CUBLAS_OP_C;
}

void NAME(gpu_gemm)(gpu_stream stream, heddle_trans ta, heddle_trans tb, int64_t m, int64_t n, int64_t k, scalar alpha, const scalar *a,
		    int64_t lda, const scalar *b, int64_t ldb, scalar beta, scalar *c, int64_t ldc)
{
	if (m <= 0 || n <= 0)
		return;
	blas_handle handle = k > 0 && alpha != 0 ? handle_for(stream) : NULL; /* that A and B are not read then, cuBLAS does not promise */
	if (!handle)
		NAME(gpu_gemm_own)(stream, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
	else
		blas_done((int)gemm(handle, operation(ta), operation(tb), (blas_size)m, (blas_size)n, (blas_size)k, (const void *)&alpha,
				    (const void *)a, (blas_size)lda, (const void *)b, (blas_size)ldb, (const void *)&beta, (void *)c,
				    (blas_size)ldc));
}

void NAME(gpu_trsm_blas)(gpu_stream stream, struct solve_kind kind, int64_t m, int64_t n, scalar alpha, const scalar *a, int64_t lda, scalar *b,
			 int64_t ldb)
{
	if (m <= 0 || n <= 0)
		return;
	blas_handle handle = handle_for(stream);
	if (!handle) { /* nobody calls this who has asked gpu_has_blas; B left as it is would pass for a solution */
		NAME(gpu_set)(stream, m, n, (scalar)NAN, (scalar)NAN, b, ldb);
		return;
	}
	blas_done((int)trsm(handle, kind.side == HEDDLE_LEFT ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT,
			    kind.uplo == HEDDLE_LOWER ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER, operation(kind.trans),
			    kind.diag == HEDDLE_UNIT ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT, (blas_size)m, (blas_size)n,
			    (const void *)&alpha, (const void *)a, (blas_size)lda, (void *)b, (blas_size)ldb));
}

bool NAME(gpu_has_blas)(void)
{
	(void)pthread_once(&looked, look_up);
	return gemm && trsm && blas_handle_there();
}

const char *NAME(gpu_blas_name)(void)
{
	return NAME(gpu_has_blas)() ? "cuBLAS" : "own";
}
