/* Many independent triangular solves of one shape, in tasks of several problems each. */
#include "algorithms/algorithms.h"

#include <heddle/blas3.h>
#include "algorithms/blocking.h"
#include "runtime/error.h"
#include "runtime/runtime.h"

/* Problems a task: enough for a task's own cost not to show, in time and in what one call costs; but a few tasks for each worker. */
static int64_t group_of(double work, int64_t count)
{
	static const double TASK_WORK = 2e6;
	enum { TASKS_A_WORKER = 4 };
	int64_t enough = (int64_t)(TASK_WORK / work) + 1, tasks = TASKS_A_WORKER * runtime_workers(), even = (count + tasks - 1) / tasks;

	return enough > even ? enough : even;
}

static int by_tasks(const struct NAME(batch) *batch, double work, int64_t count)
{
	struct blocking b = { 0 };
	int code = blocking_begin(&b);

	if (code == HEDDLE_OK) {
		struct submit to = { .sequence = b.sequence, .stage = STAGE_TRSM };
		int64_t group = group_of(work, count);
		for (int64_t i = 0; i < count; i += group)
			NAME(trsm_batch)(to, batch, i, least(group, count - i));
	}
	return blocking_end(&b, code);
}

/* Large problems that are fewer than the workers share them one after the other. */
static int one_by_one(const struct NAME(batch) *x, int64_t count)
{
	int code = HEDDLE_OK;

	for (int64_t i = 0; i < count && code == HEDDLE_OK; i++)
		code = API(trsm)(x->kind.side, x->kind.uplo, x->kind.trans, x->kind.diag, x->m, x->n, x->alpha,
				 x->a_list ? x->a_list[i] : x->a + i * x->stride_a, x->lda, x->b_list ? x->b_list[i] : x->b + i * x->stride_b, x->ldb);
	return code;
}

/* Arguments are legal. */
static int solve_all(const char *function, const struct NAME(batch) *x, int64_t count)
{
	static const double CALL_WORK = 2000, BY_CALLER = 3e6;
	bool left = x->kind.side == HEDDLE_LEFT;
	int64_t k = left ? x->m : x->n;
	double work = FLOPS_PER_PAIR * (double)x->m * (double)x->n * (double)k + CALL_WORK;
	heddle_options o = { 0 };
	int code = HEDDLE_OK;

	if (x->m == 0 || x->n == 0 || count == 0)
		return HEDDLE_OK;
	heddle_trsm_options(TYPE, k, left ? x->n : x->m, &o);
	if (count == 1 || (o.route == HEDDLE_ROUTE_GRAPH && count < 8))
		code = one_by_one(x, count);
	else if (work * (double)count < BY_CALLER)
		NAME(solve_batch)(x, 0, count);
	else
		code = by_tasks(x, work, count);
	return code == HEDDLE_OK || code == HEDDLE_ERUNTIME ? code : error_set(code, "%s: %s", function, heddle_strerror(code));
}

int API(trsm_batch)(heddle_side side, heddle_uplo uplo, heddle_trans trans, heddle_diag diag, int64_t m, int64_t n, scalar alpha,
		    const scalar *const *A, int64_t lda, scalar *const *B, int64_t ldb, int64_t count)
{
	struct NAME(batch) x = { .kind = { side, uplo, trans, diag }, .m = m, .n = n, .lda = lda, .ldb = ldb, .alpha = alpha,
				 .a_list = A, .b_list = B };
	bool read = count > 0 && alpha != 0, empty = m == 0 || n == 0;
	struct solve_call call = { x.kind, m, n, lda, ldb, A, count > 0 ? (const void *)B : &x, 11, read };
	int code = check_solve_call(__func__, &call);

	if (code != HEDDLE_OK)
		return code;
	CHECK_ARGUMENT(count >= 0, 12, "count", count, "0 or more");
	for (int64_t i = 0; i < count && !empty; i++) {
		CHECK_ARGUMENT(A == NULL || A[i] || !read, 8, "A[i]", 0, "pointers");
		CHECK_ARGUMENT(B[i], 10, "B[i]", 0, "pointers");
	}
	return solve_all(__func__, &x, count);
}

int API(trsm_batch_strided)(heddle_side side, heddle_uplo uplo, heddle_trans trans, heddle_diag diag, int64_t m, int64_t n, scalar alpha,
			    const scalar *A, int64_t lda, int64_t stride_a, scalar *B, int64_t ldb, int64_t stride_b, int64_t count)
{
	struct NAME(batch) x = { .kind = { side, uplo, trans, diag }, .m = m, .n = n, .lda = lda, .ldb = ldb, .alpha = alpha,
				 .a = A, .stride_a = stride_a, .b = B, .stride_b = stride_b };
	struct solve_call call = { x.kind, m, n, lda, ldb, A, count > 0 ? (const void *)B : &x, 12, count > 0 && alpha != 0 };
	int64_t k = side == HEDDLE_LEFT ? m : n;
	int code = check_solve_call(__func__, &call);

	if (code != HEDDLE_OK)
		return code;
	bool several = count > 1 && m > 0 && n > 0;
	CHECK_ARGUMENT(stride_a == 0 || !several || stride_a >= (k - 1) * lda + k, 10, "stride_a", stride_a, "0 or the distance of matrices that do not overlap");
	CHECK_ARGUMENT(!several || stride_b >= (n - 1) * ldb + m, 13, "stride_b", stride_b, "the distance of matrices that do not overlap");
	CHECK_ARGUMENT(count >= 0, 14, "count", count, "0 or more");
	return solve_all(__func__, &x, count);
}
