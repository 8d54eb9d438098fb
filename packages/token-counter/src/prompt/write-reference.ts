import type { Context } from './context.ts';
import { formatDefinition } from './tool-definition.ts';

/** A reference that is the only one in its list of functions. */
const SINGLE_REFERENCE = { opensList: true, closesList: true };

/** Writes the definition of a tool that a result refers to. Adjacent references share one list of functions. */
export function writeReference(context: Context, name: string, path: string, listEdges = SINGLE_REFERENCE): void {
  const { prompt } = context;
  const tool = context.tools.get(name);
  if (listEdges.opensList && context.fitted.format.listsReferences) prompt.write('\n<functions>\n', 'tools', path);
  if (tool !== undefined) prompt.write(formatDefinition(tool, context.rules.rawTools), 'tools', path);
  if (!listEdges.closesList || !context.fitted.format.listsReferences) return;
  prompt.write('</functions>', 'tools', path);
  // Before the token that closes the results, the line break is a separate token.
  if (context.rules.roleMarkers === 'special') prompt.addTokens(1, 'tools', path);
  else prompt.write('\n', 'tools', path);
}

/** Writes a tool added mid-conversation: a reference to one of the tools, or a definition. */
export function writeToolAddition(context: Context, tool: unknown, path: string): void {
  if (typeof tool !== 'object' || tool === null) return;
  const name = getToolName(tool);
  context.prompt.addTokens(context.fitted.overheads.toolAddition, 'tools', path, false);
  if ('input_schema' in tool) context.tools.set(name, tool);
  writeReference(context, name, path);
}

/** Writes the announcement of a tool removed mid-conversation. */
export function writeToolRemoval(context: Context, tool: unknown, path: string): void {
  if (typeof tool !== 'object' || tool === null) return;
  context.prompt.addTextTokens(getToolName(tool), context.fitted.overheads.toolRemoval, 'tools', path, false);
}

function getToolName(tool: object): string {
  return 'name' in tool && typeof tool.name === 'string' ? tool.name : '';
}
