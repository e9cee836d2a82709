"""Identities of people: cookies, handovers, passkeys and recovery codes."""
