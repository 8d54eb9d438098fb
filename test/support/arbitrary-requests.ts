import fc from 'fast-check';

/**
 * Valid count requests with every block type. They may break the rules between messages (pairs of calls and results).
 */
const text = fc.oneof(
  fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }).map((part) => `x${part}`),
  fc.lorem({ maxCount: 12 }),
);
const identifier = fc.stringMatching(/^[a-zA-Z0-9_-]{1,20}$/);
const serverCallId = fc.stringMatching(/^srvtoolu_[a-zA-Z0-9_]{1,10}$/);
const object = fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 });
const cacheControl = fc.option(
  fc.record({ type: fc.constant('ephemeral'), ttl: fc.constantFrom('5m', '1h') }, { requiredKeys: ['type'] }),
);
const tokenSpan = { start_block_index: fc.nat(), end_block_index: fc.nat() };

const tagged = <T extends object>(
  type: string,
  required: T,
  optional: Record<string, fc.Arbitrary<unknown>> = {},
): fc.Arbitrary<Record<string, unknown>> =>
  fc.record(
    { type: fc.constant(type), ...required, ...optional },
    {
      requiredKeys: ['type', ...Object.keys(required)],
    },
  );

const citation = fc.oneof(
  tagged('char_location', {
    cited_text: text,
    document_index: fc.nat(),
    document_title: fc.option(text),
    start_char_index: fc.nat(),
    end_char_index: fc.nat(),
  }),
  tagged('page_location', {
    cited_text: text,
    document_index: fc.nat(),
    start_page_number: fc.nat(),
    end_page_number: fc.nat(),
  }),
  tagged('content_block_location', { cited_text: text, document_index: fc.nat(), ...tokenSpan }),
  tagged(
    'web_search_result_location',
    { cited_text: text, encrypted_index: text, url: text },
    { title: fc.option(text) },
  ),
  tagged(
    'search_result_location',
    { cited_text: text, search_result_index: fc.nat(), source: text, ...tokenSpan },
    { title: fc.option(text) },
  ),
);

const textBlock = tagged(
  'text',
  { text },
  { cache_control: cacheControl, citations: fc.option(fc.array(citation, { maxLength: 2 })) },
);

/** A GIF of random size: signature, width and height, then the end mark. */
const gif = fc.tuple(fc.integer({ min: 1, max: 2000 }), fc.integer({ min: 1, max: 2000 })).map(([width, height]) => {
  const bytes = Buffer.alloc(16);
  bytes.write('GIF89a');
  bytes.writeUInt16LE(width, 6);
  bytes.writeUInt16LE(height, 8);
  return bytes.toString('base64');
});
const imageBlock = tagged(
  'image',
  { source: tagged('base64', { data: gif, media_type: fc.constant('image/gif') }) },
  { cache_control: cacheControl },
);

const documentBlock = tagged(
  'document',
  {
    source: fc.oneof(
      tagged('text', { data: text, media_type: fc.constant('text/plain') }),
      tagged('content', { content: fc.oneof(text, fc.array(fc.oneof(textBlock, imageBlock), { maxLength: 2 })) }),
    ),
  },
  {
    title: fc.option(text),
    context: fc.option(text),
    citations: fc.option(fc.record({ enabled: fc.boolean() })),
    cache_control: cacheControl,
  },
);
const searchResult = tagged(
  'search_result',
  { content: fc.array(textBlock, { maxLength: 2 }), source: text, title: text },
  { citations: fc.record({ enabled: fc.boolean() }) },
);
const resultContent = fc.oneof(
  text,
  fc.array(fc.oneof(textBlock, imageBlock, documentBlock, searchResult), { maxLength: 3 }),
);

