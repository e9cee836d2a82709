"""HTTP for the house: the gate, the routes, the page and the WebSocket, as ASGI."""
