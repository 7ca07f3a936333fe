/* What heddle svdvals and heddle eigvals have in common. */
#ifndef HEDDLE_VALUES_H
#define HEDDLE_VALUES_H

#include "tools/heddle/job.h"

/* The whole command.  Returns an exit code. */
int values_command(const struct job *job, int argc, char **argv);

#endif
