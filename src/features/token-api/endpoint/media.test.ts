import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { type CountServer, startCountServer } from '../../../../test/support/count-server.ts';
import { createPdf } from '../../../../test/support/pdf-bytes.ts';

let server: CountServer;
beforeAll(async () => {
  server = await startCountServer();
});
afterAll(() => server.close());

async function count(
  content: unknown,
  model = 'claude-sonnet-4-5',
): Promise<{ status: number; tokens?: number; message?: string }> {
  const response = await server.post({ model, messages: [{ role: 'user', content }] });
  const responseBody = (await response.json()) as { input_tokens?: number; error?: { message: string } };
  return {
    status: response.status,
    ...(responseBody.input_tokens !== undefined && { tokens: responseBody.input_tokens }),
    ...(responseBody.error && { message: responseBody.error.message }),
  };
}

const image = (data: string, media_type = 'image/gif') => ({
  type: 'image',
  source: { type: 'base64', media_type, data },
});
const document = (data: string) => ({
  type: 'document',
  source: { type: 'base64', media_type: 'application/pdf', data },
});

function gif(width: number, height: number): string {
  const bytes = Buffer.alloc(32);
  bytes.write('GIF89a');
  bytes.writeUInt16LE(width, 6);
  bytes.writeUInt16LE(height, 8);
  return bytes.toString('base64');
}

describe('images', () => {
  test('count by their size', async () => {
    const small = await count([image(gif(280, 280))]);
    const large = await count([image(gif(560, 560))]);
    assert.equal(large.tokens! - small.tokens!, 400 - 100, 'one token per 28 × 28 pixels');
  });

  test('are rejected by path when they are unreadable, too large or too many', async () => {
    const text = { type: 'text', text: 'x' };
    const imagePath = 'messages.0.content.1.image.source.base64';
    assert.deepEqual(await count([text, image('###')]), {
      status: 400,
      message: `${imagePath}: invalid base64 data`,
    });
    assert.deepEqual(await count([text, image('')]), {
      status: 400,
      message: `${imagePath}: image cannot be empty`,
    });
    assert.deepEqual(await count([text, image(Buffer.from('no image').toString('base64'))]), {
      status: 400,
      message: 'Could not process image',
    });
    assert.deepEqual(await count([text, image(gif(8001, 10))]), {
      status: 400,
      message: `${imagePath}.data: At least one of the image dimensions exceed max allowed size: 8000 pixels`,
    });
    const many = Array.from({ length: 20 }, () => image(gif(2000, 10)));
    assert.equal((await count([text, image(gif(8000, 10)), ...many.slice(1)])).status, 200);
    assert.deepEqual(await count([text, image(gif(2001, 10)), ...many]), {
      status: 400,
      message:
        `${imagePath}.data: At least one of the image dimensions exceed max allowed size for many-image requests: ` +
        '2000 pixels',
    });
    const bytes = 10 * 1024 * 1024 + 4;
    assert.deepEqual(await count([text, image(gif(9, 9).padEnd(bytes, 'A'))]), {
      status: 400,
      message: `${imagePath}: image exceeds 10 MB maximum: ${bytes} bytes > 10485760 bytes`,
    });
    assert.deepEqual(await count(Array.from({ length: 101 }, () => image(gif(9, 9)))), {
      status: 400,
      message: 'too many images and documents: 101 + 0 > 100',
    });
  });
});

describe('documents', () => {
  test('counts a PDF by its pages and their text', async () => {
    const one = await count([document(Buffer.from(createPdf([['Hello page']])).toString('base64'))]);
    const two = await count([document(Buffer.from(createPdf([['Hello page'], ['Another page']])).toString('base64'))]);
    assert.equal(one.status, 200, one.message);
    assert.ok(one.tokens! > 1_000 && two.tokens! > one.tokens! * 1.8, `${one.tokens} and ${two.tokens}`);
  });

  test('rejects a damaged PDF by path', async () => {
    const broken = await count([
      { type: 'text', text: 'x' },
      document(Buffer.from('%PDF-1.4 and no more').toString('base64')),
    ]);
    assert.deepEqual(broken, {
      status: 400,
      message: 'messages.0.content.1.pdf.source.base64.data: The PDF specified was not valid.',
    });
  });

  test('rejects a URL instead of estimating its file', async () => {
    const remote = await count([{ type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }]);
    assert.equal(remote.status, 400);
    assert.match(remote.message!, /^messages\.0\.content\.0\.source\.url: /);
  });
});
