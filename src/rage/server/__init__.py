"""The table on the network: HTTP and WebSocket, storage, fan-out."""
