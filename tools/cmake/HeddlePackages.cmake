# What Heddle stands on, found through pkg-config.

find_package(PkgConfig REQUIRED)
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
pkg_check_modules(STARPU IMPORTED_TARGET starpu-1.4>=1.4)
if(NOT STARPU_FOUND)
	message(FATAL_ERROR "StarPU >= 1.4 was not found.  tools/run and tools/test set it up; by hand: "
		"PKG_CONFIG_PATH=$(tools/build-starpu) cmake ...")
endif()
pkg_check_modules(HWLOC REQUIRED IMPORTED_TARGET hwloc)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
pkg_check_modules(LAPACKE REQUIRED IMPORTED_TARGET lapacke)
if(HEDDLE_TESTS)
	pkg_check_modules(CHECK REQUIRED IMPORTED_TARGET check)
endif()

# OpenBLAS where there is one, else any library with the CBLAS and LAPACK interfaces.
add_library(heddle_blas INTERFACE)
pkg_check_modules(OPENBLAS IMPORTED_TARGET openblas)
if(OPENBLAS_FOUND)
	target_link_libraries(heddle_blas INTERFACE PkgConfig::LAPACKE PkgConfig::OPENBLAS)
else()
	find_package(LAPACK REQUIRED)
	find_path(CBLAS_INCLUDE_DIR cblas.h REQUIRED)
	find_library(CBLAS_LIBRARY cblas)
	target_include_directories(heddle_blas SYSTEM INTERFACE ${CBLAS_INCLUDE_DIR})
	target_link_libraries(heddle_blas INTERFACE PkgConfig::LAPACKE $<$<BOOL:${CBLAS_LIBRARY}>:${CBLAS_LIBRARY}> LAPACK::LAPACK)
endif()

# Where installed files look for these libraries, besides the system's folders.
set(dependency_rpath ${STARPU_LIBRARY_DIRS} ${HWLOC_LIBRARY_DIRS} ${JANSSON_LIBRARY_DIRS} ${LAPACKE_LIBRARY_DIRS}
	${OPENBLAS_LIBRARY_DIRS})
list(FILTER dependency_rpath EXCLUDE REGEX "^/(usr/)?lib")
list(REMOVE_DUPLICATES dependency_rpath)
