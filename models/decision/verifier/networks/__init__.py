"""Networks of the verifier in torch, as they are trained."""
