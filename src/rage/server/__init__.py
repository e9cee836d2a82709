"""The house on a network: HTTP and WebSocket, threads, configuration and logs."""
