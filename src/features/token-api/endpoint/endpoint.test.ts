import assert from 'node:assert/strict';
import type { ModelInfo } from '@anthropic-ai/sdk/resources/models';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { type CountServer, startCountServer } from '../../../../test/support/count-server.ts';

let server: CountServer;
beforeAll(async () => {
  server = await startCountServer();
});
afterAll(() => server.close());

const HELLO = { model: 'claude-opus-4-6', messages: [{ role: 'user', content: 'Hello, world' }] };

interface ApiResponse {
  status: number;
  headers: Headers;
  body: { input_tokens?: number; type?: string; error?: { type: string; message: string }; request_id?: string };
}

interface CallOptions {
  path?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: BodyInit;
}

async function call(options: CallOptions = {}): Promise<ApiResponse> {
  const { path = '/v1/messages/count_tokens', method = 'POST', headers = {}, body = JSON.stringify(HELLO) } = options;
  const all = { 'x-api-key': server.key, 'svc-version': '2023-06-01', 'content-type': 'application/json', ...headers };
  const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
  const bodyless = method === 'GET' || method === 'HEAD';
  const response = await fetch(server.url + path, { method, headers: sent, body: bodyless ? null : body });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? {} : (JSON.parse(text) as ApiResponse['body']),
  };
}

const typeByStatus: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  404: 'not_found_error',
  405: 'invalid_request_error',
  415: 'invalid_request_error',
};

/** Checks the error body of the Messages API and the equal request id in header and body. */
async function assertRejected(options: CallOptions, status: number, message: RegExp): Promise<ApiResponse> {
  const response = await call(options);
  assert.equal(response.status, status, JSON.stringify(response.body));
  assert.equal(response.body.type, 'error');
  assert.equal(response.body.error?.type, typeByStatus[status]);
  assert.match(response.body.error!.message, message);
  assert.match(response.body.request_id!, /^req_/);
  assert.equal(response.headers.get('request-id'), response.body.request_id);
  assert.equal(response.headers.get('content-type'), 'application/json');
  return response;
}

