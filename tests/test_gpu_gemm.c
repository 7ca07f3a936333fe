/* The device's product against the BLAS: every op, edge sizes, every alpha and beta, and the same bits in all orders of threads. */
#include "tests/device_support.h"
#include "tests/support.h"
#include "codelets/device/blas.h"
#include "codelets/device/gemm.h"

struct shape {
	int64_t m, n, k;
};
static const struct shape shapes[] = {
	{ 0, 5, 5 },    { 5, 0, 5 },    { 5, 5, 0 },     { 1, 1, 1 },    { 15, 16, 17 },   { 16, 15, 16 },  { 17, 1, 15 },    { 1, 17, 63 },
	{ 63, 64, 65 }, { 64, 65, 63 }, { 65, 63, 64 },  { 3, 3, 1000 }, { 33, 16, 257 },  { 100, 100, 1 }, { 100, 47, 100 }, { 16, 16, 128 },
};
/* so many squares that the larger tiles are chosen */
static const struct shape large[] = { { 385, 257, 9 }, { 33, 1537, 31 }, { 769, 513, 3 }, { 65, 3075, 20 } };
static const heddle_trans ops[] = { HEDDLE_NO_TRANS, HEDDLE_TRANS, HEDDLE_CONJ_TRANS };
enum { OPS = 3, PAD = 3 };

static scalar coefficient(int which)
{
#if IS_COMPLEX
	return which == 3 ? (scalar)__builtin_complex((real)-0.5, (real)0.75) : (scalar)(real)(which - 1);
#else
	return which == 3 ? (real)-0.75 : (real)(which - 1);
#endif
}

/* Rows of a stored operand whose op has so many rows and columns, and its columns. */
static int64_t stored(heddle_trans op, int64_t rows, int64_t columns) { return op == HEDDLE_NO_TRANS ? rows : columns; }

struct problem {
	heddle_trans ta, tb;
	struct shape size;
	int64_t lda, ldb, ldc;
	size_t a_bytes, b_bytes, c_bytes;
	scalar alpha, beta, *a, *b, *c;
};

static scalar *random_matrix(size_t bytes, uint64_t *state)
{
	scalar *x = malloc(bytes + sizeof(*x));

	for (size_t i = 0; i < bytes / sizeof(*x); i++)
		x[i] = random_scalar(state);
	return x;
}

static struct problem make(struct shape size, int op_a, int op_b, scalar alpha, scalar beta)
{
	struct problem p = { .ta = ops[op_a], .tb = ops[op_b], .size = size, .alpha = alpha, .beta = beta };
	uint64_t state = (uint64_t)(size.m * 7 + size.n * 3 + size.k + op_a * 5 + op_b);

	p.lda = stored(p.ta, size.m, size.k) + PAD;
	p.ldb = stored(p.tb, size.k, size.n) + PAD;
	p.ldc = size.m + PAD;
	p.a_bytes = (size_t)(p.lda * stored(p.ta, size.k, size.m)) * sizeof(scalar);
	p.b_bytes = (size_t)(p.ldb * stored(p.tb, size.n, size.k)) * sizeof(scalar);
	p.c_bytes = (size_t)(p.ldc * size.n) * sizeof(scalar);
	p.a = random_matrix(p.a_bytes, &state);
	p.b = random_matrix(p.b_bytes, &state);
	p.c = random_matrix(p.c_bytes, &state);
	if (beta == 0)
		for (int64_t j = 0; j < size.n; j++)
			for (int64_t i = 0; i < size.m; i++)
				p.c[i + j * p.ldc] = NAN;
	return p;
}

static void drop(struct problem *p)
{
	free(p->a);
	free(p->b);
	free(p->c);
}

/* C as the device has it afterwards. */
static scalar *on_device(const struct problem *p)
{
	scalar *a = device_copy(p->a, p->a_bytes, "a"), *b = device_copy(p->b, p->b_bytes, "b"), *c = device_copy(p->c, p->c_bytes, "c");
	scalar *result = malloc(p->c_bytes + 1);

	NAME(gpu_gemm)(NULL, p->ta, p->tb, p->size.m, p->size.n, p->size.k, p->alpha, a, p->lda, b, p->ldb, p->beta, c, p->ldc);
	device_finish();
	device_take(result, c, p->c_bytes);
	device_free(a);
	device_free(b);
	return result;
}

