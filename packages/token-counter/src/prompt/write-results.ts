import type { Context } from './context.ts';
import type { PlacedBlock, WrittenResult } from './placed-block.ts';
import { writeResultContent } from './write-result-content.ts';

/** Special generations: tokens around a results block, in place of its markup. */
const SPECIAL_RESULTS = 3;

/** Writes neighbouring tool results as one block; several name their tools. */
export function writeResults(context: Context, results: readonly PlacedBlock[]): void {
  const { prompt } = context;
  const special = context.rules.turns === 'special';
  const path = results[0]?.path;
  if (special) prompt.charge(SPECIAL_RESULTS, 'tool_result', path);
  else prompt.write('\n\n<function_results>', 'tool_result', path);
  if (results.length > 1) prompt.write('\n', 'tool_result', path);
  for (const placed of results) {
    if (placed.block.type !== 'tool_result') continue;
    if (results.length > 1 && !isNameless(context, placed.block)) writeNamedResult(context, placed.block, placed.path);
    else writeResult(context, placed.block, placed.path);
  }
  if (!special)
    prompt.write(`</function_results>${context.rules.breakAfterResults ? '\n\n' : ''}`, 'tool_result', path);
}

function isNameless(context: Context, { content }: WrittenResult): boolean {
  return (
    context.fitted.format.namelessReferences &&
    Array.isArray(content) &&
    content.length > 0 &&
    content.every((block) => block.type === 'tool_reference')
  );
}

function writeNamedResult(context: Context, block: WrittenResult, path: string): void {
  const { prompt } = context;
  const name = context.callNames.get(block.tool_use_id) ?? '';
  prompt.write(`<result>\n<name>${name}</name>\n<output>`, 'tool_result', path);
  writeResult(context, block, path);
  prompt.write('</output>\n</result>\n', 'tool_result', path);
}

function writeResult(context: Context, block: WrittenResult, path: string): void {
  if (block.is_error === true) context.prompt.charge(context.fitted.overheads.errorResult, 'tool_result', path);
  writeResultContent(context, block, path);
}
