/** Formats the differences between two models, and the row of the new model. */
import type { ModelRow } from '../../src/index.ts';
import { PLACES, TOOL_PROMPT } from './count-features.ts';
import type { ComparedRow, Comparison, Difference } from './find-differences.ts';

const formatSigned = (tokens: number): string => (tokens > 0 ? `+${tokens}` : String(tokens));
const countSources = (rows: readonly ComparedRow[]): number => new Set(rows.map(({ source }) => source)).size;

/** Names of the models: the id of the new one, and the row whose rules count it. */
export interface ComparedModels {
  id: string;
  like: ModelRow;
}

/** Returns the report: each difference with its evidence, the unexplained rows and the row to paste. */
export function formatComparison(
  { id, like }: ComparedModels,
  rows: readonly ComparedRow[],
  comparison: Comparison,
  modelsSource: string,
): string {
  const exact = rows.filter(({ recorded, counted }) => recorded === counted).length;
  const explained = rows.length - comparison.unexplained.length;
  return [
    `${rows.length} recordings of ${id} from ${countSources(rows)} sources, counted by the rules of ${like.id}:`,
    `${exact} are exact, ${explained} with the differences below.`,
    '',
    ...formatDifferences(comparison.differences),
    ...formatUnexplained(comparison),
    ...formatUntested(rows),
    'Row for src/models/models-data.ts:',
    '',
    ...formatRow({ id, like }, rows, comparison, modelsSource),
    '',
  ].join('\n');
}

function formatDifferences(differences: readonly Difference[]): string[] {
  if (differences.length === 0) return ['No difference.', ''];
  return [
    '| tokens | for each | rows that agree | against | sources | where |',
    '|---|---|---|---|---|---|',
    ...differences.map(
      ({ feature, tokens, agreeing, against }) =>
        `| ${formatSigned(tokens)} | ${feature} | ${agreeing.length} | ${against.length} | ` +
        `${countSources(agreeing)} | ${PLACES[feature] ?? 'src/prompt/fitted.ts'} |`,
    ),
    '',
    ...differences.flatMap(({ feature, agreeing, against, alternatives }) => [
      `${feature}:`,
      `  agree: ${listIds(agreeing)}`,
      ...(against.length > 0 ? [`  against: ${listIds(against)}`] : []),
      ...(agreeing.length === 1 ? ['  one row only: record another request before it becomes a rule'] : []),
      ...(alternatives.length > 0
        ? [
            `  these rows cannot tell it from: ${alternatives
              .map((each) => `${each.feature} (${formatSigned(each.tokens)})`)
              .join(', ')}`,
          ]
        : []),
    ]),
    '',
  ];
}

/** Number of row ids that are listed. */
const LISTED_IDS = 6;

function listIds(rows: readonly ComparedRow[]): string {
  const ids = rows.slice(0, LISTED_IDS).map(({ id }) => id);
  return [...ids, ...(rows.length > LISTED_IDS ? [`and ${rows.length - LISTED_IDS} more`] : [])].join(', ');
}

function formatUnexplained({ unexplained }: Comparison): string[] {
  if (unexplained.length === 0) return [];
  return [
    'Unexplained, with all differences applied:',
    '',
    '| id | source | recorded | to be added | it holds |',
    '|---|---|---|---|---|',
    ...unexplained.map(
      ({ row, residual }) =>
        `| ${row.id} | ${row.source} | ${row.recorded} | ${formatSigned(residual)} | ` +
        `${[...row.features.keys()].join(', ')}${row.isEstimated ? ' (has an estimated part)' : ''} |`,
    ),
    '',
  ];
}

/** What docs/how-to/add-a-model.md records, by the feature that shows it. */
const RECOMMENDED = [
  'further turn',
  'system text',
  TOOL_PROMPT.auto,
  TOOL_PROMPT.forced,
  'named tool choice',
  'tool result',
  'one of several results',
  'empty tool result',
  'output schema',
  'image',
  'PDF',
  'text document',
  'citations requested',
  'thinking, enabled',
  'thinking',
];

function formatUntested(rows: readonly ComparedRow[]): string[] {
  const missing = RECOMMENDED.filter((feature) => !rows.some(({ features }) => features.has(feature)));
  return missing.length === 0 ? [] : [`No recording has: ${missing.join('; ')}.`, ''];
}

function formatRow(
  { id, like }: ComparedModels,
  rows: readonly ComparedRow[],
  { differences, unexplained }: Comparison,
  modelsSource: string,
): string[] {
  const findTokens = (feature: string): number =>
    differences.find((difference) => difference.feature === feature)?.tokens ?? 0;
  const toolPrompt = {
    auto: like.toolPrompt.auto + findTokens(TOOL_PROMPT.auto),
    forced: like.toolPrompt.forced + findTokens(TOOL_PROMPT.forced),
  };
  const isChanged = toolPrompt.auto !== like.toolPrompt.auto || toolPrompt.forced !== like.toolPrompt.forced;
  const generation = new RegExp(`createRow\\(\\s*'${like.id}',[^()]*?([A-Z][A-Z\\d_]+),`).exec(modelsSource)?.[1];
  const others = differences.filter(({ feature }) => !(Object.values(TOOL_PROMPT) as string[]).includes(feature));
  const isConfirmed = unexplained.length === 0 && differences.every(({ agreeing }) => agreeing.length > 1);
  const evidence = `${rows.length - unexplained.length} of ${rows.length} recorded requests`;
  return [
    ...others.map(({ feature, tokens }) => `  // Not in the row: ${formatSigned(tokens)} for each ${feature}.`),
    `  createRow('${id}', '${formatDisplayName(id)}', 'YYYY-MM-DD', ${generation ?? 'GENERATION'}, {`,
    ...Object.values(TOOL_PROMPT)
      .filter((feature) => !rows.some(({ features }) => features.has(feature)))
      .map((feature) => `    // No recording: ${feature}.`),
    ...(isChanged ? [`    toolPrompt: { auto: ${toolPrompt.auto}, forced: ${toolPrompt.forced} },`] : []),
    `    evidence: { level: '${isConfirmed ? 'recorded' : 'assumed'}', note: '${evidence}' },`,
    '  }),',
  ];
}

/** Returns `Claude Sonnet 5.5` for `claude-sonnet-5-5`. */
function formatDisplayName(id: string): string {
  return id
    .replaceAll(/(?<=\d)-(?=\d)/g, '.')
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}
