/* sy2sb and he2hb keep the eigenvalues: those of the band are those of the matrix, over orders, band widths, tile sizes, leaves, triangles and kinds;
 * nothing but one triangle is read or written. */
#include "tests/hermitian.h"

static const struct shape {
	int64_t n, kd, tile, leaf, pad;
} shapes[] = {
	{ 1, 1, 8, 0, 0 },    { 2, 1, 8, 0, 1 },    { 3, 5, 2, 0, 0 },	 { 7, 2, 4, 0, 1 },    { 15, 16, 8, 0, 0 },  { 16, 16, 16, 0, 0 },
	{ 17, 16, 16, 0, 1 }, { 33, 8, 16, 8, 0 },  { 64, 8, 16, 16, 0 }, { 65, 7, 16, 14, 2 }, { 63, 5, 24, 10, 0 }, { 80, 12, 5, 24, 4 },
	{ 128, 32, 32, 1, 0 }, { 97, 1, 16, 16, 0 }, { 130, 64, 48, 0, 0 }, { 150, 24, 64, 30, 3 }, { 90, 89, 32, 0, 0 },
};
enum { SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

/* Through the asynchronous form. */
static void band_of(const struct shape *c, heddle_uplo uplo, scalar *a, int64_t lda, scalar *ab, int64_t ldab)
{
	heddle_options options = { .leaf = c->leaf };
	heddle_sequence *sequence;
	heddle_matrix *matrix;
	heddle_band *band;

	ck_assert_int_eq(heddle_sequence_create(&sequence), 0);
	ck_assert_int_eq(heddle_matrix_create(&matrix, TYPE, c->n, c->n, a, lda, c->tile), 0);
	ck_assert_int_eq(heddle_band_create_hermitian(&band, TYPE, uplo, c->n, c->kd), 0);
	ck_assert_int_eq(API(BY_FIELD(sy2sb_async, he2hb_async))(sequence, uplo, matrix, band, &options), 0);
	ck_assert_int_eq(heddle_sequence_wait(sequence), 0);
	ck_assert_int_eq(heddle_band_get(band, ab, ldab), 0);
	heddle_band_destroy(band);
	heddle_matrix_destroy(matrix);
	heddle_sequence_destroy(sequence);
}

/* The triangle of a band in dense storage. */
static scalar *dense_of(heddle_uplo uplo, int64_t n, int64_t kd, const scalar *ab, int64_t ldab)
{
	scalar *b = calloc((size_t)(n * n), sizeof(*b));

	for (int64_t j = 0; j < n; j++)
		for (int64_t i = j; i < n && i <= j + kd; i++)
			if (uplo == HEDDLE_LOWER)
				b[i + j * n] = ab[i - j + j * ldab];
			else
				b[j + i * n] = ab[kd + j - i + i * ldab];
	return b;
}

START_TEST(values_are_kept)
{
	const struct shape *c = &shapes[_i % SHAPES];
	enum kind kind = (enum kind)(_i / SHAPES % KINDS);
	heddle_uplo uplo = both[_i / SHAPES / KINDS];
	int64_t n = c->n, lda = n + c->pad, ldab = c->kd + 1 + c->pad;
	size_t bytes = (size_t)(lda * n) * sizeof(scalar);

	scalar *a = calloc(1, bytes), *before = malloc(bytes), *ab = malloc((size_t)(ldab * n) * sizeof(*ab));
	real *w = malloc((size_t)n * sizeof(*w)), *t = malloc((size_t)n * sizeof(*t));
	fill_hermitian(kind, uplo, n, a, lda, (uint64_t)_i);
	memcpy(before, a, bytes);
	eigenvalues(uplo, n, a, lda, w);
	band_of(c, uplo, a, lda, ab, ldab);
	scalar *b = dense_of(uplo, n, c->kd, ab, ldab);
	eigenvalues(uplo, n, b, n, t);
	double error = eigen_error(n, t, w);
	ck_assert_msg(error <= bound_in_eps(n, n), "%s %c %d, kd %d, tile %d, leaf %d: error %.1f eps*norm", kind_names[kind], uplo, (int)n,
		      (int)c->kd, (int)c->tile, (int)c->leaf, error);
	for (int64_t j = 0; j < n; j++)
		ck_assert(imaginary_part(b[j + j * n]) == 0);
	ck_assert_msg(rest_untouched(uplo, n, a, before, lda), "%s %c %d: wrote outside the triangle", kind_names[kind], uplo, (int)n);
	free(a);
	free(before);
	free(ab);
	free(b);
	free(w);
	free(t);
}
END_TEST

START_TEST(same_bits_on_every_run)
{
	const struct shape c = { 130, 16, 32, 40, 0 };
	size_t bytes = (size_t)(c.n * (c.kd + 1)) * sizeof(scalar);
	scalar *a = malloc((size_t)(c.n * c.n) * sizeof(*a)), *ab[2] = { calloc(1, bytes), calloc(1, bytes) };

	for (int run = 0; run < 8; run++) {
		fill_hermitian(RANDOM, HEDDLE_UPPER, c.n, a, c.n, 5);
		band_of(&c, HEDDLE_UPPER, a, c.n, ab[run > 0], c.kd + 1);
		ck_assert(run == 0 || memcmp(ab[0], ab[1], bytes) == 0);
	}
	free(a);
	free(ab[0]);
	free(ab[1]);
}
END_TEST

START_TEST(blocking_form)
{
	enum { N = 50, KD = 6 };
	scalar a[N * N], ab[N * (KD + 1)];
	real w[N], t[N];

	fill_hermitian(RANDOM, both[_i], N, a, N, 1);
	eigenvalues(both[_i], N, a, N, w);
	ck_assert_int_eq(API(BY_FIELD(sy2sb, he2hb))(both[_i], N, KD, a, N, ab, KD + 1), 0);
	scalar *b = dense_of(both[_i], N, KD, ab, KD + 1);
	eigenvalues(both[_i], N, b, N, t);
	ck_assert_double_le(eigen_error(N, t, w), bound_in_eps(N, N));
	free(b);
	ck_assert_int_eq(API(BY_FIELD(sy2sb, he2hb))(both[_i], 0, 1, NULL, 1, NULL, 2), 0);
}
END_TEST

START_TEST(not_a_number_is_an_error)
{
	enum { N = 40 };
	scalar a[N * N], ab[N * 5];

	for (int where = 0; where < N * N; where += 37) {
		heddle_uplo uplo = where / N > where % N ? HEDDLE_UPPER : HEDDLE_LOWER;
		fill_hermitian(RANDOM, uplo, N, a, N, 1);
		a[where] = where % 2 ? (scalar)NAN : (scalar)INFINITY;
		ck_assert_int_eq(API(BY_FIELD(sy2sb, he2hb))(uplo, N, 4, a, N, ab, 5), HEDDLE_EINPUT);
	}
}
END_TEST

START_TEST(illegal_arguments)
{
	scalar a[16], ab[16];

	ck_assert_int_eq(API(BY_FIELD(sy2sb, he2hb))((heddle_uplo)'X', 4, 2, a, 4, ab, 3), -1);
	ck_assert_int_eq(API(BY_FIELD(sy2sb, he2hb))(HEDDLE_LOWER, -1, 2, a, 4, ab, 3), -2);
	ck_assert_int_eq(API(BY_FIELD(sy2sb, he2hb))(HEDDLE_LOWER, 4, 0, a, 4, ab, 3), -3);
	ck_assert_int_eq(API(BY_FIELD(sy2sb, he2hb))(HEDDLE_LOWER, 4, 2, NULL, 4, ab, 3), -4);
	ck_assert_int_eq(API(BY_FIELD(sy2sb, he2hb))(HEDDLE_LOWER, 4, 2, a, 3, ab, 3), -5);
	ck_assert_ptr_nonnull(strstr(heddle_error_message(), "argument 5 (lda) is 3"));
	ck_assert_int_eq(API(BY_FIELD(sy2sb, he2hb))(HEDDLE_LOWER, 4, 2, a, 4, NULL, 3), -6);
	ck_assert_int_eq(API(BY_FIELD(sy2sb, he2hb))(HEDDLE_LOWER, 4, 2, a, 4, ab, 2), -7);
}
END_TEST

START_TEST(illegal_objects)
{
	scalar a[16];
	heddle_sequence *sequence;
	heddle_matrix *matrix, *other, *wide;
	heddle_band *band, *wrong_order, *upper, *diagonal;
	heddle_options options = { .leaf = -1 };
	int (*function)(heddle_sequence *, heddle_uplo, heddle_matrix *, heddle_band *, const heddle_options *) =
		API(BY_FIELD(sy2sb_async, he2hb_async));

	ck_assert_int_eq(heddle_sequence_create(&sequence), 0);
	ck_assert_int_eq(heddle_matrix_create(&matrix, TYPE, 4, 4, a, 4, 2), 0);
	ck_assert_int_eq(heddle_matrix_create(&wide, TYPE, 2, 4, a, 4, 2), 0);
	ck_assert_int_eq(heddle_matrix_create(&other, TYPE == HEDDLE_S ? HEDDLE_D : HEDDLE_S, 1, 1, a, 4, 2), 0);
	ck_assert_int_eq(heddle_band_create_hermitian(&band, TYPE, HEDDLE_LOWER, 4, 2), 0);
	ck_assert_int_eq(heddle_band_create_hermitian(&wrong_order, TYPE, HEDDLE_LOWER, 5, 2), 0);
	ck_assert_int_eq(heddle_band_create_hermitian(&diagonal, TYPE, HEDDLE_LOWER, 4, 0), 0);
	ck_assert_int_eq(heddle_band_create(&upper, TYPE, 4, 2), 0);
	ck_assert_int_eq(heddle_band_create_hermitian(&diagonal, TYPE, (heddle_uplo)0, 4, 0), -3);
	ck_assert_int_eq(function(NULL, HEDDLE_LOWER, matrix, band, NULL), -1);
	ck_assert_int_eq(function(sequence, (heddle_uplo)0, matrix, band, NULL), -2);
	ck_assert_int_eq(function(sequence, HEDDLE_LOWER, NULL, band, NULL), -3);
	ck_assert_int_eq(function(sequence, HEDDLE_LOWER, other, band, NULL), -3);
	ck_assert_int_eq(function(sequence, HEDDLE_LOWER, wide, band, NULL), -3);
	ck_assert_int_eq(function(sequence, HEDDLE_LOWER, matrix, NULL, NULL), -4);
	ck_assert_int_eq(function(sequence, HEDDLE_LOWER, matrix, wrong_order, NULL), -4);
	ck_assert_int_eq(function(sequence, HEDDLE_LOWER, matrix, upper, NULL), -4);
	ck_assert_int_eq(function(sequence, HEDDLE_LOWER, matrix, diagonal, NULL), -4);
	ck_assert_int_eq(function(sequence, HEDDLE_LOWER, matrix, band, &options), -5);
	ck_assert_int_eq(API(ge2gb_async)(sequence, matrix, band, NULL), -3);
	heddle_band_destroy(band);
	heddle_band_destroy(wrong_order);
	heddle_band_destroy(diagonal);
	heddle_band_destroy(upper);
	heddle_matrix_destroy(matrix);
	heddle_matrix_destroy(other);
	heddle_matrix_destroy(wide);
	heddle_sequence_destroy(sequence);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("sy2sb");
	TCase *tests = tcase_create("sy2sb");

	tcase_set_timeout(tests, 0);
	tcase_add_loop_test(tests, values_are_kept, 0, SHAPES * KINDS * 2);
	tcase_add_test(tests, same_bits_on_every_run);
	tcase_add_loop_test(tests, blocking_form, 0, 2);
	tcase_add_test(tests, not_a_number_is_an_error);
	tcase_add_test(tests, illegal_arguments);
	tcase_add_test(tests, illegal_objects);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