describe('POST /v1/messages/count_tokens', () => {
  test('returns the count and the request id in both headers', async () => {
    const response = await call();
    assert.equal(response.status, 200);
    assert.deepEqual(Object.keys(response.body), ['input_tokens']);
    assert.ok(response.body.input_tokens! > 3);
    assert.match(response.headers.get('request-id')!, /^req_/);
    assert.equal(response.headers.get('x-request-id'), response.headers.get('request-id'));
  });

  test('states the error estimate and the estimated parts in a header', async () => {
    const plain = await call();
    const bounds = /^low=(\d+), high=(\d+)$/.exec(plain.headers.get('x-tally-uncertainty') ?? '');
    assert.ok(bounds && Number(bounds[1]) <= plain.body.input_tokens! && plain.body.input_tokens! <= Number(bounds[2]));
    const source = { type: 'text', media_type: 'text/plain', data: 'One. Two.' };
    const content = [{ type: 'document', source, citations: { enabled: true } }];
    const cited = await call({
      body: JSON.stringify({ model: 'claude-haiku-4-5', messages: [{ role: 'user', content }] }),
    });
    assert.match(cited.headers.get('x-tally-uncertainty') ?? '', /^low=\d+, high=\d+, parts="citations document"$/);
    assert.deepEqual(Object.keys(cited.body), ['input_tokens']);
  });

  test('applies context_management and returns the original count on the beta path', async () => {
    const block = (id: string) => ({ type: 'tool_use', id, name: 'find', input: {} });
    const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'found '.repeat(50) });
    const turns = ['a', 'b'].flatMap((id) => [
      { role: 'assistant', content: [block(id)] },
      { role: 'user', content: [result(id)] },
    ]);
    const edits = [
      {
        type: 'clear_tool_uses_20250919',
        trigger: { type: 'tool_uses', value: 1 },
        keep: { type: 'tool_uses', value: 1 },
      },
    ];
    const body = {
      model: 'claude-haiku-4-5',
      tools: [{ name: 'find', input_schema: { type: 'object' } }],
      messages: [{ role: 'user', content: 'Look.' }, ...turns],
    };
    const edited = JSON.stringify({ ...body, context_management: { edits } });
    const uneditedTokens = (await call({ body: JSON.stringify(body) })).body.input_tokens!;
    const stable = await call({ body: edited });
    assert.deepEqual(Object.keys(stable.body), ['input_tokens']);
    assert.ok(stable.body.input_tokens! < uneditedTokens - 30);
    const path = '/v1/messages/count_tokens?beta=true';
    const beta = await call({ path, body: edited });
    assert.deepEqual(beta.body, {
      context_management: { original_input_tokens: uneditedTokens },
      input_tokens: stable.body.input_tokens,
    });
  });

  test('accepts both key headers, version headers and versions, and ?beta=true', async () => {
    const { body: expected } = await call();
    for (const version of ['2023-06-01', '2026-10-21']) {
      for (const name of ['svc-version', 'anthropic-version']) {
        for (const auth of ['x-api-key', 'authorization']) {
          const value = auth === 'x-api-key' ? server.key : `Bearer ${server.key}`;
          const headers = { 'x-api-key': '', 'svc-version': '', [name]: version, [auth]: value };
          const response = await call({ path: '/v1/messages/count_tokens?beta=true', headers });
          assert.deepEqual(response.body, expected, `${version} ${name} ${auth}`);
        }
      }
    }
  });

  test('prefers x-api-key to a bearer token', async () => {
    assert.equal((await call({ headers: { authorization: 'Bearer nonsense' } })).status, 200);
    await assertRejected(
      { headers: { 'x-api-key': 'nonsense', authorization: `Bearer ${server.key}` } },
      401,
      /invalid x-api-key/,
    );
  });

  test('rejects a missing, malformed or unknown key', async () => {
    const unknown = `sk-tally-${'A'.repeat(43)}`;
    await assertRejected({ headers: { 'x-api-key': '' } }, 401, /x-api-key header is required/);
    await assertRejected({ headers: { 'x-api-key': unknown } }, 401, /invalid x-api-key/);
    await assertRejected(
      { headers: { 'x-api-key': '', authorization: `Bearer ${unknown}` } },
      401,
      /Invalid bearer token/,
    );
    await assertRejected({ headers: { 'x-api-key': '', authorization: 'Basic abc' } }, 401, /bearer/i);
  });

  test('checks path, method, key, version and content type in the documented order', async () => {
    const nothing = { 'x-api-key': '', 'svc-version': '', 'content-type': '' };
    await assertRejected({ path: '/v1/messages', headers: nothing }, 404, /nothing at this address/);
    const get = { method: 'GET', headers: nothing };
    const wrongMethod = await assertRejected(get, 405, /GET is not allowed/);
    assert.equal(wrongMethod.headers.get('allow'), 'POST');
    await assertRejected({ headers: nothing }, 401, /required/);
    await assertRejected({ headers: { ...nothing, 'content-type': 'nonsense' } }, 401, /required/);
    await assertRejected(
      { headers: { 'svc-version': '', 'content-type': '' } },
      400,
      /^svc-version: header is required/,
    );
    await assertRejected({ headers: { 'svc-version': '2020-01-01' } }, 400, /"2020-01-01" is not a valid version/);
    await assertRejected({ headers: { 'content-type': 'text/plain' } }, 415, /^content-type/);
    const encoded = await assertRejected({ headers: { 'content-encoding': 'gzip' } }, 415, /^content-encoding: "gzip"/);
    assert.equal(encoded.headers.get('accept-encoding'), 'identity');
    assert.equal((await call({ headers: { 'content-type': 'application/json; charset=UTF-8' } })).status, 200);
  });

  test('names the problem when a body is not a plain JSON object', async () => {
    const cases: [BodyInit, RegExp][] = [
      ['', /empty/],
      ['{"model":', /not valid JSON/],
      [`${JSON.stringify(HELLO)} x`, /not valid JSON/],
      [`\ufeff${JSON.stringify(HELLO)}`, /byte order mark/],
      [new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), /UTF-8/],
      ['[1]', /must be a JSON object/],
    ];
    for (const [body, message] of cases) await assertRejected({ body }, 400, message);
  });

  test('returns 404 with the id when the model is unknown', async () => {
    await assertRejected({ body: JSON.stringify({ ...HELLO, model: 'claude-none' }) }, 404, /^model: claude-none$/);
  });

  test('suggests the newest model of the family when the model is unknown', async () => {
    const rejected = await call({ body: JSON.stringify({ ...HELLO, model: 'claude-opus-7' }) });
    const message = 'model: claude-opus-7 was not found. Did you mean claude-opus-5-5?';
    assert.deepEqual([rejected.status, rejected.body.error?.message], [404, message]);
  });

  test.each([
    ['claude-haiku-4-5@20251001', 'claude-haiku-4-5'],
    ['us.anthropic.claude-haiku-4-5-20251001-v1:0', 'claude-haiku-4-5'],
    ['anthropic/claude-sonnet-4.5:beta', 'claude-sonnet-4-5'],
    ['claude-opus-4-8[1m]', 'claude-opus-4-8'],
  ])('counts like the provider’s id when the model is named %s', async (model, id) => {
    const named = await call({ body: JSON.stringify({ ...HELLO, model }) });
    const counted = await call({ body: JSON.stringify({ ...HELLO, model: id }) });
    assert.deepEqual([named.status, named.body], [200, counted.body]);
  });

  test.for([
    ['counted at once', 'Rain?'],
    ['counted in the pool', 'lorem ipsum dolor '.repeat(40_000)],
  ] as const)('adds tokens for the header of interleaved thinking to a body %s', async ([, content]) => {
    const body = JSON.stringify({
      model: 'claude-sonnet-4-5',
      messages: [{ role: 'user', content }],
      tools: [{ name: 'weather', input_schema: { type: 'object' } }],
      thinking: { type: 'enabled', budget_tokens: 1024 },
    });
    const betas = 'token-counting-2024-11-01, interleaved-thinking-2025-05-14';
    const counted = await call({ body, headers: { 'anthropic-beta': betas } });
    assert.equal(counted.body.input_tokens! - (await call({ body })).body.input_tokens!, 148);
  });

  test('counts a large body in the pool like one counted by hand', async () => {
    const content = 'lorem ipsum dolor '.repeat(40_000);
    const small = (
      await call({ body: JSON.stringify({ ...HELLO, messages: [{ role: 'user', content: content.slice(0, 1800) }] }) })
    ).body.input_tokens!;
    const large = await call({ body: JSON.stringify({ ...HELLO, messages: [{ role: 'user', content }] }) });
    assert.equal(large.status, 200);
    assert.ok(large.body.input_tokens! > small * 300, `${large.body.input_tokens} against ${small}`);
  });
});

