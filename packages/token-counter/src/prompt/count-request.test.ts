import { describe, test } from 'vitest';
import assert from 'node:assert/strict';
import { countInputTokens, countText, listModels, resolveModel } from '../index.ts';
import type { ContentBlock, CountTokensRequest, Message, ToolDefinition } from '../request-types.ts';
import { formatDefinition } from './tool-definition.ts';

const MODELS = [
  'claude-3-5-haiku',
  'claude-sonnet-4',
  'claude-haiku-4-5',
  'claude-sonnet-4-6',
  'claude-opus-4-7',
  'claude-opus-5',
  'claude-sonnet-5',
];
const TEXT_MODELS = MODELS.slice(0, 5);
const tool: ToolDefinition = {
  name: 'get_weather',
  description: 'Weather of a place',
  input_schema: { type: 'object', properties: { place: { type: 'string' } } },
};

const user = (content: string | ContentBlock[]): Message => ({ role: 'user', content });
const assistant = (content: string | ContentBlock[]): Message => ({ role: 'assistant', content });
const text = (value: string): ContentBlock => ({ type: 'text', text: value });
const call = (id: string): ContentBlock => ({ type: 'tool_use', id, name: 'get_weather', input: { place: 'Oslo' } });
const result = (id: string, content = 'rain'): ContentBlock => ({ type: 'tool_result', tool_use_id: id, content });

function count(model: string, messages: Message[], rest: Partial<CountTokensRequest> = {}): number {
  return countInputTokens({ model, messages, ...rest });
}

test('counts the frame of the family and one token for a message of one word', () => {
  for (const [model, frame] of [
    ['claude-3-haiku', 7],
    ['claude-opus-4-6', 7],
    ['claude-opus-4-7', 11],
    ['claude-opus-5', 6],
    ['claude-sonnet-5', 6],
    ['claude-opus-5-5', 8],
    ['claude-sonnet-5-5', 8],
    ['claude-fable-5-1', 8],
  ] as const) {
    assert.equal(count(model, [user('a')]), frame + 1, model);
    assert.equal(countText('a', { model }), 1, model);
  }
});

test('counts the preceding space when a text starts with a digit after a text marker', () => {
  for (const model of TEXT_MODELS) assert.equal(countText('1', { model }), 2, model);
  assert.equal(countText('1', { model: 'claude-sonnet-5' }), 1);
});

test('counts equally for strings, blocks, split texts and system arrays', () => {
  for (const model of MODELS) {
    const one = count(model, [user('Tell me more about rain.')], { system: 'Be brief. Be kind.' });
    assert.equal(
      count(model, [user([text('Tell me more'), text(' about rain.')])], {
        system: [
          { type: 'text', text: 'Be brief.' },
          { type: 'text', text: ' Be kind.' },
        ],
      }),
      one,
      model,
    );
  }
});

test('merges consecutive messages of one role with a line break', () => {
  for (const model of MODELS) {
    assert.equal(count(model, [user('one'), user('two')]), count(model, [user('one\ntwo')]), model);
    assert.equal(
      count(model, [user('q'), assistant('one'), assistant('two'), user('r')]),
      count(model, [user('q'), assistant('one\ntwo'), user('r')]),
      model,
    );
  }
});

test('counts the published tool prompt and one line per definition', () => {
  for (const model of TEXT_MODELS) {
    const row = resolveModel(model);
    assert.ok(row);
    const line = countText(`x\n${formatDefinition(tool)}`, { model }) - countText('x', { model });
    const difference = count(model, [user('hi')], { tools: [tool] }) - count(model, [user('hi')]);
    assert.ok(
      Math.abs(difference - row.toolPrompt.auto - line) <= 1,
      `${model}: ${difference} for ${row.toolPrompt.auto} + ${line}`,
    );
    assert.equal(
      count(model, [user('hi')], { tools: [tool], tool_choice: { type: 'any' } }) -
        count(model, [user('hi')], { tools: [tool] }),
      row.toolPrompt.forced - row.toolPrompt.auto,
    );
  }
});

