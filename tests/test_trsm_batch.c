/* A batch of triangular solves does each of them, by lists and by strides: |alpha B - op(A) X| <= 4 k eps |op(A)||X| for every problem, in every
 * variant, over shapes that take each way through the library. */
#include "tests/triangle.h"

static const struct shape {
	int64_t m, n, count, pad;
} shapes[] = {
	{ 0, 4, 3, 0 },	  { 4, 0, 3, 0 },   { 5, 4, 0, 0 },   { 1, 1, 40, 0 },	 { 6, 9, 1, 1 },  { 9, 6, 30, 2 },
	{ 32, 32, 200, 0 }, { 33, 7, 150, 1 }, { 70, 66, 13, 0 }, { 250, 260, 2, 1 },
};
enum { SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

struct batch {
	struct solve_kind kind;
	int64_t m, n, k, lda, ldb, stride_a, stride_b, count;
	scalar alpha, *a, *b, *x;
};

/* Problems with a gap between each and the next, which has to stay as it is. */
static struct batch batch(struct solve_kind kind, const struct shape *c, bool one_triangle, uint64_t seed)
{
	struct batch p = { .kind = kind, .m = c->m, .n = c->n, .count = c->count, .alpha = (real)-0.75 };

	p.k = kind.side == HEDDLE_LEFT ? p.m : p.n;
	p.lda = p.k + c->pad > 0 ? p.k + c->pad : 1;
	p.ldb = p.m + c->pad > 0 ? p.m + c->pad : 1;
	p.stride_a = one_triangle ? 0 : p.lda * p.k + 3;
	p.stride_b = p.ldb * p.n + 5;
	int64_t a_size = p.stride_a * p.count + p.lda * p.k + 1, b_size = p.stride_b * p.count + 1;
	p.a = malloc((size_t)a_size * sizeof(scalar));
	p.b = malloc((size_t)b_size * sizeof(scalar));
	p.x = malloc((size_t)b_size * sizeof(scalar));
	for (int64_t i = 0; i < b_size; i++)
		p.b[i] = 77;
	for (int64_t i = 0; i < p.count; i++) {
		fill_triangle(WELL, kind, p.k, p.a + i * p.stride_a, p.lda, seed + (uint64_t)i);
		fill_sides(p.m, p.n, p.b + i * p.stride_b, p.ldb, seed + 1000 + (uint64_t)i);
	}
	memcpy(p.x, p.b, (size_t)b_size * sizeof(scalar));
	return p;
}

static void check_and_free(struct batch *p)
{
	for (int64_t l = 0; l < p->count; l++) {
		const scalar *b = p->b + l * p->stride_b, *x = p->x + l * p->stride_b;
		double error = backward_error(p->kind, p->m, p->n, p->alpha, p->a + l * p->stride_a, p->lda, b, x, p->ldb);
		ck_assert_msg(error <= TRIANGLE_BOUND, "%c%c%c%c %d x %d, problem %d: error %.2f", p->kind.side, p->kind.uplo, p->kind.trans,
			      p->kind.diag, (int)p->m, (int)p->n, (int)l, error);
		bool rest_untouched = true; /* one assertion for all: each costs a system call */
		for (int64_t i = 0; i < p->stride_b; i++)
			rest_untouched = rest_untouched && (x[i] == 77 || (i % p->ldb < p->m && i < p->ldb * p->n));
		ck_assert(rest_untouched);
	}
	free(p->a);
	free(p->b);
	free(p->x);
}

START_TEST(strided)
{
	for (int v = _i % 2; v < VARIANTS; v += 2) {
		struct batch p = batch(variant(v), &shapes[_i / 2], v % 3 == 0, (uint64_t)v);
		ck_assert_int_eq(API(trsm_batch_strided)(p.kind.side, p.kind.uplo, p.kind.trans, p.kind.diag, p.m, p.n, p.alpha, p.a, p.lda,
							 p.stride_a, p.x, p.ldb, p.stride_b, p.count), 0);
		check_and_free(&p);
	}
}
END_TEST

START_TEST(lists)
{
	for (int v = _i % 2; v < VARIANTS; v += 2) {
		struct batch p = batch(variant(v), &shapes[_i / 2], v % 3 == 0, (uint64_t)v);
		const scalar **a = malloc((size_t)(p.count + 1) * sizeof(*a));
		scalar **b = malloc((size_t)(p.count + 1) * sizeof(*b));
		for (int64_t i = 0; i < p.count; i++) {
			a[i] = p.a + i * p.stride_a;
			b[i] = p.x + i * p.stride_b;
		}
		ck_assert_int_eq(API(trsm_batch)(p.kind.side, p.kind.uplo, p.kind.trans, p.kind.diag, p.m, p.n, p.alpha, a, p.lda, b, p.ldb, p.count), 0);
		free(a);
		free(b);
		check_and_free(&p);
	}
}
END_TEST

START_TEST(alpha_zero_reads_nothing)
{
	enum { N = 5, COUNT = 4 };
	scalar b[COUNT * N * N], *list[COUNT];

	for (int i = 0; i < COUNT * N * N; i++)
		b[i] = NAN;
	for (int i = 0; i < COUNT; i++)
		list[i] = b + i * N * N;
	ck_assert_int_eq(API(trsm_batch)(HEDDLE_LEFT, HEDDLE_LOWER, HEDDLE_NO_TRANS, HEDDLE_NON_UNIT, N, N, 0, NULL, N, list, N, COUNT - 1), 0);
	ck_assert_int_eq(API(trsm_batch_strided)(HEDDLE_LEFT, HEDDLE_LOWER, HEDDLE_NO_TRANS, HEDDLE_NON_UNIT, N, N, 0, NULL, N, 0,
						 b + (COUNT - 1) * N * N, N, N * N, 1), 0);
	for (int i = 0; i < COUNT * N * N; i++)
		ck_assert(b[i] == 0);
}
END_TEST

START_TEST(illegal_arguments)
{
	scalar a[32] = { 0 }, b[32] = { 0 }, *list[2] = { b, b + 16 }, *hole[2] = { b, NULL };
	const scalar *a_list[2] = { a, a + 16 }, *a_hole[2] = { a, NULL };

#define LIST(side, uplo, trans, diag, m, n, A, lda, B, ldb, count)                                                                         \
	API(trsm_batch)((heddle_side)side, (heddle_uplo)uplo, (heddle_trans)trans, (heddle_diag)diag, m, n, 1, A, lda, B, ldb, count)
#define STRIDED(side, m, n, A, lda, stride_a, B, ldb, stride_b, count)                                                                     \
	API(trsm_batch_strided)((heddle_side)side, HEDDLE_LOWER, HEDDLE_NO_TRANS, HEDDLE_UNIT, m, n, 1, A, lda, stride_a, B, ldb, stride_b, count)
	ck_assert_int_eq(LIST('X', 'L', 'N', 'N', 4, 3, a_list, 4, list, 4, 2), -1);
	ck_assert_int_eq(LIST('L', 'X', 'N', 'N', 4, 3, a_list, 4, list, 4, 2), -2);
	ck_assert_int_eq(LIST('L', 'L', 'X', 'N', 4, 3, a_list, 4, list, 4, 2), -3);
	ck_assert_int_eq(LIST('L', 'L', 'N', 'X', 4, 3, a_list, 4, list, 4, 2), -4);
	ck_assert_int_eq(LIST('L', 'L', 'N', 'N', -1, 3, a_list, 4, list, 4, 2), -5);
	ck_assert_int_eq(LIST('L', 'L', 'N', 'N', 4, -1, a_list, 4, list, 4, 2), -6);
	ck_assert_int_eq(LIST('L', 'L', 'N', 'N', 4, 3, NULL, 4, list, 4, 2), -8);
	ck_assert_int_eq(LIST('L', 'L', 'N', 'N', 4, 3, a_hole, 4, list, 4, 2), -8);
	ck_assert_int_eq(LIST('L', 'L', 'N', 'N', 4, 3, a_list, 3, list, 4, 2), -9);
	ck_assert_int_eq(LIST('L', 'L', 'N', 'N', 4, 3, a_list, 4, NULL, 4, 2), -10);
	ck_assert_int_eq(LIST('L', 'L', 'N', 'N', 4, 3, a_list, 4, hole, 4, 2), -10);
	ck_assert_int_eq(LIST('L', 'L', 'N', 'N', 4, 3, a_list, 4, list, 3, 2), -11);
	ck_assert_int_eq(LIST('L', 'L', 'N', 'N', 4, 3, a_list, 4, list, 4, -1), -12);
	ck_assert_int_eq(LIST('L', 'L', 'N', 'N', 4, 3, NULL, 4, NULL, 4, 0), 0);
	ck_assert_int_eq(STRIDED('X', 4, 3, a, 4, 16, b, 4, 12, 2), -1);
	ck_assert_int_eq(STRIDED('L', 4, 3, NULL, 4, 16, b, 4, 12, 2), -8);
	ck_assert_int_eq(STRIDED('L', 4, 3, a, 3, 16, b, 4, 12, 2), -9);
	ck_assert_int_eq(STRIDED('L', 4, 3, a, 4, 15, b, 4, 12, 2), -10);
	ck_assert_int_eq(STRIDED('L', 4, 3, a, 4, 16, NULL, 4, 12, 2), -11);
	ck_assert_int_eq(STRIDED('L', 4, 3, a, 4, 16, b, 3, 12, 2), -12);
	ck_assert_int_eq(STRIDED('L', 4, 3, a, 4, 16, b, 4, 11, 2), -13);
	ck_assert_int_eq(STRIDED('L', 4, 3, a, 4, 16, b, 4, 12, -1), -14);
	ck_assert_int_eq(STRIDED('L', 4, 3, a, 4, 0, b, 4, 0, 1), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("trsm_batch");
	TCase *tests = tcase_create("trsm_batch");

	tcase_set_timeout(tests, 0);
	tcase_add_loop_test(tests, strided, 0, 2 * SHAPES);
	tcase_add_loop_test(tests, lists, 0, 2 * SHAPES);
	tcase_add_test(tests, alpha_zero_reads_nothing);
	tcase_add_test(tests, illegal_arguments);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
