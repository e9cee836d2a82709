"""A house for one person, in a worker of their own browser: no network, threads or processes."""
