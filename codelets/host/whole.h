/* What there is of square tiles on the diagonal of a Hermitian matrix. */
#ifndef CODELETS_HOST_WHOLE_H
#define CODELETS_HOST_WHOLE_H

enum whole_or_triangle { WHOLE, LOWER_TRIANGLE, UPPER_TRIANGLE };

#endif
