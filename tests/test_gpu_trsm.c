/* The device's triangular solves: |alpha B - op(A) X| <= 4 k eps |op(A)||X| element by element for every variant, over orders around each kernel's
 * limits, numbers of right-hand sides, triangles and orders of threads; nothing but the triangle is read (the rest is NaN), nothing but X is
 * written; the results are close to the BLAS's where that can be said.  Inverses are as the host's, as are the marks of blocks. */
#include "codelets/device/blas.h"
#include "codelets/device/trsm.h"
#include "tests/device_support.h"
#include "tests/triangle.h"

_Static_assert((int)GPU_SOLVE_BLOCK == (int)SOLVE_BLOCK, "the layout of inverses is one");

static const int64_t orders[] = { 0, 1, 2, 16, 17, 31, 32, 33, 48, 49, 63, 64, 65, 100, 128, 130, 200 };
static const int64_t numbers[] = { 0, 1, 3, 17, 31, 33, 64, 100 };
enum { SIZES = sizeof(orders) / sizeof(orders[0]), NUMBERS = sizeof(numbers) / sizeof(numbers[0]) };
static const scalar alphas[] = { 1, -1, BY_FIELD(0.7, __builtin_complex(0.7, -0.4)) };

struct problem {
	struct solve_kind kind;
	int64_t m, n, k, many, lda, ldb;
	scalar alpha, *a, *b, *x;
};

static size_t a_bytes(const struct problem *p) { return (size_t)(p->lda * p->k) * sizeof(scalar); }
static size_t b_bytes(const struct problem *p) { return (size_t)(p->ldb * p->n) * sizeof(scalar); }

static struct problem problem(struct solve_kind kind, enum triangle which, int64_t k, int64_t many, int seed)
{
	bool left = kind.side == HEDDLE_LEFT;
	struct problem p = { .kind = kind, .m = left ? k : many, .n = left ? many : k, .k = k, .many = many, .alpha = alphas[seed % 3] };

	p.lda = k + seed % 4;
	p.ldb = p.m + seed / 2 % 3;
	p.a = malloc(a_bytes(&p) + 1);
	p.b = malloc(b_bytes(&p) + 1);
	p.x = malloc(b_bytes(&p) + 1);
	fill_triangle(which, kind, k, p.a, p.lda, (uint64_t)seed);
	fill_sides(p.m, p.n, p.b, p.ldb, (uint64_t)seed + 1);
	return p;
}

static void free_problem(struct problem *p)
{
	free(p->a);
	free(p->b);
	free(p->x);
}

/* With inverses from the device if by_inverse. */
static void solve(struct problem *p, int64_t block, bool by_inverse)
{
	int64_t ld = p->k + 1;
	size_t bytes = (size_t)(ld * INVERSE_COLUMNS) * sizeof(scalar);
	scalar *a = device_copy(p->a, a_bytes(p), "A"), *x = device_copy(p->b, b_bytes(p), "B"), *inverses = NULL;

	if (by_inverse) {
		inverses = device_new(bytes, "inverses");
		NAME(gpu_invert_blocks)(NULL, p->kind.uplo, p->kind.diag, p->k, a, p->lda, inverses, ld);
	}
	NAME(gpu_trsm)(NULL, p->kind, p->m, p->n, p->alpha, a, p->lda, x, p->ldb, inverses, ld, block);
	device_finish();
	device_take(p->x, x, b_bytes(p));
	device_free(a);
	if (inverses)
		device_free(inverses);
}

static void check(const struct problem *p, double bound, const char *what)
{
	double error = backward_error(p->kind, p->m, p->n, p->alpha, p->a, p->lda, p->b, p->x, p->ldb);
	bool rest_untouched = true; /* one assertion for all: each costs a system call */

	ck_assert_msg(error <= bound, "%s %c%c%c%c %d x %d: error %.2f", what, p->kind.side, p->kind.uplo, p->kind.trans, p->kind.diag, (int)p->m,
		      (int)p->n, error);
	for (int64_t j = 0; j < p->n; j++)
		for (int64_t i = p->m; i < p->ldb; i++)
			rest_untouched = rest_untouched && p->x[i + j * p->ldb] == 77;
	ck_assert(rest_untouched);
}

