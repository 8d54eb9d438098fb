import type { ContentBlock, ServerToolResultBlock, ToolResultBlock, ToolResultContent } from '../request-types.ts';

/** A result as it is written: of a client tool, or of one that the provider ran. */
export type WrittenResult = Omit<ToolResultBlock, 'content'> & {
  content?: string | readonly (ToolResultContent | ServerToolResultBlock)[] | null;
};

/** A block with its place in the request. */
export interface LocatedBlock {
  block: ContentBlock | WrittenResult;
  path: string;
}
