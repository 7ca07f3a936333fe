/* sb2st and hb2st keep the eigenvalues: those of the tridiagonal are those of the band within (4 sqrt(2n) + 10) eps |B|, over orders,
 * band widths, triangles, groupings of the sweeps, handle widths and kinds.  Bands hold NaN wherever nothing is to be read. */
#include "tests/band_problem.h"
#include "runtime/band.h"

#define SB2ST API(BY_FIELD(sb2st, hb2st))
#define SB2ST_ASYNC API(BY_FIELD(sb2st_async, hb2st_async))

/* Groups of sweeps, steps a task, columns a handle (0: chosen) and rows a tile of d and e. */
static const struct variant {
	int64_t group, steps, width, tile;
} variants[] = {
	{ 0, 0, 0, 500 }, { 1, 1, 0, 500 }, { 1, 4, 64, 16 },	 { 4, 4, 16, 7 },
	{ 3, 5, 5, 500 }, { 1, 1, 1, 1 },   { 500, 500, 0, 500 }, { 2, 7, 500, 50 },
};
enum { VARIANTS = sizeof(variants) / sizeof(variants[0]) };

static int64_t ldab_of(const struct problem *p)
{
	return p->shape.kd + 1 + p->shape.pad;
}

/* d and e through the asynchronous form; e has two rows more than needed, which are to keep their marks. */
static void tridiagonal_of(const struct problem *p, heddle_uplo uplo, const struct variant *v, real *d, real *e)
{
	int64_t n = p->shape.n;
	heddle_options options = { .group = v->group, .steps = v->steps };
	heddle_sequence *sequence;
	heddle_matrix *dm, *em;
	heddle_band *band = band_new_hermitian(TYPE, uplo, n, p->shape.kd, v->width);

	ck_assert_ptr_nonnull(band);
	e[n - 1] = e[n] = 5;
	ck_assert_int_eq(heddle_band_set(band, p->ab, ldab_of(p)), 0);
	ck_assert_int_eq(heddle_sequence_create(&sequence), 0);
	ck_assert_int_eq(heddle_matrix_create(&dm, REAL_TYPE, n, 1, d, n, v->tile), 0);
	ck_assert_int_eq(heddle_matrix_create(&em, REAL_TYPE, n + 1, 1, e, n + 1, v->tile), 0);
	ck_assert_int_eq(SB2ST_ASYNC(sequence, band, dm, em, &options), 0);
	ck_assert_int_eq(heddle_sequence_wait(sequence), 0);
	heddle_matrix_destroy(dm);
	heddle_matrix_destroy(em);
	heddle_band_destroy(band);
	heddle_sequence_destroy(sequence);
	ck_assert(e[n - 1] == 5 && e[n] == 5);
}

static void run_blocking(const struct problem *p, heddle_uplo uplo, const char *what)
{
	size_t bytes = (size_t)(ldab_of(p) * p->shape.n) * sizeof(scalar);
	scalar *before = malloc(bytes);

	memcpy(before, p->ab, bytes);
	ck_assert_int_eq(SB2ST(uplo, p->shape.n, p->shape.kd, p->ab, ldab_of(p), p->d, p->e), 0);
	ck_assert_msg(memcmp(before, p->ab, bytes) == 0, "changed its input");
	for (int64_t i = 0; i < p->shape.n - 1; i++)
		ck_assert(p->e[i] >= 0);
	check_values(p, what);
	free(before);
}

START_TEST(blocking_form)
{
	enum kind kind = (enum kind)(_i / 2 / SHAPES);
	heddle_uplo uplo = both[_i % 2];
	struct problem p = hermitian_problem(kind, shapes[_i / 2 % SHAPES], uplo, (uint64_t)_i);

	run_blocking(&p, uplo, kind_names[kind]);
	problem_free(&p);
}
END_TEST

START_TEST(groupings_and_handles)
{
	const struct variant *v = &variants[_i / SHAPES];
	heddle_uplo uplo = both[_i % 2];
	struct problem p = hermitian_problem(RANDOM, shapes[_i % SHAPES], uplo, (uint64_t)_i);
	char what[80];

	snprintf(what, sizeof(what), "group %d, steps %d, width %d", (int)v->group, (int)v->steps, (int)v->width);
	tridiagonal_of(&p, uplo, v, p.d, p.e);
	check_values(&p, what);
	problem_free(&p);
}
END_TEST

/* Some rows and columns, the first among them, are so small that sums of squares lose most of their digits to underflow; if that
 * made reflectors that are not unitary, the others would suffer. */
