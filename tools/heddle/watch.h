/* Watches a sequence while it runs: shows its progress on a terminal. */
#ifndef HEDDLE_WATCH_H
#define HEDDLE_WATCH_H

#include <heddle/heddle.h>

struct watch;

/* flops: what the work is expected to take at least (more may be submitted).  Returns NULL if standard error is no terminal or there is
 * no thread or pipe for it; the work is then not watched. */
struct watch *watch_start(heddle_sequence *sequence, double flops);

/* NULL is allowed. */
void watch_stop(struct watch *watch);

#endif
