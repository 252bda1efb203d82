"""Building blocks of compiled kernels: bits, hashes, hash tables, products of matrices, 64 bytes at a time."""