/* Every how many variants are tried: all where that is quick.  All of them are, over the shapes together. */
static int every(int64_t k, int64_t many)
{
	double work = (double)k * (double)k * (double)many * (device_slow() ? 50 : 1);

	return work < 3e3 ? 1 : work < 3e4 ? 5 : work < 1e5 ? 11 : 24;
}

START_TEST(orders_and_numbers)
{
	int64_t k = orders[_i / NUMBERS], many = numbers[_i % NUMBERS];
	if (device_slow() && k * many > 500 && (_i / NUMBERS + _i) % 2)
		return;

	for (int v = _i % every(k, many); v < VARIANTS; v += every(k, many)) {
		struct problem p = problem(variant(v), WELL, k, many, _i + v);
		device_order(v % ORDERS, 0);
		solve(&p, 64 << v % 3, false);
		check(&p, TRIANGLE_BOUND, "solve");
		free_problem(&p);
	}
}
END_TEST

/* More right-hand sides than the kernels that share one among many threads are given.  A few at either end and in the middle are checked. */
START_TEST(many_sides)
{
	static const struct {
		int64_t k, many;
	} shapes[] = { { 64, 1100 }, { 50, 1025 }, { 5, 3000 }, { 16, 1500 }, { 30, 1200 }, { 130, 1060 } };
	enum { EACH = 3, PART = 20 };
	int64_t k = shapes[_i / EACH].k, many = shapes[_i / EACH].many;
	if (device_slow() && (_i % EACH != _i / EACH % EACH || k == 50 || k == 16))
		return;

	struct problem p = problem(variant((_i * 5 + _i / EACH) % VARIANTS), WELL, k, many, _i);
	int64_t step = p.kind.side == HEDDLE_LEFT ? p.ldb : 1;
	device_order(_i % ORDERS, 0);
	solve(&p, 64, _i % EACH == 2);
	for (int part = 0; part < 3; part++) {
		struct problem q = p;
		q.b += (many - PART) * part / 2 * step;
		q.x += (many - PART) * part / 2 * step;
		*(p.kind.side == HEDDLE_LEFT ? &q.n : &q.m) = PART;
		ck_assert_double_le(backward_error(q.kind, q.m, q.n, q.alpha, q.a, q.lda, q.b, q.x, q.ldb), TRIANGLE_BOUND);
	}
	free_problem(&p);
}
END_TEST

START_TEST(triangles)
{
	static const int64_t some[] = { 9, 16, 30, 33, 64, 65, 130 };
	int64_t k = some[_i / 2];
	enum triangle which = _i % 2 ? STEEP : NEARLY_SINGULAR;

	for (int v = _i % every(k, 20); v < VARIANTS; v += every(k, 20))
		for (int by_inverse = 0; by_inverse < 2; by_inverse++) {
			struct problem p = problem(variant(v), which, k, 20, _i + v);
			device_order((v + by_inverse) % ORDERS, 0);
			solve(&p, 128, by_inverse);
			check(&p, TRIANGLE_BOUND, by_inverse ? "inverse" : "solve");
			free_problem(&p);
		}
}
END_TEST

