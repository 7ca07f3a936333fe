/* What reports have in common. */
#ifndef HEDDLE_REPORT_H
#define HEDDLE_REPORT_H

#include <jansson.h>
#include "tools/heddle/arguments.h"
#include "tools/heddle/run.h"

/* A number; as the string "inf" or "-inf" (or "nan") where it is none that JSON has. */
json_t *report_number(double x);

/* Print on standard output and free; numbers with this many digits.  Returns 0, or -1 having complained (NULL: no memory). */
int report_json(json_t *json, int digits);

/* The lines of --stats, on standard error; gemm is a rate in GFLOP/s. */
void report_stages(const struct kind *kind, const struct run *run, double gemm, int threads);

/* The stages as an array. */
json_t *report_stages_json(const struct run *run);

/* An object of "side", "uplo", "trans" and "diag". */
json_t *report_form_json(struct form form);

#endif
