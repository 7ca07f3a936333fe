/* A program of somebody else's, built against the installed library: the singular values of a 3 by 3 matrix. */
#include <math.h>
#include <stdio.h>
#include <heddle/heddle.h>

int main(void)
{
	/* [[0 2 0] [0 0 3] [1 0 0]] */
	double a[9] = { 0, 0, 1, 2, 0, 0, 0, 3, 0 }, s[3] = { 0 };
	int error = heddle_dgesvd_vals(3, 3, a, 3, s);

	printf("%d: %.15g %.15g %.15g\n", error, s[0], s[1], s[2]);
	return error || fabs(s[0] - 3) > 1e-14 || fabs(s[1] - 2) > 1e-14 || fabs(s[2] - 1) > 1e-14;
}
