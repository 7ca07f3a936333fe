/* Watches a sequence while it runs: shows its progress on a terminal and turns Ctrl-C into a cancellation. */
#ifndef HEDDLE_WATCH_H
#define HEDDLE_WATCH_H

#include <stdbool.h>
#include <heddle/heddle.h>

struct watch;

/* flops: what the work is expected to take at least (more may be submitted).  A second Ctrl-C ends the program at once.
 * Returns NULL if there is no thread or pipe for it; the work is then not watched.  One watch at a time. */
struct watch *watch_start(heddle_sequence *sequence, double flops);

/* Returns whether the work was interrupted.  NULL is allowed. */
bool watch_stop(struct watch *watch);

#endif
