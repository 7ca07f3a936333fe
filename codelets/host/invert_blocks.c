#include <string.h>
#include "codelets/host/blas.h"
#include "codelets/host/solve.h"

/* A product with an inverse has a backward error that is greater than that of substitution by up to the block's condition: a block whose
 * estimate is beyond this is left to substitution.  It costs at most log10(LOSES_NOTHING) of the digits that the bound of substitution,
 * a multiple of the order, leaves open anyway. */
static const real LOSES_NOTHING = SOLVE_BLOCK;

static bool invert(heddle_uplo uplo, heddle_diag diag, int64_t k, const scalar *a, int64_t lda, scalar *inverse, int64_t ld)
{
	bool lower = uplo == HEDDLE_LOWER;
	scalar work[3 * SOLVE_BLOCK];
	BY_FIELD(int, real) more[SOLVE_BLOCK];
	real one = 0, infinity = 0;

	for (int64_t j = 0; j < k; j++)
		memcpy(inverse + j * ld + (lower ? j : 0), a + j * lda + (lower ? j : 0), (size_t)(lower ? k - j : j + 1) * sizeof(*a));
	LAPACK(trcon)(LAPACK_COL_MAJOR, '1', (char)uplo, (char)diag, (int)k, inverse, (int)ld, &one, work, more);
	LAPACK(trcon)(LAPACK_COL_MAJOR, 'I', (char)uplo, (char)diag, (int)k, inverse, (int)ld, &infinity, work, more);
	if (!(one * LOSES_NOTHING >= 1) || !(infinity * LOSES_NOTHING >= 1)) /* NaNs are no estimates either */
		return false;
	return LAPACK(trtri)(LAPACK_COL_MAJOR, (char)uplo, (char)diag, (int)k, inverse, (int)ld) == 0;
}

void NAME(invert_blocks)(heddle_uplo uplo, heddle_diag diag, int64_t k, const scalar *a, int64_t lda, scalar *inverses, int64_t ld)
{
	for (int64_t i = 0; i < k; i += SOLVE_BLOCK) {
		int64_t count = k - i < SOLVE_BLOCK ? k - i : SOLVE_BLOCK;
		inverses[i + SOLVE_BLOCK * ld] = invert(uplo, diag, count, a + i * (lda + 1), lda, inverses + i, ld);
	}
}
