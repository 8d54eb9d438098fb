import type {
  ContentBlock,
  CountTokensRequest,
  DocumentBlock,
  ImageBlock,
  ToolResultContent,
} from '../request-types.ts';

/** One image or document of a request, with its path. */
export interface MediaReference {
  path: string;
  block: ImageBlock | DocumentBlock;
}

/**
 * Returns every image and document of a request in order, including those in tool results and content documents. The
 * caller can fetch, check or parse them before the count.
 */
export function collectMedia(request: CountTokensRequest): MediaReference[] {
  const found: MediaReference[] = [];
  request.messages.forEach((message, index) => {
    if (message.content !== undefined) collectFrom(message.content, `messages.${index}.content`, found);
  });
  return found;
}

function collectFrom(
  content: string | readonly (ContentBlock | ToolResultContent)[],
  path: string,
  found: MediaReference[],
): void {
  if (typeof content === 'string') return;
  content.forEach((block, index) => {
    const blockPath = `${path}.${index}`;
    if (block.type === 'image') found.push({ path: blockPath, block });
    if (block.type === 'document') {
      found.push({ path: blockPath, block });
      if (block.source.type === 'content') collectFrom(block.source.content, `${blockPath}.source.content`, found);
    }
    if (block.type === 'tool_result' && block.content != null)
      collectFrom(block.content, `${blockPath}.content`, found);
  });
}
