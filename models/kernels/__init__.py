"""Building blocks of compiled kernels: bits, hashes, hash sets, 64 bytes at a time."""