const block = fc.oneof(
  { weight: 5, arbitrary: textBlock },
  imageBlock,
  documentBlock,
  searchResult,
  tagged('thinking', { thinking: text, signature: text }),
  tagged('redacted_thinking', { data: text }),
  tagged(
    'tool_use',
    { id: identifier, name: identifier, input: object },
    {
      cache_control: cacheControl,
      caller: fc.constantFrom({ type: 'direct' }, { type: 'code_execution_20260120', tool_id: 'srvtoolu_1' }),
    },
  ),
  tagged(
    'tool_result',
    { tool_use_id: identifier },
    { content: resultContent, is_error: fc.boolean(), cache_control: cacheControl },
  ),
  tagged('server_tool_use', {
    id: serverCallId,
    name: fc.constantFrom('web_search', 'web_fetch', 'code_execution'),
    input: object,
  }),
  tagged('web_search_tool_result', {
    tool_use_id: serverCallId,
    content: fc.oneof(
      fc.array(
        tagged('web_search_result', { encrypted_content: text, title: text, url: text }, { page_age: fc.option(text) }),
        { maxLength: 2 },
      ),
      tagged('web_search_tool_result_error', { error_code: text }),
    ),
  }),
  ...['web_fetch', 'code_execution', 'bash_code_execution', 'tool_search'].map((name) =>
    tagged(`${name === 'tool_search' ? 'tool_search' : name}_tool_result`, {
      tool_use_id: serverCallId,
      content: object,
    }),
  ),
  tagged('mcp_tool_use', { id: identifier, name: text, server_name: text, input: object }),
  tagged('container_upload', { file_id: text }),
  ...['compaction', 'tool_addition', 'fallback'].map((name) => object.map((rest) => ({ ...rest, type: name }))),
);

const message = fc.record({
  role: fc.constantFrom('user', 'user', 'user', 'assistant', 'assistant', 'system'),
  content: fc.oneof(text, fc.array(block, { minLength: 1, maxLength: 4 })),
});
const schema = tagged('object', { properties: object, required: fc.array(text, { maxLength: 3 }) });
const customTool = fc.record(
  {
    name: identifier,
    description: text,
    input_schema: schema,
    type: fc.option(fc.constant('custom')),
    strict: fc.boolean(),
    cache_control: cacheControl,
  },
  { requiredKeys: ['name', 'input_schema'] },
);
const providerTool = fc.constantFrom(
  { type: 'web_search_20250305', name: 'web_search' },
  { type: 'bash_20250124', name: 'bash', anything: 1 },
);
const tools = fc.uniqueArray(fc.oneof({ weight: 4, arbitrary: customTool }, providerTool), {
  maxLength: 4,
  selector: (tool) => tool.name,
});

export const arbitraryRequest = fc.record(
  {
    model: fc.constantFrom(
      'claude-opus-5',
      'claude-opus-4-6',
      'claude-opus-4-7',
      'claude-sonnet-5',
      'claude-haiku-4-5',
    ),
    messages: fc.array(message, { minLength: 1, maxLength: 4 }),
    system: fc.oneof(fc.string(), fc.array(textBlock, { maxLength: 2 })),
    tools,
    tool_choice: fc.constantFrom<object>(
      { type: 'auto' },
      { type: 'any', disable_parallel_tool_use: true },
      { type: 'none' },
    ),
    thinking: fc.constantFrom<object>(
      { type: 'enabled', budget_tokens: 2048 },
      { type: 'adaptive' },
      { type: 'disabled' },
    ),
    cache_control: cacheControl,
    output_config: fc.record(
      { effort: fc.constantFrom('low', 'max'), format: fc.option(tagged('json_schema', { schema: object })) },
      { requiredKeys: [] },
    ),
    context_management: fc.option(fc.constant({ edits: [{ type: 'clear_tool_uses_20250919', anything: 1 }] })),
    speed: fc.constantFrom('standard', 'fast', null),
    mcp_servers: fc.constant([]),
  },
  { requiredKeys: ['model', 'messages'] },
) as fc.Arbitrary<Record<string, unknown>>;

/**
 * Returns a copy of `body` with one change: a value replaced, a field removed, added or renamed, a list grown or
 * shrunk.
 */
export function mutate(body: unknown, choose: () => number, value: unknown): unknown {
  const copy = structuredClone(body);
  const containers: (Record<string, unknown> | unknown[])[] = [];
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    containers.push(node as Record<string, unknown>);
    for (const inner of Object.values(node)) walk(inner);
  };
  walk(copy);
  const container = containers[choose() % containers.length]!;
  if (Array.isArray(container)) {
    const at = choose() % (container.length + 1);
    if (choose() % 2 === 0) container.splice(at, 1);
    else container.splice(at, choose() % 2, value);
    return copy;
  }
  const names = Object.keys(container);
  const name = names[choose() % Math.max(1, names.length)] ?? 'type';
  const change = choose() % 4;
  if (change === 0) delete container[name];
  else if (change === 1) container[name] = value;
  else if (change === 2) container['type'] = ['text', 'image', 'tool_use', 'none', 'constructor'][choose() % 5];
  else container[['extra', 'toString', 'name', 'cache_control'][choose() % 4]!] = value;
  return copy;
}
