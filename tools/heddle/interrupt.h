/* Ctrl-C as a request: it cancels the sequence at hand, and the program ends in its own time.  A second one ends it at once. */
#ifndef HEDDLE_INTERRUPT_H
#define HEDDLE_INTERRUPT_H

#include <stdbool.h>
#include <heddle/heddle.h>

/* Until interrupt_end, which returns whether there was one.  Where there is no thread or pipe for it, Ctrl-C ends the program. */
void interrupt_begin(void);
bool interrupt_end(void);

/* Whether there was one by now. */
bool interrupted(void);

/* The sequence that it cancels (at once, if it has come already), until the next call; NULL: none. */
void interrupt_cancels(heddle_sequence *sequence);

#endif
