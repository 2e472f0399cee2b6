// No benchmark at all: ignores every flag and prints garbage.
#include <cstdio>

int main() {
  std::puts("\x1b[31mhello\xff { \"benchmarks\": [");
  std::fputs("usage: foreign [FILE]\n", stderr);
  return 0;
}
