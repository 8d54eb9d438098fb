import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createPng } from '../../../../../test/support/image-bytes.ts';
import { createPdf } from '../../../../../test/support/pdf-bytes.ts';
import { readRecords } from '../../../../../test/regression/records.ts';
import { countRequest } from '../../count-file.ts';
import { formatProblem } from '../../validation/problem.ts';
import { decodeBody } from '../../validation/decode-body.ts';
import { countRequestText, type RequestCounts } from './count-request-text.ts';
import { readPdfData } from './read-pdf-data.ts';
import { addFile, extractFiles, insertFiles } from './request-files.ts';

const png = Buffer.from(createPng(640, 480)).toString('base64');
const pdf = Buffer.from(createPdf([['One'], ['Two']])).toString('base64');

const formatJson = (request: object): string => JSON.stringify(request, null, 2);
const count = (
  request: object,
  otherModels: string[] = [],
  files = new Map<string, string>(),
): Promise<RequestCounts> => countRequestText(formatJson(request), files, otherModels, readPdfData);

const createRequest = (content: unknown, fields: object = {}): object => ({
  model: 'claude-sonnet-4-5',
  messages: [{ role: 'user', content }],
  ...fields,
});
const createImage = (data: string): object => ({
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data },
});
const createDocument = (data: string): object => ({
  type: 'document',
  source: { type: 'base64', media_type: 'application/pdf', data },
});

test(
  'gives the count and the refusals of the service when requests of all kinds are counted',
  { tags: ['slow'] },
  async () => {
    let counted = 0;
    let refused = 0;
    for (const { name, request } of readRecords()) {
      const counts = await count(request);
      if (counts.status === 'uncountable') continue;
      const decoded = decodeBody(Buffer.from(formatJson(request)));
      const expected = decoded.ok ? await countRequest(decoded.value as Record<string, unknown>) : decoded;
      if (!expected.ok) {
        refused += 1;
        assert.ok(counts.status === 'invalid', name);
        assert.equal(counts.problem.message, formatProblem(expected.problem), name);
        continue;
      }
      counted += 1;
      assert.ok(counts.status === 'counted' && counts.models[0]?.ok, name);
      const { inputTokens, low, high } = counts.models[0];
      assert.deepEqual(
        [inputTokens, low, high],
        [expected.counted.count.input_tokens, expected.counted.uncertainty.low, expected.counted.uncertainty.high],
        name,
      );
    }
    assert.ok(counted > 100, `${counted} counted, ${refused} refused`);
  },
);

test('counts for the model in the request and for the other models', async () => {
  const counts = await count(createRequest('Hello'), ['claude-opus-4-7', 'claude-9']);
  assert.ok(counts.status === 'counted');
  assert.deepEqual(
    counts.models.map((each) => [each.model, each.ok]),
    [
      ['claude-sonnet-4-5', true],
      ['claude-opus-4-7', true],
      ['claude-9', false],
    ],
  );
  for (const [column, each] of counts.models.entries()) {
    if (!each.ok) continue;
    const tokens: number[] = counts.parts.map((part) => part.tokens[column]?.tokens ?? 0);
    assert.equal(
      tokens.reduce((sum, one) => sum + one, 0),
      each.inputTokens,
    );
  }
});

test('labels the parts with names of tools and files and the start of texts', async () => {
  const files = new Map<string, string>();
  const content = [
    createImage(addFile(files, 'photo.png', png)),
    createDocument(addFile(files, 'report.pdf', pdf)),
    { type: 'text', text: 'Compare these.' },
  ];
  const tools = [{ name: 'get_weather', input_schema: { type: 'object' } }];
  const counts = await count(createRequest(content, { tools }), [], files);
  assert.ok(counts.status === 'counted');
  const labels = counts.parts.map(({ label }) => label);
  for (const label of ['Frame', 'Tool: get_weather', 'Image: photo.png', 'PDF: report.pdf', 'Text: Compare these.'])
    assert.ok(labels.includes(label), `${label} in ${labels.join(', ')}`);
});

