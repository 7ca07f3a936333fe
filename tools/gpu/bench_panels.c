/* QR of tall panels with their T factors.  What is checked: A w = (I - V T V^H) (R w) for a random w, and that this keeps norms. */
#include "codelets/device/panel.h"
#include "tools/gpu/matrix.h"

struct problem {
	int64_t m, n;
	scalar *a, *v, *r, *t; /* on the host */
	scalar *da, *dr, *dt, *pristine;
	void *work;
};

static bool make(struct problem *p)
{
	int64_t m = p->m, n = p->n;

	p->a = host_random(m * n, 1);
	p->v = host_random(m * n, 0);
	p->r = host_random(n * n, 0);
	p->t = host_random(n * n, 0);
	if (!p->a || !p->v || !p->r || !p->t)
		return false;
	p->da = device_from_host(p->a, m * n);
	p->pristine = device_from_host(p->a, m * n);
	p->dr = device_from_host(NULL, n * n);
	p->dt = device_from_host(NULL, n * n);
	p->work = device_new(NAME(gpu_geqrt_work)(m, n));
	return p->da && p->pristine && p->dr && p->dt && p->work;
}

static void unmake(struct problem *p)
{
	free(p->a);
	free(p->v);
	free(p->r);
	free(p->t);
	device_free(p->da);
	device_free(p->pristine);
	device_free(p->dr);
	device_free(p->dt);
	device_free(p->work);
}

static void restore(void *context)
{
	struct problem *p = context;

	device_copy(device_stream(), p->da, p->pristine, (size_t)(p->m * p->n) * sizeof(scalar));
}

static void run(void *context)
{
	struct problem *p = context;

	NAME(gpu_geqrt)(device_stream(), p->m, p->n, p->da, p->m, p->dr, p->n, p->dt, p->n, p->work);
}

/* y := (I - V T V^H) y */
static void reflect(const struct problem *p, wide *y, wide *vy, wide *tvy, wide *vtvy)
{
	times(WHOLE, true, p->m, p->n, p->v, p->m, y, vy);
	times(UPPER_PART, false, p->n, p->n, p->t, p->n, vy, tvy);
	times(WHOLE, false, p->m, p->n, p->v, p->m, tvy, vtvy);
	for (int64_t i = 0; i < p->m; i++)
		y[i] -= vtvy[i];
}

static double error_of(struct problem *p)
{
	int64_t m = p->m, n = p->n;
	wide *w = random_vector(n, 5), *aw = random_vector(m, 0), *y = random_vector(m, 0), *z = random_vector(m, 9), *vtvy = random_vector(m, 0),
	     *vy = random_vector(n, 0), *tvy = random_vector(n, 0);
	double error = INFINITY;

	if (w && aw && y && z && vtvy && vy && tvy) {
		device_from(p->v, p->da, (size_t)(m * n) * sizeof(scalar));
		device_from(p->r, p->dr, (size_t)(n * n) * sizeof(scalar));
		device_from(p->t, p->dt, (size_t)(n * n) * sizeof(scalar));
		times(WHOLE, false, m, n, p->a, m, w, aw);
		times(UPPER_PART, false, n, n, p->r, n, w, y);
		for (int64_t i = n; i < m; i++)
			y[i] = 0;
		reflect(p, y, vy, tvy, vtvy);
		for (int64_t i = 0; i < m; i++)
			y[i] -= aw[i];
		double residual = norm_of(m, y) / (REAL_EPS * norm_of_scalars(m * n, p->a) * norm_of(n, w) / sqrt((double)n));
		double before = norm_of(m, z);
		reflect(p, z, vy, tvy, vtvy);
		double change = fabs(norm_of(m, z) - before) / (REAL_EPS * before);
		error = !(residual < change) ? residual : change;
	}
	free(w);
	free(aw);
	free(y);
	free(z);
	free(vtvy);
	free(vy);
	free(tvy);
	return error;
}

static void one(struct bench *b, struct problem *p, struct history *history)
{
	struct row row = new_row("panels", "heddle");
	double m = (double)p->m, n = (double)p->n;

	/* Householder's flops, to R and on to T; A is read and V written once, were it to fit into registers at once */
	row.work = (struct work){ FLOPS_PER_PAIR * (2 * m * n * n - 2 * n * n * n / 3 + m * n * n), sizeof(scalar) * (2 * m * n + n * n), false };
	snprintf(row.shape, sizeof(row.shape), "%lld x %lld", (long long)p->m, (long long)p->n);
	snprintf(row.how, sizeof(row.how), "V, R, T");
	if (!bench_affordable(b, history, row.work.flops)) {
		bench_skip(b, row, b->broken ? "the device has failed" : "no time left");
		return;
	}
	double t = bench_clock();
	if (!bench_measure(b, &row, restore, run, p))
		return;
	*history = bench_history(bench_clock() - t, &row);
	row.error = error_of(p);
	row.bound = 100 + n;
	bench_row(b, &row);
}

void NAME(bench_panels)(struct bench *b)
{
	struct list n = bench_list(&b->n, "1024,4096,16384,65536"), many = bench_list(&b->many, "32,64,128");
	struct history history = { 0, 0 };

	for (int i = 0; i < n.count; i++)
		for (int j = 0; j < many.count; j++) {
			struct problem p = { .m = n.at[i], .n = many.at[j] };
			if (b->broken || bench_left(b) <= 0 || p.m < p.n)
				continue;
			if (make(&p))
				one(b, &p, &history);
			else
				bench_skip(b, new_row("panels", "heddle"), "no memory");
			unmake(&p);
		}
}