test('ignores fields that are not written to the prompt', () => {
  for (const model of MODELS) {
    const plain = count(model, [user('hi'), assistant([call('a')]), user([result('a')])], { tools: [tool] });
    const cached = { cache_control: { type: 'ephemeral' } };
    const decoratedTool = { ...tool, type: 'custom', ...cached, strict: true };
    const decorated = count(
      model,
      [
        user([{ type: 'text', text: 'hi', ...cached }]),
        assistant([{ ...call('other'), ...cached }]),
        user([result('other')]),
      ],
      {
        tools: [decoratedTool],
        tool_choice: { type: 'none' },
        context_management: { edits: [] },
        speed: 'fast',
        ...cached,
      },
    );
    assert.equal(decorated, plain, model);
    assert.equal(count(model, [user('hi')], { tools: [], tool_choice: { type: 'auto' } }), count(model, [user('hi')]));
  }
});

test('omits an empty description', () => {
  const { name, input_schema } = tool;
  assert.equal(
    formatDefinition({ name: name ?? '', description: '', input_schema }),
    formatDefinition({ name: name ?? '', input_schema }),
  );
});

test('counts tools independently of their key order', () => {
  const shuffled = JSON.parse(
    JSON.stringify({ input_schema: tool.input_schema, description: tool.description, name: tool.name }),
  ) as ToolDefinition;
  assert.equal(formatDefinition(shuffled), formatDefinition(tool));
});

test('counts results of parallel calls equally in one or several messages', () => {
  for (const model of MODELS) {
    const calls = assistant([text('Looking.'), call('a'), call('b')]);
    assert.equal(
      count(model, [user('q'), calls, user([result('a'), result('b')])]),
      count(model, [user('q'), calls, user([result('a')]), user([result('b')])]),
      model,
    );
  }
});

test('counts thinking of the current turn only', () => {
  const thinking: ContentBlock = {
    type: 'thinking',
    thinking: 'Rain is likely there, so an umbrella helps.',
    signature: '',
  };
  for (const model of MODELS) {
    const earlier = (block: ContentBlock[]): number =>
      count(model, [user('q'), assistant([...block, text('Take an umbrella.')]), user('why?')]);
    assert.equal(earlier([thinking]), earlier([]), model);
    assert.equal(earlier([{ type: 'redacted_thinking', data: 'x'.repeat(900) }]), earlier([]), model);
    const current = (block: ContentBlock[]): number =>
      count(model, [user('q'), assistant([...block, call('a')]), user([result('a')])]);
    assert.ok(
      current([thinking]) - current([]) >= countText('Rain is likely there, so an umbrella helps.', { model }),
      model,
    );
    const resumed = (block: ContentBlock[]): number =>
      count(model, [user('q'), assistant([...block, call('a')]), user([result('a'), text('And now?')])]);
    assert.equal(resumed([thinking]), resumed([]), model);
  }
});

test('adds 29 for manual thinking and adaptive thinking only on Opus 4.6', () => {
  const plain = count('claude-sonnet-4', [user('hi')]);
  for (const budget_tokens of [1024, 60_000])
    assert.equal(count('claude-sonnet-4', [user('hi')], { thinking: { type: 'enabled', budget_tokens } }), plain + 29);
  assert.equal(count('claude-sonnet-4', [user('hi')], { thinking: { type: 'disabled' } }), plain);
  assert.equal(
    count('claude-opus-4-7', [user('hi')], { thinking: { type: 'adaptive' } }),
    count('claude-opus-4-7', [user('hi')]),
  );
  assert.equal(
    count('claude-opus-4-6', [user('hi')], { thinking: { type: 'adaptive' } }),
    count('claude-opus-4-6', [user('hi')]) + 17,
  );
});

test('ignores a billing header in the system text', () => {
  const header = { type: 'text' as const, text: 'x-anthropic-billing-header: cc_version=1; cch=abc;' };
  for (const model of MODELS) {
    assert.equal(
      count(model, [user('hi')], { system: [header, { type: 'text', text: 'Be brief.' }] }),
      count(model, [user('hi')], { system: 'Be brief.' }),
      model,
    );
  }
});

