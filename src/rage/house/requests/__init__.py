"""The requests under ``/api`` (``docs/protocol.md``): typed structs in and out."""
