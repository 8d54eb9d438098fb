/** Feature names of requests, for records that were collected without them. */
import type { CountTokensRequest } from '../../src/index.ts';

interface Block {
  type: string;
  content?: unknown;
  source?: { type?: string; media_type?: string };
  citations?: { enabled?: boolean } | null;
}

/** Returns the features of a request with the names of the recorded sets. */
export function listFeatures(request: CountTokensRequest): string[] {
  const found = new Set<string>();
  if (request.system != null && request.system.length > 0) found.add('system');
  if ((request.tools ?? []).length > 0) found.add('tools');
  if (request.tool_choice != null) found.add(`tool_choice:${request.tool_choice.type}`);
  if (request.thinking != null && request.thinking.type !== 'disabled') found.add(`thinking:${request.thinking.type}`);
  if (request.messages.length > 1) found.add('multi_turn');
  for (const { content } of request.messages) {
    if (typeof content === 'string') found.add('text');
    else for (const block of content ?? []) addBlock(block as Block, found);
  }
  return [...found];
}

function addBlock(block: Block, found: Set<string>): void {
  if (block.type === 'thinking' || block.type === 'redacted_thinking') found.add('thinking_block');
  else if (block.type === 'document') found.add(isPdf(block) ? 'pdf' : 'document_text');
  else found.add(block.type);
  if (block.citations?.enabled === true) found.add('citations');
  if (block.type === 'tool_result' && Array.isArray(block.content))
    for (const inner of block.content as Block[]) if (inner.type !== 'text') addBlock(inner, found);
}

function isPdf({ source }: Block): boolean {
  return source?.type === 'base64' || source?.media_type === 'application/pdf';
}
