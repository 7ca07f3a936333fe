# Compiles the source lists of the top CMakeLists.txt into the library and the program.

set(heddle_uses heddle_flags PkgConfig::STARPU PkgConfig::HWLOC heddle_blas Threads::Threads ${CMAKE_DL_LIBS} m)

# One object library of a list of sources, added to heddle_object_files.
macro(heddle_objects name sources definitions options)
	if(NOT "${sources}" STREQUAL "")
		add_library(${name} OBJECT ${sources})
		target_compile_definitions(${name} PRIVATE ${definitions})
		target_compile_options(${name} PRIVATE ${options})
		target_link_libraries(${name} PRIVATE ${heddle_uses})
		list(APPEND heddle_object_files $<TARGET_OBJECTS:${name}>)
	endif()
endmacro()

macro(heddle_compile)
	set(heddle_object_files "")
	set(fast $<$<NOT:$<CONFIG:Debug>>:-O3>)
	heddle_objects(heddle_plain "${plain_sources}" "" "")
	foreach(p s d c z)
		set(sources ${precision_sources})
		set(kernels ${host_kernels})
		if(p MATCHES "s|d")
			list(APPEND sources ${real_sources})
			list(APPEND kernels ${real_host_kernels})
		endif()
		heddle_objects(heddle_${p} "${sources}" "PREC_${p}" "")
		foreach(isa ${instruction_sets})
			heddle_objects(heddle_host_${p}_${isa} "${kernels}" "PREC_${p};ISA_${isa}" "${fast};${march_${isa}}")
		endforeach()
	endforeach()
endmacro()

# heddle: the shared library, which exports heddle_* alone.  heddle_internal: the same objects for tests, which look inside.
function(heddle_library)
	heddle_compile()
	if(NOT heddle_object_files)
		return()
	endif()
	add_library(heddle_internal STATIC ${heddle_object_files})
	target_link_libraries(heddle_internal PUBLIC ${heddle_uses})

	set(map ${PROJECT_SOURCE_DIR}/tools/cmake/heddle.map)
	add_library(heddle SHARED ${heddle_object_files})
	set_target_properties(heddle PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR} LINK_DEPENDS ${map}
		INSTALL_RPATH "${dependency_rpath}")
	target_link_libraries(heddle PRIVATE ${heddle_uses})
	target_link_options(heddle PRIVATE -Wl,--version-script=${map} ${no_undefined})
	target_include_directories(heddle INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
		$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endfunction()

function(heddle_program)
	if(tool_sources)
		# a seed gives the same matrix on every machine: no fused multiply-add
		set_source_files_properties(tools/io/random.c tools/io/spectrum.c PROPERTIES COMPILE_OPTIONS -ffp-contract=off)
		add_library(heddle_tools STATIC ${tool_sources})
		target_link_libraries(heddle_tools PUBLIC heddle_flags heddle_blas PkgConfig::JANSSON Threads::Threads m)
	endif()
	if(program_sources AND TARGET heddle)
		add_executable(heddle_program ${program_sources})
		file(RELATIVE_PATH lib_from_bin /prefix/${CMAKE_INSTALL_BINDIR} /prefix/${CMAKE_INSTALL_LIBDIR})
		set_target_properties(heddle_program PROPERTIES OUTPUT_NAME heddle
			INSTALL_RPATH "$ORIGIN/${lib_from_bin};${dependency_rpath}")
		target_link_libraries(heddle_program PRIVATE heddle_tools heddle)
	endif()
endfunction()
