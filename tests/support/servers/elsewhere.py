"""Why a test may be skipped even in CI: what no service of this machine could give it."""

# How the reason of such a skip begins: another system, another user.
ELSEWHERE = "not for this machine: "
