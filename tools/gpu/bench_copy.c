/* How fast device memory is: a copy from one half of it to another. */
#include "tools/gpu/bench.h"

struct problem {
	void *from, *to;
	size_t bytes;
};

static void run(void *context)
{
	struct problem *p = context;

	device_copy(device_stream(), p->to, p->from, p->bytes);
}

void bench_copy(struct bench *b)
{
	struct row row = { .part = "copy", .contestant = "runtime", .type = 'd', .bound = 0 };
	struct problem p = { .bytes = b->n.count > 0 ? (size_t)b->n.at[0] : (size_t)1 << 30 };

	p.from = device_new(p.bytes);
	p.to = device_new(p.bytes);
	snprintf(row.shape, sizeof(row.shape), "%.4g MB", (double)p.bytes * 1e-6);
	row.work.bytes = 2 * (double)p.bytes;
	if (!p.from || !p.to)
		bench_skip(b, row, "no device memory");
	else if (bench_measure(b, &row, NULL, run, &p))
		bench_row(b, &row);
	device_free(p.from);
	device_free(p.to);
}
