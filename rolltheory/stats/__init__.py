"""Statistics that theories share: intervals, bootstrap, fits."""
