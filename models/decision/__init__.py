"""What a pair of documents is, and which document stays."""
