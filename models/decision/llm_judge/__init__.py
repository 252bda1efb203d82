"""Language model as judge: prompt, safety, label probabilities, calibration, training, ensemble."""
