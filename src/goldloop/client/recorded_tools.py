"""Functions whose calls are recorded as tool calls: `@session.tool` for one session, `@goldloop.tool` for whichever is being
recorded where they are called."""

import functools
import inspect
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, TypeVar, overload

from goldloop.client.quiet import log
from goldloop.client.recording import NO_CALL, Recording, ToolCall, current_session

Function = TypeVar("Function", bound=Callable[..., Any])

RECEIVERS = ("self", "cls")  # what a method is called on is no argument


@overload
def tool(function: Function, /) -> Function: ...
@overload
def tool(*, name: str | None = None) -> Callable[[Function], Function]: ...
def tool(function: Any = None, /, *, name: str | None = None) -> Any:
    """A decorator: each call of the function is a tool call of the session that is being recorded there, if one is."""

    def decorate(function: Any) -> Any:
        return recorded(function, name, current_session)

    return decorate if function is None else decorate(function)


def recorded(function: Any, name: str | None, find_session: Callable[[], Recording | None]) -> Any:
    """The same function, which does what it did; beside it, the call and its outcome are recorded."""
    name = name or getattr(function, "__name__", None) or type(function).__name__
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # some that are written in C do not tell
        signature = None

    def begin(args: tuple[Any, ...], kwargs: dict[str, Any]) -> ToolCall:
        try:
            session = find_session()
            return session.tool_call(name, _by_name(signature, args, kwargs)) if session else NO_CALL
        except Exception:  # the tool runs, whatever becomes of its record
            log.exception("a tool call could not be recorded")
            return NO_CALL

    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def run_async(*args: Any, **kwargs: Any) -> Any:
            with begin(args, kwargs) as call:
                result = await function(*args, **kwargs)
                call.result(result)
            return result

        return run_async

    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        call = begin(args, kwargs)
        try:
            result = function(*args, **kwargs)
        except BaseException as error:
            call.error(error)
            raise
        if inspect.iscoroutine(result):
            return _awaited(result, call)
        call.result(result)
        return result

    return run


async def _awaited(running: Coroutine[Any, Any, Any], call: ToolCall) -> Any:
    with call:
        result = await running
        call.result(result)
    return result


def _by_name(
    signature: inspect.Signature | None, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> dict[str, Any]:
    """Arguments as the function calls them; as they came where it would refuse them."""
    try:
        if signature is None:
            raise TypeError
        bound = signature.bind(*args, **kwargs)
    except TypeError:
        return {"args": list(args), **kwargs} if args else dict(kwargs)
    found: dict[str, Any] = {}
    for place, (name, value) in enumerate(bound.arguments.items()):
        kind = signature.parameters[name].kind
        if kind is inspect.Parameter.VAR_KEYWORD:
            found |= value
        elif place or name not in RECEIVERS:
            found[name] = value
    return found
