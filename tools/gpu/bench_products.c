/* The products of the reduction to a band, ours and the vendor's: V^H C and C U with b columns, the update C -= X W with inner size
 * 2 b, and a square one.  What is checked: C w for a random w. */
#include "codelets/device/blas.h"
#include "codelets/device/gemm.h"
#include "tools/gpu/matrix.h"

struct problem {
	heddle_trans ta;
	int64_t m, n, k;
	scalar alpha, beta;
	scalar *a, *b, *c; /* on the host */
	scalar *da, *db, *dc, *pristine;
};

static int64_t rows_a(const struct problem *p) { return p->ta == HEDDLE_NO_TRANS ? p->m : p->k; }
static int64_t columns_a(const struct problem *p) { return p->ta == HEDDLE_NO_TRANS ? p->k : p->m; }

static bool make(struct problem *p)
{
	int64_t in_a = p->m * p->k, in_b = p->k * p->n, in_c = p->m * p->n;

	p->a = host_random(in_a, 1);
	p->b = host_random(in_b, 2);
	p->c = host_random(in_c, 3);
	if (!p->a || !p->b || !p->c)
		return false;
	p->da = device_from_host(p->a, in_a);
	p->db = device_from_host(p->b, in_b);
	p->dc = device_from_host(p->c, in_c);
	p->pristine = device_from_host(p->c, in_c);
	return p->da && p->db && p->dc && p->pristine;
}

static void unmake(struct problem *p)
{
	free(p->a);
	free(p->b);
	free(p->c);
	device_free(p->da);
	device_free(p->db);
	device_free(p->dc);
	device_free(p->pristine);
}

static void restore(void *context)
{
	struct problem *p = context;

	device_copy(device_stream(), p->dc, p->pristine, (size_t)(p->m * p->n) * sizeof(scalar));
}

static void ours(void *context)
{
	struct problem *p = context;

	NAME(gpu_gemm_own)(device_stream(), p->ta, HEDDLE_NO_TRANS, p->m, p->n, p->k, p->alpha, p->da, rows_a(p), p->db, p->k, p->beta, p->dc, p->m);
}

static void vendors(void *context)
{
	struct problem *p = context;

	NAME(gpu_gemm)(device_stream(), p->ta, HEDDLE_NO_TRANS, p->m, p->n, p->k, p->alpha, p->da, rows_a(p), p->db, p->k, p->beta, p->dc, p->m);
}

/* C w - alpha op(A) (B w) - beta C0 w, in eps times k times what its terms are at most. */
static double error_of(struct problem *p)
{
	scalar *result = malloc((size_t)(p->m * p->n) * sizeof(scalar));
	wide *w = random_vector(p->n, 11), *bw = random_vector(p->k, 0), *abw = random_vector(p->m, 0), *cw = random_vector(p->m, 0),
	     *was = random_vector(p->m, 0);
	double error = INFINITY;

	if (result && w && bw && abw && cw && was) {
		device_from(result, p->dc, (size_t)(p->m * p->n) * sizeof(scalar));
		times(WHOLE, false, p->k, p->n, p->b, p->k, w, bw);
		times(WHOLE, p->ta != HEDDLE_NO_TRANS, rows_a(p), columns_a(p), p->a, rows_a(p), bw, abw);
		times(WHOLE, false, p->m, p->n, p->c, p->m, w, was);
		times(WHOLE, false, p->m, p->n, result, p->m, w, cw);
		for (int64_t i = 0; i < p->m; i++)
			cw[i] -= p->alpha * abw[i] + p->beta * was[i];
		error = norm_of(p->m, cw) / (REAL_EPS * (norm_of_scalars(p->m * p->n, result) + 1) * sqrt((double)p->k));
	}
	free(result);
	free(w);
	free(bw);
	free(abw);
	free(cw);
	free(was);
	return error;
}

static bool one(struct bench *b, struct problem *p, const char *what, bool own, struct history *history)
{
	struct row row = new_row("products", own ? "heddle" : NAME(gpu_blas_name)());
	double m = (double)p->m, n = (double)p->n, k = (double)p->k;

	row.work = (struct work){ 2 * FLOPS_PER_PAIR * m * n * k, sizeof(scalar) * (m * k + k * n + (p->beta != 0 ? 2 : 1) * m * n), true };
	snprintf(row.shape, sizeof(row.shape), "%lld x %lld x %lld", (long long)p->m, (long long)p->n, (long long)p->k);
	snprintf(row.how, sizeof(row.how), "%s", what);
	if (!bench_affordable(b, history, row.work.flops))
		return bench_skip(b, row, b->broken ? "the device has failed" : "no time left");
	double t = bench_clock();
	if (!bench_measure(b, &row, p->beta != 0 ? restore : NULL, own ? ours : vendors, p))
		return false;
	*history = bench_history(bench_clock() - t, &row);
	row.error = error_of(p);
	row.bound = 50;
	bench_row(b, &row);
	return true;
}

static void both(struct bench *b, const char *what, struct problem *p, struct history history[2])
{
	if (b->broken || bench_left(b) <= 0)
		return;
	if (!make(p))
		bench_skip(b, new_row("products", "heddle"), "no memory");
	else if (one(b, p, what, true, &history[0]) && NAME(gpu_has_blas)())
		one(b, p, what, false, &history[1]);
	unmake(p);
}

void NAME(bench_products)(struct bench *b)
{
	struct list n = bench_list(&b->n, "1024,4096,8192"), band = bench_list(&b->band, "32,64,128");
	struct history history[2] = { { 0, 0 }, { 0, 0 } };
	heddle_trans none = HEDDLE_NO_TRANS, adjoint = HEDDLE_CONJ_TRANS;

	for (int i = 0; i < n.count; i++) {
		int64_t x = n.at[i];
		for (int j = 0; j < band.count; j++) {
			int64_t y = band.at[j];
			both(b, "V^H C", &(struct problem){ .ta = adjoint, .m = y, .n = x, .k = x, .alpha = 1 }, history);
			both(b, "C U", &(struct problem){ .ta = none, .m = x, .n = y, .k = x, .alpha = 1 }, history);
			both(b, "C -= X W", &(struct problem){ .ta = none, .m = x, .n = x, .k = 2 * y, .alpha = -1, .beta = 1 }, history);
		}
		both(b, "square", &(struct problem){ .ta = none, .m = x, .n = x, .k = x, .alpha = 1 }, history);
	}
}