/* As far as conditions of these triangles allow, the same numbers as the BLAS. */
START_TEST(as_the_blas)
{
	int64_t k = orders[_i], many = device_slow() ? 3 : 10;

	for (int v = _i % every(k, many); v < VARIANTS; v += every(k, many)) {
		struct problem p = problem(variant(v), WELL, k, many, _i + 5 * v);
		scalar *y = malloc(b_bytes(&p) + 1);
		memcpy(y, p.b, b_bytes(&p));
		solve(&p, 64, v % 2);
		if (k > 0)
			CBLAS(trsm)(CblasColMajor, cblas_side(p.kind.side), cblas_uplo(p.kind.uplo), cblas_trans(p.kind.trans), cblas_diag(p.kind.diag),
				    (int)p.m, (int)p.n, BLAS_SCALAR(p.alpha), p.a, (int)p.lda, y, (int)p.ldb);
		double worst = 0, largest = 0;
		for (int64_t j = 0; j < p.n; j++)
			for (int64_t i = 0; i < p.m; i++) {
				scalar difference = p.x[i + j * p.ldb] - y[i + j * p.ldb];
				worst = fmax(worst, hypot((double)__real__ difference, (double)__imag__ difference));
				largest = fmax(largest, hypot((double)__real__ y[i + j * p.ldb], (double)__imag__ y[i + j * p.ldb]));
			}
		ck_assert_double_le(worst, 200 * (double)(k + 1) * REAL_EPS * largest);
		free(y);
		free_problem(&p);
	}
}
END_TEST

/* Inverses' marks are the host's; so are good inverses up to rounding.  One block of two is bad. */
START_TEST(inverses_and_marks)
{
	struct solve_kind kind = variant(_i % 4 / 2 * 2 + _i / 4 * 12);
	int64_t k = SOLVE_BLOCK * (_i % 2 ? 2 : 1) + (_i % 2 ? 0 : 29), ld = k + 2, blocks = (k + SOLVE_BLOCK - 1) / SOLVE_BLOCK, bad = _i / 2 % 2;
	struct problem p = problem(kind, WELL, k, 12, _i);
	size_t bytes = (size_t)(ld * INVERSE_COLUMNS) * sizeof(scalar);
	scalar *host = malloc(bytes), *mine = malloc(bytes), *a, *inverses;
	int64_t at = bad * SOLVE_BLOCK;

	if (kind.diag == HEDDLE_NON_UNIT)
		p.a[(at + 7) * (p.lda + 1)] = REAL_EPS;
	else
		for (int64_t i = at; i < at + 20; i++)
			p.a[kind.uplo == HEDDLE_LOWER ? i + 1 + i * p.lda : i + (i + 1) * p.lda] = -4;
	memset(host, 0, bytes);
	NAME(invert_blocks)(kind.uplo, kind.diag, k, p.a, p.lda, host, ld);
	for (int order = _i % 2; order < (device_slow() ? _i % 2 + 1 : ORDERS); order += 2) {
		device_order(order, order % 2 ? 4 : 0);
		a = device_copy(p.a, a_bytes(&p), "A");
		inverses = device_new(bytes, "inverses");
		NAME(gpu_invert_blocks)(NULL, kind.uplo, kind.diag, k, a, p.lda, inverses, ld);
		device_finish();
		device_take(mine, inverses, bytes);
		device_free(a);
		for (int64_t b = 0; b < blocks; b++) {
			int64_t first = b * SOLVE_BLOCK, count = k - first < SOLVE_BLOCK ? k - first : SOLVE_BLOCK;
			ck_assert(mine[first + SOLVE_BLOCK * ld] == (b != bad));
			ck_assert(host[first + SOLVE_BLOCK * ld] == (b != bad));
			double worst = 0;
			for (int64_t j = 0; j < count && b != bad; j++)
				for (int64_t i = 0; i < count; i++)
					if (in_triangle(kind, i, j)) {
						scalar difference = mine[first + i + j * ld] - host[first + i + j * ld];
						double size = hypot((double)__real__ difference, (double)__imag__ difference);
						worst = size <= worst ? worst : isnan(size) ? INFINITY : size;
					}
			ck_assert_double_le(worst, 100 * SOLVE_BLOCK * REAL_EPS);
		}
	}
	device_order(ORDER_FORWARD, 0);
	solve(&p, 128, true);
	check(&p, TRIANGLE_BOUND, "inverse");
	memcpy(p.b, p.x, b_bytes(&p)); /* the products were used */
	fill_sides(p.m, p.n, p.b, p.ldb, (uint64_t)_i + 1);
	scalar *by_inverse = p.x;
	p.x = malloc(b_bytes(&p));
	solve(&p, 128, false);
	ck_assert(memcmp(p.x, by_inverse, b_bytes(&p)) != 0);
	free(by_inverse);
	free(host);
	free(mine);
	free_problem(&p);
}
END_TEST

