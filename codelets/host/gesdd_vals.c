#include "codelets/host/gesdd_vals.h"

#include <stdlib.h>
#include <string.h>
#include "codelets/host/blas.h"
#include "codelets/host/largest.h"

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

static int values_of(int64_t m, int64_t n, scalar *a, int64_t lda, real *s)
{
	int64_t k = m < n ? m : n;
	scalar size = 0;
	int code = HEDDLE_ENOMEM;

	call(m, n, a, lda, s, &size, -1, NULL, NULL);
	int lwork = (int)real_part(size) + 1;
	scalar *work = malloc((size_t)(lwork + READ_BEHIND(m + n)) * sizeof(*work));
	real *rwork = malloc((size_t)(IS_COMPLEX ? 7 * k : 1) * sizeof(*rwork));
	int *iwork = malloc((size_t)(8 * k) * sizeof(*iwork));
	if (work && rwork && iwork)
		code = call(m, n, a, lda, s, work, lwork, rwork, iwork) == 0 ? HEDDLE_OK : HEDDLE_ENOCONV;
	free(work);
	free(rwork);
	free(iwork);
	return code;
}

int NAME(gesdd_vals)(int64_t m, int64_t n, scalar *a, int64_t lda, real *s)
{
	struct largest largest = { 0 };

	if (m == 0 || n == 0)
		return HEDDLE_OK;
	for (int64_t j = 0; j < n; j++)
		largest_of(&largest, m, a + j * lda);
	if (largest.poison != 0) /* or NaN */
		return HEDDLE_EINPUT;
	if (READ_BEHIND(m) == 0)
		return values_of(m, n, a, lda, s);
	scalar *copy = malloc((size_t)(m * n + READ_BEHIND(m)) * sizeof(*copy));
	if (!copy)
		return HEDDLE_ENOMEM;
	for (int64_t j = 0; j < n; j++)
		memcpy(copy + j * m, a + j * lda, (size_t)m * sizeof(*a));
	int code = values_of(m, n, copy, m, s);
	free(copy);
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
