"""HTTP, WebSocket and TLS: what uvicorn leaves to us, or has to be checked before it starts."""