/* Blocks with a NaN, an infinity or a zero on the diagonal are marked, and norms near the ends of the range do not hide a bad one. */
START_TEST(marks)
{
	static const real specials[] = { NAN, INFINITY, 0 };
	struct solve_kind kind = { HEDDLE_LEFT, _i % 2 ? HEDDLE_UPPER : HEDDLE_LOWER, HEDDLE_NO_TRANS, HEDDLE_NON_UNIT };
	enum { K = 40, LD = SOLVE_BLOCK };
	struct problem p = problem(kind, WELL, K, 1, 4);
	real size = _i / 2 == 3 ? REAL_MAX / 256 : _i / 2 == 4 ? REAL_MIN * 256 : 1;
	bool good = _i / 2 >= 3 && _i / 2 <= 4;
	scalar inverses[LD * INVERSE_COLUMNS];

	for (int64_t j = 0; j < K; j++)
		for (int64_t i = 0; i < K; i++)
			if (in_triangle(kind, i, j))
				p.a[i + j * p.lda] *= size;
	if (_i / 2 < 3)
		p.a[21 * (p.lda + 1)] = specials[_i / 2];
	if (_i / 2 == 5)
		p.a[21 * (p.lda + 1)] = REAL_MIN;
	scalar *a = device_copy(p.a, a_bytes(&p), "A"), *d = device_new(sizeof(inverses), "inverses");
	NAME(gpu_invert_blocks)(NULL, kind.uplo, kind.diag, K, a, p.lda, d, LD);
	device_finish();
	device_take(inverses, d, sizeof(inverses));
	device_free(a);
	ck_assert(inverses[SOLVE_BLOCK * LD] == good);
	free_problem(&p);
}
END_TEST

/* Unknowns before the zero are right; that of the zero is not finite. */
START_TEST(zero_on_the_diagonal)
{
	static const int64_t some[] = { 12, 30, 64, 100 };
	int64_t k = some[_i % 4], zero = k / 2;
	struct problem p = problem(variant(_i / 4), WELL, k, 5, _i);

	p.a[zero + zero * p.lda] = 0;
	solve(&p, 64, _i % 3 == 0);
	check_before_zero((struct solved){ p.kind, p.m, p.n, p.lda, p.ldb, p.alpha, p.a, p.b, p.x }, zero);
	free_problem(&p);
}
END_TEST

/* Diagonals whose reciprocals over- or underflow, right-hand sides of such sizes */
START_TEST(extreme_diagonals)
{
	static const int64_t some[] = { 12, 30, 64, 100 };
	struct problem p = problem(variant(_i % 12), WELL, some[_i / 12], 7, _i);

	for (int64_t j = 0; j < p.k; j++)
		for (int64_t i = 0; i < p.k; i++)
			if (in_triangle(p.kind, i, j))
				p.a[i + j * p.lda] = i == j ? (j % 2 ? REAL_MIN / 8 : REAL_MAX / 8) : 0;
	for (int64_t j = 0; j < p.n; j++)
		for (int64_t i = 0; i < p.m; i++)
			p.b[i + j * p.ldb] *= (p.kind.side == HEDDLE_LEFT ? i : j) % 2 ? REAL_MIN * 0x1p20f : REAL_MAX / 4; /* alpha times those is normal */
	solve(&p, 64, false);
	for (int64_t j = 0; j < p.n; j++)
		for (int64_t i = 0; i < p.m; i++) {
			scalar b = p.b[i + j * p.ldb], x = p.x[i + j * p.ldb], want = (p.kind.side == HEDDLE_LEFT ? i : j) % 2 ? b * 8 / REAL_MIN
																	  : b * 8 / REAL_MAX;
			want *= p.alpha;
			scalar difference = x - want;
			ck_assert(hypot((double)__real__ difference, (double)__imag__ difference) <=
				  1e-4 * hypot((double)__real__ want, (double)__imag__ want));
		}
	free_problem(&p);
}
END_TEST

