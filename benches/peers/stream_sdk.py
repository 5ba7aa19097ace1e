"""Times the official Python SDK on the bytes of a streamed answer.

usage: stream_sdk.py FILE CUT ROUNDS

The SDK's own client reads FILE from a transport that hands it out in pieces: CUT is `events` (one event each) or a
number of bytes. Prints one line of JSON with the CPU time of a first round, and the median of ROUNDS more. A first round
of more than five seconds is the only one. Ends with 3 if the SDK is not installed.
"""

import json
import platform
import statistics
import sys
import time

try:
    import anthropic
except ImportError as error:
    print(error, file=sys.stderr)
    sys.exit(3)

try:  # what the SDK is built on, in its newer and its older versions
    import httpx2 as httpx
except ImportError:
    import httpx

LONG = 5.0


def pieces_of(body, cut):
    if cut == "events":
        return [event + b"\n\n" for event in body.split(b"\n\n") if event]
    size = int(cut)
    return [body[at : at + size] for at in range(0, len(body), size)]


def read(client):
    request = {"model": "claude-sonnet-4-5", "max_tokens": 1, "messages": [{"role": "user", "content": "Hi"}]}
    with client.messages.stream(**request) as stream:
        for event in stream:
            if event.type == "input_json":
                _ = event.snapshot
        return stream.get_final_message()


def carried(message):
    block = message.content[0]
    if block.type == "text":
        text = block.text
    else:
        text = json.dumps(block.input, separators=(",", ":"), ensure_ascii=False)
    return len(text.encode())


def main():
    path, cut, rounds = sys.argv[1:]
    with open(path, "rb") as file:
        pieces = pieces_of(file.read(), cut)

    def answer(_request):
        return httpx.Response(200, headers={"content-type": "text/event-stream"}, content=iter(pieces))

    transport = httpx.MockTransport(answer)
    client = anthropic.Anthropic(api_key="none", http_client=httpx.Client(transport=transport, trust_env=False))

    def timed():
        began = time.process_time()
        message = read(client)
        return time.process_time() - began, message

    first, message = timed()
    times = [first] if first > LONG else [timed()[0] for _ in range(int(rounds))]
    result = {
        "peer": f"anthropic {anthropic.__version__}, Python {platform.python_version()}",
        "first_ms": first * 1000,
        "median_ms": statistics.median(times) * 1000,
        "rounds": len(times),
        "bytes": carried(message),
    }
    print(json.dumps(result))


main()
