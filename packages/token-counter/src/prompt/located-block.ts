import type { ContentBlock, ServerToolResultBlock, ToolResultBlock, ToolResultContent } from '../request-types.ts';

/** A result in the prompt, of a client tool or a server tool. */
export type WrittenResult = Omit<ToolResultBlock, 'content'> & {
  content?: string | readonly (ToolResultContent | ServerToolResultBlock)[] | null;
};

/** A block with its path in the request. */
export interface LocatedBlock {
  block: ContentBlock | WrittenResult;
  path: string;
}
