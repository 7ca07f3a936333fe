/* One-stage reductions of small matrices to bidiagonal and tridiagonal form.  What is checked: the norm of the diagonals. */
#include "codelets/device/small.h"
#include "tools/gpu/matrix.h"

struct problem {
	int64_t n;
	bool hermitian;
	scalar *a; /* on the host */
	scalar *da, *pristine;
	real *out; /* d, e, scale */
	void *work;
	int *verdict;
};

static bool make(struct problem *p)
{
	int64_t n = p->n;

	p->a = host_random(n * n, 1);
	if (!p->a)
		return false;
	for (int64_t j = 0; p->hermitian && j < n; j++) {
		p->a[j + j * n] = real_part(p->a[j + j * n]);
		for (int64_t i = 0; i < j; i++)
			p->a[i + j * n] = conjugate(p->a[j + i * n]);
	}
	p->da = device_from_host(p->a, n * n);
	p->pristine = device_from_host(p->a, n * n);
	p->out = device_new((size_t)(2 * n + 2) * sizeof(real));
	p->work = device_new(p->hermitian ? NAME(gpu_hetrd_small_work)(n) : NAME(gpu_gebrd_small_work)(n, n));
	p->verdict = device_new(sizeof(int));
	return p->da && p->pristine && p->out && p->work && p->verdict;
}

static void unmake(struct problem *p)
{
	free(p->a);
	device_free(p->da);
	device_free(p->pristine);
	device_free(p->out);
	device_free(p->work);
	device_free(p->verdict);
}

static void restore(void *context)
{
	struct problem *p = context;

	device_copy(device_stream(), p->da, p->pristine, (size_t)(p->n * p->n) * sizeof(scalar));
}

static void run(void *context)
{
	struct problem *p = context;
	real *d = p->out, *e = d + p->n, *scale = e + p->n;

	if (p->hermitian)
		NAME(gpu_hetrd_small)(device_stream(), HEDDLE_LOWER, p->n, p->da, p->n, d, e, scale, p->work, p->verdict);
	else
		NAME(gpu_gebrd_small)(device_stream(), p->n, p->n, p->da, p->n, d, e, scale, p->work, p->verdict);
}

static double error_of(struct problem *p)
{
	size_t bytes = (size_t)(2 * p->n + 2) * sizeof(real);
	real *out = malloc(bytes);
	double sum = 0, norm = norm_of_scalars(p->n * p->n, p->a), error = INFINITY;

	if (out) {
		device_from(out, p->out, bytes);
		for (int64_t i = 0; i < 2 * p->n - 1; i++)
			sum += (double)out[i] * (double)out[i] * (p->hermitian && i >= p->n ? 2 : 1);
		error = fabs(sqrt(sum) * (double)out[2 * p->n + 1] - norm) / (REAL_EPS * norm);
	}
	free(out);
	return error;
}

static void one(struct bench *b, struct problem *p, struct history *history)
{
	struct row row = new_row("small", "heddle");
	double n = (double)p->n;

	/* the trailing matrix is read and written once a step */
	row.work = (struct work){ FLOPS_PER_PAIR * (p->hermitian ? 4 : 8) * n * n * n / 3, sizeof(scalar) * 2 * n * n * n / 3, false };
	snprintf(row.shape, sizeof(row.shape), "n %lld", (long long)p->n);
	snprintf(row.how, sizeof(row.how), p->hermitian ? "to tridiagonal" : "to bidiagonal");
	if (!bench_affordable(b, history, row.work.flops)) {
		bench_skip(b, row, b->broken ? "the device has failed" : "no time left");
		return;
	}
	double t = bench_clock();
	if (!bench_measure(b, &row, restore, run, p))
		return;
	*history = bench_history(bench_clock() - t, &row);
	row.error = error_of(p);
	row.bound = 50 + n;
	bench_row(b, &row);
}

void NAME(bench_small)(struct bench *b)
{
	struct list n = bench_list(&b->n, "64,128,256,512");
	struct history history = { 0, 0 };

	for (int i = 0; i < n.count; i++)
		for (int hermitian = 0; hermitian < 2; hermitian++) {
			struct problem p = { .n = n.at[i], .hermitian = hermitian };
			if (b->broken || bench_left(b) <= 0)
				continue;
			if (make(&p))
				one(b, &p, &history);
			else
				bench_skip(b, new_row("small", "heddle"), "no memory");
			unmake(&p);
		}
}
