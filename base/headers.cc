// Only its precompiled headers matter; see CMakeLists.txt.
