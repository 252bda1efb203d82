"""Neural verifier of pairs: inputs, inference without torch, training, calibration."""
