/* The tile codelets chain with an application's own tasks: a right-looking Cholesky factorization, its diagonal blocks by LAPACK in a codelet of the
 * application, followed by two triangular solves, all without a wait: |A - L L^H| <= 4 n eps |L||L^H| element by element, and |B - A X| likewise. */
#include <stdatomic.h>
#include <heddle/starpu.h>
#include "tests/triangle.h"

static atomic_int not_definite; /* check's assertions are for the main thread */

static void factor_cpu(void *buffers[], void *argument)
{
	char uplo;

	starpu_codelet_unpack_args(argument, &uplo);
	if (LAPACK(potrf)(LAPACK_COL_MAJOR, uplo, (int)STARPU_MATRIX_GET_NX(buffers[0]), (scalar *)STARPU_MATRIX_GET_PTR(buffers[0]),
			  (int)STARPU_MATRIX_GET_LD(buffers[0])) != 0)
		not_definite = 1;
}

static struct starpu_codelet factor = { .cpu_funcs = { factor_cpu }, .nbuffers = 1, .modes = { STARPU_RW }, .name = "factor" };

/* Row i, column j of the lower triangle of tiles; of the upper one, which is the same transposed. */
static starpu_data_handle_t tile(const heddle_matrix *a, heddle_uplo uplo, int64_t i, int64_t j)
{
	return uplo == HEDDLE_LOWER ? heddle_matrix_tile(a, i, j) : heddle_matrix_tile(a, j, i);
}

/* A := L of A = L L^H, or U of A = U^H U. */
static void cholesky(heddle_sequence *sequence, heddle_uplo uplo, heddle_matrix *a)
{
	char letter = (char)uplo;
	bool lower = uplo == HEDDLE_LOWER;
	int64_t blocks = heddle_matrix_tile_rows(a);

	for (int64_t k = 0; k < blocks; k++) {
		ck_assert_int_eq(starpu_task_insert(&factor, STARPU_RW, tile(a, uplo, k, k), STARPU_VALUE, &letter, sizeof(letter), 0), 0);
		for (int64_t i = k + 1; i < blocks; i++)
			ck_assert_int_eq(API(trsm_tile)(sequence, 2, lower ? HEDDLE_RIGHT : HEDDLE_LEFT, uplo, HEDDLE_CONJ_TRANS, HEDDLE_NON_UNIT, 1,
							tile(a, uplo, k, k), tile(a, uplo, i, k)), 0);
		for (int64_t i = k + 1; i < blocks; i++) {
			ck_assert_int_eq(API(BY_FIELD(syrk_tile, herk_tile))(sequence, 1, uplo, lower ? HEDDLE_NO_TRANS : HEDDLE_CONJ_TRANS, -1,
									     tile(a, uplo, i, k), 1, tile(a, uplo, i, i)), 0);
			for (int64_t j = k + 1; j < i; j++)
				ck_assert_int_eq(API(gemm_tile)(sequence, 0, lower ? HEDDLE_NO_TRANS : HEDDLE_CONJ_TRANS,
								lower ? HEDDLE_CONJ_TRANS : HEDDLE_NO_TRANS, -1,
								lower ? tile(a, uplo, i, k) : tile(a, uplo, j, k),
								lower ? tile(a, uplo, j, k) : tile(a, uplo, i, k), 1, tile(a, uplo, i, j)), 0);
		}
	}
}

/* Random and positive definite in one triangle, NaN in the other. */
static void fill_definite(heddle_uplo uplo, int64_t n, scalar *a, uint64_t seed)
{
	for (int64_t j = 0; j < n; j++)
		for (int64_t i = 0; i < n; i++) {
			scalar x = random_scalar(&seed);
			a[i + j * n] = i == j ? (scalar)(2 * n) : (i > j) == (uplo == HEDDLE_LOWER) ? x : (scalar)NAN;
		}
}

/* sum over l of L(i,l) conj(L(j,l)), i >= j, and that of the moduli */
static double product_error(heddle_uplo uplo, int64_t n, const scalar *a, const scalar *l)
{
	double worst = 0;

	for (int64_t j = 0; j < n; j++)
		for (int64_t i = j; i < n; i++) {
			double _Complex sum = uplo == HEDDLE_LOWER ? a[i + j * n] : conj((double _Complex)a[j + i * n]);
			double size = 0;
			for (int64_t k = 0; k <= j; k++) {
				double _Complex x = uplo == HEDDLE_LOWER ? l[i + k * n] : conj((double _Complex)l[k + i * n]);
				double _Complex y = uplo == HEDDLE_LOWER ? l[j + k * n] : conj((double _Complex)l[k + j * n]);
				sum -= x * conj(y);
				size += cabs(x) * cabs(y);
			}
			double error = cabs(sum) / (size * (double)n * REAL_EPS);
			if (!(error <= worst))
				worst = isnan(error) ? INFINITY : error;
		}
	return worst;
}

