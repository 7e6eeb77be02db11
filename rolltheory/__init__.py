"""Theory that runs: bounds and laws about RL rollouts, each with its assumptions and its evidence.

Importing this package loads nothing heavy. Ask for a theory by name::

    from rolltheory import reachability
"""

__version__ = "0.1.0"
