"""A text as the rows of a QR code, which whoever shows it draws; nothing is asked of anybody elsewhere. Pure."""

from goldloop.kit.at_first_use import segno


def qr_rows(text: str) -> list[str]:
    """`1` is dark. With the quiet zone around it that readers need."""
    return [
        "".join("1" if dark else "0" for dark in row) for row in segno.make_qr(text).matrix_iter(border=4)
    ]
