/* The stand-in for cuBLAS: gemm and trsm on device memory, in the stream's order, against CBLAS; compiled once per precision. */
#include "tests/standin/element.h"
#include "tests/standin/support.h"
#include <cblas.h>

#define done(call) ck_assert_int_eq((call), CUBLAS_STATUS_SUCCESS)

enum { M = 5, N = 4, K = 3, LD = 7, SIZE = LD * LD };

static void fill(scalar *x)
{
	for (int i = 0; i < SIZE; i++) {
		x[i] = (real)rand() / (real)RAND_MAX;
		if (IS_COMPLEX)
			x[i] += (scalar)_Complex_I * ((real)rand() / (real)RAND_MAX);
	}
	for (int i = 0; i < LD; i++)
		x[i + i * LD] += 3;
}

static void *on_device(const scalar *x)
{
	void *device = device_new(SIZE * sizeof(*x));

	ok(RUNTIME(Memcpy)(device, x, SIZE * sizeof(*x), RUNTIME(MemcpyHostToDevice)));
	return device;
}

static void compare(const scalar *expected, const void *device)
{
	scalar x[SIZE];

	ok(RUNTIME(Memcpy)(x, device, sizeof(x), RUNTIME(MemcpyDeviceToHost)));
	for (int i = 0; i < SIZE; i++)
		ck_assert_msg(x[i] == expected[i], "element %d differs", i);
}

static const cublasOperation_t operations[] = { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C };
static const enum CBLAS_TRANSPOSE cblas_operations[] = { CblasNoTrans, CblasTrans, CblasConjTrans };

START_TEST(gemm_and_trsm)
{
	scalar a[SIZE], b[SIZE], c[SIZE], alpha = 2, beta = -1;
	int ta = _i % 3, tb = _i / 3 % 3, right = _i / 9 % 2, upper = _i / 18 % 2, unit = _i / 36 % 2;
	runtime_stream s = stream_of(1);
	long before = standin_get("blas@1");
	cublasHandle_t handle;

	fill(a);
	fill(b);
	fill(c);
	void *da = on_device(a), *db = on_device(b), *dc = on_device(c);
	const element *factor = (const element *)&alpha, *other = (const element *)&beta;
	done(cublasCreate(&handle));
	done(cublasSetStream(handle, s));
	done(CUBLAS(gemm_v2)(handle, operations[ta], operations[tb], M, N, K, factor, da, LD, db, LD, other, dc, LD));
	compare(c, dc); /* it has not run */
	done(CUBLAS(trsm_v2_64)(handle, right ? CUBLAS_SIDE_RIGHT : CUBLAS_SIDE_LEFT,
		upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER, operations[ta], unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT, M, N,
		factor, da, LD, dc, LD));
	ck_assert_int_eq(CUBLAS(gemm_v2_64)(handle, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, factor, da, 1, db, LD, other, dc, LD),
		CUBLAS_STATUS_INVALID_VALUE);
	alpha = 0; /* it was read */
	ok(RUNTIME(StreamSynchronize)(s));
	alpha = 2;
	CBLAS(gemm)(CblasColMajor, cblas_operations[ta], cblas_operations[tb], M, N, K, FACTOR(alpha), a, LD, b, LD, FACTOR(beta), c, LD);
	CBLAS(trsm)(CblasColMajor, right ? CblasRight : CblasLeft, upper ? CblasUpper : CblasLower, cblas_operations[ta],
		unit ? CblasUnit : CblasNonUnit, M, N, FACTOR(alpha), a, LD, c, LD);
	compare(c, dc);
	ck_assert_int_eq(standin_get("blas@1"), before + 2);
	ck_assert_int_eq(standin_get("errors"), 0);
	done(cublasDestroy(handle));
	ok(RUNTIME(Free)(da));
	ok(RUNTIME(Free)(db));
	ok(RUNTIME(Free)(dc));
	ok(RUNTIME(StreamDestroy)(s));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("standin cublas");
	TCase *tests = tcase_create("blas");

	tcase_add_loop_test(tests, gemm_and_trsm, 0, 72);
	suite_add_tcase(suite, tests);
	return run_here(suite);
}
