"""Standing fuzzer: random corpora, nights, kills and signals against what must hold after every run (`make fuzz`)."""
