/* gb2bd keeps the singular values: those of the bidiagonal are those of the band, over orders, band widths, groupings of the sweeps,
 * handle widths and kinds, and as LAPACK's gbbrd has them. */
#include "tests/band_problem.h"
#include "runtime/band.h"

/* Groups of sweeps, steps a task, columns a handle (0: chosen) and rows a tile of d and e. */
static const struct variant {
	int64_t group, steps, width, tile;
} variants[] = {
	{ 0, 0, 0, 500 }, { 1, 1, 0, 500 }, { 1, 4, 64, 16 },	 { 4, 4, 16, 7 },
	{ 3, 5, 5, 500 }, { 1, 1, 1, 1 },   { 500, 500, 0, 500 }, { 2, 7, 500, 50 },
};
enum { VARIANTS = sizeof(variants) / sizeof(variants[0]) };

/* d and e through the asynchronous form; e has two rows more than needed, which are to keep their marks. */
static void bidiagonal_of(const struct shape *c, const struct variant *v, const scalar *ab, real *d, real *e)
{
	int64_t n = c->n;
	heddle_options options = { .group = v->group, .steps = v->steps };
	heddle_sequence *sequence;
	heddle_matrix *dm, *em;
	heddle_band *band = band_new(TYPE, n, c->kd, v->width);

	ck_assert_ptr_nonnull(band);
	e[n - 1] = e[n] = 5;
	ck_assert_int_eq(heddle_band_set(band, ab, c->kd + 1 + c->pad), 0);
	ck_assert_int_eq(heddle_sequence_create(&sequence), 0);
	ck_assert_int_eq(heddle_matrix_create(&dm, REAL_TYPE, n, 1, d, n, v->tile), 0);
	ck_assert_int_eq(heddle_matrix_create(&em, REAL_TYPE, n + 1, 1, e, n + 1, v->tile), 0);
	ck_assert_int_eq(API(gb2bd_async)(sequence, band, dm, em, &options), 0);
	ck_assert_int_eq(heddle_sequence_wait(sequence), 0);
	heddle_matrix_destroy(dm);
	heddle_matrix_destroy(em);
	heddle_band_destroy(band);
	heddle_sequence_destroy(sequence);
	ck_assert(e[n - 1] == 5 && e[n] == 5);
}

START_TEST(blocking_form)
{
	enum kind kind = (enum kind)(_i / SHAPES);
	struct problem p = problem(kind, shapes[_i % SHAPES], (uint64_t)_i);
	size_t bytes = (size_t)((p.shape.kd + 1 + p.shape.pad) * p.shape.n) * sizeof(scalar);
	scalar *before = malloc(bytes);

	memcpy(before, p.ab, bytes);
	ck_assert_int_eq(API(gb2bd)(p.shape.n, p.shape.kd, p.ab, p.shape.kd + 1 + p.shape.pad, p.d, p.e), 0);
	ck_assert_msg(memcmp(before, p.ab, bytes) == 0, "changed its input");
	check_values(&p, kind_names[kind]);
	free(before);
	problem_free(&p);
}
END_TEST

START_TEST(groupings_and_handles)
{
	const struct variant *v = &variants[_i / SHAPES];
	struct problem p = problem(RANDOM, shapes[_i % SHAPES], (uint64_t)_i);
	char what[80];

	snprintf(what, sizeof(what), "group %d, steps %d, width %d", (int)v->group, (int)v->steps, (int)v->width);
	bidiagonal_of(&p.shape, v, p.ab, p.d, p.e);
	check_values(&p, what);
	problem_free(&p);
}
END_TEST

START_TEST(as_gbbrd)
{
	struct problem p = problem(RANDOM, (struct shape){ 300, 24, 0 }, 9);
	int n = (int)p.shape.n, kd = (int)p.shape.kd;
	scalar none, *ab = p.ab, *work = malloc((size_t)(2 * n) * sizeof(*work));
	real *rwork = malloc((size_t)n * sizeof(*rwork)), *d = malloc((size_t)n * sizeof(*d)), *e = malloc((size_t)n * sizeof(*e));

	ck_assert_int_eq(API(gb2bd)(n, kd, p.ab, kd + 1, p.d, p.e), 0);
	for (int64_t j = 0; j < kd; j++) /* LAPACK does read outside the matrix */
		for (int64_t i = 0; i < kd - j; i++)
			p.ab[i + j * (kd + 1)] = 0;
#if IS_COMPLEX
	ck_assert_int_eq(LAPACK(gbbrd)(LAPACK_COL_MAJOR, 'N', n, n, 0, 0, kd, ab, kd + 1, d, e, &none, 1, &none, 1, &none, 1, work, rwork), 0);
#else
	ck_assert_int_eq(LAPACK(gbbrd)(LAPACK_COL_MAJOR, 'N', n, n, 0, 0, kd, ab, kd + 1, d, e, &none, 1, &none, 1, &none, 1, work), 0);
#endif
	for (int i = 0; i < n; i++) {
		d[i] = (real)fabs((double)d[i]);
		e[i] = i < n - 1 ? (real)fabs((double)e[i]) : 0;
	}
	values_of(false, n, d, e, p.wanted);
	check_values(&p, "against gbbrd");
	free(work);
	free(rwork);
	free(d);
	free(e);
	problem_free(&p);
}
END_TEST

