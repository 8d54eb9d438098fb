import assert from 'node:assert/strict';
import { test } from 'vitest';
import { Cancelled } from './count-body.ts';
import { type MediaReference, resolveModel } from '../../../packages/token-counter/src/index.ts';
import type { PdfParser } from './pdf/pdf-parser.ts';
import { createReadMedia } from './read-media.ts';

const media = [
  {
    path: 'messages.0.content.0',
    block: { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' } },
  },
] as unknown as MediaReference[];
const model = resolveModel('claude-sonnet-4-5')!;

/** Returns a parser that runs until it is aborted. */
function endless() {
  let ended = 0;
  const parser: PdfParser = {
    parse: (_bytes, signal) =>
      new Promise((resolve) => {
        signal!.addEventListener('abort', () => {
          ended += 1;
          resolve({ ok: false, problem: 'cancelled' });
        });
      }),
    close: async () => {},
  };
  return { parser, ended: () => ended };
}

test('stops reading a PDF when the client disconnects', async () => {
  const { parser, ended } = endless();
  let isCancelled = false;
  const reading = createReadMedia(parser)(media, model, () => isCancelled);
  setTimeout(() => {
    isCancelled = true;
  }, 20);
  await assert.rejects(reading, Cancelled);
  assert.equal(ended(), 1);
});

test('returns a problem when the service stops during the read', async () => {
  const parser: PdfParser = { parse: async () => ({ ok: false, problem: 'cancelled' }), close: async () => {} };
  const read = await createReadMedia(parser)(media, model, () => false);
  assert.ok(!read.ok && read.problem.path === 'messages.0.content.0.pdf.source.base64.data');
});
