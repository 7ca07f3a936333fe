/* Singular values of a dense matrix, eigenvalues of a Hermitian one, end to end: norm and scaling -> QR if much taller than wide -> band ->
 * bidiagonal or tridiagonal -> values, one graph. */
#include "algorithms/algorithms.h"
#include "algorithms/values.h"

/* QR first pays from m = 5/3 n on: 2mn^2 + 2n^3 operations against 4mn^2 - 4/3 n^3. */
static bool much_taller(const struct view *a)
{
	return 3 * a->m > 5 * a->n;
}

/* The band, and behind it as far as it is final the chase, to d and e. */
static int submit_reductions(struct submit to, const struct view *a, heddle_band *band, heddle_matrix *d, heddle_matrix *e, const heddle_options *o)
{
	struct chase chase = { 0 };
	struct follower follower = { .columns_final = NAME(chase_advance), .state = &chase };
	int code = NAME(chase_begin)(&chase, submit_stage(to, a->hermitian ? STAGE_SB2ST : STAGE_GB2BD), band, o);

	if (code != HEDDLE_OK)
		return code;
	if (a->hermitian)
		code = NAME(sy2sb_submit)(submit_stage(to, STAGE_SY2SB), a, band, &follower, o);
	else
		code = NAME(ge2gb_submit)(submit_stage(to, STAGE_GE2GB), a, band, &follower, o);
	if (code != HEDDLE_OK) /* what was submitted is no result */
		sequence_fail(to.sequence, code);
	NAME(chase_end)(&chase, d, e, NULL);
	return code;
}

/* The tridiagonal by LAPACK, its values as usual. */
int NAME(one_stage_submit)(struct submit to, const struct view *a, const heddle_select *select, heddle_matrix *w, int64_t *found)
{
	int64_t n = a->n;
	heddle_matrix *d = matrix_temporary(REAL_TYPE, n, 1, n, 1), *e = matrix_temporary(REAL_TYPE, n, 1, n, 1);
	heddle_matrix *scale = matrix_temporary(REAL_TYPE, 2, 1, 2, 1);
	int code = d && e && scale ? HEDDLE_OK : HEDDLE_ENOMEM;

	if (code == HEDDLE_OK) {
		NAME(hetrd_lapack)(to, a, matrix_tile(d, 0, 0), matrix_tile(e, 0, 0), matrix_tile(scale, 0, 0));
		code = REAL_NAME(values_submit)(REDUCED, to, d, e, select, w, found, matrix_tile(scale, 0, 0));
	}
	matrix_release(scale);
	matrix_release(d);
	matrix_release(e);
	if (code != HEDDLE_OK)
		sequence_fail(to.sequence, code);
	return code;
}

int NAME(dense_vals_submit)(struct submit to, struct view a, const heddle_select *select, heddle_matrix *values, int64_t *found,
			    const heddle_options *o)
{
	int64_t n = a.n;
	heddle_matrix *scale = NULL, *d = matrix_temporary(REAL_TYPE, n, 1, n, 1), *e = matrix_temporary(REAL_TYPE, n, 1, n, 1);
	heddle_band *band = a.hermitian ? band_new_hermitian(TYPE, HEDDLE_LOWER, n, o->band, 0) : band_new(TYPE, n, o->band, 0);
	int code = d && e && band ? HEDDLE_OK : HEDDLE_ENOMEM;

	if (code == HEDDLE_OK)
		code = NAME(scale_input)(submit_stage(to, STAGE_INPUT), &a, &scale);
	if (code == HEDDLE_OK && much_taller(&a)) {
		code = NAME(tall_qr_submit)(submit_stage(to, STAGE_QR), &a, o);
		a.m = n;
	}
	if (code == HEDDLE_OK)
		code = submit_reductions(to, &a, band, d, e, o);
	if (code == HEDDLE_OK)
		code = REAL_NAME(values_submit)(a.hermitian ? REDUCED : BIDIAGONAL, submit_stage(to, STAGE_VALUES), d, e, select, values, found,
						matrix_tile(scale, 0, 0));
	matrix_release(scale);
	matrix_release(d);
	matrix_release(e);
	band_release(to.sequence, band);
	if (code != HEDDLE_OK)
		sequence_fail(to.sequence, code);
	return code;
}
