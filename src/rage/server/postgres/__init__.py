"""The store in a PostgreSQL database, which several servers share."""
