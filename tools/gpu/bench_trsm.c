/* Triangular solves on the device, ours and the vendor's, single ones and batches.  What is checked: op(A) X w = alpha B w for a random
 * w, in units of eps |A| |X| |w|. */
#include <string.h>
#include "codelets/device/blas.h"
#include "codelets/device/trsm.h"
#include "tools/gpu/matrix.h"
#include "tools/gpu/vendor.h"

struct problem {
	struct solve_kind kind;
	int64_t m, n, count, block; /* B is m by n; count > 1: a batch, of which all matrices follow one another */
	scalar *a, *b;              /* on the host */
	scalar *da, *db, *pristine;
	void **lists;               /* on the device: of the matrices A, then B */
};

static int64_t order(const struct problem *p) { return p->kind.side == HEDDLE_LEFT ? p->m : p->n; }

/* A triangle whose solutions neither grow nor shrink much. */
static void make_triangle(int64_t k, scalar *a, uint64_t seed)
{
	for (int64_t j = 0; j < k; j++)
		for (int64_t i = 0; i < k; i++)
			a[i + j * k] = i == j ? (scalar)2 : random_scalar(seed, (uint64_t)(i + j * k)) / (real)k;
}

static bool make(struct problem *p)
{
	int64_t k = order(p), in_a = k * k * p->count, in_b = p->m * p->n * p->count;

	p->a = malloc((size_t)in_a * sizeof(scalar));
	p->b = host_random(in_b, 3);
	if (!p->a || !p->b)
		return false;
	for (int64_t i = 0; i < p->count; i++)
		make_triangle(k, p->a + i * k * k, (uint64_t)i + 5);
	p->da = device_from_host(p->a, in_a);
	p->db = device_from_host(p->b, in_b);
	p->pristine = device_from_host(p->b, in_b);
	return p->da && p->db && p->pristine;
}

static void unmake(struct problem *p)
{
	free(p->a);
	free(p->b);
	device_free(p->da);
	device_free(p->db);
	device_free(p->pristine);
	device_free(p->lists);
}

/* For the vendor's batches, where there are any. */
static bool make_lists(struct problem *p)
{
	int64_t k = order(p), count = p->count;
	size_t bytes = 2 * (size_t)count * sizeof(void *);
	void **host = vendor_has_batch(type_letter) ? malloc(bytes) : NULL;

	for (int64_t i = 0; host && i < count; i++) {
		host[i] = p->da + i * k * k;
		host[count + i] = p->db + i * p->m * p->n;
	}
	if (host && (p->lists = device_new(bytes)))
		device_to(p->lists, host, bytes);
	free(host);
	return p->lists;
}

static void restore(void *context)
{
	struct problem *p = context;

	device_copy(device_stream(), p->db, p->pristine, (size_t)(p->m * p->n * p->count) * sizeof(scalar));
}

static void ours(void *context)
{
	struct problem *p = context;
	int64_t k = order(p);

	if (p->count > 1)
		NAME(gpu_trsm_batch)(device_stream(), p->kind, p->m, p->n, 1, p->da, k, k * k, p->db, p->m, p->m * p->n, p->count);
	else
		NAME(gpu_trsm)(device_stream(), p->kind, p->m, p->n, 1, p->da, k, p->db, p->m, NULL, 0, p->block);
}

static void vendors(void *context)
{
	struct problem *p = context;

	if (p->count > 1)
		vendor_trsm_batch(type_letter, device_stream(), p->kind, (int)p->m, (int)p->n, p->lists, (int)order(p), p->lists + p->count, (int)p->m,
				  (int)p->count);
	else
		NAME(gpu_trsm_blas)(device_stream(), p->kind, p->m, p->n, 1, p->da, order(p), p->db, p->m);
}

/* For the first problem and the last. */
static double error_of(struct problem *p, int64_t which)
{
	int64_t k = order(p), m = p->m, n = p->n;
	bool left = p->kind.side == HEDDLE_LEFT, adjoint = p->kind.trans != HEDDLE_NO_TRANS;
	enum part_of_matrix part = p->kind.uplo == HEDDLE_LOWER ? LOWER_PART : UPPER_PART;
	const scalar *a = p->a + which * k * k, *b = p->b + which * m * n;
	scalar *x = malloc((size_t)(m * n) * sizeof(scalar));
	int64_t length = m > n ? m : n;
	wide *w = random_vector(length, 11), *bw = random_vector(length, 0), *axw = random_vector(length, 0), *t = random_vector(length, 0);
	double error = INFINITY;

	if (x && w && bw && axw && t) {
		device_from(x, p->db + which * m * n, (size_t)(m * n) * sizeof(scalar));
		/* left: op(A) (X w) = B w; right: op(A)^H (X^H w) = B^H w */
		int64_t out = left ? m : n;
		times(WHOLE, !left, m, n, b, m, w, bw);
		times(WHOLE, !left, m, n, x, m, w, t);
		times(part, left == adjoint, k, k, a, k, t, axw);
		for (int64_t i = 0; i < out; i++)
			axw[i] -= bw[i];
		/* |A| is about 2, by its diagonal */
		error = norm_of(out, axw) / (REAL_EPS * 2 * norm_of_scalars(m * n, x) * norm_of(left ? n : m, w) / sqrt((double)length));
	}
	free(x);
	free(w);
	free(bw);
	free(axw);
	free(t);
	return error;
}

