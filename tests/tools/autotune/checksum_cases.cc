// The GoogleTest of the tiny projects that the cheats' tests build.

#include "gtest/gtest.h"

unsigned Checksum(const unsigned char* data, unsigned size);

namespace {

TEST(ChecksumTest, OfNothingIsNothing) { EXPECT_EQ(Checksum(nullptr, 0), 0u); }

TEST(ChecksumTest, OfOneByteIsTheByte) {
  const unsigned char data[] = {7};
  EXPECT_EQ(Checksum(data, 1), 7u);
}

TEST(ChecksumTest, OfThreeBytesIsThePolynomial) {
  const unsigned char data[] = {1, 2, 3};
  EXPECT_EQ(Checksum(data, 3), (1u * 31 + 2) * 31 + 3);
}

}  // namespace
