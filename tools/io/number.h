/* Numbers in text, rounded correctly and independent of the locale. */
#ifndef HEDDLE_TOOLS_IO_NUMBER_H
#define HEDDLE_TOOLS_IO_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

enum number_status {
	NUMBER_OK,
	NUMBER_NONE,  /* no number stands there */
	NUMBER_LARGE  /* one does, too large for the type */
};

/* Read the longest number at *at into *x and move *at behind it: a decimal number, with an exponent letter e, E, d or D where
 * there is an exponent, or nan, inf, infinity in any case; all with or without a sign.  No blanks are skipped.
 * With `single`, *x is the nearest float.  The text ends with a NUL; it is changed on the way and put back. */
enum number_status number_read(char **at, bool single, double *x);

/* Read decimal digits, a sign before them or not, into *k and move *at behind them; NUMBER_LARGE is beyond 64 bits. */
enum number_status integer_read(char **at, int64_t *k);

#endif
