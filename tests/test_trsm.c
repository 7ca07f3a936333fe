/* trsm solves: |alpha B - op(A) X| <= 4 k eps |op(A)||X| element by element, k the triangle's order, for every variant, over shapes, tile sizes
 * and triangles; it reads nothing but the triangle and writes nothing but X. */
#include "tests/triangle.h"

static const struct shape {
	int64_t m, n, tile, pad;
} shapes[] = {
	{ 0, 0, 8, 0 },	  { 0, 5, 8, 1 },     { 5, 0, 8, 1 },	   { 1, 1, 8, 0 },     { 7, 3, 8, 1 },	    { 8, 8, 8, 0 },	{ 9, 9, 8, 3 },
	{ 30, 5, 7, 0 },  { 5, 30, 7, 2 },    { 64, 64, 64, 0 },   { 65, 63, 100, 1 }, { 100, 13, 100, 0 }, { 13, 100, 100, 5 }, { 130, 20, 65, 0 },
	{ 20, 130, 65, 1 }, { 90, 91, 32, 0 }, { 150, 40, 150, 0 }, { 40, 150, 150, 1 }, { 128, 17, 64, 2 },
};
enum { SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

static const scalar alphas[] = { 1, -1, BY_FIELD(0.7, __builtin_complex(0.7, -0.4)) };

struct problem {
	struct solve_kind kind;
	int64_t m, n, k, lda, ldb;
	scalar alpha, *a, *b, *x, *a_before;
};

static struct problem problem(struct solve_kind kind, enum triangle which, const struct shape *c, int seed)
{
	struct problem p = { .kind = kind, .m = c->m, .n = c->n, .alpha = alphas[seed % 3] };

