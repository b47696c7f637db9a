"""Small but real media files, made when asked for: a PNG picture and a WAV tone."""

import io
import math
import struct
import wave
import zlib


def logo_png(side: int = 16) -> bytes:
    """A square picture in the brown of tea, as a valid PNG file."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)  # 8 bits a channel, RGB
    rows = (b"\x00" + bytes((150, 90, 40)) * side) * side
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def bell_wav(seconds: float = 0.05, rate: int = 8000) -> bytes:
    """A short tone, as a valid mono 16-bit WAV file."""
    samples = (int(12000 * math.sin(2 * math.pi * 880 * n / rate)) for n in range(int(seconds * rate)))
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(rate)
        out.writeframes(b"".join(struct.pack("<h", sample) for sample in samples))
    return file.getvalue()
