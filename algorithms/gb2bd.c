/* Band to bidiagonal: algorithms/chase.c on an upper band. */
#include <heddle/svd.h>
#include "algorithms/chase.h"

int API(gb2bd_async)(heddle_sequence *sequence, heddle_band *band, heddle_matrix *d, heddle_matrix *e, const heddle_options *options)
{
	return NAME(chase_band)(__func__, false, sequence, band, d, e, options);
}

int API(gb2bd)(int64_t n, int64_t kd, const scalar *AB, int64_t ldab, real *d, real *e)
{
	return NAME(chase_array)(__func__, 1, NULL, n, kd, AB, ldab, d, e);
}
