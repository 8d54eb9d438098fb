import type { Context } from './context.ts';
import { definitionLine } from './tool-definition.ts';

/** A reference that begins and ends its list of functions. */
const ALONE = { opens: true, closes: true };

/** Writes the definition of a tool that a result refers to; neighbouring references share one list of functions. */
export function writeReference(context: Context, name: string, path: string, place = ALONE): void {
  const { prompt } = context;
  const tool = context.tools.get(name);
  if (place.opens && context.fitted.format.listsReferences) prompt.write('\n<functions>\n', 'tools', path);
  if (tool !== undefined) prompt.write(definitionLine(tool, context.rules.rawTools), 'tools', path);
  if (!place.closes || !context.fitted.format.listsReferences) return;
  prompt.write('</functions>', 'tools', path);
  // Before the token that closes the results the line break stands alone.
  if (context.rules.turns === 'special') prompt.charge(1, 'tools', path);
  else prompt.write('\n', 'tools', path);
}

/** Writes a tool that joins in mid-conversation: a reference to one of the tools, or a definition. */
export function writeAddition(context: Context, tool: unknown, path: string): void {
  if (typeof tool !== 'object' || tool === null) return;
  const name = 'name' in tool && typeof tool.name === 'string' ? tool.name : '';
  context.prompt.charge(context.fitted.overheads.toolAddition, 'tools', path, false);
  if ('input_schema' in tool) context.tools.set(name, tool);
  writeReference(context, name, path);
}
