"""Who somebody is: cookies, names, passkeys and recovery codes."""