/* Some rows, the first among them, are so small that their sums of squares lose most of their digits to underflow; if that
 * made reflectors that are not unitary, the other rows would suffer. */
START_TEST(steeply_graded)
{
	struct problem p = problem(RANDOM, (struct shape){ 90, 11, 0 }, 4);
	int64_t n = p.shape.n, kd = p.shape.kd;
	real tiny = (real)ldexp(1, sizeof(real) == sizeof(float) ? -72 : -534);

	for (int64_t j = 0; j < n; j++)
		for (int64_t i = j > kd ? j - kd : 0; i <= j; i++)
			if (i % 3 == 0) {
				p.dense[i + j * n] *= tiny;
				p.ab[kd + i - j + j * (kd + 1)] *= tiny;
			}
	reference(n, n, p.dense, n, p.wanted);
	for (int i = 0; i < VARIANTS; i++) {
		bidiagonal_of(&p.shape, &variants[i], p.ab, p.d, p.e);
		check_values(&p, "steeply graded");
	}
	problem_free(&p);
}
END_TEST

START_TEST(diagonal_and_bidiagonal)
{
	scalar diagonal[3] = { 3, -4, 0 }, bidiagonal[6] = { (scalar)NAN, 1, -2, 3, 4, -5 };
	real d[3], e[2] = { 9, 9 };

#if IS_COMPLEX
	diagonal[2] = __builtin_complex((real)3, (real)4);
	bidiagonal[1] = __builtin_complex((real)0, (real)1); /* nothing but an imaginary part at B(0,0) */
#endif
	ck_assert_int_eq(API(gb2bd)(3, 0, diagonal, 1, d, e), 0);
	ck_assert(d[0] == 3 && d[1] == 4 && d[2] == (IS_COMPLEX ? 5 : 0) && e[0] == 0 && e[1] == 0);
	ck_assert_int_eq(API(gb2bd)(3, 1, bidiagonal, 2, d, e), 0);
	ck_assert(d[0] == 1 && d[1] == 3 && d[2] == 5 && e[0] == 2 && e[1] == 4);
}
END_TEST

START_TEST(imaginary_matrices)
{
#if IS_COMPLEX
	struct problem p = problem(RANDOM, (struct shape){ 50, 6, 0 }, 2);

	for (int64_t i = 0; i < p.shape.n * (p.shape.kd + 1); i++)
		p.ab[i] = __builtin_complex((real)0, __imag__ p.ab[i]);
	for (int64_t i = 0; i < p.shape.n * p.shape.n; i++)
		p.dense[i] = __builtin_complex((real)0, __imag__ p.dense[i]);
	reference(p.shape.n, p.shape.n, p.dense, p.shape.n, p.wanted);
	ck_assert_int_eq(API(gb2bd)(p.shape.n, p.shape.kd, p.ab, p.shape.kd + 1, p.d, p.e), 0);
	check_values(&p, "imaginary");
	problem_free(&p);
#endif
}
END_TEST

START_TEST(same_bits_on_every_run)
{
	const struct variant *v = &variants[_i];
	struct problem p = problem(RANDOM, (struct shape){ 160, 9, 0 }, 3);
	real *d = malloc(160 * sizeof(*d)), *e = malloc(161 * sizeof(*e));

	bidiagonal_of(&p.shape, v, p.ab, p.d, p.e);
	for (int run = 0; run < 4; run++) {
		bidiagonal_of(&p.shape, v, p.ab, d, e);
		ck_assert(memcmp(d, p.d, 160 * sizeof(*d)) == 0 && memcmp(e, p.e, 159 * sizeof(*e)) == 0);
	}
	free(d);
	free(e);
	problem_free(&p);
}
END_TEST

