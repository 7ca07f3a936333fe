#include "codelets/host/geqrt.h"

#include <string.h>
#include "codelets/host/blas.h"

void NAME(geqrt)(int64_t m, int64_t n, scalar *a, int64_t lda, scalar *t, int64_t ldt, scalar *work)
{
	int64_t k = m < n ? m : n;

	for (int64_t j = 0; j < k; j++)
		memset(t + j * ldt, 0, (size_t)k * sizeof(*t));
	LAPACK(geqrt3)(LAPACK_COL_MAJOR, (int)m, (int)k, a, (int)lda, t, (int)ldt);
	if (n > k) { /* the columns beyond: C := (I - V T^H V^H) C, with V made explicit in work */
		scalar *v = work, *w = work + m * k, *c = a + k * lda;
		NAME(unit_lower)(m, k, a, lda, v, m);
		gemm(ADJOINT, NO_TRANS, k, n - k, m, 1, v, m, c, lda, 0, w, k);
		trmm(CblasLeft, CblasUpper, ADJOINT, CblasNonUnit, k, n - k, t, ldt, w, k);
		gemm(NO_TRANS, NO_TRANS, m, n - k, k, -1, v, m, w, k, 1, c, lda);
	}
}

void NAME(unit_lower)(int64_t m, int64_t k, const scalar *a, int64_t lda, scalar *v, int64_t ldv)
{
	for (int64_t j = 0; j < k; j++) {
		int64_t top = j < m ? j : m;
		memset(v + j * ldv, 0, (size_t)top * sizeof(*v));
		if (j < m) {
			v[j + j * ldv] = 1;
			memcpy(v + j + 1 + j * ldv, a + j + 1 + j * lda, (size_t)(m - j - 1) * sizeof(*v));
		}
	}
}