START_TEST(alpha_zero_reads_nothing)
{
	struct problem p = problem(variant(_i), WELL, _i % 2 ? 20 : 70, 9, _i);
	bool right = true;

	for (int64_t i = 0; i < p.lda * p.k; i++)
		p.a[i] = NAN;
	for (int64_t j = 0; j < p.n; j++)
		for (int64_t i = 0; i < p.m; i++)
			p.b[i + j * p.ldb] = NAN;
	p.alpha = 0;
	solve(&p, 64, false);
	for (int64_t j = 0; j < p.n; j++)
		for (int64_t i = 0; i < p.ldb; i++)
			right = right && p.x[i + j * p.ldb] == (i < p.m ? 0 : 77);
	ck_assert(right);
	free_problem(&p);
}
END_TEST

static const struct batch_shape {
	int64_t k, many, count;
} batches[] = { { 1, 1, 100 }, { 4, 4, 100 }, { 7, 30, 33 }, { 16, 9, 41 }, { 17, 20, 7 }, { 32, 33, 7 }, { 33, 5, 7 }, { 60, 20, 7 }, { 64, 40, 3 },
		{ 65, 33, 3 }, { 100, 7, 7 }, { 150, 33, 2 }, { 30, 30, 1 }, { 5, 0, 4 }, { 0, 5, 4 }, { 5, 5, 0 }, { 16, 300, 5 } };
enum { BATCHES = sizeof(batches) / sizeof(batches[0]) };

/* Problems at a distance, with gaps between that stay as they are; or one triangle for all. */
START_TEST(batch)
{
	struct batch_shape c = batches[_i / 4];
	int step = every(c.k, c.many * c.count / 4 + 1);
	if (device_slow() && c.count > 10)
		c.count = 10;
	if (_i % 4 >= step || (device_slow() && _i % 4 > 1))
		return;
	for (int v = _i % step; v < VARIANTS; v += step) {
		struct problem p = problem(variant(v), WELL, c.k, c.many, _i + v);
		bool one = v % 3 == 0;
		int64_t stride_a = one ? 0 : p.lda * p.k + 1, stride_b = p.ldb * p.n + 3, count = c.count;
		size_t a_all = (size_t)(stride_a * count + p.lda * p.k) * sizeof(scalar), b_all = (size_t)(stride_b * count) * sizeof(scalar);
		scalar *a = malloc(a_all + 1), *b = malloc(b_all + 1), *x = malloc(b_all + 1);
		for (int64_t i = 0; i < stride_b * count; i++)
			b[i] = 77;
		for (int64_t i = 0; i < count; i++) {
			fill_triangle(WELL, p.kind, p.k, a + i * stride_a, p.lda, (uint64_t)(one ? 1 : i + 1));
			fill_sides(p.m, p.n, b + i * stride_b, p.ldb, (uint64_t)i + 500);
		}
		device_order(v % ORDERS, v % 5);
		scalar *da = device_copy(a, a_all, "A"), *dx = device_copy(b, b_all, "B");
		NAME(gpu_trsm_batch)(NULL, p.kind, p.m, p.n, p.alpha, da, p.lda, stride_a, dx, p.ldb, stride_b, count);
		device_finish();
		device_free(da);
		device_take(x, dx, b_all);
		bool rest_untouched = true;
		for (int64_t l = 0; l < count; l++) {
			double error = backward_error(p.kind, p.m, p.n, p.alpha, a + l * stride_a, p.lda, b + l * stride_b, x + l * stride_b, p.ldb);
			ck_assert_msg(error <= TRIANGLE_BOUND, "%c%c%c%c %d x %d, problem %d: error %.2f", p.kind.side, p.kind.uplo, p.kind.trans,
				      p.kind.diag, (int)p.m, (int)p.n, (int)l, error);
			for (int64_t i = 0; i < stride_b; i++)
				rest_untouched = rest_untouched && (x[l * stride_b + i] == 77 || (i < p.ldb * p.n && i % p.ldb < p.m));
		}
		ck_assert(rest_untouched);
		free(a);
		free(b);
		free(x);
		free_problem(&p);
	}
}
END_TEST

