"""HTTP for the place: the gate, the routes, the page and the WebSocket, as ASGI."""
