/* cuBLAS's gemm and trsm, in stream order, by CBLAS; compiled once per precision. */
#include "tests/standin/blas.h"
#include "tests/standin/element.h"

struct call {
	cublasOperation_t trans_a, trans_b;
	cublasSideMode_t side;
	cublasFillMode_t uplo;
	cublasDiagType_t diag;
	int m, n, k, lda, ldb, ldc;
	scalar alpha, beta;
	scalar *a, *b, *c; /* device pointers */
};

static cublasStatus_t put(cublasHandle_t handle, void (*function)(void *), struct call call)
{
	struct call *copy = malloc(sizeof(*copy));

	if (!copy)
		return CUBLAS_STATUS_ALLOC_FAILED;
	*copy = call;
	standin_enqueue_blas(handle->stream, function, copy);
	return CUBLAS_STATUS_SUCCESS;
}

static void run_gemm(void *argument)
{
	struct call *o = argument;
	const scalar *a = standin_xlat(o->a), *b = standin_xlat(o->b);
	scalar *c = standin_xlat(o->c);

	CBLAS(gemm)(CblasColMajor, cblas_trans(o->trans_a), cblas_trans(o->trans_b), o->m, o->n, o->k, FACTOR(o->alpha), a, o->lda, b, o->ldb,
		FACTOR(o->beta), c, o->ldc);
	free(o);
}

static void run_trsm(void *argument)
{
	struct call *o = argument;
	const scalar *a = standin_xlat(o->a);
	scalar *b = standin_xlat(o->b);

	CBLAS(trsm)(CblasColMajor, o->side == CUBLAS_SIDE_LEFT ? CblasLeft : CblasRight,
		o->uplo == CUBLAS_FILL_MODE_LOWER ? CblasLower : CblasUpper, cblas_trans(o->trans_a),
		o->diag == CUBLAS_DIAG_UNIT ? CblasUnit : CblasNonUnit, o->m, o->n, FACTOR(o->alpha), a, o->lda, b, o->ldb);
	free(o);
}

EXPORTED cublasStatus_t CUBLAS(gemm_v2_64)(cublasHandle_t handle, cublasOperation_t trans_a, cublasOperation_t trans_b, int64_t m, int64_t n,
	int64_t k, const element *alpha, const element *a, int64_t lda, const element *b, int64_t ldb, const element *beta, element *c, int64_t ldc)
{
	int64_t rows_a = trans_a == CUBLAS_OP_N ? m : k, rows_b = trans_b == CUBLAS_OP_N ? k : n;

	if (!fits(m) || !fits(n) || !fits(k) || !fits(lda) || !fits(ldb) || !fits(ldc) ||
		lda < at_least_one(rows_a) || ldb < at_least_one(rows_b) || ldc < at_least_one(m))
		return CUBLAS_STATUS_INVALID_VALUE;
	if (m == 0 || n == 0)
		return CUBLAS_STATUS_SUCCESS;
	return put(handle, run_gemm, (struct call){ .trans_a = trans_a, .trans_b = trans_b, .m = (int)m, .n = (int)n, .k = (int)k,
		.lda = (int)lda, .ldb = (int)ldb, .ldc = (int)ldc, .alpha = *(const scalar *)alpha, .beta = *(const scalar *)beta,
		.a = (scalar *)(uintptr_t)a, .b = (scalar *)(uintptr_t)b, .c = (scalar *)c });
}

EXPORTED cublasStatus_t CUBLAS(gemm_v2)(cublasHandle_t handle, cublasOperation_t trans_a, cublasOperation_t trans_b, int m, int n, int k,
	const element *alpha, const element *a, int lda, const element *b, int ldb, const element *beta, element *c, int ldc)
{
	return CUBLAS(gemm_v2_64)(handle, trans_a, trans_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

EXPORTED cublasStatus_t CUBLAS(trsm_v2_64)(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,
	cublasDiagType_t diag, int64_t m, int64_t n, const element *alpha, const element *a, int64_t lda, element *b, int64_t ldb)
{
	int64_t order = side == CUBLAS_SIDE_LEFT ? m : n;

	if (!fits(m) || !fits(n) || !fits(lda) || !fits(ldb) || lda < at_least_one(order) || ldb < at_least_one(m))
		return CUBLAS_STATUS_INVALID_VALUE;
	if (m == 0 || n == 0)
		return CUBLAS_STATUS_SUCCESS;
	return put(handle, run_trsm, (struct call){ .trans_a = trans, .side = side, .uplo = uplo, .diag = diag, .m = (int)m, .n = (int)n,
		.lda = (int)lda, .ldb = (int)ldb, .alpha = *(const scalar *)alpha, .a = (scalar *)(uintptr_t)a, .b = (scalar *)b });
}

EXPORTED cublasStatus_t CUBLAS(trsm_v2)(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,
	cublasDiagType_t diag, int m, int n, const element *alpha, const element *a, int lda, element *b, int ldb)
{
	return CUBLAS(trsm_v2_64)(handle, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb);
}
