/* Heddle: singular values, eigenvalues and triangular solves of dense matrices as StarPU task graphs. */
#ifndef HEDDLE_H
#define HEDDLE_H

#include <heddle/types.h>
#include <heddle/sequence.h>
#include <heddle/svd.h>
#include <heddle/eig.h>
#include <heddle/blas3.h>

#endif
