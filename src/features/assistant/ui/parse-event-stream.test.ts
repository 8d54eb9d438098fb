import assert from 'node:assert/strict';
import { test } from 'vitest';
import { parseEventStream, type ServerEvent } from './parse-event-stream.ts';

/** A stream that brings these bytes, piece by piece. */
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

test('events are read whole wherever the stream is cut, within a character or a line’s end too', async () => {
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

test('an event that the stream ends in is dropped', async () => {
  assert.deepEqual(await collectEvents(createStream('data: a\n\ndata: b\n')), [{ name: 'message', data: 'a' }]);
});

test('an event without an end is given up, and the stream with it', async () => {
  let cancelled = false;
  const endlessStream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode('x'.repeat(250_000))),
    cancel: () => void (cancelled = true),
  });
  await assert.rejects(collectEvents(endlessStream), /no end/);
  assert.ok(cancelled);
});

test('who stops reading lets go of the stream, and a broken one says so', async () => {
  let cancelled = false;
  const openStream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('data: a\n\n')),
    cancel: () => void (cancelled = true),
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
