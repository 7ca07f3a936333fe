/* Singular values and eigenvalues from end to end, through the public functions: with the device, by cuSOLVER with the matrix on the
 * device already, and by the CPUs alone.  What is checked: the sum of the squares, and that all agree. */
#include <heddle/heddle.h>
#include <string.h>
#include "tools/gpu/matrix.h"
#include "tools/gpu/vendor.h"

enum contestant { WITH_DEVICE, VENDOR, CPUS };

/* One order: its matrix, and the values that the first contestant found. */
struct problem {
	bool hermitian;
	int64_t n;
	scalar *a, *pristine;   /* on the host */
	scalar *da, *dpristine; /* on the device, for cuSOLVER */
	real *values, *dvalues, *first;
	double norm;
	struct vendor_job *job;
	bool failed;
};

struct values_bench {
	struct bench *b;
	bool hermitian;
	struct list n;
	real *first[LIST];
	int gpus, cpus;
};

static bool make(struct problem *p)
{
	int64_t n = p->n;

	p->a = malloc((size_t)(n * n) * sizeof(scalar));
	p->pristine = host_random(n * n, 1);
	p->values = malloc((size_t)n * sizeof(real));
	if (!p->a || !p->pristine || !p->values)
		return false;
	for (int64_t j = 0; p->hermitian && j < n; j++) {
		p->pristine[j + j * n] = real_part(p->pristine[j + j * n]);
		for (int64_t i = 0; i < j; i++)
			p->pristine[i + j * n] = conjugate(p->pristine[j + i * n]);
	}
	p->norm = norm_of_scalars(n * n, p->pristine);
	return true;
}

static void unmake(struct problem *p)
{
	free(p->a);
	free(p->pristine);
	free(p->values);
	device_free(p->da);
	device_free(p->dpristine);
	device_free(p->dvalues);
}

/* In units of eps |A|, and with the values found first, if there are any. */
static double error_of(const struct problem *p)
{
	double sum = 0, most = 0, difference = 0;

	for (int64_t i = 0; i < p->n; i++) {
		double x = p->values[i];
		sum += x * x;
		most = fabs(x) > most ? fabs(x) : most;
		if (p->first && !(fabs(x - p->first[i]) <= difference))
			difference = fabs(x - p->first[i]);
	}
	double change = fabs(sqrt(sum) - p->norm) / (REAL_EPS * p->norm);
	difference /= REAL_EPS * most;
	return !(change < difference) ? change : difference;
}

static int solve(struct problem *p)
{
	memcpy(p->a, p->pristine, (size_t)(p->n * p->n) * sizeof(scalar));
	return p->hermitian ? API(BY_FIELD(syev_vals, heev_vals))(HEDDLE_LOWER, p->n, p->a, p->n, p->values)
			    : API(gesvd_vals)(p->n, p->n, p->a, p->n, p->values);
}

/* Wall time of the public function; the copy that restores the input is taken off. */
static bool measure_heddle(struct bench *b, struct row *row, struct problem *p)
{
	size_t bytes = (size_t)(p->n * p->n) * sizeof(scalar);

	memcpy(p->a, p->pristine, bytes);
	double begun = bench_clock();
	memcpy(p->a, p->pristine, bytes);
	double copy = bench_clock() - begun;
	for (int i = 0; i <= b->repeat; i++) {
		begun = bench_clock();
		int status = solve(p);
		double whole = bench_clock() - begun, t = whole - copy;
		if (status != 0) {
			snprintf(row->how, sizeof(row->how), "%.90s", heddle_strerror(status));
			row->error = NAN;
			return false;
		}
		if (i <= 1 || t < row->seconds) /* the first is a warm-up */
			row->seconds = t;
		row->runs = i > 0 ? i : 1;
		if (2 * whole > bench_left(b) || (i + 1) * whole > 0.1 * b->share)
			break;
	}
	return true;
}

static void restore(void *context)
{
	struct problem *p = context;

	device_copy(device_stream(), p->da, p->dpristine, (size_t)(p->n * p->n) * sizeof(scalar));
}

static void run_vendor(void *context)
{
	struct problem *p = context;

	p->failed = !vendor_run(p->job) || p->failed;
}

static bool measure_vendor(struct bench *b, struct row *row, struct problem *p, enum vendor_routine routine)
{
	int64_t n = p->n;

	p->da = p->da ? p->da : device_from_host(NULL, n * n);
	p->dpristine = p->dpristine ? p->dpristine : device_from_host(p->pristine, n * n);
	p->dvalues = p->dvalues ? p->dvalues : device_new((size_t)n * sizeof(real));
	p->job = p->da && p->dpristine && p->dvalues ? vendor_begin(routine, type_letter, device_stream(), n, p->da, p->dvalues) : NULL;
	p->failed = false;
	if (!p->job)
		return bench_skip(b, *row, "cuSOLVER found no memory, or takes no such matrix");
	bool fine = bench_measure(b, row, restore, run_vendor, p);
	p->failed = vendor_end(p->job) != 0 || p->failed;
	if (!fine)
		return false;
	if (p->failed)
		return bench_skip(b, *row, "cuSOLVER failed");
	device_from(p->values, p->dvalues, (size_t)n * sizeof(real));
	return true;
}