START_TEST(factorization_and_solve)
{
	static const int64_t orders[][2] = { { 1, 4 }, { 16, 16 }, { 65, 16 }, { 100, 33 } };
	heddle_uplo uplo = _i % 2 ? HEDDLE_UPPER : HEDDLE_LOWER;
	int64_t n = orders[_i / 2][0], nb = orders[_i / 2][1], sides = 7;
	size_t bytes = (size_t)(n * n) * sizeof(scalar);
	scalar *a = malloc(bytes), *l = malloc(bytes), *b = malloc((size_t)(n * sides) * sizeof(*b)), *y = malloc((size_t)(n * sides) * sizeof(*y)),
	       *x = malloc((size_t)(n * sides) * sizeof(*x));
	struct solve_kind first = { HEDDLE_LEFT, uplo, uplo == HEDDLE_LOWER ? HEDDLE_NO_TRANS : HEDDLE_CONJ_TRANS, HEDDLE_NON_UNIT }, second = first;
	heddle_sequence *sequence;
	heddle_matrix *matrix, *right[2];

	second.trans = uplo == HEDDLE_LOWER ? HEDDLE_CONJ_TRANS : HEDDLE_NO_TRANS;
	fill_definite(uplo, n, a, (uint64_t)_i);
	fill_sides(n, sides, b, n, 5);
	memcpy(l, a, bytes);
	memcpy(y, b, (size_t)(n * sides) * sizeof(*y));
	memcpy(x, b, (size_t)(n * sides) * sizeof(*x));
	ck_assert_int_eq(heddle_sequence_create(&sequence), 0);
	ck_assert_int_eq(heddle_matrix_create(&matrix, TYPE, n, n, l, n, nb), 0);
	ck_assert_int_eq(heddle_matrix_create(&right[0], TYPE, n, sides, y, n, nb), 0);
	ck_assert_int_eq(heddle_matrix_create(&right[1], TYPE, n, sides, x, n, nb), 0);
	cholesky(sequence, uplo, matrix);
	for (int i = 0; i < 2; i++) /* y stops half-way */
		ck_assert_int_eq(API(trsm_async)(sequence, first.side, uplo, first.trans, first.diag, 1, matrix, right[i], NULL), 0);
	ck_assert_int_eq(API(trsm_async)(sequence, second.side, uplo, second.trans, second.diag, 1, matrix, right[1], NULL), 0);
	ck_assert_int_eq(heddle_sequence_wait(sequence), 0);
	starpu_task_wait_for_all();
	ck_assert_int_eq(not_definite, 0);
	heddle_matrix_destroy(matrix);
	heddle_matrix_destroy(right[0]);
	heddle_matrix_destroy(right[1]);
	heddle_sequence_destroy(sequence);
	ck_assert_double_le(product_error(uplo, n, a, l), TRIANGLE_BOUND);
	ck_assert_double_le(backward_error(first, n, sides, 1, l, n, b, y, n), TRIANGLE_BOUND);
	ck_assert_double_le(backward_error(second, n, sides, 1, l, n, y, x, n), TRIANGLE_BOUND);
	free(a);
	free(l);
	free(b);
	free(y);
	free(x);
}
END_TEST

