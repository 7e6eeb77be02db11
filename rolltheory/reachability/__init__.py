"""Pass@k, reachability of a success, and what links them."""
