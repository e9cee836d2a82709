"""Positions in which a mistake that people complain of would be one, and the bots that avoid it.

``mistakes`` says what each mistake is, ``find`` has found the positions of ``positions.jsonl`` and
proven in thousands of worlds what the mistake loses there, ``reading`` reads them.
"""
