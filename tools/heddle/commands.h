/* The commands of the program, each with its own command line (argv[0] is "heddle COMMAND").  All return an exit code. */
#ifndef HEDDLE_COMMANDS_H
#define HEDDLE_COMMANDS_H

int svdvals_command(int argc, char **argv);
int eigvals_command(int argc, char **argv);
int trsm_command(int argc, char **argv);
int bench_command(int argc, char **argv);
int info_command(int argc, char **argv);
int tune_command(int argc, char **argv);

#endif
