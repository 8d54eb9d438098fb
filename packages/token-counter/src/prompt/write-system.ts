import type { CountTokensRequest } from '../request-types.ts';
import type { Context } from './context.ts';
import { formatPythonJson } from './python-json.ts';

/** Claude Code and the Agent SDK send a billing header as a system block, which the real API omits (27 records). */
const BILLING_HEADER = 'x-anthropic-billing-header:';

/** Writes the system text, then the output schema, which Claude 3 ignores (3 records). */
export function writeSystem(context: Context, request: CountTokensRequest, hasTools: boolean): void {
  const { prompt, rules, model } = context;
  const { system } = request;
  const blocks = typeof system === 'string' ? [{ text: system }] : (system ?? []);
  const texts = blocks.map((block) => (block.text.startsWith(BILLING_HEADER) ? '' : block.text));
  if (rules.trimsSystem) trimEnds(texts);
  const hasSystemText = texts.some((text) => text !== '');
  const needsLineBreak = hasTools || rules.breakBeforeSystem;
  if (hasSystemText && needsLineBreak) prompt.write('\n', 'system', 'system');
  texts.forEach((text, index) =>
    prompt.write(text, 'system', typeof system === 'string' ? 'system' : prompt.joinPath('system', index)),
  );
  context.hasPendingLineBreak =
    (hasSystemText || needsLineBreak) && texts.findLast((text) => text !== '')?.endsWith('\n') !== true;
  const schema = (request.output_config?.format ?? request.output_format)?.schema;
  if (schema === undefined || model.generation === '3') return;
  const schemaTokens = rules.usesV47Overheads
    ? context.fitted.overheads.outputSchemaV47
    : context.fitted.overheads.outputSchema;
  prompt.addTokens(schemaTokens, 'output_schema', 'output_config.format');
  // The line breaks merge with those at the end of the system text or the last tool.
  const unprefixedBreak = needsLineBreak ? '\n' : '';
  prompt.write(hasSystemText ? '\n\n' : unprefixedBreak, 'output_schema', 'output_config.format');
  prompt.write(formatPythonJson(schema, { indent: true }), 'output_schema', 'output_config.format.schema');
  context.hasPendingLineBreak = true;
}

function trimEnds(texts: string[]): void {
  const first = texts[0];
  if (first === undefined) return;
  texts[0] = first.trimStart();
  texts.push((texts.pop() ?? '').trimEnd());
}