START_TEST(steeply_graded)
{
	struct problem p = hermitian_problem(RANDOM, (struct shape){ 90, 11, 0 }, HEDDLE_LOWER, 4);
	int64_t n = p.shape.n, kd = p.shape.kd;
	real tiny = (real)ldexp(1, sizeof(real) == sizeof(float) ? -36 : -267);

	for (int64_t j = 0; j < n; j++)
		for (int64_t i = 0; i < n; i++) {
			real factor = (i % 3 == 0 ? tiny : 1) * (j % 3 == 0 ? tiny : 1);
			p.dense[i + j * n] *= factor;
			if (i >= j && i - j <= kd)
				p.ab[i - j + j * (kd + 1)] = make_scalar(factor * real_part(p.ab[i - j + j * (kd + 1)]),
									 factor * imaginary_part(p.ab[i - j + j * (kd + 1)]));
		}
	eigenvalues(HEDDLE_LOWER, n, p.dense, n, p.wanted);
	for (int i = 0; i < VARIANTS; i++) {
		tridiagonal_of(&p, HEDDLE_LOWER, &variants[i], p.d, p.e);
		check_values(&p, "steeply graded");
	}
	problem_free(&p);
}
END_TEST

/* Nothing is done to what is a tridiagonal already, but for the signs and phases of e. */
START_TEST(diagonal_and_tridiagonal)
{
	scalar diagonal[3] = { 3, -4, 0 }, lower[6] = { 1, -2, 3, 4, -5, not_a_number() }, upper[6] = { not_a_number(), 1, -2, 3, 4, -5 };
	real d[3], e[2] = { 9, 9 };

	ck_assert_int_eq(SB2ST(HEDDLE_LOWER, 3, 0, diagonal, 1, d, e), 0);
	ck_assert(d[0] == 3 && d[1] == -4 && d[2] == 0 && e[0] == 0 && e[1] == 0);
	ck_assert_int_eq(SB2ST(HEDDLE_UPPER, 3, 0, diagonal, 1, d, e), 0);
	ck_assert(d[0] == 3 && d[1] == -4 && d[2] == 0 && e[0] == 0 && e[1] == 0);
	lower[3] = make_scalar(3, 4);
	ck_assert_int_eq(SB2ST(HEDDLE_LOWER, 3, 1, lower, 2, d, e), 0);
	ck_assert(d[0] == 1 && d[1] == 3 && d[2] == -5 && e[0] == 2 && e[1] == (IS_COMPLEX ? 5 : 3));
	ck_assert_int_eq(SB2ST(HEDDLE_UPPER, 3, 1, upper, 2, d, e), 0);
	ck_assert(d[0] == 1 && d[1] == 3 && d[2] == -5 && e[0] == 2 && e[1] == 4);
}
END_TEST

/* Both triangles of one matrix are one matrix: the same bits. */
START_TEST(either_triangle)
{
	struct shape c = { 100, 9, 2 };
	struct problem p[2] = { hermitian_problem(RANDOM, c, HEDDLE_LOWER, 7), hermitian_problem(RANDOM, c, HEDDLE_UPPER, 7) };

	for (int i = 0; i < 2; i++)
		run_blocking(&p[i], both[i], "either triangle");
	ck_assert(memcmp(p[0].d, p[1].d, 100 * sizeof(real)) == 0 && memcmp(p[0].e, p[1].e, 99 * sizeof(real)) == 0);
	problem_free(&p[0]);
	problem_free(&p[1]);
}
END_TEST

START_TEST(imaginary_matrices)
{
#if IS_COMPLEX
	struct problem p = hermitian_problem(RANDOM, (struct shape){ 50, 6, 0 }, HEDDLE_LOWER, 2);

	for (int64_t i = 0; i < p.shape.n * (p.shape.kd + 1); i++)
		p.ab[i] = make_scalar(0, imaginary_part(p.ab[i]));
	for (int64_t i = 0; i < p.shape.n * p.shape.n; i++)
		p.dense[i] = make_scalar(0, imaginary_part(p.dense[i]));
	eigenvalues(HEDDLE_LOWER, p.shape.n, p.dense, p.shape.n, p.wanted);
	run_blocking(&p, HEDDLE_LOWER, "imaginary");
	problem_free(&p);
#endif
}
END_TEST

/* Whatever the run, the grouping and the width of a handle. */
START_TEST(same_bits)
{
	struct problem p = hermitian_problem(RANDOM, (struct shape){ 160, 9, 0 }, HEDDLE_UPPER, 3);
	real *d = malloc(160 * sizeof(*d)), *e = malloc(161 * sizeof(*e));

	tridiagonal_of(&p, HEDDLE_UPPER, &variants[0], p.d, p.e);
	for (int run = 0; run < 4; run++) {
		tridiagonal_of(&p, HEDDLE_UPPER, &variants[_i], d, e);
		ck_assert(memcmp(d, p.d, 160 * sizeof(*d)) == 0 && memcmp(e, p.e, 159 * sizeof(*e)) == 0);
	}
	free(d);
	free(e);
	problem_free(&p);
}
END_TEST

