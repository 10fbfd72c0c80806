"""Archives of arrays that come from elsewhere (`.npz`): what reading a damaged or foreign one raises.

Bytes that were changed reach the ZIP directory, the compression, NumPy's header (a Python literal, which is tokenized)
or a size that no memory holds; all of these are errors of the file, not of the program. Public: `DAMAGE`.
"""

import zipfile
import zlib
from tokenize import TokenError

DAMAGE = (
    EOFError, ValueError, KeyError, NotImplementedError, RuntimeError, MemoryError, zipfile.BadZipFile, zlib.error,
    TokenError,
)  # fmt: skip
"""Errors by which an archive of arrays tells that it is none. A file that cannot be opened is `OSError`'s."""
