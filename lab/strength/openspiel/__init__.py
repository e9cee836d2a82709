"""OpenSpiel's own C++ ISMCTS on our game: ``rage.cc`` is a game for OpenSpiel over the functions of
our kernel, ``plugin`` compiles and loads it, ``bot`` plays by it. For Linux, with g++."""
