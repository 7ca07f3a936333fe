/* Band to tridiagonal: algorithms/chase.c on a Hermitian band. */
#include <heddle/eig.h>
#include "algorithms/blocking.h"
#include "algorithms/chase.h"
#include "runtime/error.h"

int API(BY_FIELD(sb2st_async, hb2st_async))(heddle_sequence *sequence, heddle_band *band, heddle_matrix *d, heddle_matrix *e,
					    const heddle_options *options)
{
	return NAME(chase_band)(__func__, true, sequence, band, d, e, options);
}

int API(BY_FIELD(sb2st, hb2st))(heddle_uplo uplo, int64_t n, int64_t kd, const scalar *AB, int64_t ldab, real *d, real *e)
{
	CHECK_ARGUMENT(uplo_valid(uplo), 1, "uplo", uplo, "HEDDLE_UPPER or HEDDLE_LOWER");
	return NAME(chase_array)(__func__, 2, &uplo, n, kd, AB, ldab, d, e);
}
