#!/bin/sh
# Installs the build folder $1 into a scratch prefix, moves that, and builds and runs programs of somebody else's against it:
# through pkg-config, and through CMake.  Checks which symbols the library exports.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
run() { echo "+ $*"; "$@"; }

run cmake --install "$1" --prefix "$scratch/first" >"$scratch/log"
mv "$scratch/first" "$scratch/prefix"
prefix=$scratch/prefix
pc=$(find "$prefix" -name heddle.pc)
lib=$(dirname "$(dirname "$pc")")

exported=$(nm -D --defined-only "$lib/libheddle.so" | awk '{ print $NF }')
strange=$(echo "$exported" | grep -v '^heddle_' || true)
if [ -z "$exported" ] || [ -n "$strange" ]; then
	echo "libheddle.so exports, besides heddle_*: $strange"
	exit 1
fi
readelf -d "$lib/libheddle.so" | grep -q 'SONAME.*\[libheddle\.so\.[0-9]*\]'

# A plain consumer needs Heddle's headers and library only.
cc=${CC:-cc}
flags=$(PKG_CONFIG_LIBDIR=$lib/pkgconfig PKG_CONFIG_PATH='' pkg-config --cflags --libs heddle)
# shellcheck disable=SC2086
run "$cc" -std=c11 -Wall -Wextra -Wpedantic -Werror "$here/consumer.c" $flags -lm -Wl,-rpath,"$lib" -o "$scratch/consumer"
run "$scratch/consumer"
if command -v c++ >/dev/null; then
	# shellcheck disable=SC2086
	run c++ -Wall -Wextra -Wpedantic -Werror "$here/consumer.cc" $flags -Wl,-rpath,"$lib" -o "$scratch/consumer_cxx"
	run "$scratch/consumer_cxx"
fi
export PKG_CONFIG_PATH="$lib/pkgconfig:${PKG_CONFIG_PATH-}"
flags=$(pkg-config --cflags --libs heddle-starpu)
starpu_lib=$(pkg-config --variable=libdir starpu-1.4)
# shellcheck disable=SC2086
run "$cc" "$here/consumer_starpu.c" $flags -Wl,-rpath,"$lib:$starpu_lib" -o "$scratch/consumer_starpu"
run "$scratch/consumer_starpu"

run cmake -S "$here" -B "$scratch/cmake" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release >"$scratch/log"
run cmake --build "$scratch/cmake" >"$scratch/log"
for program in "$scratch"/cmake/consumer*; do
	run "$program"
done

run "$prefix/bin/heddle" --version