START_TEST(two_bands_at_once)
{
	struct problem p[2] = { hermitian_problem(RANDOM, (struct shape){ 160, 12, 0 }, HEDDLE_LOWER, 1),
				hermitian_problem(GRADED, (struct shape){ 120, 20, 0 }, HEDDLE_UPPER, 2) };
	heddle_sequence *sequence;
	heddle_matrix *d[2], *e[2];
	heddle_band *band[2];

	ck_assert_int_eq(heddle_sequence_create(&sequence), 0);
	for (int i = 0; i < 2; i++) {
		int64_t n = p[i].shape.n;
		ck_assert_int_eq(heddle_band_create_hermitian(&band[i], TYPE, both[i], n, p[i].shape.kd), 0);
		ck_assert_int_eq(heddle_band_set(band[i], p[i].ab, ldab_of(&p[i])), 0);
		ck_assert_int_eq(heddle_matrix_create(&d[i], REAL_TYPE, n, 1, p[i].d, n, 0), 0);
		ck_assert_int_eq(heddle_matrix_create(&e[i], REAL_TYPE, n - 1, 1, p[i].e, n, 0), 0);
	}
	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(SB2ST_ASYNC(sequence, band[i], d[i], e[i], NULL), 0);
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
	struct problem p = hermitian_problem(RANDOM, (struct shape){ 200, 10, 0 }, HEDDLE_LOWER, 8);
	heddle_options options = { .group = 1, .steps = 1 };
	heddle_sequence *sequence;
	heddle_matrix *d, *e;
	heddle_band *band;

	ck_assert_int_eq(heddle_band_create_hermitian(&band, TYPE, HEDDLE_LOWER, 200, 10), 0);
	ck_assert_int_eq(heddle_matrix_create(&d, REAL_TYPE, 200, 1, p.d, 200, 0), 0);
	ck_assert_int_eq(heddle_matrix_create(&e, REAL_TYPE, 199, 1, p.e, 199, 0), 0);
	for (int run = 0; run < 4; run++) {
		ck_assert_int_eq(heddle_sequence_create(&sequence), 0);
		ck_assert_int_eq(heddle_band_set(band, p.ab, 11), 0);
		ck_assert_int_eq(SB2ST_ASYNC(sequence, band, d, e, &options), 0);
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
	heddle_uplo uplo = both[_i];
	struct problem p = hermitian_problem(RANDOM, (struct shape){ 40, 5, 0 }, uplo, 6);
	real bad[] = { (real)NAN, (real)INFINITY, (real)-INFINITY };

	for (int64_t j = 0; j < 40; j++)
		for (int64_t i = 0; i <= 5; i++) {
			scalar *x = &p.ab[i + j * 6], before = *x;
			bool diagonal = i == (uplo == HEDDLE_LOWER ? 0 : 5);
			if (uplo == HEDDLE_LOWER ? i + j > 39 : i + j < 5)
				continue; /* outside the matrix */
			*x = IS_COMPLEX && !diagonal ? make_scalar(1, bad[(i + j) % 3]) : make_scalar(bad[(i + j) % 3], 0);
			ck_assert_int_eq(SB2ST(uplo, 40, 5, p.ab, 6, p.d, p.e), HEDDLE_EINPUT);
			*x = before;
		}
	run_blocking(&p, uplo, "no NaN any more");
	p.ab[uplo == HEDDLE_LOWER ? 0 : 5] = (scalar)NAN;
	ck_assert_int_eq(SB2ST(uplo, 1, 5, p.ab, 6, p.d, p.e), HEDDLE_EINPUT);
	problem_free(&p);
}
END_TEST

START_TEST(illegal_arguments)
{
	scalar ab[16] = { 0 };
	real d[4] = { 77 }, e[4] = { 77 };

	ck_assert_int_eq(SB2ST((heddle_uplo)'X', 4, 2, ab, 3, d, e), -1);
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(SB2ST(both[i], -1, 2, ab, 3, d, e), -2);
		ck_assert_int_eq(SB2ST(both[i], 4, -1, ab, 3, d, e), -3);
		ck_assert_int_eq(SB2ST(both[i], 4, 2, NULL, 3, d, e), -4);
		ck_assert_int_eq(SB2ST(both[i], 4, 2, ab, 2, d, e), -5);
		ck_assert_ptr_nonnull(strstr(heddle_error_message(), "argument 5 (ldab) is 2"));
		ck_assert_int_eq(SB2ST(both[i], 4, 2, ab, 3, NULL, e), -6);
		ck_assert_int_eq(SB2ST(both[i], 4, 2, ab, 3, d, NULL), -7);
		ck_assert_int_eq(SB2ST(both[i], 0, 2, NULL, 3, NULL, NULL), 0);
	}
	ck_assert(d[0] == 77 && e[0] == 77);
}
END_TEST

