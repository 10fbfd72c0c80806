"""What is done about a failed call: the table, and how exceptions are read."""

from typing import Any

import httpx2
import openai
import pytest
from inspect_ai.model._model import AttemptTimeoutError, ModelGenerateError

from jaxphys_adapters.query.failures import Action, Failure, after_failure, after_reply, failure_of
from tests.support import cases

CASE = cases("api")["api-error-classes"]
WORDS = {
    "backoff": Action.BACKOFF,
    "shrink+retry once": Action.SHRINK,
    "record refusal, no retry": Action.REFUSAL,
    "retry with larger max_tokens": Action.MORE_TOKENS,
}


def action_of(error: dict[str, Any]) -> Action:
    if error["http"] == 200:
        return after_reply(error["content"], error["finish"])
    return after_failure(Failure(error["http"], error.get("code", ""), error.get("msg", "")))


@pytest.mark.parametrize(
    ("error", "action"), list(zip(CASE["input"]["errors"], CASE["expected"]["action"], strict=True)), ids=str
)
def test_api_error_classes(error: dict[str, Any], action: str) -> None:
    assert action_of(error) is WORDS[action]


@pytest.mark.parametrize(
    ("failure", "action"),
    [
        (Failure(401, "invalid_api_key"), Action.ABORT),
        (Failure(404, "model_not_found"), Action.ABORT),
        (Failure(429, "insufficient_quota", "You exceeded your current quota"), Action.ABORT),
        (Failure(403, "content_policy_violation"), Action.REFUSAL),
        (Failure(400, "", "The response was filtered by the content management policy"), Action.REFUSAL),
        (Failure(400, "", "temperature is not supported"), Action.GIVE_UP),
        (Failure(400, "", "unknown field image_detail"), Action.GIVE_UP),
        (Failure(529), Action.BACKOFF),
        (Failure(timed_out=True), Action.MORE_TIME),
        (Failure(transient=True), Action.BACKOFF),
        (Failure(), Action.GIVE_UP),
    ],
)
def test_other_failures(failure: Failure, action: Action) -> None:
    assert after_failure(failure) is action


@pytest.mark.parametrize(
    ("text", "finish", "action"),
    [
        ("{}", "stop", Action.ACCEPT),
        (" \n", "stop", Action.ASK_AGAIN),
        ("{", "length", Action.MORE_TOKENS),
        ("no", "content_filter", Action.REFUSAL),
        ("x", "error", Action.GIVE_UP),
    ],
)
def test_replies_before_they_are_read(text: str, finish: str, action: Action) -> None:
    assert after_reply(text, finish) is action


def status_error(status: int, body: dict[str, Any], headers: dict[str, str] | None = None) -> openai.APIStatusError:
    request = httpx2.Request("POST", "http://stub")
    response = httpx2.Response(status, headers=headers or {}, request=request)
    return openai.APIStatusError(body.get("message", "failed"), response=response, body=body)


def test_a_wrapped_error_is_read_from_its_cause_not_from_the_repeated_request() -> None:
    cause = status_error(400, {"message": "temperature is not supported", "code": "unsupported"})
    wrapper = ModelGenerateError("Request: image ... maximum ...", status_code=400)
    wrapper.__cause__ = cause
    failure = failure_of(wrapper)
    assert failure == Failure(400, "unsupported", "temperature is not supported")
    assert after_failure(failure) is Action.GIVE_UP


@pytest.mark.parametrize(("header", "wait"), [("7", 7.0), ("soon", None), ("-1", None), ("nan", None)])
def test_the_provider_says_how_long_to_wait(header: str, wait: float | None) -> None:
    failure = failure_of(status_error(429, {"message": "slow down"}, {"retry-after": header}))
    assert failure is not None
    assert failure.retry_after == wait


@pytest.mark.parametrize("error", [AttemptTimeoutError(3), TimeoutError()], ids=repr)
def test_timeouts(error: Exception) -> None:
    failure = failure_of(error)
    assert failure is not None
    assert failure.timed_out


def test_a_lost_connection_may_be_tried_again() -> None:
    failure = failure_of(openai.APIConnectionError(request=httpx2.Request("POST", "http://stub")))
    assert failure is not None
    assert after_failure(failure) is Action.BACKOFF


def test_a_programming_error_is_no_failed_call() -> None:
    assert failure_of(KeyError("oops")) is None
