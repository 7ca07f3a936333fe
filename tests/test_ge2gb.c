/* ge2gb keeps the singular values: those of the band are those of the matrix, over shapes, band widths, tile sizes, leaves and kinds. */
#include "tests/support.h"

static const struct shape {
	int64_t m, n, kd, tile, leaf, pad;
} shapes[] = {
	{ 1, 1, 1, 8, 0, 0 },	  { 1, 7, 2, 4, 0, 1 },	     { 7, 1, 3, 4, 0, 0 },     { 2, 2, 1, 8, 0, 3 },	 { 15, 15, 16, 8, 0, 0 },
	{ 16, 16, 16, 16, 0, 0 }, { 17, 17, 16, 16, 0, 1 },  { 33, 33, 8, 16, 8, 0 },  { 64, 64, 8, 16, 16, 0 }, { 65, 64, 7, 16, 14, 2 },
	{ 64, 65, 7, 16, 14, 2 }, { 63, 63, 5, 24, 10, 0 },  { 100, 80, 12, 5, 24, 4 }, { 80, 100, 12, 5, 24, 0 }, { 128, 128, 32, 32, 1, 0 },
	{ 150, 40, 9, 32, 20, 0 }, { 40, 150, 9, 32, 20, 5 }, { 97, 97, 1, 16, 16, 0 }, { 130, 129, 64, 48, 0, 0 }, { 200, 200, 24, 64, 30, 0 },
};
enum { SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

/* The band's values through the asynchronous form; AB receives the band as well. */
static void band_of(const struct shape *c, scalar *a, int64_t lda, scalar *ab, int64_t ldab)
{
	int64_t k = c->m < c->n ? c->m : c->n;
	heddle_options options = { .leaf = c->leaf };
	heddle_sequence *sequence;
	heddle_matrix *matrix;
	heddle_band *band;

	ck_assert_int_eq(heddle_sequence_create(&sequence), 0);
	ck_assert_int_eq(heddle_matrix_create(&matrix, TYPE, c->m, c->n, a, lda, c->tile), 0);
	ck_assert_int_eq(heddle_band_create(&band, TYPE, k, c->kd), 0);
	ck_assert_int_eq(API(ge2gb_async)(sequence, matrix, band, &options), 0);
	ck_assert_int_eq(heddle_sequence_wait(sequence), 0);
	ck_assert_int_eq(heddle_band_get(band, ab, ldab), 0);
	heddle_band_destroy(band);
	heddle_matrix_destroy(matrix);
	heddle_sequence_destroy(sequence);
}

/* The dense k by k matrix of a band. */
static scalar *dense_of(int64_t k, int64_t kd, const scalar *ab, int64_t ldab)
{
	scalar *b = calloc((size_t)(k * k), sizeof(*b));

	for (int64_t j = 0; j < k; j++)
		for (int64_t i = j > kd ? j - kd : 0; i <= j; i++)
			b[i + j * k] = ab[kd + i - j + j * ldab];
	return b;
}

START_TEST(values_are_kept)
{
	const struct shape *c = &shapes[_i % SHAPES];
	enum kind kind = (enum kind)(_i / SHAPES);
	int64_t k = c->m < c->n ? c->m : c->n, lda = c->m + c->pad, ldab = c->kd + 1 + c->pad;

	scalar *a = malloc((size_t)(lda * c->n) * sizeof(*a)), *ab = malloc((size_t)(ldab * k) * sizeof(*ab));
	real *s = malloc((size_t)k * sizeof(*s)), *t = malloc((size_t)k * sizeof(*t));
	fill(kind, c->m, c->n, a, lda, (uint64_t)_i);
	reference(c->m, c->n, a, lda, s);
	band_of(c, a, lda, ab, ldab);
	scalar *b = dense_of(k, c->kd, ab, ldab);
	reference(k, k, b, k, t);
	double error = error_in_eps(k, t, s);
	ck_assert_msg(error <= bound_in_eps(c->m, c->n), "%s %d x %d, kd %d, tile %d, leaf %d: error %.1f eps*norm", kind_names[kind], (int)c->m,
		      (int)c->n, (int)c->kd, (int)c->tile, (int)c->leaf, error);
	for (int64_t j = 0; j < c->n; j++)
		for (int64_t i = c->m; i < lda; i++)
			ck_assert_msg(a[i + j * lda] == (scalar)77, "wrote between the columns of A");
	free(a);
	free(ab);
	free(b);
	free(s);
	free(t);
}
END_TEST

START_TEST(same_bits_on_every_run)
{
	const struct shape c = { 150, 130, 16, 32, 40, 0 };
	size_t bytes = (size_t)(c.n * (c.kd + 1)) * sizeof(scalar);
	scalar *a = malloc((size_t)(c.m * c.n) * sizeof(*a)), *ab[2] = { calloc(1, bytes), calloc(1, bytes) };

	for (int run = 0; run < 8; run++) {
		fill(RANDOM, c.m, c.n, a, c.m, 5);
		band_of(&c, a, c.m, ab[run > 0], c.kd + 1);
		ck_assert(run == 0 || memcmp(ab[0], ab[1], bytes) == 0);
	}
	free(a);
	free(ab[0]);
	free(ab[1]);
}
END_TEST

START_TEST(blocking_form)
{
	enum { M = 70, N = 50, KD = 6 };
	scalar a[M * N], ab[N * (KD + 1)];
	real s[N], t[N];

	fill(RANDOM, M, N, a, M, 1);
	reference(M, N, a, M, s);
	ck_assert_int_eq(API(ge2gb)(M, N, KD, a, M, ab, KD + 1), 0);
	scalar *b = dense_of(N, KD, ab, KD + 1);
	reference(N, N, b, N, t);
	ck_assert_double_le(error_in_eps(N, t, s), bound_in_eps(M, N));
	free(b);
	ck_assert_int_eq(API(ge2gb)(0, 5, 1, NULL, 1, NULL, 2), 0);
}
END_TEST

START_TEST(not_a_number_is_an_error)
{
	enum { N = 40 };
	scalar a[N * N], ab[N * 5];

	for (int where = 0; where < N * N; where += 111) {
		fill(RANDOM, N, N, a, N, 1);
		a[where] = where % 2 ? (scalar)NAN : (scalar)INFINITY;
		ck_assert_int_eq(API(ge2gb)(N, N, 4, a, N, ab, 5), HEDDLE_EINPUT);
	}
}
END_TEST

START_TEST(illegal_arguments)
{
	scalar a[16], ab[16];

	ck_assert_int_eq(API(ge2gb)(-1, 4, 2, a, 4, ab, 3), -1);
	ck_assert_int_eq(API(ge2gb)(4, -1, 2, a, 4, ab, 3), -2);
	ck_assert_int_eq(API(ge2gb)(4, 4, 0, a, 4, ab, 3), -3);
	ck_assert_int_eq(API(ge2gb)(4, 4, 2, NULL, 4, ab, 3), -4);
	ck_assert_int_eq(API(ge2gb)(4, 4, 2, a, 3, ab, 3), -5);
	ck_assert_ptr_nonnull(strstr(heddle_error_message(), "argument 5 (lda) is 3"));
	ck_assert_int_eq(API(ge2gb)(4, 4, 2, a, 4, NULL, 3), -6);
	ck_assert_int_eq(API(ge2gb)(4, 4, 2, a, 4, ab, 2), -7);
}
END_TEST

START_TEST(illegal_objects)
{
	scalar a[16];
	heddle_sequence *sequence;
	heddle_matrix *matrix, *other;
	heddle_band *band, *wrong_order, *diagonal;
	heddle_options options = { .leaf = -1 };

	ck_assert_int_eq(heddle_sequence_create(&sequence), 0);
	ck_assert_int_eq(heddle_matrix_create(&matrix, TYPE, 4, 4, a, 4, 2), 0);
	ck_assert_int_eq(heddle_matrix_create(&other, TYPE == HEDDLE_S ? HEDDLE_D : HEDDLE_S, 1, 1, a, 4, 2), 0);
	ck_assert_int_eq(heddle_band_create(&band, TYPE, 4, 2), 0);
	ck_assert_int_eq(heddle_band_create(&wrong_order, TYPE, 5, 2), 0);
	ck_assert_int_eq(heddle_band_create(&diagonal, TYPE, 4, 0), 0);
	ck_assert_int_eq(API(ge2gb_async)(NULL, matrix, band, NULL), -1);
	ck_assert_int_eq(API(ge2gb_async)(sequence, NULL, band, NULL), -2);
	ck_assert_int_eq(API(ge2gb_async)(sequence, other, band, NULL), -2);
	ck_assert_int_eq(API(ge2gb_async)(sequence, matrix, NULL, NULL), -3);
	ck_assert_int_eq(API(ge2gb_async)(sequence, matrix, wrong_order, NULL), -3);
	ck_assert_int_eq(API(ge2gb_async)(sequence, matrix, diagonal, NULL), -3);
	ck_assert_int_eq(API(ge2gb_async)(sequence, matrix, band, &options), -4);
	heddle_band_destroy(band);
	heddle_band_destroy(wrong_order);
	heddle_band_destroy(diagonal);
	heddle_matrix_destroy(matrix);
	heddle_matrix_destroy(other);
	heddle_sequence_destroy(sequence);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("ge2gb");
	TCase *tests = tcase_create("ge2gb");

	tcase_set_timeout(tests, 0);
	tcase_add_loop_test(tests, values_are_kept, 0, SHAPES * KINDS);
	tcase_add_test(tests, same_bits_on_every_run);
	tcase_add_test(tests, blocking_form);
	tcase_add_test(tests, not_a_number_is_an_error);
	tcase_add_test(tests, illegal_arguments);
	tcase_add_test(tests, illegal_objects);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
