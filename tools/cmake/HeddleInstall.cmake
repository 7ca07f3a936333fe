# The install target: headers, library, program, heddle.pc and heddle-starpu.pc, and the CMake package.

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/heddle)
set(generated ${PROJECT_BINARY_DIR}/install)

# Paths in heddle.pc are relative to the file, so that the installed tree can be moved.
file(RELATIVE_PATH pc_to_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(tools/cmake/heddle.pc.in ${generated}/heddle.pc @ONLY)
configure_file(tools/cmake/heddle-starpu.pc.in ${generated}/heddle-starpu.pc @ONLY)
configure_package_config_file(tools/cmake/heddle-config.cmake.in ${generated}/heddle-config.cmake
	INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${generated}/heddle-config-version.cmake COMPATIBILITY SameMinorVersion)

install(DIRECTORY include/heddle DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(FILES ${generated}/heddle.pc ${generated}/heddle-starpu.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES ${generated}/heddle-config.cmake ${generated}/heddle-config-version.cmake DESTINATION ${package_dir})
if(TARGET heddle)
	install(TARGETS heddle EXPORT heddle-targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
	install(EXPORT heddle-targets NAMESPACE heddle:: DESTINATION ${package_dir})
endif()
if(TARGET heddle_program)
	install(TARGETS heddle_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
