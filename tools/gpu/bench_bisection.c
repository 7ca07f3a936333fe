/* Values of bidiagonals and tridiagonals by bisection.  What is checked: their order and the sum of their squares. */
#include "codelets/device/sturm.h"
#include "tools/gpu/matrix.h"

struct problem {
	int64_t n;
	enum sturm_kind kind;
	real *d, *values; /* d, then e, on the host */
	real *dd, *found;
	struct sturm *m;
	int *verdict;
};

static bool make(struct problem *p)
{
	int64_t n = p->n;

	p->d = host_random(2 * n, 1);
	p->values = malloc((size_t)n * sizeof(real));
	if (!p->d || !p->values)
		return false;
	p->dd = device_from_host(p->d, 2 * n);
	p->found = device_new((size_t)n * sizeof(real));
	p->m = device_new(sturm_bytes(n));
	p->verdict = device_new(sizeof(int));
	return p->dd && p->found && p->m && p->verdict;
}

static void unmake(struct problem *p)
{
	free(p->d);
	free(p->values);
	device_free(p->dd);
	device_free(p->found);
	device_free(p->m);
	device_free(p->verdict);
}

static void run(void *context)
{
	struct problem *p = context;
	real *e = p->dd + p->n;

	REAL_NAME(gpu_values_init)(device_stream(), p->kind, p->n, p->m, &p->dd, p->n, &e, p->n, NULL, &(heddle_select){ .kind = HEDDLE_ALL }, NULL,
				   p->verdict);
	REAL_NAME(gpu_values_find)(device_stream(), p->m, 0, 1, p->n, p->found);
}

static double error_of(struct problem *p)
{
	double sum = 0, wanted = 0;
	bool down = p->kind == BIDIAGONAL;

	device_from(p->values, p->found, (size_t)p->n * sizeof(real));
	for (int64_t i = 0; i < p->n; i++) {
		double x = p->values[i];
		sum += x * x;
		if (i > 0 && (down ? p->values[i] > p->values[i - 1] : p->values[i] < p->values[i - 1]))
			return INFINITY;
	}
	for (int64_t i = 0; i < 2 * p->n - 1; i++)
		wanted += (double)p->d[i] * (double)p->d[i] * (!down && i >= p->n ? 2 : 1);
	return fabs(sqrt(sum) - sqrt(wanted)) / (REAL_EPS * sqrt(wanted));
}

static void one(struct bench *b, struct problem *p, struct history *history)
{
	struct row row = new_row("bisection", "heddle");
	double n = (double)p->n, counts = sizeof(real) == 8 ? 50 : 25, steps = n * n * counts;

	/* counts of n steps, about one for each bit of each value; the matrix is read once a count by each block of 128 values; all
	 * arithmetic is double, whatever the type */
	row.type = 'd';
	row.work = (struct work){ steps * (p->kind == BIDIAGONAL ? 5 : 4), steps * 2 * sizeof(double) / 128, false };
	snprintf(row.shape, sizeof(row.shape), "n %lld", (long long)p->n);
	snprintf(row.how, sizeof(row.how), "%s to %s precision", p->kind == BIDIAGONAL ? "bidiagonal" : "tridiagonal",
		 sizeof(real) == 8 ? "double" : "single");
	if (!bench_affordable(b, history, row.work.flops)) {
		bench_skip(b, row, b->broken ? "the device has failed" : "no time left");
		return;
	}
	double t = bench_clock();
	if (!bench_measure(b, &row, NULL, run, p))
		return;
	*history = bench_history(bench_clock() - t, &row);
	row.error = error_of(p);
	row.bound = 50 + n;
	bench_row(b, &row);
}

void NAME(bench_bisection)(struct bench *b)
{
	struct list n = bench_list(&b->n, "1024,4096,16384,32768");
	struct history history = { 0, 0 };

	for (int i = 0; i < n.count; i++)
		for (int k = 0; k < 2; k++) {
			struct problem p = { .n = n.at[i], .kind = k ? TRIDIAGONAL : BIDIAGONAL };
			if (b->broken || bench_left(b) <= 0)
				continue;
			if (make(&p))
				one(b, &p, &history);
			else
				bench_skip(b, new_row("bisection", "heddle"), "no memory");
			unmake(&p);
		}
}
