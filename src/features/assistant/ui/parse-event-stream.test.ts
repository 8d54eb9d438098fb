import assert from 'node:assert/strict';
import { test } from 'vitest';
import { parseEventStream, type ServerEvent } from './parse-event-stream.ts';

/** Creates a stream of these chunks. */
const createStream = (...chunks: (string | Uint8Array<ArrayBuffer>)[]): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks)
        controller.enqueue(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk);
      controller.close();
    },
  });

async function collectEvents(body: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<ServerEvent[]> {
  const events: ServerEvent[] = [];
  for await (const event of parseEventStream(body)) events.push(event);
  return events;
}

test('parses whole events wherever the stream is cut', async () => {
  const text = ': hello\r\nevent: text\r\ndata: {"text":"né"}\r\n\r\nevent:done\rdata:a\rdata: b\r\rid: 7\ndata\n\n';
  const expected = [
    { name: 'text', data: '{"text":"né"}' },
    { name: 'done', data: 'a\nb' },
    { name: 'message', data: '' },
  ];
  const bytes = new TextEncoder().encode(text);
  for (let splitIndex = 0; splitIndex <= bytes.length; splitIndex += 1)
    assert.deepEqual(
      await collectEvents(createStream(bytes.slice(0, splitIndex), bytes.slice(splitIndex))),
      expected,
      `cut at ${splitIndex}`,
    );
  assert.deepEqual(await collectEvents(createStream(...Array.from(bytes, (byte) => Uint8Array.of(byte)))), expected);
});

test('drops an unfinished event at the end of the stream', async () => {
  assert.deepEqual(await collectEvents(createStream('data: a\n\ndata: b\n')), [{ name: 'message', data: 'a' }]);
});

test('cancels the stream when an event has no end', async () => {
  let cancelled = false;
  const endlessStream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode('x'.repeat(250_000))),
    cancel: () => {
      cancelled = true;
    },
  });
  await assert.rejects(collectEvents(endlessStream), /size limit/);
  assert.ok(cancelled);
});

test('cancels the stream when the reader stops and throws when the stream breaks', async () => {
  let cancelled = false;
  const openStream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('data: a\n\n')),
    cancel: () => {
      cancelled = true;
    },
  });
  for await (const { data } of parseEventStream(openStream)) {
    assert.equal(data, 'a');
    break;
  }
  assert.ok(cancelled);
  const brokenStream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (c) => c.error(new TypeError('terminated')),
  });
  await assert.rejects(collectEvents(brokenStream), /terminated/);
});