/* Orders whose problems follow one another */
START_TEST(batch_of_large)
{
	enum { K = 520, MANY = 2, COUNT = 2 };
	struct problem p = problem(variant(_i), WELL, K, MANY * COUNT, 0);

	if (device_slow())
		return;
	p.lda = K;
	p.n = p.kind.side == HEDDLE_LEFT ? MANY : K;
	p.m = p.kind.side == HEDDLE_LEFT ? K : MANY;
	p.ldb = p.m;
	fill_sides(p.m, p.n * COUNT, p.b, p.ldb, 9);
	size_t bytes = COUNT * b_bytes(&p);
	scalar *a = device_copy(p.a, a_bytes(&p), "A"), *x = device_copy(p.b, bytes, "B");
	device_order(ORDER_FORWARD, 0);
	NAME(gpu_trsm_batch)(NULL, p.kind, p.m, p.n, p.alpha, a, p.lda, 0, x, p.ldb, p.ldb * p.n, COUNT);
	device_finish();
	device_free(a);
	device_take(p.x, x, bytes);
	for (int l = 0; l < COUNT; l++)
		ck_assert_double_le(backward_error(p.kind, p.m, p.n, p.alpha, p.a, p.lda, p.b + l * p.ldb * p.n, p.x + l * p.ldb * p.n, p.ldb),
				    TRIANGLE_BOUND);
	free_problem(&p);
}
END_TEST

START_TEST(choices)
{
	int64_t last = 0;

	for (int64_t k = 1; k < 20000; k += 37) {
		int64_t block = NAME(gpu_trsm_block)(k, 1000);
		ck_assert(block >= last && block % GPU_SOLVE_BLOCK == 0);
		last = block;
		ck_assert(NAME(gpu_trsm_block)(k, 1) <= block);
	}
	NAME(gpu_trsm_way) = GPU_TRSM_OWN;
	ck_assert(NAME(gpu_trsm_own)(100000, 1));
	NAME(gpu_trsm_way) = GPU_TRSM_VENDOR;
	ck_assert(NAME(gpu_trsm_own)(1, 1) == !NAME(gpu_has_blas)());
	NAME(gpu_trsm_way) = GPU_TRSM_BY_TABLE;
	ck_assert(NAME(gpu_trsm_own)(64, 64));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("gpu trsm");
	TCase *tests = tcase_create("gpu trsm");

	tcase_set_timeout(tests, 0);
	tcase_add_loop_test(tests, orders_and_numbers, 0, SIZES * NUMBERS);
	tcase_add_loop_test(tests, many_sides, 0, 18);
	tcase_add_loop_test(tests, triangles, 0, 14);
	tcase_add_loop_test(tests, as_the_blas, 0, SIZES);
	tcase_add_loop_test(tests, inverses_and_marks, 0, 8);
	tcase_add_loop_test(tests, marks, 0, 12);
	tcase_add_loop_test(tests, zero_on_the_diagonal, 0, 48);
	tcase_add_loop_test(tests, extreme_diagonals, 0, 48);
	tcase_add_loop_test(tests, alpha_zero_reads_nothing, 0, VARIANTS);
	tcase_add_loop_test(tests, batch, 0, 4 * BATCHES);
	tcase_add_loop_test(tests, batch_of_large, 0, 2);
	tcase_add_test(tests, choices);
	suite_add_tcase(suite, tests);
	return run_here(suite);
}
