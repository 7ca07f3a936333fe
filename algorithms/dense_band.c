/* The public forms of ge2gb and sy2sb: norm and scaling, the reduction, and the scale taken out of the band again. */
#include "algorithms/algorithms.h"

#include "algorithms/blocking.h"
#include "runtime/error.h"

int NAME(dense_band_async)(const char *function, heddle_sequence *sequence, struct view a, heddle_band *band, const heddle_options *options)
{
	struct submit to = { .sequence = sequence, .stage = a.hermitian ? STAGE_SY2SB : STAGE_GE2GB, .priority = options ? options->priority : 0 };
	heddle_matrix *scale = NULL;
	int code = check_running(function);

	if (code != HEDDLE_OK || band->n == 0)
		return code;
	code = NAME(scale_input)(submit_stage(to, STAGE_INPUT), &a, &scale);
	if (code == HEDDLE_OK)
		code = (a.hermitian ? NAME(sy2sb_submit) : NAME(ge2gb_submit))(to, &a, band, NULL, options);
	for (int64_t h = 0; h < band->count && code == HEDDLE_OK; h++)
		NAME(scale)(to, matrix_tile(scale, 0, 0), true, 1, &band->handles[h], WHOLE);
	matrix_release(scale);
	if (code == HEDDLE_OK)
		return code;
	sequence_fail(sequence, code);
	return error_set(code, "%s: no memory", function);
}

int NAME(dense_band)(const char *function, const heddle_uplo *uplo, int64_t m, int64_t n, int64_t kd, scalar *A, int64_t lda, scalar *AB,
		     int64_t ldab)
{
	struct blocking b = { 0 };
	heddle_options o = { .band = kd };
	heddle_matrix *a;

	if (uplo)
		heddle_eig_options(TYPE, n, &o);
	else
		heddle_svd_options(TYPE, m, n, &o);
	int code = blocking_begin(&b);
	if (code == HEDDLE_OK)
		code = blocking_matrix(&b, &a, TYPE, m, n, A, lda, o.tile);
	if (code == HEDDLE_OK)
		code = uplo ? heddle_band_create_hermitian(&b.band, TYPE, *uplo, n, kd) : heddle_band_create(&b.band, TYPE, least(m, n), kd);
	if (code == HEDDLE_OK)
		code = NAME(dense_band_async)(function, b.sequence, uplo ? triangle_of(a, *uplo) : view_of(a), b.band, NULL);
	if (code == HEDDLE_OK)
		code = heddle_sequence_wait(b.sequence);
	if (code == HEDDLE_OK)
		heddle_band_get(b.band, AB, ldab);
	code = blocking_end(&b, code);
	return code <= HEDDLE_OK ? code : error_set(code, "%s: %s", function, heddle_strerror(code));
}