START_TEST(illegal_arguments)
{
	scalar memory[64];
	heddle_sequence *sequence;
	starpu_data_handle_t a, b, c, vector, other;

	memset(memory, 0, sizeof(memory));
	ck_assert_int_eq(heddle_sequence_create(&sequence), 0);
	starpu_matrix_data_register(&a, STARPU_MAIN_RAM, (uintptr_t)memory, 8, 4, 4, sizeof(scalar));
	starpu_matrix_data_register(&b, STARPU_MAIN_RAM, (uintptr_t)memory, 8, 4, 3, sizeof(scalar));
	starpu_matrix_data_register(&c, STARPU_MAIN_RAM, (uintptr_t)memory, 8, 3, 3, sizeof(scalar));
	starpu_matrix_data_register(&other, STARPU_MAIN_RAM, (uintptr_t)memory, 8, 4, 4, 1);
	starpu_vector_data_register(&vector, STARPU_MAIN_RAM, (uintptr_t)memory, 4, sizeof(scalar));
#define TRSM(s, side, uplo, trans, diag, a, b)                                                                                             \
	API(trsm_tile)(s, 0, (heddle_side)side, (heddle_uplo)uplo, (heddle_trans)trans, (heddle_diag)diag, 1, a, b)
	ck_assert_int_eq(TRSM(NULL, 'L', 'L', 'N', 'N', a, b), -1);
	ck_assert_int_eq(TRSM(sequence, 'X', 'L', 'N', 'N', a, b), -3);
	ck_assert_int_eq(TRSM(sequence, 'L', 'X', 'N', 'N', a, b), -4);
	ck_assert_int_eq(TRSM(sequence, 'L', 'L', 'X', 'N', a, b), -5);
	ck_assert_int_eq(TRSM(sequence, 'L', 'L', 'N', 'X', a, b), -6);
	ck_assert_int_eq(TRSM(sequence, 'L', 'L', 'N', 'N', NULL, b), -8);
	ck_assert_int_eq(TRSM(sequence, 'L', 'L', 'N', 'N', vector, b), -8);
	ck_assert_int_eq(TRSM(sequence, 'L', 'L', 'N', 'N', other, b), -8);
	ck_assert_int_eq(TRSM(sequence, 'L', 'L', 'N', 'N', b, b), -8);
	ck_assert_int_eq(TRSM(sequence, 'R', 'L', 'N', 'N', a, b), -9);
	ck_assert_int_eq(TRSM(sequence, 'L', 'L', 'N', 'N', a, NULL), -9);
#define GEMM(s, trans_a, trans_b, a, b, c) API(gemm_tile)(s, 0, (heddle_trans)trans_a, (heddle_trans)trans_b, 1, a, b, 1, c)
	ck_assert_int_eq(GEMM(NULL, 'N', 'N', a, b, b), -1);
	ck_assert_int_eq(GEMM(sequence, 'X', 'N', a, b, b), -3);
	ck_assert_int_eq(GEMM(sequence, 'N', 'X', a, b, b), -4);
	ck_assert_int_eq(GEMM(sequence, 'N', 'N', NULL, b, b), -6);
	ck_assert_int_eq(GEMM(sequence, 'N', 'N', a, vector, b), -7);
	ck_assert_int_eq(GEMM(sequence, 'N', 'T', a, b, b), -7);
	ck_assert_int_eq(GEMM(sequence, 'N', 'N', a, b, a), -9);
	ck_assert_int_eq(GEMM(sequence, 'N', 'N', a, b, NULL), -9);
#define HERK(s, uplo, trans, a, c) API(BY_FIELD(syrk_tile, herk_tile))(s, 0, (heddle_uplo)uplo, (heddle_trans)trans, 1, a, 1, c)
	ck_assert_int_eq(HERK(NULL, 'L', 'N', b, a), -1);
	ck_assert_int_eq(HERK(sequence, 'X', 'N', b, a), -3);
	ck_assert_int_eq(HERK(sequence, 'L', IS_COMPLEX ? 'T' : 'X', b, a), -4);
	ck_assert_int_eq(HERK(sequence, 'L', 'N', NULL, a), -6);
	ck_assert_int_eq(HERK(sequence, 'L', 'N', b, c), -8);
	ck_assert_int_eq(HERK(sequence, 'L', 'N', b, b), -8);
	ck_assert_int_eq(HERK(sequence, 'L', 'C', b, a), -8);
	ck_assert_int_eq(heddle_sequence_wait(sequence), 0);
	heddle_sequence_destroy(sequence);
	starpu_data_unregister(a);
	starpu_data_unregister(b);
	starpu_data_unregister(c);
	starpu_data_unregister(other);
	starpu_data_unregister(vector);
}
END_TEST

/* alpha = 0 and beta = 0 read nothing. */
START_TEST(zero_factors_read_nothing)
{
	scalar a[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 }, b[9], nans[9];
	heddle_sequence *sequence;
	heddle_matrix *x[3];

	for (int i = 0; i < 9; i++)
		b[i] = nans[i] = NAN;
	ck_assert_int_eq(heddle_sequence_create(&sequence), 0);
	ck_assert_int_eq(heddle_matrix_create(&x[0], TYPE, 3, 3, a, 3, 3), 0);
	ck_assert_int_eq(heddle_matrix_create(&x[1], TYPE, 3, 3, b, 3, 3), 0);
	ck_assert_int_eq(heddle_matrix_create(&x[2], TYPE, 3, 3, nans, 3, 3), 0);
	starpu_data_handle_t ha = heddle_matrix_tile(x[0], 0, 0), hb = heddle_matrix_tile(x[1], 0, 0), hn = heddle_matrix_tile(x[2], 0, 0);
	if (_i == 0)
		ck_assert_int_eq(API(trsm_tile)(sequence, 0, HEDDLE_LEFT, HEDDLE_LOWER, HEDDLE_NO_TRANS, HEDDLE_NON_UNIT, 0, hn, hb), 0);
	else
		ck_assert_int_eq(API(gemm_tile)(sequence, 0, HEDDLE_NO_TRANS, HEDDLE_TRANS, 2, ha, ha, 0, hb), 0);
	ck_assert_int_eq(heddle_sequence_wait(sequence), 0);
	for (int i = 0; i < 3; i++)
		heddle_matrix_destroy(x[i]);
	heddle_sequence_destroy(sequence);
	for (int i = 0; i < 9; i++)
		ck_assert(b[i] == (_i == 1 && i % 4 == 0 ? 2 : 0));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("cholesky");
	TCase *tests = tcase_create("cholesky");

	tcase_set_timeout(tests, 0);
	tcase_add_loop_test(tests, factorization_and_solve, 0, 8);
	tcase_add_test(tests, illegal_arguments);
	tcase_add_loop_test(tests, zero_factors_read_nothing, 0, 2);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
