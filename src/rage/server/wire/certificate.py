"""Checks a certificate and its key before the server starts, so that mistakes get clear errors."""

from __future__ import annotations

import ssl
from pathlib import Path
from typing import Final

from rage.say import NotAllowed

#: Reasons that OpenSSL gives for a key that belongs to another certificate.
_KEY_MISMATCH: Final = ("KEY_VALUES_MISMATCH", "KEY_TYPE_MISMATCH", "NO_CERTIFICATE_ASSIGNED")
#: Verification errors of a certificate that is good but not valid today:
#: X509_V_ERR_CERT_NOT_YET_VALID and X509_V_ERR_CERT_HAS_EXPIRED.
_VALIDITY: Final = {9: "serve.certificate_early", 10: "serve.certificate_expired"}
#: The most flights in a TLS handshake.
_FLIGHTS: Final = 6


def check_certificate(certfile: Path, keyfile: Path | None) -> None:
    """Raise :class:`rage.NotAllowed`, which names the file, if a certificate or its key (by default
    in the same file) cannot be used, or not today. Never asks for a password."""
    keyfile = keyfile or certfile
    _check_readable(certfile)
    _check_readable(keyfile)
    browser = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    try:
        browser.load_verify_locations(certfile)
    except ssl.SSLError:
        raise NotAllowed("serve.no_certificate", file=str(certfile)) from None
    _check_time(browser, _loaded(certfile, keyfile), str(certfile))


def _check_readable(file: Path) -> None:
    try:
        with open(file, "rb"):
            pass
    except OSError as error:
        reason = error.strerror or str(error)
        raise NotAllowed("serve.file", file=str(file), reason=reason) from None


def _loaded(certfile: Path, keyfile: Path) -> ssl.SSLContext:
    """A server's TLS context with a certificate and its key."""
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        server.load_cert_chain(certfile, keyfile, password=lambda: "")
    except ssl.SSLError as error:
        if not error.reason:
            raise NotAllowed("serve.no_key", file=str(keyfile)) from None
        if error.reason in _KEY_MISMATCH:
            files = {"file": str(certfile), "key": str(keyfile)}
            raise NotAllowed("serve.key_of_another", **files) from None
        raise NotAllowed("serve.certificate", reason=error.reason) from None
    return server


def _check_time(browser: ssl.SSLContext, server: ssl.SSLContext, file: str) -> None:
    """Raise :class:`rage.NotAllowed` for a certificate that is not valid yet, or has expired.

    Python cannot read the dates of a certificate, but checks them in a handshake. So this makes one
    in memory, with a client that trusts only this certificate."""
    browser.check_hostname = False
    browser.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
    sides = browser.wrap_bio(back, there), server.wrap_bio(there, back, server_side=True)
    for turn in range(_FLIGHTS):
        try:
            sides[turn % 2].do_handshake()
        except ssl.SSLWantReadError:
            continue
        except ssl.SSLError as error:
            code = getattr(error, "verify_code", None)
            if code in _VALIDITY:
                raise NotAllowed(_VALIDITY[code], file=file) from None
            return  # browsers can be told to ignore any other error
