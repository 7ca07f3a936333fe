#include "codelets/host/gesdd_vals.h"

#include <stdlib.h>
#include "codelets/host/blas.h"

static bool finite_matrix(int64_t m, int64_t n, const scalar *a, int64_t lda)
{
	real poison = 0;

	for (int64_t j = 0; j < n; j++) {
		const real *x = (const real *)(a + j * lda);
#pragma omp simd reduction(+ : poison)
		for (int64_t i = 0; i < m * (1 + IS_COMPLEX); i++)
			poison += x[i] * 0;
	}
	return poison == 0;
}

static int call(int64_t m, int64_t n, scalar *a, int64_t lda, real *s, scalar *work, int lwork, real *rwork, int *iwork)
{
	scalar none;

#if IS_COMPLEX
	return LAPACK(gesdd)(LAPACK_COL_MAJOR, 'N', (int)m, (int)n, a, (int)lda, s, &none, 1, &none, 1, work, lwork, rwork, iwork);
#else
	(void)rwork;
	return LAPACK(gesdd)(LAPACK_COL_MAJOR, 'N', (int)m, (int)n, a, (int)lda, s, &none, 1, &none, 1, work, lwork, iwork);
#endif
}

int NAME(gesdd_vals)(int64_t m, int64_t n, scalar *a, int64_t lda, real *s)
{
	int64_t k = m < n ? m : n;
	scalar size = 0;
	int code = HEDDLE_ENOMEM;

	if (k == 0)
		return HEDDLE_OK;
	if (!finite_matrix(m, n, a, lda))
		return HEDDLE_EINPUT;
	call(m, n, a, lda, s, &size, -1, NULL, NULL);
	int lwork = (int)real_part(size) + 1;
	scalar *work = malloc((size_t)lwork * sizeof(*work));
	real *rwork = malloc((size_t)(IS_COMPLEX ? 7 * k : 1) * sizeof(*rwork));
	int *iwork = malloc((size_t)(8 * k) * sizeof(*iwork));
	if (work && rwork && iwork)
		code = call(m, n, a, lda, s, work, lwork, rwork, iwork) == 0 ? HEDDLE_OK : HEDDLE_ENOCONV;
	free(work);
	free(rwork);
	free(iwork);
	return code;
}

#if !IS_COMPLEX
void NAME(select_values)(const heddle_select *select, int64_t n, const real *s, int64_t *first, int64_t *count)
{
	int64_t begin = 0, end = n;

	if (select->kind == HEDDLE_INDEX) {
		begin = select->il - 1;
		end = select->iu;
	} else if (select->kind == HEDDLE_VALUE) {
		while (begin < n && s[begin] > select->vu)
			begin++;
		for (end = begin; end < n && s[end] > select->vl; end++)
			;
	}
	*first = begin;
	*count = end - begin;
}
#endif
