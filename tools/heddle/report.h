/* What reports have in common. */
#ifndef HEDDLE_REPORT_H
#define HEDDLE_REPORT_H

#include <jansson.h>

/* A number; as the string "inf" or "-inf" (or "nan") where it is none that JSON has. */
json_t *report_number(double x);

/* Print on standard output and free; numbers with this many digits.  Returns 0, or -1 having complained (NULL: no memory). */
int report_json(json_t *json, int digits);

#endif
