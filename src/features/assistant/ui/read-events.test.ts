import assert from 'node:assert/strict';
import { test } from 'vitest';
import { readEvents, type ServerEvent } from './read-events.ts';

/** A stream that brings these bytes, piece by piece. */
const streamOf = (...pieces: (string | Uint8Array<ArrayBuffer>)[]): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new ReadableStream({
    start(controller) {
      for (const piece of pieces)
        controller.enqueue(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece);
      controller.close();
    },
  });

async function all(body: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<ServerEvent[]> {
  const events: ServerEvent[] = [];
  for await (const event of readEvents(body)) events.push(event);
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
  for (let cut = 0; cut <= bytes.length; cut += 1)
    assert.deepEqual(await all(streamOf(bytes.slice(0, cut), bytes.slice(cut))), expected, `cut at ${cut}`);
  assert.deepEqual(await all(streamOf(...Array.from(bytes, (byte) => Uint8Array.of(byte)))), expected);
});

test('an event that the stream ends in is dropped', async () => {
  assert.deepEqual(await all(streamOf('data: a\n\ndata: b\n')), [{ name: 'message', data: 'a' }]);
});

test('an event without an end is given up, and the stream with it', async () => {
  let cancelled = false;
  const endless = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode('x'.repeat(250_000))),
    cancel: () => void (cancelled = true),
  });
  await assert.rejects(all(endless), /no end/);
  assert.ok(cancelled);
});

test('who stops reading lets go of the stream, and a broken one says so', async () => {
  let cancelled = false;
  const open = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('data: a\n\n')),
    cancel: () => void (cancelled = true),
  });
  for await (const { data } of readEvents(open)) {
    assert.equal(data, 'a');
    break;
  }
  assert.ok(cancelled);
  const broken = new ReadableStream<Uint8Array<ArrayBuffer>>({ pull: (c) => c.error(new TypeError('terminated')) });
  await assert.rejects(all(broken), /terminated/);
});
