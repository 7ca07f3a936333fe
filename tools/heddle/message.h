/* What the program says to people, on standard error. */
#ifndef HEDDLE_MESSAGE_H
#define HEDDLE_MESSAGE_H

#include <heddle/types.h>

/* "heddle: TEXT" and a line end.  Clears the status line first. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Says what a Heddle function's code means, with its own words about it where it left some; `about` names the input
 * (NULL: it is not at fault). */
void complain_code(const char *about, int code);

/* Warns where a table of choices was refused. */
void warn_of_tuning(const heddle_info *info);

/* A line that the next one replaces, for a terminal; nothing where standard error is none. */
void status_show(const char *format, ...) __attribute__((format(printf, 1, 2)));
void status_clear(void);

/* Flush standard output.  Returns 0, or -1 having complained that it cannot be written. */
int output_finish(void);

#endif
