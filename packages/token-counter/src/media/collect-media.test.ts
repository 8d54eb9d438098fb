import { test } from 'vitest';
import assert from 'node:assert/strict';
import type { DocumentBlock, ImageBlock } from '../request-types.ts';
import { collectMedia } from './collect-media.ts';

const image: ImageBlock = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } };
const pdf: DocumentBlock = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: '' } };

test('finds images and documents in messages, results and documents with their paths', () => {
  const holder: DocumentBlock = {
    type: 'document',
    source: { type: 'content', content: [{ type: 'text', text: 'x' }, image] },
  };
  const found = collectMedia({
    model: 'claude-opus-5',
    messages: [
      { role: 'user', content: 'no media' },
      { role: 'user', content: [{ type: 'text', text: 'x' }, pdf, holder] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: [image, pdf] },
          { type: 'tool_result', tool_use_id: 'b' },
        ],
      },
      { role: 'system' },
    ],
  });
  assert.deepEqual(
    found.map(({ path, block }) => [path, block.type]),
    [
      ['messages.1.content.1', 'document'],
      ['messages.1.content.2', 'document'],
      ['messages.1.content.2.source.content.1', 'image'],
      ['messages.2.content.0.content.0', 'image'],
      ['messages.2.content.0.content.1', 'document'],
    ],
  );
});