describe('/v1/models', () => {
  const get = (path: string) =>
    call({ path, method: 'GET' }) as Promise<
      ApiResponse & { body: { data: { id: string }[]; has_more: boolean; first_id: string; last_id: string } }
    >;

  test('pages forward and backward through every active model once', async () => {
    const all = (await get('/v1/models?limit=1000')).body;
    assert.equal(all.has_more, false);
    const seen: string[] = [];
    let next: string | undefined = '/v1/models?limit=3';
    while (next) {
      const { body }: Awaited<ReturnType<typeof get>> = await get(next);
      seen.push(...body.data.map((row) => row.id));
      next = body.has_more ? `/v1/models?limit=3&after_id=${body.last_id}` : undefined;
    }
    assert.deepEqual(
      seen,
      all.data.map((row) => row.id),
    );
    const previousPage = (await get(`/v1/models?limit=2&before_id=${seen[4]}`)).body;
    assert.deepEqual(
      previousPage.data.map((row) => row.id),
      seen.slice(2, 4),
    );
  });

  test('lists dated ids and returns the id that was asked for', async () => {
    const { body } = await get('/v1/models?limit=1000');
    const listed = body.data.map(({ id }) => id);
    assert.ok(listed.includes('claude-haiku-4-5-20251001') && !listed.includes('claude-haiku-4-5'));
    for (const id of ['claude-haiku-4-5', 'claude-haiku-4-5-20251001', 'claude-haiku-4-5@20251001'])
      assert.equal(((await get(`/v1/models/${id}`)).body as unknown as { id: string }).id, id);
  });

  test('gives the published limits and capabilities, null for others', async () => {
    const getModel = async (id: string): Promise<ModelInfo> =>
      (await get(`/v1/models/${id}`)).body as unknown as ModelInfo;
    const haiku = await getModel('claude-haiku-4-5-20251001');
    assert.deepEqual([haiku.max_input_tokens, haiku.max_tokens], [200_000, 64_000]);
    const yes = { supported: true };
    const no = { supported: false };
    // The capabilities of the real response of 2 October 2026, with the fields that it got later.
    assert.deepEqual(haiku.capabilities, {
      batch: yes,
      citations: yes,
      code_execution: no,
      context_management: {
        supported: true,
        clear_tool_uses_20250919: yes,
        clear_thinking_20251015: yes,
        compact_20260112: no,
      },
      effort: { supported: false, low: no, medium: no, high: no, xhigh: no, max: no },
      image_input: yes,
      pdf_input: yes,
      server_tools: { supported: true, code_execution: yes, web_search: yes },
      structured_outputs: yes,
      thinking: { supported: true, types: { enabled: yes, adaptive: no, disabled: yes, between_tools: no } },
    });
    const fable = await getModel('claude-fable-5-2');
    assert.deepEqual([fable.max_input_tokens, fable.max_tokens], [1_000_000, 128_000]);
    assert.equal(fable.capabilities?.batch, null);
    assert.equal(fable.capabilities?.server_tools, null);
    assert.deepEqual(fable.capabilities?.effort.xhigh, yes);
    assert.equal(fable.capabilities?.thinking.types.between_tools, null);
    const preview = await getModel('claude-mythos-preview');
    assert.deepEqual([preview.max_input_tokens, preview.max_tokens], [null, null]);
    assert.deepEqual(
      [preview.lifecycle, preview.deprecated_at, preview.retires_at],
      ['deprecated', '2026-06-09T00:00:00Z', '2026-06-30T00:00:00Z'],
    );
    // Models before thinking accept `disabled`.
    const { thinking } = (await getModel('claude-3-haiku')).capabilities!;
    assert.deepEqual([thinking.supported, thinking.types.disabled], [false, yes]);
  });

  test('returns a model by id and rejects unknown ids, bad paging and a missing key', async () => {
    const { body } = await get('/v1/models');
    const one = await get(`/v1/models/${body.data[0]!.id}`);
    assert.deepEqual(one.body, body.data[0]);
    await assertRejected({ path: '/v1/models/none', method: 'GET' }, 404, /^model: none$/);
    await assertRejected({ path: '/v1/models?limit=0', method: 'GET' }, 400, /^limit: /);
    await assertRejected({ path: '/v1/models?after_id=none', method: 'GET' }, 400, /^after_id: /);
    await assertRejected({ path: '/v1/models', method: 'GET', headers: { 'x-api-key': '' } }, 401, /required/);
  });
});