test('counts an output schema equally in both fields and not on Claude 3', () => {
  const format = { type: 'json_schema', schema: { type: 'object', properties: { a: { type: 'integer' } } } };
  assert.equal(
    count('claude-3-5-haiku', [user('hi')], { output_format: format }),
    count('claude-3-5-haiku', [user('hi')]),
  );
  for (const model of MODELS.slice(1)) {
    const counted = count(model, [user('hi')], { output_config: { format } });
    assert.equal(count(model, [user('hi')], { output_format: format }), counted, model);
    assert.ok(counted > count(model, [user('hi')]) + 81);
  }
});

test('counts deferred tools only when a result refers to them', () => {
  const deferred = { ...tool, name: 'later', defer_loading: true };
  const messages = (content: ContentBlock[]): Message[] => [user('q'), assistant([call('a')]), user(content)];
  const without = count('claude-haiku-4-5', messages([result('a', '')]), { tools: [tool] });
  assert.equal(count('claude-haiku-4-5', messages([result('a', '')]), { tools: [tool, deferred] }), without);
  const referring: ContentBlock = {
    type: 'tool_result',
    tool_use_id: 'a',
    content: [{ type: 'tool_reference', tool_name: 'later' }],
  };
  assert.ok(count('claude-haiku-4-5', messages([referring]), { tools: [tool, deferred] }) > without + 20);
});

test('counts images by size and PDFs by the given facts', () => {
  const image: ContentBlock = { type: 'image', source: { type: 'url', url: 'https://example.com/x.png' } };
  const options = {
    image: () => ({ width: 280, height: 560 }),
    pdf: () => ({ pages: [{ width: 612, height: 792, text: 'Hello' }] }),
  };
  const base = countInputTokens({ model: 'claude-sonnet-4-5', messages: [user([text('hi')])] });
  const counted = countInputTokens({ model: 'claude-sonnet-4-5', messages: [user([text('hi'), image])] }, options);
  assert.equal(counted - base, 10 * 20 + 3);
  const pdf: ContentBlock = { type: 'document', source: { type: 'url', url: 'https://example.com/x.pdf' } };
  const paged = countInputTokens({ model: 'claude-sonnet-4-5', messages: [user([text('hi'), pdf])] }, options);
  // The line break after `hi`, the frame, the page and its text.
  assert.equal(paged - base, 1 + 36 + 34 * 45 + 7 + 1);
});

