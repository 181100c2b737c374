"""A browser that takes push messages, by the example of RFC 8291."""

import base64

# RFC 8291, appendix A.
BROWSER = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
PRIVATE = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"  # the browser's own
SECRET = "BTBZMqHH6r4Tts7J_aSIgg"


def bytes_of(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