test('gives the use of the context window and the cost for each model', async () => {
  const counts = await count(createRequest('Hello, world'), ['claude-mythos-preview']);
  assert.ok(counts.status === 'counted');
  const [known, unknown] = counts.models.map((model) => model.ok && model.use);
  // 10 tokens at $3, or at $0.30 from the cache.
  assert.deepEqual(known, {
    context_window: 200_000,
    share_percent: 0.005,
    remaining_tokens: 64_000,
    cost_usd: 0.00003,
    cached_cost_usd: 0.000003,
  });
  assert.deepEqual(
    unknown && [unknown.context_window, unknown.share_percent, unknown.remaining_tokens, unknown.cached_cost_usd],
    [null, null, null, null],
  );
});

test('leaves out fields of message creation and names them', async () => {
  const counts = await count(createRequest('Hello', { max_tokens: 1, stream: true }));
  assert.ok(counts.status === 'counted');
  assert.deepEqual(counts.ignoredFields, ['max_tokens', 'stream']);
});

test('returns the path and line of every source that is not in the request', async () => {
  const image = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } };
  const content = [
    image,
    { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'document', source: { type: 'file', file_id: 'f' } }] },
    { type: 'document', source: { type: 'content', content: [image] } },
  ];
  const counts = await count(createRequest(content));
  assert.ok(counts.status === 'uncountable');
  assert.deepEqual(
    counts.sources.map(({ path, type, line }) => [path, type, line]),
    [
      ['messages.0.content.0', 'url', 7],
      ['messages.0.content.1.content.0', 'file', 18],
      ['messages.0.content.2.source.content.0', 'url', 32],
    ],
  );
});

for (const [name, block, message, line] of [
  ['an image is damaged', createImage('aGVsbG8gaGVsbG8='), /^Could not process image$/, 7],
  ['an image has another type', createImage('/9j/4AAQSkZJRgABAQAAAQABAAD='), /appears to be a image\/jpeg image$/, 9],
  ['data is no base64', createImage('?'), /image\.source\.base64: invalid base64 data$/, 9],
  ['a PDF is damaged', createDocument('aGVsbG8gaGVsbG8='), /The PDF specified was not valid\.$/, 12],
  ['the data of a file is missing', createImage('[photo.png, 12 kB]'), /The data of photo\.png is missing/, 12],
] as const)
  test(`rejects a request with its line when ${name}`, async () => {
    const counts = await count(createRequest([block]));
    assert.ok(counts.status === 'invalid');
    assert.match(counts.problem.message, message);
    assert.equal(counts.problem.line, line);
  });

test('returns empty when the text is blank', async () => {
  assert.deepEqual(await countRequestText(' \n', new Map(), [], readPdfData), { status: 'empty' });
});

test('restores the text when long base64 data is replaced by a name and inserted again', () => {
  const data = Buffer.alloc(3_000, 7).toString('base64');
  const text = JSON.stringify(createRequest([createImage(data), { type: 'text', text: 'A'.repeat(5_000) }]), null, 2);
  const files = new Map<string, string>();
  const short = extractFiles(text, files);
  assert.match(short, /"data": "\[pasted file, 3 kB\]"/);
  // A long text is not a file.
  assert.ok(short.includes('A'.repeat(5_000)));
  assert.equal(insertFiles(short, files), text);
});

test('gives two files of one name different names unless their data is equal', () => {
  const files = new Map<string, string>();
  const names = ['aaaa', 'bbbb', 'aaaa'].map((data) => addFile(files, 'a"[b].png', data));
  assert.deepEqual(names, ['[a__b_.png, 3 B]', '[a__b_.png 2, 3 B]', '[a__b_.png, 3 B]']);
});

test('labels a long text by its start when white space or surrogate pairs are in it', async () => {
  for (const [text, label] of [
    ['Hi\n  there', 'Text: Hi there'],
    [`\n${'word '.repeat(300_000)}`, `Text: ${'word '.repeat(8)}…`],
    [`a${' '.repeat(5_000)}b`, 'Text: a …'],
    ['\u{1f600}'.repeat(2_000), `Text: ${'\u{1f600}'.repeat(40)}…`],
  ] as const) {
    const counts = await count(createRequest(text));
    assert.ok(counts.status === 'counted');
    assert.ok(
      counts.parts.some((part) => part.label === label),
      JSON.stringify(counts.parts),
    );
  }
});
