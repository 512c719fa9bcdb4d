"""Public ids and scrambled numbers, implemented from their specification alone: to be read, not to be fast."""

import hashlib
import hmac
import re
from collections.abc import Iterable, Sequence

Key = tuple[int, bytes]

DIGITS = "0123456789"
CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
BASE36 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def to_text(number: int, alphabet: str, width: int) -> str:
    """Write a number at a fixed width, the most significant character first."""
    radix = len(alphabet)
    return "".join(alphabet[number // radix**place % radix] for place in reversed(range(width)))


def to_number(text: str, alphabet: str) -> int:
    """Read what to_text has written, or raise ValueError if a character is not in the alphabet."""
    number = 0
    for character in text:
        number = number * len(alphabet) + alphabet.index(character)
    return number


def multiply(a: int, b: int) -> int:
    """Multiply two bytes as polynomials over GF(2), modulo x^8 + x^4 + x^3 + x + 1."""
    product = 0
    while b:
        if b & 1:
            product ^= a
        a = a << 1 ^ (0x11B if a & 0x80 else 0)
        b >>= 1
    return product


def substitute(byte: int) -> int:
    """Compute an entry of the S-box: the inverse, which is the 254th power, then an affine map."""
    inverse = 1
    for _ in range(254):
        inverse = multiply(inverse, byte)
    repeated = inverse * 0x101  # two copies, so that a shift to the right is a rotation
    return (repeated ^ repeated >> 4 ^ repeated >> 5 ^ repeated >> 6 ^ repeated >> 7) & 0xFF ^ 0x63


SBOX = bytes(substitute(byte) for byte in range(256))
INVERSE_SBOX = bytes(SBOX.index(byte) for byte in range(256))


def xor(a: bytes, b: bytes) -> bytes:
    """Combine two texts of the same length, bit by bit."""
    return bytes(x ^ y for x, y in zip(a, b, strict=True))


def shift_rows(state: bytes, step: int) -> bytes:
    """Rotate row r by r columns: to the left with step 5, back with step 13."""
    return bytes(state[step * i % 16] for i in range(16))


def mix_columns(state: bytes, factors: Sequence[int]) -> bytes:
    """Multiply each column by the circulant matrix whose first row is given."""
    mixed = bytearray(16)
    for i in range(16):
        for j in range(4):
            mixed[i] ^= multiply(state[i // 4 * 4 + j], factors[(j - i) % 4])
    return bytes(mixed)


class Aes:
    """AES-128 (FIPS 197) of single blocks, whose 16 bytes are the state column after column: byte i is in row i % 4."""

    def __init__(self, key: bytes) -> None:
        """Expand the key to eleven round keys."""
        words = [key[i : i + 4] for i in range(0, 16, 4)]
        constant = 1
        for i in range(4, 44):
            word = words[-1]
            if i % 4 == 0:
                word = xor((word[1:] + word[:1]).translate(SBOX), bytes([constant, 0, 0, 0]))
                constant = multiply(constant, 2)
            words.append(xor(word, words[-4]))
        self.round_keys = [b"".join(words[i : i + 4]) for i in range(0, 44, 4)]

    def encrypt(self, block: bytes) -> bytes:
        """Encrypt one block."""
        state = xor(block, self.round_keys[0])
        for round_key in self.round_keys[1:10]:
            state = xor(mix_columns(shift_rows(state.translate(SBOX), 5), (2, 3, 1, 1)), round_key)
        return xor(shift_rows(state.translate(SBOX), 5), self.round_keys[10])

    def decrypt(self, block: bytes) -> bytes:
        """Decrypt one block."""
        state = shift_rows(xor(block, self.round_keys[10]), 13).translate(INVERSE_SBOX)
        for round_key in self.round_keys[9:0:-1]:
            state = mix_columns(xor(state, round_key), (14, 11, 13, 9))
            state = shift_rows(state, 13).translate(INVERSE_SBOX)
        return xor(state, self.round_keys[0])


def parse_keys(texts: Iterable[str]) -> list[Key]:
    """Read a key ring, or raise ValueError."""
    keys = [parse_key(text) for text in texts]
    if not 1 <= len(keys) <= 4:
        raise ValueError("a key ring has one to four keys")
    if any(len(set(parts)) < len(keys) for parts in zip(*keys, strict=True)):
        raise ValueError("the numbers and the secrets of the keys must differ")
    return keys


def parse_key(text: str) -> Key:
    """Read one key, such as lmk0_0011…, or raise ValueError without the secret in its message."""
    match = re.fullmatch("lmk([0-3])_((?:[0-9A-Fa-f]{2}){32,64})", text)
    if not match:
        raise ValueError("a key is lmk, a number from 0 to 3, an underscore, and 32 to 64 bytes in hexadecimal")
    secret = bytes.fromhex(match[2])
    if len(set(secret)) < 16:
        raise ValueError("the secret is not random: it has fewer than 16 different bytes")
    return int(match[1]), secret


def hkdf(secret: bytes, info: bytes, salt: bytes = bytes(32)) -> bytes:
    """Derive 16 bytes with HKDF-SHA256 (RFC 5869), which needs only the first block of its output."""
    extracted = hmac.digest(salt, secret, hashlib.sha256)
    return hmac.digest(extracted, info + b"\x01", hashlib.sha256)[:16]


def derive(key: Key, purpose: str, name: str) -> Aes:
    """Make the cipher of a purpose, public or scrambled, for a name."""
    return Aes(hkdf(key[1], f"leafmint/{purpose}/1/{name}".encode("ascii")))


def checked_name(name: str) -> str:
    """Return a name or prefix as it is, or raise ValueError."""
    if not re.fullmatch("[a-z](?:[a-z0-9_]{0,61}[a-z0-9])?", name):
        raise ValueError(f"not a name: {name!r}")
    return name


class PublicIds:
    """The public ids of one name; the prefix is the name unless another is given."""

    def __init__(self, name: str, keys: Sequence[Key], prefix: str | None = None) -> None:
        """Derive a cipher from each key of the ring."""
        self.ciphers = {key[0]: derive(key, "public", checked_name(name)) for key in keys}
        self.first = keys[0][0]
        self.prefix = checked_name(name if prefix is None else prefix)

    def encode(self, number: int) -> str:
        """Write an id as a public id, with the first key."""
        if not 0 <= number < 2**63:
            raise ValueError("an id is from 0 to 2^63 - 1")
        block = self.ciphers[self.first].encrypt(number.to_bytes(16, "big"))
        return f"{self.prefix}_{to_text(self.first << 128 | int.from_bytes(block, 'big'), CROCKFORD.lower(), 26)}"

    def decode(self, text: str) -> int:
        """Read the id from a public id made with any key of the ring, or raise ValueError."""
        match = re.fullmatch(f"{self.prefix}_([{CROCKFORD.lower()}]{{26}})", text)
        key_number, block = divmod(to_number(match[1] if match else "0" * 26, CROCKFORD.lower()), 2**128)
        cipher = self.ciphers.get(key_number, self.ciphers[self.first])  # always decrypt, to take the same time
        number = int.from_bytes(cipher.decrypt(block.to_bytes(16, "big")), "big")
        if not match or key_number not in self.ciphers or number >= 2**63:
            raise ValueError("not a public id of this kind")
        return number


class Ff1:
    """FF1 (NIST SP 800-38G) for one radix and width, with halves of at most 12 bytes, so that S is a part of R."""

    def __init__(self, cipher: Aes, tweak: bytes, radix: int, width: int) -> None:
        """Compute what all rounds share."""
        left, right = width // 2, width - width // 2
        self.cipher, self.tweak = cipher, tweak
        self.sizes: tuple[int, int] = (radix**left, radix**right)  # even rounds change the left half, odd the right
        self.half_bytes = ((self.sizes[1] - 1).bit_length() + 7) // 8
        sizes = width.to_bytes(4, "big") + len(tweak).to_bytes(4, "big")
        self.head = bytes([1, 2, 1]) + radix.to_bytes(3, "big") + bytes([10, left % 256]) + sizes

    def round_number(self, i: int, half: int) -> int:
        """Compute y, which round i adds to the other half."""
        padding = bytes((-len(self.tweak) - self.half_bytes - 1) % 16)
        message = self.head + self.tweak + padding + bytes([i]) + half.to_bytes(self.half_bytes, "big")
        block = bytes(16)
        for start in range(0, len(message), 16):
            block = self.cipher.encrypt(xor(block, message[start : start + 16]))
        return int.from_bytes(block[: (self.half_bytes + 3) // 4 * 4 + 4], "big")

    def encrypt(self, number: int) -> int:
        """Encrypt a number."""
        a, b = divmod(number, self.sizes[1])
        for i in range(10):
            a, b = b, (a + self.round_number(i, b)) % self.sizes[i % 2]
        return a * self.sizes[1] + b

    def decrypt(self, number: int) -> int:
        """Decrypt a number."""
        a, b = divmod(number, self.sizes[1])
        for i in reversed(range(10)):
            a, b = (b - self.round_number(i, a)) % self.sizes[i % 2], a
        return a * self.sizes[1] + b


DAMM = (
    *("0317598642", "7092154863", "4206871359", "1750983426", "6123045978"),
    *("3674209581", "5869720134", "8945362017", "9438617205", "2581436790"),
)


def damm(text: str) -> str:
    """Compute the check digit of Damm over the digits."""
    check = "0"
    for digit in re.findall("[0-9]", text):
        check = DAMM[int(check)][int(digit)]
    return check


def luhn(text: str) -> str:
    """Compute the check digit of Luhn over the digits: double every second one, beginning with the last."""
    digits = [int(digit) for digit in re.findall("[0-9]", text)][::-1]
    doubled = sum(sum(divmod(2 * digit, 10)) for digit in digits[::2])
    return str(-(doubled + sum(digits[1::2])) % 10)


def values(text: str) -> list[int]:
    """Take the digits and letters of a text as numbers from 0 to 35."""
    return [int(character, 36) for character in re.findall("[0-9A-Za-z]", text)]


def mod37_36(text: str) -> str:
    """Compute the check character of ISO/IEC 7064, Mod 37,36."""
    p = 36
    for value in values(text):
        p = 2 * ((p + value) % 36 or 36) % 37
    return BASE36[(37 - p) % 36]


def mod97_10(text: str) -> str:
    """Compute the two check digits of ISO/IEC 7064, Mod 97-10."""
    number = int("".join(map(str, values(text))) + "00")
    return f"{98 - number % 97:02}"


CHECKS = {"damm": damm, "luhn": luhn, "mod37_36": mod37_36, "mod97_10": mod97_10}
ALPHABETS = {None: DIGITS, "base32": CROCKFORD, "base36": BASE36}


class ScrambledNumbers:
    """The scrambled numbers of one name, written by a format such as M-{number:6}-{check:damm}."""

    def __init__(self, name: str, key: Key, template: str) -> None:
        """Read the format, and derive a cipher from the key."""
        fields = r"([^{}]*)\{number:(?:(base32|base36):)?([1-9][0-9]?)\}([^{}]*)\{check:([a-z0-9_]+)\}"
        match = re.fullmatch(fields, template)
        if not match or match[5] not in CHECKS:
            raise ValueError(f"not a format for scrambled numbers: {template!r}")
        self.before, self.between, self.check = match[1], match[4], CHECKS[match[5]]
        self.alphabet, self.width = ALPHABETS[match[2]], int(match[3])
        self.size = len(self.alphabet) ** self.width
        if not 1_000_000 <= self.size <= 2**63:
            raise ValueError("a format must have from 1,000,000 to 2^63 numbers")
        cipher = derive(key, "scrambled", checked_name(name))
        self.ff1 = Ff1(cipher, name.encode("ascii"), len(self.alphabet), self.width)

    def write(self, number: int) -> str:
        """Write a number that is already scrambled by the format."""
        text = self.before + to_text(number, self.alphabet, self.width) + self.between
        return text + self.check(text)

    def encode(self, number: int) -> str:
        """Scramble an id and write it."""
        if not 0 <= number < self.size:
            raise ValueError("the id is too large for the format, or negative")
        return self.write(self.ff1.encrypt(number))

    def decode(self, text: str) -> int:
        """Read the id from a scrambled number, or raise ValueError."""
        number = to_number(text[len(self.before) :][: self.width], self.alphabet)
        if text != self.write(number):
            raise ValueError("not a number of this format")
        return self.ff1.decrypt(number)