START_TEST(illegal_objects)
{
	real x[8];
	heddle_sequence *sequence;
	heddle_matrix *d, *e, *shorter, *wide, *other;
	heddle_band *band, *upper_band, *other_band;
	heddle_options options = { .group = -1 };
	heddle_type other_type = REAL_TYPE == HEDDLE_S ? HEDDLE_D : HEDDLE_S;

	ck_assert_int_eq(heddle_sequence_create(&sequence), 0);
	ck_assert_int_eq(heddle_matrix_create(&d, REAL_TYPE, 4, 1, x, 4, 2), 0);
	ck_assert_int_eq(heddle_matrix_create(&e, REAL_TYPE, 3, 1, x + 4, 4, 2), 0);
	ck_assert_int_eq(heddle_matrix_create(&shorter, REAL_TYPE, 2, 1, x, 4, 2), 0);
	ck_assert_int_eq(heddle_matrix_create(&wide, REAL_TYPE, 4, 2, x, 4, 2), 0);
	ck_assert_int_eq(heddle_matrix_create(&other, other_type, 1, 1, x, 4, 2), 0);
	ck_assert_int_eq(heddle_band_create_hermitian(&band, TYPE, HEDDLE_LOWER, 4, 2), 0);
	ck_assert_int_eq(heddle_band_create(&upper_band, TYPE, 4, 2), 0);
	ck_assert_int_eq(heddle_band_create_hermitian(&other_band, other_type, HEDDLE_LOWER, 4, 2), 0);
	ck_assert_int_eq(SB2ST_ASYNC(NULL, band, d, e, NULL), -1);
	ck_assert_int_eq(SB2ST_ASYNC(sequence, NULL, d, e, NULL), -2);
	ck_assert_int_eq(SB2ST_ASYNC(sequence, other_band, d, e, NULL), -2);
	ck_assert_int_eq(SB2ST_ASYNC(sequence, upper_band, d, e, NULL), -2);
	ck_assert_int_eq(API(gb2bd_async)(sequence, band, d, e, NULL), -2);
	ck_assert_int_eq(SB2ST_ASYNC(sequence, band, NULL, e, NULL), -3);
	ck_assert_int_eq(SB2ST_ASYNC(sequence, band, shorter, e, NULL), -3);
	ck_assert_int_eq(SB2ST_ASYNC(sequence, band, wide, e, NULL), -3);
	ck_assert_int_eq(SB2ST_ASYNC(sequence, band, other, e, NULL), -3);
	ck_assert_int_eq(SB2ST_ASYNC(sequence, band, d, NULL, NULL), -4);
	ck_assert_int_eq(SB2ST_ASYNC(sequence, band, d, shorter, NULL), -4);
	ck_assert_int_eq(SB2ST_ASYNC(sequence, band, d, other, NULL), -4);
	ck_assert_int_eq(SB2ST_ASYNC(sequence, band, d, wide, NULL), -4);
	ck_assert_int_eq(SB2ST_ASYNC(sequence, band, d, d, NULL), -4);
	ck_assert_int_eq(SB2ST_ASYNC(sequence, band, d, e, &options), -5);
	ck_assert_int_eq(heddle_sequence_wait(sequence), 0);
	heddle_band_destroy(band);
	heddle_band_destroy(upper_band);
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
	Suite *suite = suite_create("sb2st");
	TCase *tests = tcase_create("sb2st");

	tcase_set_timeout(tests, 0);
	tcase_add_loop_test(tests, blocking_form, 0, 2 * SHAPES * KINDS);
	tcase_add_loop_test(tests, groupings_and_handles, 0, SHAPES * VARIANTS);
	tcase_add_test(tests, steeply_graded);
	tcase_add_test(tests, diagonal_and_tridiagonal);
	tcase_add_test(tests, either_triangle);
	tcase_add_test(tests, imaginary_matrices);
	tcase_add_loop_test(tests, same_bits, 0, VARIANTS);
	tcase_add_test(tests, two_bands_at_once);
	tcase_add_test(tests, cancelled_and_set_again);
	tcase_add_loop_test(tests, not_a_number_is_an_error, 0, 2);
	tcase_add_test(tests, illegal_arguments);
	tcase_add_test(tests, illegal_objects);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
