"""Human review of borderline pairs."""