static void describe(const struct values_bench *v, struct row *row, enum contestant who)
{
	if (who == VENDOR)
		snprintf(row->how, sizeof(row->how), "matrix on the device");
	else
		snprintf(row->how, sizeof(row->how), "%d GPU%s, %d CPU workers", v->gpus, v->gpus == 1 ? "" : "s", v->cpus);
}

/* One order by one contestant. */
static void one(struct values_bench *v, int i, enum contestant who, enum vendor_routine routine, struct history *history)
{
	static const char *const names[] = { "heddle", "", "heddle, CPUs" };
	struct bench *b = v->b;
	struct problem p = { .hermitian = v->hermitian, .n = v->n.at[i], .first = v->first[i] };
	double n = (double)p.n;
	struct row row = new_row(v->hermitian ? "eigvals" : "svdvals", who == VENDOR ? vendor_name(routine) : names[who]);
	bool fine;

	row.work = (struct work){ FLOPS_PER_PAIR * (v->hermitian ? 4 : 8) * n * n * n / 3, sizeof(scalar) * n * n, true };
	snprintf(row.shape, sizeof(row.shape), "n %lld", (long long)p.n);
	describe(v, &row, who);
	if (!bench_affordable(b, history, row.work.flops)) {
		bench_skip(b, row, b->broken ? "the device has failed" : "no time left");
		return;
	}
	if (!make(&p)) {
		bench_skip(b, row, "no memory");
		unmake(&p);
		return;
	}
	double t = bench_clock();
	if (who == VENDOR) {
		fine = measure_vendor(b, &row, &p, routine);
	} else {
		fine = measure_heddle(b, &row, &p);
		if (!fine)
			bench_row(b, &row);
	}
	if (fine) {
		*history = bench_history(bench_clock() - t, &row);
		row.error = error_of(&p);
		row.bound = 50 + n;
		if (who == WITH_DEVICE && v->gpus == 0)
			row.error = NAN; /* the device was not used */
		bench_row(b, &row);
		if (!v->first[i]) {
			v->first[i] = p.values;
			p.values = NULL;
		}
	}
	unmake(&p);
}

/* Set a variable of the environment (NULL: unset it); *old receives a copy of what it was. */
static void set_variable(const char *name, const char *value, char **old)
{
	const char *was = getenv(name);

	*old = was ? strdup(was) : NULL;
	if (value)
		setenv(name, value, 1);
	else
		unsetenv(name);
}

static void run_heddle(struct values_bench *v, enum contestant who)
{
	struct history history = { 0, 0 };
	heddle_info info;

	if (heddle_start(NULL) != 0 || heddle_get_info(&info) != 0) {
		struct row row = new_row(v->hermitian ? "eigvals" : "svdvals", "heddle");
		snprintf(row.how, sizeof(row.how), "%.90s", heddle_error_message());
		row.error = row.seconds = NAN;
		bench_row(v->b, &row);
		return;
	}
	v->gpus = info.gpu_workers;
	v->cpus = info.cpu_workers;
	for (int i = 0; i < v->n.count; i++)
		one(v, i, who, 0, &history);
	heddle_stop();
}

static void by_heddle(struct values_bench *v, enum contestant who)
{
	static const char *const counts[] = { "STARPU_NCUDA", "STARPU_NHIP" };
	char *old[2], *ignored;

	for (int i = 0; i < 2 && who == CPUS; i++)
		set_variable(counts[i], "0", &old[i]);
	run_heddle(v, who);
	for (int i = 0; i < 2 && who == CPUS; i++) {
		set_variable(counts[i], old[i], &ignored);
		free(old[i]);
		free(ignored);
	}
}

static void by_vendor(struct values_bench *v, enum vendor_routine routine)
{
	struct history history = { 0, 0 };

	for (int i = 0; vendor_has(routine) && i < v->n.count; i++)
		one(v, i, VENDOR, routine, &history);
}

/* Each contestant may use a part of what is left. */
static void share(struct values_bench *v, double whole, double part)
{
	v->b->seconds = whole - (1 - part) * (whole - (bench_clock() - v->b->begin));
}

static void values(struct bench *b, bool hermitian)
{
	struct values_bench v = { .b = b, .hermitian = hermitian, .n = bench_list(&b->n, "1024,2048,4096,8192,16384") };
	double whole = b->seconds;
	bool with_device = b->has_device && strcmp(b->facts.kind, "emulation") != 0;

	if (with_device) {
		share(&v, whole, 0.4);
		by_heddle(&v, WITH_DEVICE);
		share(&v, whole, 0.6);
		if (hermitian) {
			by_vendor(&v, VENDOR_SYEVD);
		} else {
			by_vendor(&v, VENDOR_GESVD);
			share(&v, whole, 0.4);
			by_vendor(&v, VENDOR_GESVDP);
		}
	}
	share(&v, whole, 1);
	by_heddle(&v, CPUS);
	b->seconds = whole;
	for (int i = 0; i < LIST; i++)
		free(v.first[i]);
}

void NAME(bench_svdvals)(struct bench *b)
{
	values(b, false);
}

void NAME(bench_eigvals)(struct bench *b)
{
	values(b, true);
}
