import assert from 'node:assert/strict';
import { test } from 'vitest';
import { type CountTokensRequest, resolveModel } from '../../src/index.ts';
import { countWithRules } from '../../src/prompt/count-request.ts';
import { FITTED_RULES, type FittedRules } from '../../src/prompt/fitted.ts';
import type { RecordedRequest } from '../accuracy/records.ts';
import { compareRecords, findNearestModel, selectRecords } from './compare-records.ts';
import { type Comparison, findDifferences } from './find-differences.ts';
import { formatComparison } from './format-comparison.ts';

type Body = Omit<CountTokensRequest, 'model'>;

const LIKE = resolveModel('claude-sonnet-5')!;
/** A model that the counter does not know. */
const NEW_ID = 'claude-sonnet-9';

const tool = { name: 'get_time', description: 'Returns the time', input_schema: { type: 'object', properties: {} } };
const question = { role: 'user', content: 'What time is it?' } as const;
const calls = (count: number): CountTokensRequest['messages'][number] => ({
  role: 'assistant',
  content: Array.from({ length: count }, (_, index) => ({
    type: 'tool_use' as const,
    id: `toolu_${index}`,
    name: 'get_time',
    input: {},
  })),
});
const results = (contents: readonly (string | [] | undefined)[]): CountTokensRequest['messages'][number] => ({
  role: 'user',
  content: contents.map((content, index) => ({
    type: 'tool_result' as const,
    tool_use_id: `toolu_${index}`,
    ...(content !== undefined && { content }),
  })),
});
const document = {
  type: 'document',
  source: { type: 'text', media_type: 'text/plain', data: 'Tides rise and fall twice a day.' },
  citations: { enabled: true },
} as const;

/** Requests of each kind that docs/how-to/add-a-model.md names, with the empty results of each. */
const REQUESTS: readonly (Body & { emptyResults?: number })[] = [
  { messages: [question] },
  { messages: [question, { role: 'assistant', content: 'Noon.' }, { role: 'user', content: 'Thanks.' }] },
  { system: 'Be brief.', messages: [question] },
  { tools: [tool], messages: [question] },
  { tools: [tool, { ...tool, name: 'get_date' }], tool_choice: { type: 'none' }, messages: [question] },
  { tools: [tool], tool_choice: { type: 'any' }, messages: [question] },
  { tools: [tool], tool_choice: { type: 'tool', name: 'get_time' }, messages: [question] },
  { tools: [tool], messages: [question, calls(1), results(['12:00'])] },
  { tools: [tool], messages: [question, calls(2), results(['12:00', ''])], emptyResults: 1 },
  { tools: [tool], messages: [question, calls(3), results([[], undefined, ''])], emptyResults: 3 },
  { messages: [{ role: 'user', content: [document, { type: 'text', text: 'Summarize.' }] }] },
  { system: 'Be brief.', messages: [{ role: 'user', content: [document, document] }] },
  { thinking: { type: 'enabled', budget_tokens: 2_000 }, messages: [question] },
  { thinking: { type: 'enabled', budget_tokens: 2_000 }, tools: [tool], messages: [question] },
  { output_config: { format: { type: 'json_schema', schema: { type: 'object' } } }, messages: [question] },
];

interface Alteration {
  rules?: Partial<FittedRules>;
  /** Tokens of each request, and of each empty result. */
  frame?: number;
  emptyResult?: number;
}

/** Creates recordings of the new model: counts by altered rules of the known one. */
function createRecords({ rules, frame = 0, emptyResult = 0 }: Alteration): RecordedRequest[] {
  return REQUESTS.map(({ emptyResults = 0, ...body }, index) => ({
    id: `row-${index}`,
    source: `owner/repository-${index % 3}:file-${index}.json`,
    model: NEW_ID,
    via: 'anthropic',
    date: null,
    true_input_tokens:
      countWithRules({ ...body, model: LIKE.id }, { ...FITTED_RULES, ...rules }) + frame + emptyResult * emptyResults,
    features: [],
    flags: {},
    request: { model: NEW_ID, ...body },
  }));
}

function compare(records: readonly RecordedRequest[]): Comparison {
  return findDifferences(compareRecords(selectRecords(records, NEW_ID, LIKE), LIKE, {}));
}

const listConstants = ({ differences }: Comparison): Record<string, number> =>
  Object.fromEntries(differences.map(({ feature, tokens }) => [feature, tokens]));

test('finds no difference when the models count alike', () => {
  assert.deepEqual(compare(createRecords({})), { differences: [], unexplained: [] });
});

