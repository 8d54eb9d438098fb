import type { Context } from './context.ts';
import type { LocatedBlock, WrittenResult } from './located-block.ts';
import { writeResultContent } from './write-result-content.ts';

/** Tokens around a results block instead of its markup, in generations with special tokens. */
const SPECIAL_RESULTS_TOKENS = 3;

/** Writes adjacent tool results as one block. If there are several, they name their tools. */
export function writeResults(context: Context, results: readonly LocatedBlock[]): void {
  const { prompt } = context;
  const usesSpecialTokens = context.rules.roleMarkers === 'special';
  const path = results[0]?.path;
  if (usesSpecialTokens) prompt.addTokens(SPECIAL_RESULTS_TOKENS, 'tool_result', path);
  else prompt.write('\n\n<function_results>', 'tool_result', path);
  if (results.length > 1) prompt.write('\n', 'tool_result', path);
  for (const located of results) {
    if (located.block.type !== 'tool_result') continue;
    if (results.length > 1 && !omitsToolName(context, located.block))
      writeNamedResult(context, located.block, located.path);
    else writeResult(context, located.block, located.path);
  }
  if (!usesSpecialTokens)
    prompt.write(`</function_results>${context.rules.breakAfterResults ? '\n\n' : ''}`, 'tool_result', path);
}

function omitsToolName(context: Context, { content }: WrittenResult): boolean {
  return (
    context.fitted.format.namelessReferences &&
    Array.isArray(content) &&
    content.length > 0 &&
    content.every((block) => block.type === 'tool_reference')
  );
}

function writeNamedResult(context: Context, block: WrittenResult, path: string): void {
  const { prompt } = context;
  const name = context.callNameById.get(block.tool_use_id) ?? '';
  prompt.write(`<result>\n<name>${name}</name>\n<output>`, 'tool_result', path);
  writeResult(context, block, path);
  prompt.write('</output>\n</result>\n', 'tool_result', path);
}

function writeResult(context: Context, block: WrittenResult, path: string): void {
  const { prompt, fitted } = context;
  if (block.is_error === true) prompt.addTokens(fitted.overheads.errorResult, 'tool_result', path);
  if (isEmpty(block.content)) prompt.addTokens(fitted.overheads.emptyResult, 'tool_result', path);
  writeResultContent(context, block, path);
}

/** Returns whether a result has no content: none, an empty string, or no blocks but empty texts. */
function isEmpty(content: WrittenResult['content']): boolean {
  if (content == null || content === '') return true;
  return typeof content !== 'string' && content.every((block) => block.type === 'text' && block.text === '');
}