test("counts the published overhead of the provider's typed tools", () => {
  const bash = { type: 'bash_20250124', name: 'bash' };
  const twice = count('claude-sonnet-4', [user('hi')], {
    tools: [bash, { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' }],
  });
  const once = count('claude-sonnet-4', [user('hi')], { tools: [bash] });
  assert.equal(twice - once, 764);
  const editor = (model: string, type: string): number =>
    count(model, [user('hi')], { tools: [bash, { type, name: 'editor' }] }) -
    count(model, [user('hi')], { tools: [bash] });
  assert.equal(editor('claude-sonnet-4', 'text_editor_20250429'), 764);
  assert.equal(editor('claude-sonnet-4', 'text_editor_20250124'), 700);
  for (const model of ['claude-sonnet-4-5', 'claude-sonnet-4-6'])
    assert.equal(editor(model, 'text_editor_20250728'), 745);
  assert.equal(once - count('claude-sonnet-4', [user('hi')]), 313 + 244);
  // The line break before the definitions.
  const defined = count('claude-sonnet-4', [user('hi')], { tools: [bash, tool] });
  const alone = count('claude-sonnet-4', [user('hi')], { tools: [tool] });
  assert.equal(defined - alone, 244);
  const execution = (version: string): number =>
    count('claude-sonnet-4', [user('hi')], { tools: [{ type: `code_execution_${version}`, name: 'code_execution' }] });
  assert.equal(execution('20250522') - count('claude-sonnet-4', [user('hi')]), 313 + 424);
  for (const version of ['20250825', '20260120', '20260521'])
    assert.equal(execution(version) - execution('20250522'), 1740 - 424);
});

test('estimates each example of a tool like a call', () => {
  const examples = (...input_examples: object[]): number =>
    count('claude-opus-4-6', [user('hi')], { tools: [{ ...tool, name: 'add', input_examples }] }) -
    count('claude-opus-4-6', [user('hi')], { tools: [{ ...tool, name: 'add' }] });
  assert.equal(examples({ x: 5 }), 82);
  assert.equal(examples({ x: 5 }, { x: 6 }) - examples({ x: 5 }), 34);
  assert.equal(examples(), 0);
});

test('counts the display numbers of a computer tool with three digits per token', () => {
  const computer = (rest: object): number =>
    count('claude-sonnet-4', [user('hi')], { tools: [{ type: 'computer_20250124', name: 'computer', ...rest }] });
  const large = { display_width_px: 1920, display_height_px: 1080 };
  assert.equal(computer(large) - count('claude-sonnet-4', [user('hi')]), 313 + 1316 + 4);
  assert.equal(computer(large) - computer({ display_width_px: 1024, display_height_px: 768 }), 1);
  assert.equal(computer({ ...large, display_number: 1 }) - computer(large), 12);
});

test('counts the remaining task budget with three digits per token', () => {
  const budget = (task_budget: object): number =>
    count('claude-opus-4-7', [user('hi')], { output_config: { task_budget } }) - count('claude-opus-4-7', [user('hi')]);
  assert.equal(budget({ type: 'tokens', total: 20_000 }), 36);
  assert.equal(budget({ type: 'tokens', total: 20_000, remaining: 500 }), 35);
});

test('adds one token and removes the advice when parallel calls are disabled', () => {
  const serial = (model: string, type: 'any' | 'auto'): number =>
    count(model, [user('hi')], { tools: [tool], tool_choice: { type, disable_parallel_tool_use: true } }) -
    count(model, [user('hi')], { tools: [tool], tool_choice: { type } });
  for (const model of ['claude-3-haiku', 'claude-haiku-4-5', 'claude-sonnet-5']) assert.equal(serial(model, 'any'), 1);
  assert.equal(serial('claude-sonnet-4', 'any'), 1 - 44);
  assert.equal(serial('claude-haiku-4-5', 'auto'), -208);
});

test('starts calls on a new line and a turn after results when markers are tokens', () => {
  const model = 'claude-opus-5';
  const calling = (...before: ContentBlock[]): number =>
    count(model, [user('q'), assistant([...before, call('a')]), user([result('a')])], { tools: [tool] });
  assert.equal(calling(text('rain')) - calling(), countText('rain', { model }) + 1);
  const resulting = (...blocksAfter: ContentBlock[]): number =>
    count(model, [user('q'), assistant([call('a')]), user([result('a'), ...blocksAfter])], { tools: [tool] });
  assert.equal(resulting(text('rain')) - resulting(), countText('rain', { model }) + 2);
  const image: ContentBlock = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: '' } };
  const withImage = resulting(text('rain'), image) - resulting(image);
  assert.equal(withImage, countText('rain', { model }) + 1, 'the image itself opens the turn on a new line');
});

test('has a token for the line break of each typed tool when markers are tokens', () => {
  const bash: ToolDefinition = { type: 'bash_20250124', name: 'bash' };
  const editor: ToolDefinition = { type: 'text_editor_20250728', name: 'editor' };
  for (const model of ['claude-opus-5', 'claude-sonnet-5']) {
    const tokens = (...tools: ToolDefinition[]): number => count(model, [user('q')], { tools });
    const withoutTools = tokens({ type: 'mcp_toolset' });
    assert.equal(tokens(tool, bash) - tokens(tool), tokens(bash) - withoutTools + 1, model);
    assert.equal(tokens(bash, editor) - tokens(bash), tokens(editor) - withoutTools + 1, model);
  }
});