test('recovers the frame and the tokens of empty results', () => {
  const comparison = compare(createRecords({ frame: 2, emptyResult: 15 }));
  assert.deepEqual(listConstants(comparison), { request: 2, 'empty tool result': 15 });
  assert.deepEqual(comparison.unexplained, []);
  const [frame, emptyResult] = comparison.differences;
  assert.equal(frame?.agreeing.length, REQUESTS.length);
  assert.deepEqual(
    emptyResult?.agreeing.map(({ id }) => id),
    ['row-8', 'row-9'],
  );
});

test('recovers each constant when all differ at once', () => {
  const rules: Partial<FittedRules> = {
    toolPrompts: { ...FITTED_RULES.toolPrompts, [LIKE.id]: { auto: 286, forced: 401 } },
    citationInstructions: { ...FITTED_RULES.citationInstructions, '5': FITTED_RULES.citationInstructions['5'] + 83 },
    thinkingEnabled: { ...FITTED_RULES.thinkingEnabled, '5': FITTED_RULES.thinkingEnabled['5'] - 4 },
    overheads: {
      ...FITTED_RULES.overheads,
      outputSchemaV47: FITTED_RULES.overheads.outputSchemaV47 + 6,
    },
  };
  const comparison = compare(createRecords({ rules, frame: 2, emptyResult: 15 }));
  assert.deepEqual(listConstants(comparison), {
    request: 2,
    'tool prompt, automatic choice': 286 - LIKE.toolPrompt.auto,
    'tool prompt, forced choice': 401 - LIKE.toolPrompt.forced,
    'citations requested': 83,
    'thinking, enabled': -4,
    'empty tool result': 15,
    'output schema': 6,
  });
  assert.deepEqual(comparison.unexplained, []);
});

test('reports contrary and unexplained rows with what is left', () => {
  const records = createRecords({ frame: 2 });
  records[0]!.true_input_tokens += 5;
  const { differences, unexplained } = compare(records);
  assert.deepEqual(
    differences.map(({ feature, tokens, agreeing, against }) => [feature, tokens, agreeing.length, against.length]),
    [['request', 2, REQUESTS.length - 1, 1]],
  );
  assert.deepEqual(
    unexplained.map(({ row, residual }) => [row.id, residual]),
    [['row-0', 5]],
  );
});

test('names the features that the rows cannot tell apart', () => {
  const [, , , oneTool] = createRecords({ rules: { toolPrompts: { [LIKE.id]: { auto: 300, forced: 474 } } } });
  const [difference] = compare([oneTool!]).differences;
  assert.ok(difference?.alternatives.some(({ feature }) => feature === 'tool definition'));
});

test('takes the model that needs the fewest differences when none is named', () => {
  const records = selectRecords(createRecords({}), NEW_ID, LIKE);
  const nearest = findNearestModel(records, NEW_ID, {});
  assert.equal(nearest.text, LIKE.text);
  assert.deepEqual(findDifferences(compareRecords(records, nearest, {})), { differences: [], unexplained: [] });
});

test('takes only records of the model, by any identifier', () => {
  const records = createRecords({});
  records[0]!.model = 'us.anthropic.claude-sonnet-5-v1:0';
  assert.deepEqual(
    selectRecords(records, 'claude-sonnet-5', LIKE).map(({ record }) => record.id),
    ['row-0'],
  );
  assert.equal(selectRecords(records, NEW_ID, LIKE).length, REQUESTS.length - 1);
});

test('prints the row with the recovered tool prompt and what the row cannot hold', () => {
  const rules = { toolPrompts: { ...FITTED_RULES.toolPrompts, [LIKE.id]: { auto: 286, forced: 474 } } };
  const records = createRecords({ rules, frame: 2 });
  const rows = compareRecords(selectRecords(records, NEW_ID, LIKE), LIKE, {});
  const source = `createRow('${LIKE.id}', 'Claude Sonnet 5', '2026-06-30', SONNET_5, {`;
  const report = formatComparison({ id: NEW_ID, like: LIKE }, rows, findDifferences(rows), source);
  assert.match(report, /createRow\('claude-sonnet-9', 'Claude Sonnet 9', 'YYYY-MM-DD', SONNET_5, \{/);
  assert.match(report, /toolPrompt: \{ auto: 286, forced: 474 \}/);
  assert.match(report, /Not in the row: \+2 for each request\./);
  assert.match(report, /\| -68 \| tool prompt, automatic choice \| 6 \| 0 \| 3 \|/);
  assert.match(report, /No recording has: image; PDF; thinking\./);
});
