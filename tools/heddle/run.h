/* Runs one piece of work on the running Heddle, through the asynchronous interface, and takes its time. */
#ifndef HEDDLE_RUN_H
#define HEDDLE_RUN_H

#include <stdbool.h>
#include "tools/heddle/kind.h"

enum { MOST_STAGES = 16 };

struct run {
	bool watched;     /* in: show progress, let Ctrl-C cancel */
	double seconds;   /* out: from the first call to the result in the caller's memory */
	bool interrupted;
	int stages;       /* those that did something */
	heddle_stage stage[MOST_STAGES];
};

/* Seconds of a clock that only goes forward. */
double seconds_now(void);

/* Each returns a code of Heddle.  Zeros in options are Heddle's to choose. */

/* Singular values of the m by n matrix a (overwritten), ld = m, to s (room for min(m, n) reals), *found of them. */
int run_svdvals(struct run *run, const struct kind *kind, int64_t m, int64_t n, void *a, const heddle_select *select,
		const heddle_options *options, void *s, int64_t *found);

int run_ge2gb(struct run *run, const struct kind *kind, int64_t m, int64_t n, void *a, heddle_band *band,
	      const heddle_options *options);

/* d and e have room for n reals each. */
int run_gb2bd(struct run *run, const struct kind *kind, int64_t n, heddle_band *band, void *d, void *e,
	      const heddle_options *options);

/* Floating-point operations of the reduction of an m by n matrix, by a QR first if that is less; of that to a band alone; and
 * of the chase. */
double svdvals_flops(const struct kind *kind, double m, double n);
double ge2gb_flops(const struct kind *kind, double m, double n);
double gb2bd_flops(const struct kind *kind, double n, double kd);

#endif
