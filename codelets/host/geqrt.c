#include "codelets/host/geqrt.h"

#include <string.h>
#include "codelets/host/blas.h"
#include "codelets/host/kernels.h"

enum { NARROW_BLOCK = 16 };

/* V, R and T of a block of few columns, m >= n. */
static void narrow(int64_t m, int64_t n, scalar *a, int64_t lda, scalar *r, int64_t ldr, scalar *t, int64_t ldt)
{
#if IS_COMPLEX
	LAPACK(geqrt3)(LAPACK_COL_MAJOR, (int)m, (int)n, a, (int)lda, t, (int)ldt);
	for (int64_t j = 0; j < n; j++) {
		memcpy(r + j * ldr, a + j * lda, (size_t)(j + 1) * sizeof(*a));
		memset(a + j * lda, 0, (size_t)j * sizeof(*a));
		a[j + j * lda] = 1;
		memset(t + j + 1 + j * ldt, 0, (size_t)(n - j - 1) * sizeof(*t));
	}
#else
	NAME(host)()->qr_narrow(m, n, a, lda, r, ldr, t, ldt);
#endif
}

/* The first k rows of the n columns C := (I - V T^H V^H) C go to r; the others stay.  V is m by k. */
static void apply(int64_t m, int64_t n, int64_t k, const scalar *v, int64_t ldv, const scalar *t, int64_t ldt, scalar *c, int64_t ldc, scalar *r,
		  int64_t ldr, scalar *work)
{
	gemm(ADJOINT, NO_TRANS, k, n, m, 1, v, ldv, c, ldc, 0, work, k);
	trmm(CblasLeft, CblasUpper, ADJOINT, CblasNonUnit, k, n, t, ldt, work, k);
	gemm(NO_TRANS, NO_TRANS, m, n, k, -1, v, ldv, work, k, 1, c, ldc);
	for (int64_t j = 0; j < n; j++)
		memcpy(r + j * ldr, c + j * ldc, (size_t)k * sizeof(*r));
}

void NAME(geqrt)(int64_t m, int64_t n, scalar *a, int64_t lda, scalar *r, int64_t ldr, scalar *t, int64_t ldt, scalar *work)
{
	int64_t k = m < n ? m : n;

	if (k <= NARROW_BLOCK) {
		narrow(m, k, a, lda, r, ldr, t, ldt);
	} else {
		int64_t k1 = (k / 2 + NARROW_BLOCK - 1) / NARROW_BLOCK * NARROW_BLOCK, k2 = k - k1;
		scalar *right = a + k1 * lda, *t12 = t + k1 * ldt, *t22 = t12 + k1;
		NAME(geqrt)(m, k1, a, lda, r, ldr, t, ldt, work);
		apply(m, k2, k1, a, lda, t, ldt, right, lda, r + k1 * ldr, ldr, work);
		NAME(geqrt)(m - k1, k2, right + k1, lda, r + k1 + k1 * ldr, ldr, t22, ldt, work);
		for (int64_t j = 0; j < k2; j++)
			memset(right + j * lda, 0, (size_t)k1 * sizeof(*a));
		for (int64_t j = 0; j < k1; j++)
			memset(t + k1 + j * ldt, 0, (size_t)k2 * sizeof(*t));
		/* T12 = -T1 (V1^H V2) T2 */
		gemm(ADJOINT, NO_TRANS, k1, k2, m - k1, -1, a + k1, lda, right + k1, lda, 0, t12, ldt);
		trmm(CblasLeft, CblasUpper, NO_TRANS, CblasNonUnit, k1, k2, t, ldt, t12, ldt);
		trmm(CblasRight, CblasUpper, NO_TRANS, CblasNonUnit, k1, k2, t22, ldt, t12, ldt);
	}
	if (n > k)
		apply(m, n - k, k, a, lda, t, ldt, a + k * lda, lda, r + k * ldr, ldr, work);
}
