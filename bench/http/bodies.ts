import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

const root = join(import.meta.dirname, '../..');

/** Reads a few MB of prose and code from installed packages. */
function readTexts(): string {
  const files = globSync('node_modules/{fastify,zod,pg,pino,@fastify/*,jose}/**/*.{md,d.ts}', {
    cwd: root,
  }).sort();
  let text = '';
  for (const file of files) {
    text += readFileSync(join(root, file), 'utf8');
    if (text.length > 6_000_000) break;
  }
  return text;
}

const corpus = readTexts();
let sliceCount = 0;

/** Returns a new slice in each call, from another position and with a unique number. */
function takeSlice(length: number): string {
  sliceCount += 1;
  const from = (sliceCount * 7_919_333) % (corpus.length - length);
  // Unpaired surrogates are rejected, and so is a last message of the assistant that ends with white space.
  return `#${sliceCount} ${corpus.slice(from, from + length).toWellFormed()}`.trimEnd();
}

const tool = {
  name: 'read_file',
  description: 'Reads a file of the project and returns its text.',
  input_schema: {
    type: 'object',
    properties: { path: { type: 'string', description: 'Path in the project' } },
    required: ['path'],
  },
};

const encodeJson = (body: object): Buffer => Buffer.from(JSON.stringify(body));

/** Returns a question with a system prompt of about `bytes` bytes. */
export function questionBody(bytes: number): Buffer {
  return encodeJson({
    model: 'claude-opus-4-6',
    system: 'You are a careful reviewer of code.',
    messages: [{ role: 'user', content: takeSlice(bytes - 170) }],
  });
}

/** Returns the conversation of an agent that reads files with a tool, of about `bytes` bytes. */
export function agentBody(bytes: number): Buffer {
  const messages: object[] = [{ role: 'user', content: takeSlice(400) }];
  for (let remainingBytes = bytes - 1_200; remainingBytes > 0; remainingBytes -= 2_200) {
    const id = `toolu_${sliceCount}_${remainingBytes}`;
    messages.push(
      {
        role: 'assistant',
        content: [
          { type: 'text', text: takeSlice(150) },
          { type: 'tool_use', id, name: 'read_file', input: { path: `src/${sliceCount}.ts` } },
        ],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: id, content: takeSlice(Math.min(1_800, remainingBytes)) }],
      },
    );
  }
  return encodeJson({
    model: 'claude-opus-4-6',
    system: 'You are a careful reviewer of code.',
    tools: [tool],
    messages,
  });
}

/** Returns a chunk of a PNG: length, type, data and checksum. */
function createChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(data.length + 12);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, 'latin1');
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return chunk;
}

/** Returns images of `bytes` bytes in total: PNG files of 1,000 × 800 pixels whose picture is noise. */
export function mediaBody(bytes: number): Buffer {
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  const header = createChunk('IHDR', Buffer.from('000003e8000003200802000000', 'hex'));
  const end = createChunk('IEND', Buffer.alloc(0));
  const count = Math.ceil(bytes / 8_000_000);
  const size = Math.floor(((bytes / count - 200) * 3) / 4);
  const content = Array.from({ length: count }, (_, index) => {
    const noise = Buffer.alloc(size);
    sliceCount += 1;
    let state = sliceCount + index;
    for (let offset = 0; offset + 4 <= size; offset += 4) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) | 0;
      noise.writeInt32LE(state, offset);
    }
    const file = Buffer.concat([signature, header, createChunk('IDAT', noise), end]);
    return { type: 'image', source: { type: 'base64', media_type: 'image/png', data: file.toString('base64') } };
  });
  return encodeJson({
    model: 'claude-opus-4-6',
    messages: [{ role: 'user', content: [...content, { type: 'text', text: takeSlice(40) }] }],
  });
}

/** Returns text of `bytes` bytes in messages of 20 KB. */
export function textBody(bytes: number): Buffer {
  const messages: object[] = [];
  for (let size = 0; size < bytes - 30_000;) {
    const content = takeSlice(20_000);
    messages.push({ role: messages.length % 2 === 0 ? 'user' : 'assistant', content });
    size += JSON.stringify(content).length + 40;
  }
  return encodeJson({ model: 'claude-opus-4-6', messages });
}
