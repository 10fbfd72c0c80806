"""An OpenAI-compatible chat server on the loopback address that misbehaves as it is told."""

import hashlib
import json
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Say:
    """A response: a completion, or an HTTP error with a body; `delay` comes first (s)."""

    text: str = ""
    finish: str = "stop"
    status: int = 200
    code: str = ""
    message: str = "no"
    delay: float = 0.0
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Call:
    """A request as the server saw it."""

    body: dict[str, Any]
    headers: dict[str, str]
    raw: bytes

    @property
    def messages(self) -> list[dict[str, Any]]:
        return list(self.body["messages"])

    @property
    def prompt(self) -> str:
        content = self.messages[0]["content"]
        return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)

    @property
    def images(self) -> list[str]:
        content = self.messages[0]["content"]
        return [] if isinstance(content, str) else [p["image_url"]["url"] for p in content if p["type"] == "image_url"]

    @property
    def key(self) -> str:
        """Same prompt and picture, same key."""
        return hashlib.sha256(json.dumps([self.prompt, self.images]).encode()).hexdigest()


Script = Callable[[Call, int], Say]
"""(request, how often its key came before) -> response."""


@dataclass
class Stub:
    """The server; `calls` grows with every request."""

    script: Script
    calls: list[Call] = field(default_factory=list)
    _seen: Counter[str] = field(default_factory=Counter)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __enter__(self) -> "Stub":
        stub = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers["Content-Length"]))
                call = Call(json.loads(raw), dict(self.headers), raw)
                with stub._lock:
                    stub.calls.append(call)
                    before = stub._seen[call.key]
                    stub._seen[call.key] += 1
                say = stub.script(call, before)
                time.sleep(say.delay)
                self._send(say)

            def _send(self, say: Say) -> None:
                if say.status == 200:
                    message = {"role": "assistant", "content": say.text}
                    choice = {"index": 0, "message": message, "finish_reason": say.finish}
                    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
                    content: dict[str, Any] = {
                        "id": "x", "object": "chat.completion", "created": 0, "model": "m",
                        "choices": [choice], "usage": usage,
                    }  # fmt: skip
                else:
                    content = {"error": {"message": say.message, "code": say.code, "type": "invalid_request_error"}}
                body = json.dumps(content).encode()
                try:
                    self.send_response(say.status)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(len(body)))
                    for name, value in say.headers:
                        self.send_header(name, value)
                    self.end_headers()
                    self.wfile.write(body)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True  # the client ran out of patience

            def log_message(self, format: str, *args: Any) -> None:
                return

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"
