# Build type, compiler flags, sanitizers, instruction sets.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
	set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Debug, Release or RelWithDebInfo" FORCE)
endif()
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_LINK_DEPENDS_USE_LINKER OFF) # the linker's own list does not escape spaces in paths
include(GNUInstallDirs)
include(CheckCCompilerFlag)

add_library(heddle_flags INTERFACE)
target_include_directories(heddle_flags INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
target_compile_definitions(heddle_flags INTERFACE _GNU_SOURCE)
target_compile_options(heddle_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes
	$<$<C_COMPILER_ID:Clang>:-Wno-pass-failed> -fopenmp-simd $<$<BOOL:${HEDDLE_WERROR}>:-Werror>)
target_link_options(heddle_flags INTERFACE -Wl,--as-needed)

set(no_undefined -Wl,--no-undefined)
if(HEDDLE_SANITIZE)
	set(no_undefined "") # the sanitizer's functions come with the program
	string(REPLACE ";" "," sanitizers "${HEDDLE_SANITIZE}")
	target_compile_options(heddle_flags INTERFACE -fsanitize=${sanitizers} -fno-omit-frame-pointer)
	target_link_options(heddle_flags INTERFACE -fsanitize=${sanitizers})
endif()

# Kernels of our own are compiled for these instruction sets, and picked when the library starts.
set(instruction_sets base)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
	foreach(level v3 v4)
		check_c_compiler_flag(-march=x86-64-${level} HEDDLE_HAVE_${level})
		if(HEDDLE_HAVE_${level})
			list(APPEND instruction_sets ${level})
			set(march_${level} -march=x86-64-${level})
			target_compile_definitions(heddle_flags INTERFACE HAVE_ISA_${level})
		endif()
	endforeach()
endif()
