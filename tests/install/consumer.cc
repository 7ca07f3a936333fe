// The same from C++, with complex elements.
#include <cmath>
#include <complex>
#include <cstdio>
#include <heddle/heddle.h>

int main()
{
	std::complex<double> a[4] = { { 0, 0 }, { 0, 2 }, { 3, 4 }, { 0, 0 } };
	double s[2] = { 0, 0 };
	int error = heddle_zgesvd_vals(2, 2, a, 2, s);

	std::printf("%d: %.15g %.15g\n", error, s[0], s[1]);
	return error || std::fabs(s[0] - 5) > 1e-14 || std::fabs(s[1] - 2) > 1e-14;
}
