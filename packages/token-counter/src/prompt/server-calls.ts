import type { ContentBlock, Message, ServerToolResultBlock, ToolResultContent } from '../request-types.ts';
import type { PlacedBlock, WrittenResult } from './placed-block.ts';

/** A stretch of a message that one role speaks. */
interface Stretch {
  role: Message['role'];
  blocks: PlacedBlock[];
}

/**
 * Divides an answer at the results of tools that the provider runs. The prompt holds such calls and results as it holds
 * those of client tools (20 of 20 recorded requests with fetched pages and with searches for tools, of six models).
 */
export function divideAtServerResults(role: Message['role'], blocks: PlacedBlock[]): Stretch[] {
  if (role !== 'assistant' || !blocks.some(({ block }) => isServerResult(block) || block.type === 'server_tool_use'))
    return [{ role, blocks }];
  const stretches: Stretch[] = [];
  for (const placed of blocks) {
    const { block, path } = placed;
    const speaks = isServerResult(block) ? 'user' : 'assistant';
    const written: PlacedBlock = isServerResult(block)
      ? { block: asResult(block), path }
      : block.type === 'server_tool_use'
        ? { block: { ...block, type: 'tool_use' }, path }
        : placed;
    const last = stretches.at(-1);
    if (last?.role === speaks) last.blocks.push(written);
    else stretches.push({ role: speaks, blocks: [written] });
  }
  return stretches;
}

function isServerResult(block: PlacedBlock['block']): block is ServerToolResultBlock {
  return block.type !== 'tool_result' && block.type !== 'mcp_tool_result' && block.type.endsWith('_tool_result');
}

function asResult(block: ServerToolResultBlock): WrittenResult {
  return { type: 'tool_result', tool_use_id: block.tool_use_id, content: contentOf(block) };
}

/** What the result holds of what client tools may give back too; else the block as it is. */
function contentOf(block: ServerToolResultBlock): readonly (ToolResultContent | ServerToolResultBlock)[] {
  const content = block.content as { tool_references?: unknown; content?: unknown } | null | undefined;
  if (block.type === 'tool_search_tool_result' && Array.isArray(content?.tool_references))
    return content.tool_references as ToolResultContent[];
  const page = content?.content as ContentBlock | null | undefined;
  if (block.type === 'web_fetch_tool_result' && page?.type === 'document') return [page];
  return [block];
}