	p.k = kind.side == HEDDLE_LEFT ? p.m : p.n;
	p.lda = p.k + c->pad > 0 ? p.k + c->pad : 1;
	p.ldb = p.m + c->pad > 0 ? p.m + c->pad : 1;
	size_t a_bytes = (size_t)(p.lda * p.k + 1) * sizeof(scalar), b_bytes = (size_t)(p.ldb * p.n + 1) * sizeof(scalar);
	p.a = malloc(a_bytes);
	p.a_before = malloc(a_bytes);
	p.b = malloc(b_bytes);
	p.x = malloc(b_bytes);
	p.a[p.lda * p.k] = p.b[p.ldb * p.n] = 0;
	fill_triangle(which, kind, p.k, p.a, p.lda, (uint64_t)seed);
	fill_sides(p.m, p.n, p.b, p.ldb, (uint64_t)seed + 1);
	memcpy(p.a_before, p.a, a_bytes);
	memcpy(p.x, p.b, b_bytes);
	return p;
}

static void free_problem(struct problem *p)
{
	free(p->a);
	free(p->a_before);
	free(p->b);
	free(p->x);
}

static void check_and_free(struct problem *p, const char *what)
{
	double error = backward_error(p->kind, p->m, p->n, p->alpha, p->a, p->lda, p->b, p->x, p->ldb);

	ck_assert_msg(error <= TRIANGLE_BOUND, "%s %c%c%c%c %d x %d: error %.2f", what, p->kind.side, p->kind.uplo, p->kind.trans, p->kind.diag,
		      (int)p->m, (int)p->n, error);
	ck_assert(memcmp(p->a, p->a_before, (size_t)(p->lda * p->k + 1) * sizeof(scalar)) == 0);
	bool rest_untouched = true; /* one assertion for all: each costs a system call */
	for (int64_t j = 0; j < p->n; j++)
		for (int64_t i = p->m; i < p->ldb; i++)
			rest_untouched = rest_untouched && p->x[i + j * p->ldb] == 77;
	ck_assert(rest_untouched);
	free_problem(p);
}

static void solve_async(const struct problem *p, int64_t tile, const heddle_options *options)
{
	heddle_sequence *sequence;
	heddle_matrix *a, *b;

	ck_assert_int_eq(heddle_sequence_create(&sequence), 0);
	ck_assert_int_eq(heddle_matrix_create(&a, TYPE, p->k, p->k, p->a, p->lda, tile), 0);
	ck_assert_int_eq(heddle_matrix_create(&b, TYPE, p->m, p->n, p->x, p->ldb, tile), 0);
	ck_assert_int_eq(API(trsm_async)(sequence, p->kind.side, p->kind.uplo, p->kind.trans, p->kind.diag, p->alpha, a, b, options), 0);
	ck_assert_int_eq(heddle_sequence_wait(sequence), 0);
	heddle_matrix_destroy(a);
	heddle_matrix_destroy(b);
	heddle_sequence_destroy(sequence);
}

START_TEST(asynchronous)
{
	const struct shape *c = &shapes[_i % SHAPES];

	for (int v = 0; v < VARIANTS; v++) {
		struct problem p = problem(variant(v), (enum triangle)(_i / SHAPES), c, _i + v);
		solve_async(&p, c->tile, NULL);
		check_and_free(&p, "asynchronous");
	}
}
END_TEST

static void solve_blocking(const struct problem *p)
{
	ck_assert_int_eq(API(trsm)(p->kind.side, p->kind.uplo, p->kind.trans, p->kind.diag, p->m, p->n, p->alpha, p->a, p->lda, p->x, p->ldb), 0);
}

START_TEST(blocking)
{
	for (int v = 0; v < VARIANTS; v++) {
		struct problem p = problem(variant(v), (enum triangle)(_i / SHAPES), &shapes[_i % SHAPES], _i + v);
		solve_blocking(&p);
		check_and_free(&p, "blocking");
	}
}
END_TEST

/* Sizes that go to tasks; of many right-hand sides some at either end are checked. */
START_TEST(blocking_large)
{
	static const struct shape sizes[] = { { 300, 410, 0, 1 }, { 700, 33, 0, 0 }, { 33, 700, 0, 2 }, { 64, 4096, 0, 0 }, { 4096, 64, 0, 3 },
					      { 700, 610, 0, 0 } };

	for (int v = _i % 3; v < VARIANTS; v += 3) {
		struct solve_kind kind = variant(v);
		bool left = kind.side == HEDDLE_LEFT;
		struct shape c = sizes[_i / 3];
		if ((left ? c.m : c.n) > 1000)
			continue;
		struct problem p = problem(kind, WELL, &c, v);
		solve_blocking(&p);
		int64_t many = left ? p.n : p.m, part = many < 8 ? many : 8, step = left ? p.ldb : 1;
		for (int end = 0; end < 2; end++) {
			int64_t first = end * (many - part);
			double error = backward_error(kind, left ? p.m : part, left ? part : p.n, p.alpha, p.a, p.lda, p.b + first * step,
						      p.x + first * step, p.ldb);
			ck_assert_msg(error <= TRIANGLE_BOUND, "%c%c%c%c %d x %d: error %.2f", kind.side, kind.uplo, kind.trans, kind.diag, (int)p.m,
				      (int)p.n, error);
		}
		free_problem(&p);
	}
}
END_TEST

START_TEST(alpha_zero_reads_nothing)
{
	struct problem p = problem(variant(_i), WELL, &shapes[SHAPES - 1], _i);

	for (int way = 0; way < 2; way++) {
		for (int64_t i = 0; i < p.lda * p.k; i++)
			p.a[i] = NAN;
		for (int64_t j = 0; j < p.n; j++)
			for (int64_t i = 0; i < p.m; i++)
				p.x[i + j * p.ldb] = NAN;
		p.alpha = 0;
		if (way == 0)
			solve_async(&p, 50, NULL);
		else
			solve_blocking(&p);
		bool right = true;
		for (int64_t j = 0; j < p.n; j++)
			for (int64_t i = 0; i < p.ldb; i++)
				right = right && p.x[i + j * p.ldb] == (i < p.m ? 0 : 77);
		ck_assert(right);
	}
	free_problem(&p);
}
END_TEST

/* Unknowns before the zero are right; that of the zero is not finite.  No error, on any way. */
START_TEST(zero_on_the_diagonal)
{
	const struct shape c = { 70, 75, 24, 0 };
	struct problem p = problem(variant(_i % 12), WELL, &c, _i);
	int64_t zero = _i / 12 == 0 ? 5 : 66;

	p.a[zero + zero * p.lda] = 0;
	for (int way = 0; way < 3; way++) {
		memcpy(p.x, p.b, (size_t)(p.ldb * p.n) * sizeof(scalar));
		if (way == 0)
			solve_blocking(&p);
		else
			solve_async(&p, c.tile, &(heddle_options){ .inverse = way });
		check_before_zero((struct solved){ p.kind, p.m, p.n, p.lda, p.ldb, p.alpha, p.a, p.b, p.x }, zero);
	}
	free_problem(&p);
}
END_TEST

/* Diagonals whose reciprocals over- or underflow are divided by. */
START_TEST(extreme_diagonals)
{
	const struct shape c = { 11, 9, 8, 0 };
	struct problem p = problem(variant(_i % 12), WELL, &c, _i);

	for (int64_t j = 0; j < p.k; j++)
		for (int64_t i = 0; i < p.k; i++)
			if (in_triangle(p.kind, i, j))
				p.a[i + j * p.lda] = i == j ? (_i < 12 ? REAL_MIN / 8 : REAL_MAX / 8) : 0;
	for (int64_t i = 0; i < p.ldb * p.n; i++)
		p.b[i] = p.x[i] = p.b[i] * (_i < 12 ? REAL_MIN : REAL_MAX) / 2;
	memcpy(p.a_before, p.a, (size_t)(p.lda * p.k + 1) * sizeof(scalar));
	p.alpha = 1;
	solve_blocking(&p);
	check_and_free(&p, "extreme");
}
END_TEST

/* One block of the diagonal is fit for inversion, the other is not; with it the error stays what substitution has. */
START_TEST(inverses_lose_no_digits)
{
	const struct shape c = { 150, 141, _i / VARIANTS ? 80 : 256, 1 };
	struct problem p = problem(variant(_i % VARIANTS), WELL, &c, _i), q;
	scalar *inverses = malloc((size_t)(p.k * INVERSE_COLUMNS) * sizeof(*inverses));

	for (int64_t j = 0; j < SOLVE_BLOCK; j++)
		for (int64_t i = 0; i < SOLVE_BLOCK; i++)
			if (in_triangle(p.kind, i, j)) /* its condition grows like 2^k */
				p.a[i + j * p.lda] = p.a_before[i + j * p.lda] = i == j ? 1 : -1;
	NAME(invert_blocks)(p.kind.uplo, p.kind.diag, p.k, p.a, p.lda, inverses, p.k);
	ck_assert(inverses[SOLVE_BLOCK * p.k] == 0);
	ck_assert(inverses[SOLVE_BLOCK + SOLVE_BLOCK * p.k] == 1);
	ck_assert(inverses[2 * SOLVE_BLOCK + SOLVE_BLOCK * p.k] == 1);
	solve_async(&p, c.tile, &(heddle_options){ .inverse = 2 });
	q = problem(variant(_i % VARIANTS), WELL, &c, _i);
	memcpy(q.a, p.a, (size_t)(p.lda * p.k) * sizeof(scalar));
	solve_async(&q, c.tile, &(heddle_options){ .inverse = 1 });
	ck_assert(memcmp(p.x, q.x, (size_t)(p.ldb * p.n) * sizeof(scalar)) != 0); /* products were used */
	free_problem(&q);
	free(inverses);
	check_and_free(&p, "inverses");
}
END_TEST

/* (L L^H) X = B by two solves, one after the other through their data; then in a cancelled sequence nothing happens. */
START_TEST(solves_follow_each_other)
{
	const struct shape c = { 90, 35, 24, 0 };
	struct problem p = problem((struct solve_kind){ HEDDLE_LEFT, HEDDLE_LOWER, HEDDLE_NO_TRANS, HEDDLE_NON_UNIT }, WELL, &c, 1);
	struct problem y = problem(p.kind, WELL, &c, 1);
	heddle_sequence *sequence, *cancelled;
	heddle_matrix *a, *b;

	p.alpha = y.alpha = 1;
	solve_async(&y, c.tile, NULL);
	ck_assert_int_eq(heddle_sequence_create(&sequence), 0);
	ck_assert_int_eq(heddle_matrix_create(&a, TYPE, p.k, p.k, p.a, p.lda, c.tile), 0);
	ck_assert_int_eq(heddle_matrix_create(&b, TYPE, p.m, p.n, p.x, p.ldb, c.tile), 0);
	ck_assert_int_eq(API(trsm_async)(sequence, HEDDLE_LEFT, HEDDLE_LOWER, HEDDLE_NO_TRANS, HEDDLE_NON_UNIT, 1, a, b, NULL), 0);
	ck_assert_int_eq(API(trsm_async)(sequence, HEDDLE_LEFT, HEDDLE_LOWER, HEDDLE_CONJ_TRANS, HEDDLE_NON_UNIT, 1, a, b, NULL), 0);
	ck_assert_int_eq(heddle_sequence_wait(sequence), 0);
	ck_assert_int_eq(heddle_sequence_create(&cancelled), 0);
	heddle_sequence_cancel(cancelled);
	ck_assert_int_eq(API(trsm_async)(cancelled, HEDDLE_LEFT, HEDDLE_LOWER, HEDDLE_NO_TRANS, HEDDLE_NON_UNIT, 1, a, b, NULL), 0);
	ck_assert_int_eq(heddle_sequence_wait(cancelled), HEDDLE_ECANCELLED);
	heddle_matrix_destroy(a);
	heddle_matrix_destroy(b);
	heddle_sequence_destroy(sequence);
	heddle_sequence_destroy(cancelled);
	struct solve_kind second = { HEDDLE_LEFT, HEDDLE_LOWER, HEDDLE_CONJ_TRANS, HEDDLE_NON_UNIT };
	ck_assert_double_le(backward_error(second, p.m, p.n, 1, p.a, p.lda, y.x, p.x, p.ldb), TRIANGLE_BOUND);
	free_problem(&y);
	free_problem(&p);
}
END_TEST

START_TEST(same_bits_on_every_run)
{
	const struct shape c = { 300, 400, 64, 0 };
	scalar *first = NULL;

	for (int run = 0; run < 6; run++) {
		struct problem p = problem(variant(_i), WELL, &c, 3);
		size_t bytes = (size_t)(p.ldb * p.n) * sizeof(scalar);
		solve_async(&p, c.tile, NULL);
		if (!first)
			first = memcpy(malloc(bytes), p.x, bytes);
		ck_assert(memcmp(first, p.x, bytes) == 0);
		free_problem(&p);
	}
	free(first);
}
END_TEST

/* Argument i of the blocking form is illegal: as the BLAS numbers them. */
START_TEST(illegal_arguments)
{
	scalar a[16] = { 0 }, b[16] = { 0 };
	const struct {
		int side, uplo, trans, diag, m, n, lda, ldb, expected;
		bool no_a, no_b;
	} calls[] = {
		{ 'X', 'L', 'N', 'N', 4, 3, 4, 4, -1, false, false },  { 'L', 'X', 'N', 'N', 4, 3, 4, 4, -2, false, false },
		{ 'L', 'L', 'X', 'N', 4, 3, 4, 4, -3, false, false },  { 'L', 'L', 'N', 'X', 4, 3, 4, 4, -4, false, false },
		{ 'L', 'L', 'N', 'N', -1, 3, 4, 4, -5, false, false }, { 'L', 'L', 'N', 'N', 4, -1, 4, 4, -6, false, false },
		{ 'L', 'L', 'N', 'N', 4, 3, 4, 4, -8, true, false },   { 'L', 'L', 'N', 'N', 4, 3, 3, 4, -9, false, false },
		{ 'R', 'L', 'N', 'N', 4, 3, 2, 4, -9, false, false },  { 'L', 'L', 'N', 'N', 0, 3, 0, 4, -9, false, false },
		{ 'L', 'L', 'N', 'N', 4, 3, 4, 4, -10, false, true },  { 'L', 'L', 'N', 'N', 4, 3, 4, 3, -11, false, false },
		{ 'L', 'L', 'N', 'N', 0, 3, 1, 0, -11, false, false }, { 'L', 'L', 'N', 'N', 0, 3, 1, 1, 0, true, true },
	};

	for (unsigned i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		ck_assert_int_eq(API(trsm)((heddle_side)calls[i].side, (heddle_uplo)calls[i].uplo, (heddle_trans)calls[i].trans,
					   (heddle_diag)calls[i].diag, calls[i].m, calls[i].n, 1, calls[i].no_a ? NULL : a, calls[i].lda,
					   calls[i].no_b ? NULL : b, calls[i].ldb),
				 calls[i].expected);
	ck_assert_int_eq(API(trsm)(HEDDLE_LEFT, HEDDLE_LOWER, HEDDLE_NO_TRANS, HEDDLE_NON_UNIT, 4, 3, 1, a, 3, b, 4), -9);
	ck_assert_ptr_nonnull(strstr(heddle_error_message(), "argument 9 (lda) is 3"));
}
END_TEST

static heddle_matrix *matrix(int64_t m, int64_t n, int64_t tile)
{
	static scalar memory[64];
	heddle_matrix *x;

	ck_assert_int_eq(heddle_matrix_create(&x, TYPE, m, n, memory, 8, tile), 0);
	return x;
}

START_TEST(illegal_objects)
{
	heddle_sequence *sequence;
	heddle_matrix *a = matrix(4, 4, 2), *b = matrix(4, 3, 2), *wide = matrix(3, 4, 2), *coarse = matrix(4, 3, 3), *other;
	heddle_options options = { .inverse = 3 };
	double memory[16];

	ck_assert_int_eq(heddle_sequence_create(&sequence), 0);
	ck_assert_int_eq(heddle_matrix_create(&other, TYPE == HEDDLE_S ? HEDDLE_D : HEDDLE_S, 4, 4, memory, 4, 2), 0);
#define TRSM(sequence, side, uplo, trans, diag, a, b, options) \
	API(trsm_async)(sequence, (heddle_side)side, (heddle_uplo)uplo, (heddle_trans)trans, (heddle_diag)diag, 1, a, b, options)
	ck_assert_int_eq(TRSM(NULL, 'L', 'L', 'N', 'N', a, b, NULL), -1);
	ck_assert_int_eq(TRSM(sequence, 'X', 'L', 'N', 'N', a, b, NULL), -2);
	ck_assert_int_eq(TRSM(sequence, 'L', 'X', 'N', 'N', a, b, NULL), -3);
	ck_assert_int_eq(TRSM(sequence, 'L', 'L', 'X', 'N', a, b, NULL), -4);
	ck_assert_int_eq(TRSM(sequence, 'L', 'L', 'N', 'X', a, b, NULL), -5);
	ck_assert_int_eq(TRSM(sequence, 'L', 'L', 'N', 'N', NULL, b, NULL), -7);
	ck_assert_int_eq(TRSM(sequence, 'L', 'L', 'N', 'N', b, b, NULL), -7);
	ck_assert_int_eq(TRSM(sequence, 'L', 'L', 'N', 'N', other, b, NULL), -7);
	ck_assert_int_eq(TRSM(sequence, 'L', 'L', 'N', 'N', a, NULL, NULL), -8);
	ck_assert_int_eq(TRSM(sequence, 'L', 'L', 'N', 'N', a, other, NULL), -8);
	ck_assert_int_eq(TRSM(sequence, 'L', 'L', 'N', 'N', a, a, NULL), -8);
	ck_assert_int_eq(TRSM(sequence, 'L', 'L', 'N', 'N', a, wide, NULL), -8);
	ck_assert_int_eq(TRSM(sequence, 'R', 'L', 'N', 'N', a, b, NULL), -8);
	ck_assert_int_eq(TRSM(sequence, 'L', 'L', 'N', 'N', a, coarse, NULL), -8);
	ck_assert_ptr_nonnull(strstr(heddle_error_message(), "tiles as large as A's"));
	ck_assert_int_eq(TRSM(sequence, 'L', 'L', 'N', 'N', a, b, &options), -9);
	heddle_matrix_destroy(a);
	heddle_matrix_destroy(b);
	heddle_matrix_destroy(wide);
	heddle_matrix_destroy(coarse);
	heddle_matrix_destroy(other);
	heddle_sequence_destroy(sequence);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("trsm");
	TCase *tests = tcase_create("trsm");

	tcase_set_timeout(tests, 0);
	tcase_add_loop_test(tests, asynchronous, 0, SHAPES * TRIANGLES);
	tcase_add_loop_test(tests, blocking, 0, SHAPES * TRIANGLES);
	tcase_add_loop_test(tests, blocking_large, 0, 18);
	tcase_add_loop_test(tests, alpha_zero_reads_nothing, 0, VARIANTS);
	tcase_add_loop_test(tests, zero_on_the_diagonal, 0, 24);
	tcase_add_loop_test(tests, extreme_diagonals, 0, 24);
	tcase_add_loop_test(tests, inverses_lose_no_digits, 0, 2 * VARIANTS);
	tcase_add_test(tests, solves_follow_each_other);
	tcase_add_loop_test(tests, same_bits_on_every_run, 0, 4);
	tcase_add_test(tests, illegal_arguments);
	tcase_add_test(tests, illegal_objects);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
