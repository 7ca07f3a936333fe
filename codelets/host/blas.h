/* BLAS and LAPACK of this precision with one spelling for real and complex. */
#ifndef CODELETS_HOST_BLAS_H
#define CODELETS_HOST_BLAS_H

#include <cblas.h>
#include <lapacke.h>
#include "runtime/prec.h"

#if IS_COMPLEX
#define BLAS_SCALAR(x) ((const void *)&(scalar){ x })
#else
#define BLAS_SCALAR(x) (x)
#endif

enum { NO_TRANS = CblasNoTrans, ADJOINT = CblasConjTrans };

static inline int cblas_side(heddle_side side) { return side == HEDDLE_LEFT ? CblasLeft : CblasRight; }
static inline int cblas_uplo(heddle_uplo uplo) { return uplo == HEDDLE_LOWER ? CblasLower : CblasUpper; }
static inline int cblas_diag(heddle_diag diag) { return diag == HEDDLE_UNIT ? CblasUnit : CblasNonUnit; }
static inline int cblas_trans(heddle_trans trans)
{
	return trans == HEDDLE_NO_TRANS ? CblasNoTrans : trans == HEDDLE_TRANS ? CblasTrans : CblasConjTrans;
}

/* OpenBLAS 0.3.21's complex gemv reads up to a column past the end of its matrix, and LAPACK's complex panels call it: what is handed to them
 * has room for a column of m elements behind it. */
#define READ_BEHIND(m) (IS_COMPLEX ? (int64_t)(m) : 0)

/* C := alpha op(A) op(B) + beta C */
static inline void gemm(int op_a, int op_b, int64_t m, int64_t n, int64_t k, scalar alpha, const scalar *a, int64_t lda,
			const scalar *b, int64_t ldb, scalar beta, scalar *c, int64_t ldc)
{
	CBLAS(gemm)(CblasColMajor, op_a, op_b, m, n, k, BLAS_SCALAR(alpha), a, lda, b, ldb, BLAS_SCALAR(beta), c, ldc);
}

/* B := op(T) B (left) or B op(T) (right), T triangular */
static inline void trmm(int side, int uplo, int op, int diag, int64_t m, int64_t n, const scalar *t, int64_t ldt, scalar *b,
			int64_t ldb)
{
	CBLAS(trmm)(CblasColMajor, side, uplo, op, diag, m, n, BLAS_SCALAR(1), t, ldt, b, ldb);
}

/* B := op(T)^-1 B (left) or B op(T)^-1 (right), T triangular */
static inline void trsm(int side, int uplo, int op, int diag, int64_t m, int64_t n, const scalar *t, int64_t ldt, scalar *b,
			int64_t ldb)
{
	CBLAS(trsm)(CblasColMajor, side, uplo, op, diag, m, n, BLAS_SCALAR(1), t, ldt, b, ldb);
}

#endif
