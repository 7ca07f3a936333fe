# The stand-in for the GPU runtime, tests/standin: libraries with the names that StarPU and Heddle ask for, in the build folder's standin/.
# A test that finds them through LD_LIBRARY_PATH runs on emulated GPUs.

set(standin_dir ${PROJECT_BINARY_DIR}/standin)
set(standin_sources api_copy.c api_device.c api_memory.c api_stream.c memory.c operation.c pinned.c report.c stream.c)
list(TRANSFORM standin_sources PREPEND ${PROJECT_SOURCE_DIR}/tests/standin/)

# A library lib<output>.so.<major> whose symbols that begin with the prefixes have the version `node`, as in the real one.
function(heddle_standin_library name output major node prefixes)
	list(TRANSFORM prefixes APPEND "*")
	list(JOIN prefixes "; " exported)
	set(map ${CMAKE_CURRENT_BINARY_DIR}/${name}.map)
	file(CONFIGURE OUTPUT ${map} CONTENT "@node@ {\n\tglobal: @exported@;\n\tlocal: *;\n};\n" @ONLY)
	add_library(${name} SHARED ${ARGN})
	set_target_properties(${name} PROPERTIES OUTPUT_NAME ${output} VERSION ${major} SOVERSION ${major}
		LIBRARY_OUTPUT_DIRECTORY ${standin_dir} LINK_DEPENDS ${map})
	target_include_directories(${name} SYSTEM PRIVATE ${standin_include})
	target_link_libraries(${name} PRIVATE heddle_flags Threads::Threads ${CMAKE_DL_LIBS})
	target_link_options(${name} PRIVATE -Wl,--version-script=${map})
endfunction()

if(HEDDLE_GPU STREQUAL "cuda")
	find_path(standin_include cuda_runtime_api.h HINTS ${STARPU_INCLUDE_DIRS} PATHS /usr/local/cuda/include REQUIRED)
	file(STRINGS ${standin_include}/cuda_runtime_api.h version REGEX "^#define CUDART_VERSION ")
	string(REGEX REPLACE "[^0-9]+([0-9]+)[0-9][0-9][0-9].*" "\\1" standin_major "${version}")
	heddle_standin_library(standin cudart ${standin_major} libcudart.so.${standin_major} "cuda;standin_" ${standin_sources})
	foreach(p s d c z)
		add_library(standin_blas_${p} OBJECT ${PROJECT_SOURCE_DIR}/tests/standin/blas.c)
		target_compile_definitions(standin_blas_${p} PRIVATE PREC_${p})
		target_include_directories(standin_blas_${p} SYSTEM PRIVATE ${standin_include})
		target_link_libraries(standin_blas_${p} PRIVATE heddle_flags heddle_blas)
		list(APPEND blas_objects $<TARGET_OBJECTS:standin_blas_${p}>)
	endforeach()
	heddle_standin_library(standin_blas cublas ${standin_major} libcublas.so.${standin_major} "cublas"
		${PROJECT_SOURCE_DIR}/tests/standin/blas_handle.c ${blas_objects})
	target_link_libraries(standin_blas PRIVATE standin heddle_blas)
elseif(HEDDLE_GPU STREQUAL "hip")
	find_path(standin_include hip/hip_runtime_api.h HINTS ${STARPU_INCLUDE_DIRS} PATHS /opt/rocm/include REQUIRED)
	file(STRINGS ${standin_include}/hip/hip_version.h version REGEX "^#define HIP_VERSION_MAJOR ")
	string(REGEX REPLACE "[^0-9]+([0-9]+).*" "\\1" standin_major "${version}")
	heddle_standin_library(standin amdhip64 ${standin_major} hip_4.2 "hip;standin_" ${standin_sources})
	target_compile_definitions(standin PUBLIC STANDIN_HIP)
endif()
target_include_directories(standin SYSTEM INTERFACE ${standin_include})

set(standin_path ${standin_dir})
if(NOT "$ENV{LD_LIBRARY_PATH}" STREQUAL "")
	string(APPEND standin_path :$ENV{LD_LIBRARY_PATH})
endif()

# Two emulated GPUs and two CPU workers, whatever the machine has.  One thread drives both GPUs: StarPU's threads poll, and on a machine with
# few cores each hand-over between two of them takes a time slice; STARPU_CUDA_THREAD_PER_DEV=1 (or HIP) gives each its own.
# StarPU leaves faults to the stand-in, which explains them.
set(standin_environment LD_LIBRARY_PATH=${standin_path} CK_FORK=no STANDIN_NDEV=2 STANDIN_STATS=0
	"HWLOC_SYNTHETIC=pack:1 core:6 pu:1" HWLOC_PLUGINS_PATH=/nonexistent OPENBLAS_NUM_THREADS=1
	STARPU_NCUDA=2 STARPU_NHIP=2 STARPU_NCPU=2 STARPU_CUDA_THREAD_PER_DEV=0 STARPU_HIP_THREAD_PER_DEV=0
	STARPU_WORKERS_NOBIND=1 STARPU_CATCH_SIGNALS=0 STARPU_SILENT=1
	STARPU_HOME=${PROJECT_BINARY_DIR}/starpu HEDDLE_TUNING=)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/starpu)

# A test of this name that runs a target on the stand-in; further arguments are VARIABLE=value and override the above.
function(heddle_standin_test name target)
	add_test(NAME ${name} COMMAND ${target})
	set_tests_properties(${name} PROPERTIES ENVIRONMENT "${standin_environment};${ARGN}" TIMEOUT 300 PROCESSORS 2 SKIP_RETURN_CODE 77)
endfunction()

# Emulated kernels of the stand-in's own tests.
heddle_emulated_objects(standin_kernels d tests/standin/kernels.cu "")

# The stand-in's own tests, in plain C; those with emulated kernels add them.
function(heddle_standin_own_test name source definition)
	add_executable(${name} ${PROJECT_SOURCE_DIR}/tests/standin/${source}.c)
	target_compile_definitions(${name} PRIVATE ${definition})
	target_link_libraries(${name} PRIVATE standin ${ARGN} heddle_flags heddle_blas PkgConfig::CHECK Threads::Threads m)
	heddle_standin_test(${name} ${name} STARPU_NCPU=1 STANDIN_MEM_MB=16)
endfunction()

heddle_standin_own_test(test_standin_threads test_standin_threads PREC_d)
foreach(test test_standin test_standin_errors test_standin_starpu)
	heddle_standin_own_test(${test} ${test} PREC_d heddle_kernels_emulated)
	target_sources(${test} PRIVATE $<TARGET_OBJECTS:standin_kernels>)
	set_target_properties(${test} PROPERTIES ENABLE_EXPORTS ON LINKER_LANGUAGE CXX) # the stand-in looks for the emulation's memory
endforeach()
target_link_libraries(test_standin_starpu PRIVATE PkgConfig::STARPU)
foreach(test test_standin test_standin_errors)
	heddle_standin_test(${test}_eager ${test} STANDIN_MODE=eager STANDIN_MEM_MB=16)
endforeach()
if(TARGET standin_blas)
	foreach(p s d c z)
		heddle_standin_own_test(test_standin_blas_${p} test_standin_blas PREC_${p} standin_blas)
	endforeach()
endif()
