/* heddle_gpu_bench: times device kernels, and Heddle from end to end, and checks what they computed.
 *
 * One row for each thing measured: printed, and appended to a file as one JSON object a line, at once, so that a run that is ended early
 * leaves what it had. */
#ifndef TOOLS_GPU_BENCH_H
#define TOOLS_GPU_BENCH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "tools/gpu/device.h"

/* A device's figures from its vendor's data sheet, in flops and bytes a second; 0: not known. */
struct peaks {
	const char *device, *source;
	double bytes, double_vector, double_matrix, single_vector, single_matrix;
};
struct peaks peaks_of(const char *device_name);

enum { LIST = 32, AUTO = -1 };
struct list {
	int count; /* 0: not given */
	int64_t at[LIST];
};

struct bench {
	char types[8];
	struct list n, band, tile, threads, blocks, group, many; /* many: right-hand sides, columns of panels, problems of a batch */
	bool cycles, persistent;    /* forms of the chase; neither: not given */
	bool bidiagonal, tridiagonal;
	bool explore;               /* vary the chase's parameters one at a time */
	bool on_cpus;               /* end to end without the device */
	int repeat, device;
	double seconds, share;      /* budget; what of it the type at hand may use */
	const char *json;

	double begin;
	struct device_facts facts;
	struct peaks peaks;
	bool has_device;
	FILE *rows;
	int count, failed;          /* rows so far */
	bool broken;                /* the device has failed, and nothing more can be measured on it */
};

/* What is to be done: flops by the matrix units or not, and bytes between device memory and processors. */
struct work {
	double flops, bytes;
	bool matrix;
};

struct row {
	const char *part, *contestant;
	char type;
	char shape[64], how[96]; /* such as "n 4096, b 64" and "tile 16, 128 threads" */
	struct work work;
	double seconds; /* of the best run; 0: not run */
	int runs;
	double error, bound; /* in units of the type's eps; it is right if error <= bound */
	const char *note;    /* NULL, or why it was not run */
};

/* The floor is the larger of bytes and flops over the device's peaks for the type. */
double bench_floor(const struct bench *b, char type, const struct work *w);
void bench_header(struct bench *b);
void bench_row(struct bench *b, struct row *row);
bool bench_skip(struct bench *b, struct row row, const char *why); /* a row that says so; returns false */

/* Seconds of the steady clock, and what is left of the budget. */
double bench_clock(void);
double bench_left(const struct bench *b);

/* What a contestant took before for a warm-up and a run, and whether a problem with so many flops fits into what is left, by that. */
struct history {
	double seconds, flops;
};
struct history bench_history(double seconds_in_all, const struct row *row);
bool bench_affordable(const struct bench *b, const struct history *h, double flops);

/* Times `run` on the device's stream, after `prepare`, which is not timed; a first run is a warm-up unless no other fits.  Fills seconds and runs.
 * Returns false if the device failed: the row has been reported then. */
bool bench_measure(struct bench *b, struct row *row, void (*prepare)(void *), void (*run)(void *), void *context);

/* The list as given, or this one: a string of numbers. */
struct list bench_list(const struct list *given, const char *usual);
bool bench_parse_list(const char *text, struct list *list);

/* Numbers in -1 .. 1, the same for the same place. */
static inline double bench_random(uint64_t seed, uint64_t place)
{
	uint64_t x = (place + 1) * 0x9e3779b97f4a7c15u + seed * 0xd1342543de82ef95u;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return (double)(int64_t)(x ^ (x >> 31)) * 0x1p-63;
}

/* The parts, for a type: d_bench_chase and so on.  h is half storage. */
#define BENCH_PART(x)                                                                                                      \
	void s_bench_##x(struct bench *b), d_bench_##x(struct bench *b), c_bench_##x(struct bench *b), z_bench_##x(struct bench *b)
BENCH_PART(chase);
BENCH_PART(trsm);
BENCH_PART(batch);
BENCH_PART(products);
BENCH_PART(panels);
BENCH_PART(small);
BENCH_PART(svdvals);
BENCH_PART(eigvals);
void h_bench_chase(struct bench *b);
void s_bench_bisection(struct bench *b), d_bench_bisection(struct bench *b);
void bench_copy(struct bench *b);

/* The tests that are part of the program: their names, one a line; one of them, which returns its exit status. */
void bench_list_tests(void);
int bench_run_test(const char *name);

#endif
