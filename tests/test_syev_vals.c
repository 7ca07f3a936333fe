/* syev_vals and heev_vals against LAPACK and known values: orders, kinds of matrix, triangles, selections, both routes, and what the asynchronous
 * form promises. */
#include <starpu.h>
#include "runtime/sequence.h"
#include "tests/hermitian.h"

#define VALS API(BY_FIELD(syev_vals, heev_vals))
#define VALS_SELECT API(BY_FIELD(syev_vals_select, heev_vals_select))
#define VALS_ASYNC API(BY_FIELD(syev_vals_async, heev_vals_async))

static const struct shape {
	int64_t n, band, tile, pad;
} shapes[] = {
	{ 1, 0, 0, 0 },	   { 2, 1, 8, 1 },   { 3, 2, 2, 0 },   { 15, 16, 16, 0 }, { 16, 16, 16, 2 }, { 17, 16, 16, 0 },  { 40, 8, 12, 3 },
	{ 64, 1, 16, 0 }, { 65, 70, 32, 0 }, { 100, 9, 32, 0 }, { 130, 12, 40, 1 }, { 150, 24, 20, 0 }, { 257, 32, 100, 0 },
};
enum { SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

/* Stages of the last run of values(). */
static heddle_stage stages[16];

static int values(const struct shape *c, int route, heddle_uplo uplo, const heddle_select *select, scalar *a, int64_t lda, int64_t room, real *w,
		  int64_t *found)
{
	heddle_options options = { .band = c->band, .route = route };
	heddle_sequence *sequence;
	heddle_matrix *matrix, *result;

	ck_assert_int_eq(heddle_sequence_create(&sequence), 0);
	ck_assert_int_eq(heddle_matrix_create(&matrix, TYPE, c->n, c->n, a, lda, c->tile), 0);
	ck_assert_int_eq(heddle_matrix_create(&result, REAL_TYPE, room, 1, w, room > 0 ? room : 1, 7), 0);
	ck_assert_int_eq(VALS_ASYNC(sequence, uplo, matrix, select, result, found, &options), 0);
	int code = heddle_sequence_wait(sequence);
	heddle_sequence_stages(sequence, stages, 16);
	heddle_matrix_destroy(matrix);
	heddle_matrix_destroy(result);
	heddle_sequence_destroy(sequence);
	return code;
}

START_TEST(agrees_with_lapack)
{
	const struct shape *c = &shapes[_i % SHAPES];
	enum kind kind = (enum kind)(_i / SHAPES % KINDS);
	heddle_uplo uplo = both[_i / SHAPES / KINDS];
	int64_t n = c->n, lda = n + c->pad, found = -1;
	size_t bytes = (size_t)(lda * n) * sizeof(scalar);
	scalar *a = calloc(1, bytes), *before = malloc(bytes);
	real *w = calloc((size_t)n, sizeof(*w)), *t = malloc((size_t)n * sizeof(*t));

	for (int route = HEDDLE_ROUTE_GRAPH; route <= HEDDLE_ROUTE_LAPACK; route++) {
		fill_hermitian(kind, uplo, n, a, lda, (uint64_t)_i);
		memcpy(before, a, bytes);
		eigenvalues(uplo, n, a, lda, t);
		ck_assert_int_eq(values(c, route, uplo, NULL, a, lda, n, w, &found), 0);
		ck_assert_int_eq(found, n);
		ck_assert_int_eq(stages[STAGE_SB2ST].done > 0, route == HEDDLE_ROUTE_GRAPH);
		double error = eigen_error(n, w, t);
		ck_assert_msg(error <= bound_in_eps(n, n), "%s %c %d, band %d, tile %d, route %d: error %.1f eps*norm", kind_names[kind], uplo, (int)n,
			      (int)c->band, (int)c->tile, route, error);
		ck_assert_msg(rest_untouched(uplo, n, a, before, lda), "wrote outside the triangle");
		for (int64_t i = 1; i < n; i++)
			ck_assert_msg(w[i] >= w[i - 1], "not in ascending order");
	}
	free(a);
	free(before);
	free(w);
	free(t);
}
END_TEST

START_TEST(blocking_form)
{
	static const int64_t sizes[] = { 1, 2, 7, 60, 401, 700 };

	for (int c = 0; c < 12; c++) {
		int64_t n = sizes[c / 2], lda = n + c;
		heddle_uplo uplo = both[c % 2];
		size_t bytes = (size_t)(lda * n) * sizeof(scalar);
		scalar *a = calloc(1, bytes), *before = malloc(bytes);
		real *w = malloc((size_t)n * sizeof(*w)), *t = malloc((size_t)n * sizeof(*t));
		fill_hermitian(RANDOM, uplo, n, a, lda, 3);
		memcpy(before, a, bytes);
		eigenvalues(uplo, n, a, lda, t);
		ck_assert_int_eq(VALS(uplo, n, a, lda, w), 0);
		ck_assert_double_le(eigen_error(n, w, t), bound_in_eps(n, n));
		ck_assert(rest_untouched(uplo, n, a, before, lda));
		free(a);
		free(before);
		free(w);
		free(t);
	}
}
END_TEST

START_TEST(known_values)
{
	enum { N = 200 };
	real w[N];

#if IS_COMPLEX
	const scalar unit = __builtin_complex((real)0, (real)1);
	scalar two[4] = { 2, -unit, unit, 2 }; /* [[2, i], [-i, 2]] */
#else
	scalar two[4] = { 2, 1, 1, 2 };
#endif
	for (int u = 0; u < 2; u++) {
		scalar copy[4];
		memcpy(copy, two, sizeof(two));
		ck_assert_int_eq(VALS(both[u], 2, copy, 2, w), 0);
		ck_assert(fabs((double)w[0] - 1) <= 4 * REAL_EPS && fabs((double)w[1] - 3) <= 4 * REAL_EPS);
	}
	scalar *a = calloc(N * N, sizeof(*a));
	for (int route = HEDDLE_ROUTE_GRAPH; route <= HEDDLE_ROUTE_LAPACK; route++) {
		const struct shape c = { N, 16, 48, 0 };
		for (int j = 0; j < N; j++) /* 2 - 2 cos(k pi / (N + 1)) */
			for (int i = 0; i < N; i++)
				a[i + j * N] = i == j ? 2 : i == j + 1 || j == i + 1 ? -1 : 0;
		ck_assert_int_eq(values(&c, route, HEDDLE_LOWER, NULL, a, N, N, w, NULL), 0);
		for (int k = 0; k < N; k++) {
			double sine = sin((k + 1) * acos(-1) / (N + 1) / 2);
			ck_assert_double_le(fabs((double)w[k] - 4 * sine * sine), bound_in_eps(N, N) * 4 * REAL_EPS);
		}
		for (int j = 0; j < N; j++) /* a diagonal in no order, exact */
			for (int i = 0; i < N; i++)
				a[i + j * N] = i == j ? (real)(j * 7 % N - N / 2) : 0;
		ck_assert_int_eq(values(&c, route, HEDDLE_UPPER, NULL, a, N, N, w, NULL), 0);
		for (int k = 0; k < N; k++)
			ck_assert(w[k] == (real)(k - N / 2));
	}
	free(a);
}
END_TEST

/* Clusters: blocks of Wilkinson's matrix W21+ glued together, as a dense matrix under a random reflector. */
START_TEST(glued_wilkinson)
{
	enum { BLOCK = 21, N = 8 * BLOCK };
	scalar *a = calloc(N * N, sizeof(*a)), v[N], y[N];
	real w[N], t[N], norm = 0;
	uint64_t state = 5;
	scalar alpha = 0;

	for (int j = 0; j < N; j++) {
		a[j + j * N] = (real)abs(j % BLOCK - BLOCK / 2);
		if (j + 1 < N)
			a[j + 1 + j * N] = a[j + (j + 1) * N] = j % BLOCK == BLOCK - 1 ? 1e3 * REAL_EPS : 1;
	}
	for (int j = 0; j < N; j++) {
		v[j] = random_scalar(&state);
		norm += real_part(conjugate(v[j]) * v[j]);
	}
	for (int i = 0; i < N; i++) { /* H A H, H = I - 2 v v^H / |v|^2 */
		y[i] = 0;
		for (int j = 0; j < N; j++)
			y[i] += a[i + j * N] * v[j] * 2 / norm;
		alpha += conjugate(v[i]) * y[i] / norm;
	}
	for (int j = 0; j < N; j++)
		for (int i = 0; i < N; i++)
			a[i + j * N] += -v[i] * conjugate(y[j]) - y[i] * conjugate(v[j]) + 2 * alpha * v[i] * conjugate(v[j]);
	eigenvalues(HEDDLE_LOWER, N, a, N, t);
	const struct shape c = { N, 12, 40, 0 };
	ck_assert_int_eq(values(&c, HEDDLE_ROUTE_GRAPH, HEDDLE_LOWER, NULL, a, N, N, w, NULL), 0);
	ck_assert_double_le(eigen_error(N, w, t), bound_in_eps(N, N));
	free(a);
}
END_TEST

/* The largest values overflow, the others are right: for the arrow matrix +-sqrt(4) times its entries, and zeros. */
START_TEST(values_beyond_the_range)
{
	enum { N = 5 };
	const struct shape c = { N, 2, 2, 0 };

	for (int route = HEDDLE_ROUTE_AUTO; route <= HEDDLE_ROUTE_LAPACK; route++) {
		scalar a[N * N] = { 0 };
		real w[N];
		for (int i = 1; i < N; i++)
			a[i] = (real)(0.6 * (double)REAL_MAX);
		if (route == HEDDLE_ROUTE_AUTO)
			ck_assert_int_eq(VALS(HEDDLE_LOWER, N, a, N, w), 0);
		else
			ck_assert_int_eq(values(&c, route, HEDDLE_LOWER, NULL, a, N, N, w, NULL), 0);
		ck_assert(w[0] == -(real)INFINITY && w[N - 1] == (real)INFINITY);
		for (int i = 1; i < N - 1; i++)
			ck_assert(fabs((double)w[i]) <= 20 * (double)REAL_EPS * (double)REAL_MAX);
	}
}
END_TEST

START_TEST(nothing_to_do)
{
	int64_t found = 7;

	ck_assert_int_eq(VALS(HEDDLE_LOWER, 0, NULL, 1, NULL), 0);
	ck_assert_int_eq(VALS_SELECT(HEDDLE_UPPER, 0, NULL, 1, NULL, &found, NULL), 0);
	ck_assert_int_eq(found, 0);
}
END_TEST

/* The values first .. first + count - 1 of all, for the matrix fill_hermitian(kind) of order n makes. */
static void check_selection(const struct shape *c, int route, enum kind kind, const heddle_select *select, const real *all, int64_t first, int64_t count)
{
	int64_t n = c->n, room = select->kind == HEDDLE_INDEX ? count : n, found = -1;
	scalar *a = malloc((size_t)(n * n) * sizeof(*a));
	real *w = malloc((size_t)(room + 1) * sizeof(*w)), norm = all[n - 1] > -all[0] ? all[n - 1] : -all[0];

	fill_hermitian(kind, HEDDLE_UPPER, n, a, n, 2);
	ck_assert_int_eq(values(c, route, HEDDLE_UPPER, select, a, n, room, w, &found), 0);
	ck_assert_int_eq(found, count);
	for (int64_t j = 0; j < count; j++)
		ck_assert_double_le(fabs((double)(w[j] - all[first + j])), 100 * REAL_EPS * norm);
	free(a);
	free(w);
}

START_TEST(selections)
{
	enum { N = 90 };
	const struct shape c = { N, 8, 32, 0 };
	enum kind kind = _i == 0 ? RANDOM : TINY_NORM; /* a value range of a matrix that had to be scaled means the values as they are */
	scalar a[N * N];
	real all[N], w[N];
	int64_t found;

	fill_hermitian(kind, HEDDLE_UPPER, N, a, N, 2);
	ck_assert_int_eq(values(&c, HEDDLE_ROUTE_GRAPH, HEDDLE_UPPER, NULL, a, N, N, all, NULL), 0);
	double all_flops = stages[STAGE_VALUES].flops, norm = (double)all[N - 1];
	static const int64_t indices[][2] = { { 1, 1 }, { 1, 5 }, { 7, 30 }, { 90, 90 }, { 40, 50 }, { 1, 90 } };
	for (int route = HEDDLE_ROUTE_GRAPH; route <= HEDDLE_ROUTE_LAPACK; route++) {
		for (int i = 0; i < 6; i++) {
			heddle_select select = { .kind = HEDDLE_INDEX, .il = indices[i][0], .iu = indices[i][1] };
			check_selection(&c, route, kind, &select, all, select.il - 1, select.iu - select.il + 1);
			if (i == 0 && route == HEDDLE_ROUTE_GRAPH) /* costs what it asks for */
				ck_assert_double_le(stages[STAGE_VALUES].flops, 0.1 * all_flops);
		}
		heddle_select select = { .kind = HEDDLE_VALUE, .vl = ((double)all[9] + (double)all[10]) / 2, .vu = ((double)all[40] + (double)all[41]) / 2 };
		check_selection(&c, route, kind, &select, all, 10, 31);
		select.vl = -4 * norm;
		check_selection(&c, route, kind, &select, all, 0, 41);
		select = (heddle_select){ .kind = HEDDLE_VALUE, .vl = 2 * norm, .vu = 3 * norm };
		check_selection(&c, route, kind, &select, all, 0, 0);
	}
	heddle_select some = { .kind = HEDDLE_INDEX, .il = 2, .iu = 3 };
	fill_hermitian(kind, HEDDLE_UPPER, N, a, N, 2);
	ck_assert_int_eq(VALS_SELECT(HEDDLE_UPPER, N, a, N, &some, &found, w), 0);
	ck_assert_int_eq(found, 2);
	ck_assert_double_le(fabs((double)(w[0] - all[1])), 100 * REAL_EPS * norm);
}
END_TEST

START_TEST(selections_of_small_matrices)
{
	for (int64_t n = 1; n <= 30; n++) {
		scalar a[30 * 30];
		real all[30], w[30];
		int64_t found;
		fill_hermitian(RANDOM, HEDDLE_LOWER, n, a, n, 4);
		eigenvalues(HEDDLE_LOWER, n, a, n, all);
		double norm = fmax(fabs((double)all[0]), fabs((double)all[n - 1]));
		for (int64_t k = 0; k < n; k++) {
			heddle_select by_index = { .kind = HEDDLE_INDEX, .il = k / 2 + 1, .iu = k + 1 }, below = { .kind = HEDDLE_VALUE, .vl = -4 * norm };
			fill_hermitian(RANDOM, HEDDLE_LOWER, n, a, n, 4);
			ck_assert_int_eq(VALS_SELECT(HEDDLE_LOWER, n, a, n, &by_index, &found, w), 0);
			ck_assert_int_eq(found, k + 1 - k / 2);
			for (int64_t i = 0; i < found; i++)
				ck_assert_double_le(fabs((double)w[i] - (double)all[k / 2 + i]), 100 * (double)REAL_EPS * norm);
			below.vu = k + 1 < n ? ((double)all[k] + (double)all[k + 1]) / 2 : 4 * norm;
			fill_hermitian(RANDOM, HEDDLE_LOWER, n, a, n, 4);
			ck_assert_int_eq(VALS_SELECT(HEDDLE_LOWER, n, a, n, &below, &found, w), 0);
			ck_assert_int_eq(found, k + 1);
			ck_assert_double_le(fabs((double)w[k] - (double)all[k]), 100 * (double)REAL_EPS * norm);
		}
	}
}
END_TEST

START_TEST(same_bits_on_every_run)
{
	enum { N = 130 };
	const struct shape c = { N, 16, 32, 0 };
	scalar a[N * N];
	real w[2][N];

	for (int run = 0; run < 6; run++) {
		fill_hermitian(RANDOM, HEDDLE_LOWER, N, a, N, 9);
		ck_assert_int_eq(values(&c, HEDDLE_ROUTE_GRAPH, HEDDLE_LOWER, NULL, a, N, N, w[run > 0], NULL), 0);
		ck_assert(run == 0 || memcmp(w[0], w[1], sizeof(w[0])) == 0);
	}
}
END_TEST

START_TEST(not_a_number_is_an_error)
{
	static const int64_t sizes[] = { 1, 2, 30, 201, 650 };
	static const double bad[] = { NAN, INFINITY, -INFINITY };

	for (int c = 0; c < 5; c++) {
		int64_t n = sizes[c];
		scalar *a = malloc((size_t)(n * n) * sizeof(*a));
		real *w = malloc((size_t)n * sizeof(*w));
		for (int i = 0; i < 12; i++) {
			int64_t row = i * 7919 % n, column = i * 104729 % n;
			heddle_uplo uplo = row > column ? HEDDLE_LOWER : row < column ? HEDDLE_UPPER : both[i % 2];
			const struct shape shape = { n, 8, 64, 0 };
			for (int route = HEDDLE_ROUTE_AUTO; route <= HEDDLE_ROUTE_LAPACK; route++) {
				fill_hermitian(RANDOM, uplo, n, a, n, 3);
				a[row + column * n] = row != column && i % 2 ? make_scalar(1, IS_COMPLEX ? (real)bad[i % 3] : 0) : (scalar)bad[i % 3];
				if (!IS_COMPLEX)
					a[row + column * n] = (real)bad[i % 3];
				if (route == HEDDLE_ROUTE_AUTO)
					ck_assert_int_eq(VALS(uplo, n, a, n, w), HEDDLE_EINPUT);
				else
					ck_assert_int_eq(values(&shape, route, uplo, NULL, a, n, n, w, NULL), HEDDLE_EINPUT);
				ck_assert_ptr_nonnull(strstr(heddle_error_message(), "NaN"));
			}
		}
		free(a);
		free(w);
	}
}
END_TEST

/* Two matrices are submitted while no worker may run: the calls come back at once, and nothing has been done. */
START_TEST(asynchronous_means_no_wait)
{
	enum { N = 100 };
	scalar *a[2];
	real w[2][N], t[N];
	heddle_sequence *sequence[2];
	heddle_matrix *matrix[2], *result[2];
	heddle_options options = { .band = 8, .route = HEDDLE_ROUTE_GRAPH };

	starpu_pause();
	for (int i = 0; i < 2; i++) {
		a[i] = malloc(N * N * sizeof(scalar));
		fill_hermitian(RANDOM, both[i], N, a[i], N, (uint64_t)i);
		ck_assert_int_eq(heddle_sequence_create(&sequence[i]), 0);
		ck_assert_int_eq(heddle_matrix_create(&matrix[i], TYPE, N, N, a[i], N, 32), 0);
		ck_assert_int_eq(heddle_matrix_create(&result[i], REAL_TYPE, N, 1, w[i], N, 0), 0);
		ck_assert_int_eq(VALS_ASYNC(sequence[i], both[i], matrix[i], NULL, result[i], NULL, &options), 0);
	}
	for (int i = 0; i < 2; i++) {
		heddle_sequence_stages(sequence[i], stages, 16);
		for (int k = 0; k < STAGE_COUNT; k++)
			ck_assert_int_eq(stages[k].done, 0);
		ck_assert(stages[STAGE_SY2SB].submitted > 100 && stages[STAGE_SB2ST].submitted > 10 && stages[STAGE_VALUES].submitted > 0);
	}
	starpu_resume();
	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(heddle_sequence_wait(sequence[i]), 0);
	heddle_sequence_stages(sequence[0], stages, 16);
	double first_end = stages[STAGE_VALUES].end;
	heddle_sequence_stages(sequence[1], stages, 16);
	double second_begin = stages[STAGE_INPUT].begin; /* counted from a later moment, which makes it the smaller */
	ck_assert_msg(second_begin < first_end, "the second matrix waited for the first");
	for (int i = 0; i < 2; i++) {
		heddle_matrix_destroy(matrix[i]);
		heddle_matrix_destroy(result[i]);
		fill_hermitian(RANDOM, both[i], N, a[i], N, (uint64_t)i);
		eigenvalues(both[i], N, a[i], N, t);
		ck_assert_double_le(eigen_error(N, w[i], t), bound_in_eps(N, N));
		free(a[i]);
		heddle_sequence_destroy(sequence[i]);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("syev_vals");
	TCase *tests = tcase_create("syev_vals");

	tcase_set_timeout(tests, 0);
	tcase_add_loop_test(tests, agrees_with_lapack, 0, SHAPES * KINDS * 2);
	tcase_add_test(tests, blocking_form);
	tcase_add_test(tests, known_values);
	tcase_add_test(tests, glued_wilkinson);
	tcase_add_test(tests, values_beyond_the_range);
	tcase_add_test(tests, nothing_to_do);
	tcase_add_loop_test(tests, selections, 0, 2);
	tcase_add_test(tests, selections_of_small_matrices);
	tcase_add_test(tests, same_bits_on_every_run);
	tcase_add_test(tests, not_a_number_is_an_error);
	tcase_add_test(tests, asynchronous_means_no_wait);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
