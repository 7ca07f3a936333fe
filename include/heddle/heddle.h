/* Heddle: singular values and eigenvalues of dense matrices as StarPU task graphs. */
#ifndef HEDDLE_H
#define HEDDLE_H

#include <heddle/types.h>
#include <heddle/sequence.h>
#include <heddle/svd.h>
#include <heddle/eig.h>

#endif
