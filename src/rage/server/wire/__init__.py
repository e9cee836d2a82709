"""HTTP, WebSocket and TLS: what uvicorn leaves to us, or what we check before it starts."""
