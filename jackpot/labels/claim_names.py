"""What claims are called wherever people read of them."""


def claim_name(system_code: str, number: int | str) -> str:
    """`MAIN-2`: claims are numbered in each jackpot system by itself."""
    return f"{system_code.upper()}-{number}"
