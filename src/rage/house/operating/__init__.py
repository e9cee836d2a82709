"""Operating the house: the operator's orders, housekeeping and personal data."""
