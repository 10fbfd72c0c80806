"""How fast jaxphys is, and against whom: `python -m bench all` or `python -m bench quick`.

`harness` times, `rows` writes and prints, `engines` puts every engine behind one face, `billiards` asks the
questions. Figures are compared within one run only; see README.md.
"""

import jaxphys

jaxphys.prepare_process()  # before anything here imports JAX