START_TEST(two_bands_at_once)
{
	struct problem p[2] = { problem(RANDOM, (struct shape){ 160, 12, 0 }, 1), problem(GRADED, (struct shape){ 120, 20, 0 }, 2) };
	heddle_sequence *sequence;
	heddle_matrix *d[2], *e[2];
	heddle_band *band[2];

	ck_assert_int_eq(heddle_sequence_create(&sequence), 0);
	for (int i = 0; i < 2; i++) {
		int64_t n = p[i].shape.n;
		ck_assert_int_eq(heddle_band_create(&band[i], TYPE, n, p[i].shape.kd), 0);
		ck_assert_int_eq(heddle_band_set(band[i], p[i].ab, p[i].shape.kd + 1), 0);
		ck_assert_int_eq(heddle_matrix_create(&d[i], REAL_TYPE, n, 1, p[i].d, n, 0), 0);
		ck_assert_int_eq(heddle_matrix_create(&e[i], REAL_TYPE, n - 1, 1, p[i].e, n, 0), 0);
	}
	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(API(gb2bd_async)(sequence, band[i], d[i], e[i], NULL), 0);
	ck_assert_int_eq(heddle_sequence_wait(sequence), 0);
	for (int i = 0; i < 2; i++) {
		heddle_band_destroy(band[i]);
		heddle_matrix_destroy(d[i]);
		heddle_matrix_destroy(e[i]);
		check_values(&p[i], "one of two");
		problem_free(&p[i]);
	}
	heddle_sequence_destroy(sequence);
}
END_TEST

/* A band serves again after a chase that was cancelled somewhere. */
START_TEST(cancelled_and_set_again)
{
	struct problem p = problem(RANDOM, (struct shape){ 200, 10, 0 }, 8);
	heddle_options options = { .group = 1, .steps = 1 };
	heddle_sequence *sequence;
	heddle_matrix *d, *e;
	heddle_band *band;

	ck_assert_int_eq(heddle_band_create(&band, TYPE, 200, 10), 0);
	ck_assert_int_eq(heddle_matrix_create(&d, REAL_TYPE, 200, 1, p.d, 200, 0), 0);
	ck_assert_int_eq(heddle_matrix_create(&e, REAL_TYPE, 199, 1, p.e, 199, 0), 0);
	for (int run = 0; run < 4; run++) {
		ck_assert_int_eq(heddle_sequence_create(&sequence), 0);
		ck_assert_int_eq(heddle_band_set(band, p.ab, 11), 0);
		ck_assert_int_eq(API(gb2bd_async)(sequence, band, d, e, &options), 0);
		if (run < 3)
			heddle_sequence_cancel(sequence);
		ck_assert_int_eq(heddle_sequence_wait(sequence), run < 3 ? HEDDLE_ECANCELLED : 0);
		heddle_sequence_destroy(sequence);
	}
	heddle_matrix_destroy(d);
	heddle_matrix_destroy(e);
	heddle_band_destroy(band);
	check_values(&p, "set again");
	problem_free(&p);
}
END_TEST

START_TEST(not_a_number_is_an_error)
{
	struct problem p = problem(RANDOM, (struct shape){ 40, 5, 0 }, 6);
	real bad[] = { (real)NAN, (real)INFINITY, (real)-INFINITY };

	for (int64_t j = 0; j < 40; j++)
		for (int64_t i = j > 5 ? 0 : 5 - j; i <= 5; i += 3) {
			scalar *x = &p.ab[i + j * 6], before = *x;
#if IS_COMPLEX
			*x = __builtin_complex((real)1, bad[(i + j) % 3]);
#else
			*x = bad[(i + j) % 3];
#endif
			ck_assert_int_eq(API(gb2bd)(40, 5, p.ab, 6, p.d, p.e), HEDDLE_EINPUT);
			*x = before;
		}
	ck_assert_int_eq(API(gb2bd)(40, 5, p.ab, 6, p.d, p.e), 0);
	p.ab[5] = (scalar)NAN;
	ck_assert_int_eq(API(gb2bd)(1, 5, p.ab, 6, p.d, p.e), HEDDLE_EINPUT);
	problem_free(&p);
}
END_TEST

