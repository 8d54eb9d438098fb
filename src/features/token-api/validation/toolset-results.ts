import type { CountTokensRequest } from '../../../../packages/token-counter/src/index.ts';

/**
 * Returns the paths of the results of calls that a toolset of the provider defines (`messages.2.content.0`). Each other
 * tool has its name in the request.
 */
export function listToolsetResults({ tools, messages }: CountTokensRequest): ReadonlySet<string> {
  const paths = new Set<string>();
  if (!tools?.some(({ type }) => type?.includes('_toolset_'))) return paths;
  const names = new Set(tools.map(({ name }) => name));
  const memberCalls = new Set<string>();
  for (const [message, { content }] of messages.entries()) {
    if (typeof content !== 'object') continue;
    for (const [index, block] of content.entries()) {
      if (block.type === 'tool_use' && !names.has(block.name)) memberCalls.add(block.id);
      if (block.type === 'tool_result' && memberCalls.has(block.tool_use_id))
        paths.add(`messages.${message}.content.${index}`);
    }
  }
  return paths;
}
