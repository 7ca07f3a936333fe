#include "tools/gpu/bench.h"

#include <math.h>
#include <time.h>

double bench_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double bench_left(const struct bench *b)
{
	return b->seconds - (bench_clock() - b->begin);
}

struct history bench_history(double seconds_in_all, const struct row *row)
{
	return (struct history){ 2 * seconds_in_all / (row->runs + 1), row->work.flops };
}

bool bench_affordable(const struct bench *b, const struct history *h, double flops)
{
	double expected = h->flops > 0 ? h->seconds * flops / h->flops : 0;

	return !b->broken && bench_left(b) > 0 && 1.2 * expected < bench_left(b);
}

/* A device that has failed once fails in all that follows. */
static bool failed(struct bench *b, struct row *row)
{
	const char *error = device_error();

	if (!error)
		return false;
	fprintf(stderr, "heddle_gpu_bench: %s\n", error);
	snprintf(row->how, sizeof(row->how), "device error: %.70s", error);
	row->seconds = NAN;
	row->error = NAN;
	bench_row(b, row);
	b->broken = true;
	return true;
}

bool bench_measure(struct bench *b, struct row *row, void (*prepare)(void *), void (*run)(void *), void *context)
{
	double best = 0, first = 0;
	int runs = 0;

	for (int i = 0; i <= b->repeat; i++) {
		double begun = bench_clock();
		if (prepare)
			prepare(context);
		device_mark(0);
		run(context);
		device_mark(1);
		double t = device_seconds(), whole = bench_clock() - begun;
		if (i == 0)
			first = t;
		else if (i == 1 || t < best)
			best = t;
		runs = i;
		/* the runs of one row take a small part of the budget */
		if (2 * whole > bench_left(b) || (i + 1) * whole > 0.1 * b->share)
			break;
	}
	row->seconds = runs > 0 ? best : first;
	row->runs = runs > 0 ? runs : 1;
	return !failed(b, row);
}