static bool one(struct bench *b, struct problem *p, bool own, struct history *history)
{
	bool batch = p->count > 1;
	struct row row = new_row(batch ? "batch" : "trsm", own ? "heddle" : batch ? "cuBLAS" : NAME(gpu_blas_name)());
	double k = (double)order(p), count = (double)p->count;

	/* Each A and each B is read, and B written, once. */
	row.work = (struct work){ FLOPS_PER_PAIR * (double)p->m * (double)p->n * k * count,
				  sizeof(scalar) * count * (k * k / 2 + 2 * (double)p->m * (double)p->n), true };
	snprintf(row.shape, sizeof(row.shape), "%lld x %lld", (long long)p->m, (long long)p->n);
	if (batch)
		snprintf(row.shape + strlen(row.shape), sizeof(row.shape) - strlen(row.shape), ", %lld of them", (long long)p->count);
	snprintf(row.how, sizeof(row.how), "%c%c%c%c", (char)p->kind.side, (char)p->kind.uplo, (char)p->kind.trans, (char)p->kind.diag);
	if (own && !batch && order(p) > GPU_SOLVE_BLOCK)
		snprintf(row.how + 4, sizeof(row.how) - 4, ", blocks of %lld", (long long)p->block);
	if (!bench_affordable(b, history, row.work.flops))
		return bench_skip(b, row, b->broken ? "the device has failed" : "no time left");
	double t = bench_clock();
	if (!bench_measure(b, &row, restore, own ? ours : vendors, p))
		return false;
	double first = error_of(p, 0), last = batch ? error_of(p, p->count - 1) : 0;
	row.error = !(first < last) ? first : last;
	row.bound = 100;
	*history = bench_history(bench_clock() - t, &row);
	bench_row(b, &row);
	return true;
}

static void both(struct bench *b, struct problem *p, struct history history[2])
{
	bool batch = p->count > 1;

	p->block = NAME(gpu_trsm_block)(order(p), p->kind.side == HEDDLE_LEFT ? p->n : p->m);
	if (b->broken || bench_left(b) <= 0)
		return;
	if (!make(p))
		bench_skip(b, new_row(batch ? "batch" : "trsm", "heddle"), "no memory");
	else if (one(b, p, true, &history[0]) && (batch ? make_lists(p) : NAME(gpu_has_blas)()))
		one(b, p, false, &history[1]);
	unmake(p);
}

static const struct solve_kind usual = { HEDDLE_LEFT, HEDDLE_LOWER, HEDDLE_NO_TRANS, HEDDLE_NON_UNIT },
			       turned = { HEDDLE_RIGHT, HEDDLE_LOWER, HEDDLE_CONJ_TRANS, HEDDLE_NON_UNIT };

void NAME(bench_trsm)(struct bench *b)
{
	struct list n = bench_list(&b->n, "32,64,128,256,512,1024,2048,4096,8192"), many = bench_list(&b->many, "16,65536");
	struct history history[2] = { { 0, 0 }, { 0, 0 } };

	for (int i = 0; i < n.count; i++)
		both(b, &(struct problem){ .kind = usual, .m = n.at[i], .n = n.at[i], .count = 1 }, history);
	for (int i = 0; i < n.count; i++) {
		if (n.at[i] == 64 || n.at[i] == 1024 || n.count < 3)
			both(b, &(struct problem){ .kind = turned, .m = n.at[i], .n = n.at[i], .count = 1 }, history);
		for (int j = 0; j < many.count && n.at[i] <= 2048; j++)
			if (n.at[i] >= 64)
				both(b, &(struct problem){ .kind = usual, .m = n.at[i], .n = many.at[j], .count = 1 }, history);
	}
}

void NAME(bench_batch)(struct bench *b)
{
	struct list n = bench_list(&b->n, "16,32,64,128,256"), many = bench_list(&b->many, "1000,10000");
	struct history history[2] = { { 0, 0 }, { 0, 0 } };

	for (int i = 0; i < n.count; i++)
		for (int j = 0; j < many.count; j++)
			if (n.at[i] * n.at[i] * many.at[j] <= 200 << 20)
				both(b, &(struct problem){ .kind = usual, .m = n.at[i], .n = n.at[i], .count = many.at[j] }, history);
}
