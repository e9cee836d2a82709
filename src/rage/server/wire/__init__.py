"""Connections: HTTP/1.1, TLS and WebSocket on asyncio transports, and how many there may be."""