/* Within k + 2 roundings of |alpha| |op(A)| |op(B)| + |beta| |C|, whose elements are at most these; nothing beside C touched. */
static void check(const struct problem *p, const scalar *c)
{
	struct shape s = p->size;
	scalar *expected = malloc(p->c_bytes + 1);
	double bound = 8 * ((double)s.k + 2) * (double)REAL_EPS * (sqrt((double)s.k) + 1);

	for (size_t i = 0; i < p->c_bytes / sizeof(scalar); i++)
		expected[i] = p->beta == 0 && (int64_t)i % p->ldc < s.m ? 0 : p->c[i];
	gemm(cblas_trans(p->ta), cblas_trans(p->tb), s.m, s.n, s.k, p->alpha, p->a, p->lda, p->b, p->ldb, p->beta, expected, p->ldc);
	for (int64_t j = 0; j < s.n; j++)
		for (int64_t i = 0; i < p->ldc; i++) {
			scalar x = c[i + j * p->ldc], y = expected[i + j * p->ldc];
			ck_assert_msg(i < s.m ? cabs((double _Complex)(x - y)) <= bound : x == y,
				      "%c %c, %ld by %ld by %ld: element (%ld, %ld) is %g%+gi, not %g%+gi", p->ta, p->tb, (long)s.m, (long)s.n,
				      (long)s.k, (long)i, (long)j, (double)__real__ x, (double)__imag__ x, (double)__real__ y, (double)__imag__ y);
		}
	free(expected);
}

static void run(struct shape size, int op_a, int op_b, scalar alpha, scalar beta)
{
	struct problem p = make(size, op_a, op_b, alpha, beta);
	scalar *c = on_device(&p);

	check(&p, c);
	free(c);
	drop(&p);
}

START_TEST(every_op_and_shape)
{
	device_order(_i % ORDERS, 0);
	for (int op_a = 0; op_a < OPS; op_a++)
		for (int op_b = 0; op_b < OPS; op_b++)
			if ((_i + op_a + op_b) % 3 == 0 && !(device_slow() && op_a == _i % OPS)) /* some of the ops with each shape */
				run(shapes[_i], op_a, op_b, coefficient(3), coefficient((_i + op_a) % 4));
}
END_TEST

START_TEST(many_squares)
{
	device_order(_i % ORDERS, 2);
	if (device_slow() && _i % 2 == 1)
		return;
	run(large[_i], _i % OPS, (_i + 1) / 2 % OPS, coefficient(3), coefficient(_i % 4));
}
END_TEST

/* alpha and beta -1, 0, 1 and another: where beta is 0, C holds NaNs */
START_TEST(every_alpha_and_beta)
{
	device_order(_i % ORDERS, 0);
	run((struct shape){ 17, 19, 37 }, _i % OPS, _i / OPS % OPS, coefficient(_i % 4), coefficient(_i / 4));
}
END_TEST

/* alpha = 0: neither A nor B counts */
START_TEST(alpha_0_reads_nothing)
{
	struct problem p = make((struct shape){ 9, 5, 7 }, 0, 0, 0, coefficient(_i));
	for (size_t i = 0; i < p.a_bytes / sizeof(scalar); i++)
		p.a[i] = NAN;
	for (size_t i = 0; i < p.b_bytes / sizeof(scalar); i++)
		p.b[i] = NAN;
	scalar *c = on_device(&p);

	check(&p, c);
	free(c);
	drop(&p);
}
END_TEST

/* A NaN in A makes a row of C NaN, and nothing else. */
START_TEST(nan_stays_in_its_row)
{
	struct problem p = make((struct shape){ 20, 18, 40 }, 0, 0, 1, 0);
	p.a[13 + 39 * p.lda] = NAN;
	scalar *c = on_device(&p);

	for (int64_t j = 0; j < p.size.n; j++)
		for (int64_t i = 0; i < p.size.m; i++)
			ck_assert_int_eq(c[i + j * p.ldc] != c[i + j * p.ldc], i == 13);
	free(c);
	drop(&p);
}
END_TEST

/* Our own product gives the same bits whatever the order of threads and blocks, where several groups share k too. */
START_TEST(same_bits_in_every_order)
{
	static const struct shape sizes[] = { { 33, 17, 1000 }, { 385, 257, 40 }, { 520, 770, 12 } };
	struct problem p = make(sizes[_i], 1, 2, coefficient(3), coefficient(3));
	scalar *first = NULL;

	for (int order = 0; order < (device_slow() ? 2 : ORDERS - 1); order++) {
		device_order(order, order);
		scalar *c = on_device(&p);
		if (!first)
			first = c;
		else {
			ck_assert_mem_eq(first, c, p.c_bytes);
			free(c);
		}
	}
	free(first);
	drop(&p);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("gpu_gemm");
	TCase *test = tcase_create(NAME(gpu_blas_name)());

	tcase_set_timeout(test, 0);
	tcase_add_loop_test(test, every_op_and_shape, 0, (int)(sizeof(shapes) / sizeof(*shapes)));
	tcase_add_loop_test(test, many_squares, 0, (int)(sizeof(large) / sizeof(*large)));
	tcase_add_loop_test(test, every_alpha_and_beta, 0, 16);
	tcase_add_loop_test(test, alpha_0_reads_nothing, 0, 4);
	tcase_add_test(test, nan_stays_in_its_row);
	tcase_add_loop_test(test, same_bits_in_every_order, 0, 3);
	suite_add_tcase(suite, test);
	return run_here(suite);
}
