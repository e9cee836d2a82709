"""The commands of ``rage``: each has ``configure(parser)`` and ``run(arguments)``."""