START_TEST(illegal_arguments)
{
	scalar ab[16] = { 0 };
	real d[4] = { 77 }, e[4] = { 77 };

	ck_assert_int_eq(API(gb2bd)(-1, 2, ab, 3, d, e), -1);
	ck_assert_int_eq(API(gb2bd)(4, -1, ab, 3, d, e), -2);
	ck_assert_int_eq(API(gb2bd)(4, 2, NULL, 3, d, e), -3);
	ck_assert_int_eq(API(gb2bd)(4, 2, ab, 2, d, e), -4);
	ck_assert_ptr_nonnull(strstr(heddle_error_message(), "argument 4 (ldab) is 2"));
	ck_assert_int_eq(API(gb2bd)(4, 2, ab, 3, NULL, e), -5);
	ck_assert_int_eq(API(gb2bd)(4, 2, ab, 3, d, NULL), -6);
	ck_assert_int_eq(API(gb2bd)(0, 2, NULL, 3, NULL, NULL), 0);
	ck_assert(d[0] == 77 && e[0] == 77);
}
END_TEST

START_TEST(illegal_objects)
{
	real x[8];
	heddle_sequence *sequence;
	heddle_matrix *d, *e, *shorter, *wide, *other;
	heddle_band *band, *other_band;
	heddle_options options = { .group = -1 };
	heddle_type other_type = REAL_TYPE == HEDDLE_S ? HEDDLE_D : HEDDLE_S;

	ck_assert_int_eq(heddle_sequence_create(&sequence), 0);
	ck_assert_int_eq(heddle_matrix_create(&d, REAL_TYPE, 4, 1, x, 4, 2), 0);
	ck_assert_int_eq(heddle_matrix_create(&e, REAL_TYPE, 3, 1, x + 4, 4, 2), 0);
	ck_assert_int_eq(heddle_matrix_create(&shorter, REAL_TYPE, 2, 1, x, 4, 2), 0);
	ck_assert_int_eq(heddle_matrix_create(&wide, REAL_TYPE, 4, 2, x, 4, 2), 0);
	ck_assert_int_eq(heddle_matrix_create(&other, other_type, 1, 1, x, 4, 2), 0);
	ck_assert_int_eq(heddle_band_create(&band, TYPE, 4, 2), 0);
	ck_assert_int_eq(heddle_band_create(&other_band, other_type, 4, 2), 0);
	ck_assert_int_eq(API(gb2bd_async)(NULL, band, d, e, NULL), -1);
	ck_assert_int_eq(API(gb2bd_async)(sequence, NULL, d, e, NULL), -2);
	ck_assert_int_eq(API(gb2bd_async)(sequence, other_band, d, e, NULL), -2);
	ck_assert_int_eq(API(gb2bd_async)(sequence, band, NULL, e, NULL), -3);
	ck_assert_int_eq(API(gb2bd_async)(sequence, band, shorter, e, NULL), -3);
	ck_assert_int_eq(API(gb2bd_async)(sequence, band, wide, e, NULL), -3);
	ck_assert_int_eq(API(gb2bd_async)(sequence, band, other, e, NULL), -3);
	ck_assert_int_eq(API(gb2bd_async)(sequence, band, d, NULL, NULL), -4);
	ck_assert_int_eq(API(gb2bd_async)(sequence, band, d, shorter, NULL), -4);
	ck_assert_int_eq(API(gb2bd_async)(sequence, band, d, other, NULL), -4);
	ck_assert_int_eq(API(gb2bd_async)(sequence, band, d, wide, NULL), -4);
	ck_assert_int_eq(API(gb2bd_async)(sequence, band, d, d, NULL), -4);
	ck_assert_int_eq(API(gb2bd_async)(sequence, band, d, e, &options), -5);
	ck_assert_int_eq(heddle_sequence_wait(sequence), 0);
	heddle_band_destroy(band);
	heddle_band_destroy(other_band);
	heddle_matrix_destroy(d);
	heddle_matrix_destroy(e);
	heddle_matrix_destroy(shorter);
	heddle_matrix_destroy(wide);
	heddle_matrix_destroy(other);
	heddle_sequence_destroy(sequence);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("gb2bd");
	TCase *tests = tcase_create("gb2bd");

	tcase_set_timeout(tests, 0);
	tcase_add_loop_test(tests, blocking_form, 0, SHAPES * KINDS);
	tcase_add_loop_test(tests, groupings_and_handles, 0, SHAPES * VARIANTS);
	tcase_add_test(tests, as_gbbrd);
	tcase_add_test(tests, steeply_graded);
	tcase_add_test(tests, diagonal_and_bidiagonal);
	tcase_add_test(tests, imaginary_matrices);
	tcase_add_loop_test(tests, same_bits_on_every_run, 0, VARIANTS);
	tcase_add_test(tests, two_bands_at_once);
	tcase_add_test(tests, cancelled_and_set_again);
	tcase_add_test(tests, not_a_number_is_an_error);
	tcase_add_test(tests, illegal_arguments);
	tcase_add_test(tests, illegal_objects);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
