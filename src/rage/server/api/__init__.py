"""Every route of ``docs/protocol.md`` under ``/api``: typed structs in and out."""
