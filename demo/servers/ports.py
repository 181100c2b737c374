"""Free TCP ports of the loopback interface, and whether something answers there."""

import random
import socket

LOOPBACK = "127.0.0.1"
# Below those that systems give to outgoing connections: such a one took a demo's port while its
# database was still made, and its console never came up.
PORTS = range(20_000, 32_768)
_dice = random.SystemRandom()


def free_port() -> int:
    """A TCP port on which nothing listens now, and which no outgoing connection is given.

    Another server may take it before the caller does; whoever starts a server on it
    must be ready to try again with another one.
    """
    while not is_free(port := _dice.choice(PORTS)):
        pass
    return port


def is_free(port: int) -> bool:
    """Whether a server could listen on this port now."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        # As servers do: connections of the past that the kernel still remembers don't count.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
        return True


def answers(port: int, host: str = LOOPBACK) -> bool:
    """Whether something accepts connections on this port now."""
    try:
        with socket.create_connection((host, port), timeout=1):
            return True
    except OSError:
        return False