test('counts three tokens less on Claude 3 Opus when the conversation ends in results', () => {
  const tokens = (model: string, ...after: ContentBlock[]): number =>
    count(model, [user('q'), assistant([call('a')]), user([result('a'), ...after])], { tools: [tool] });
  const difference = (...after: ContentBlock[]): number =>
    tokens('claude-3-opus', ...after) - tokens('claude-3-haiku', ...after);
  assert.equal(difference(), 530 - 264);
  assert.equal(difference(text('go on')), 533 - 264);
});

test('adds tokens of web search on generation 3 and citation instructions on Sonnet 5.5', () => {
  const search = { tools: [{ type: 'web_search_20250305', name: 'web_search' }] };
  const searching = (model: string): number => count(model, [user('q')], search) - count(model, [user('q')]);
  assert.equal(searching('claude-3-5-sonnet') - searching('claude-sonnet-4'), 645);
  const cited: ContentBlock = {
    type: 'document',
    source: { type: 'text', media_type: 'text/plain', data: 'Rain.' },
    citations: { enabled: true },
  };
  assert.equal(count('claude-sonnet-5-5', [user([cited])]) - count('claude-opus-5-5', [user([cited])]), 83);
});

test('adds 15 tokens for a result without content, in every form', () => {
  const withContent = (content: unknown): number =>
    count('claude-sonnet-4-5', [
      user('q'),
      assistant([call('a')]),
      user([{ type: 'tool_result', tool_use_id: 'a', ...(content !== undefined && { content }) } as ContentBlock]),
    ]);
  const empty = withContent('');
  for (const content of [undefined, null, [], [text('')]]) assert.equal(withContent(content), empty);
  assert.equal(empty - withContent(' '), 15 - 1);
});

test('keeps thinking of the answer in progress when a system message follows its results', () => {
  const thinking: ContentBlock = { type: 'thinking', thinking: 'The user asks about rain.', signature: '' };
  const messages = (block: ContentBlock[], ...after: Message[]): Message[] => [
    user('q'),
    assistant([...block, call('a')]),
    user([result('a')]),
    ...after,
  ];
  const model = 'claude-sonnet-5';
  const alone = count(model, messages([thinking])) - count(model, messages([]));
  const system: Message = { role: 'system', content: 'Be brief.' };
  assert.ok(alone > 3);
  assert.equal(count(model, messages([thinking], system)) - count(model, messages([], system)), alone);
  assert.equal(count(model, messages([thinking], user('go'))), count(model, messages([], user('go'))));
});

test('throws a RangeError when the model is unknown', () => {
  assert.throws(() => count('gpt-4', [user('hi')]), RangeError);
  assert.throws(() => countText('hi', { model: 'nope' }), RangeError);
});

test('counts every kind of request for every model', () => {
  for (const { id } of listModels()) {
    const counted = count(id, [user('q'), assistant([text('Let me see.'), call('a')]), user([result('a')])], {
      tools: [tool],
      tool_choice: { type: 'tool', name: 'get_weather' },
      system: 'S',
    });
    assert.ok(counted > 150 && counted < 1200, `${id}: ${counted}`);
  }
});

describe('a system message in mid-conversation', () => {
  const model = 'claude-opus-5';
  const brief = { role: 'system', content: 'Be brief.' } as const;

  test('is a turn of its own', () => {
    const added = count(model, [user('Hi'), brief]) - count(model, [user('Hi')]);

    assert.equal(added, 2 + countText('Be brief.', { model }));
  });

  test('is not counted when a later user message hides it', () => {
    const hidden: Message = { ...brief, clear_at: 'next_user_message' };

    assert.equal(
      count(model, [user('Hi'), hidden, assistant('Yes?'), user('Go')]),
      count(model, [user('Hi'), assistant('Yes?'), user('Go')]),
    );
    assert.equal(
      count(model, [user('Hi'), hidden, assistant('Yes?')]),
      count(model, [user('Hi'), brief, assistant('Yes?')]),
    );
  });

  test('is not counted when it has no content', () => {
    const effort: Message = { role: 'system', output_config: { effort: 'low' } };

    assert.equal(count(model, [user('Hi'), effort]), count(model, [user('Hi')]));
  });
});
