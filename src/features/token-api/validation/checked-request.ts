import type { Effort } from '../../../../packages/token-counter/src/index.ts';

/** The parts of a request of valid shape that the rules read. */

export type ApiVersion = '2023-06-01' | '2026-10-21';

interface CacheControl {
  ttl?: '5m' | '1h';
}

/** A content block of any type. */
export interface Block {
  type: string;
  cache_control?: CacheControl | null;
  [field: string]: unknown;
}

export interface CheckedMessage {
  role: 'user' | 'assistant' | 'system';
  content: string | readonly Block[];
  /** Effort from a system message on. */
  output_config?: { effort?: string | null } | null;
}

export interface Tool {
  type?: string | null;
  name?: string;
  input_schema?: Record<string, unknown>;
  strict?: boolean;
  defer_loading?: boolean;
  cache_control?: CacheControl | null;
}

export interface CheckedRequest {
  model: string;
  messages: readonly CheckedMessage[];
  system?: string | readonly Block[];
  tools?: readonly Tool[];
  tool_choice?: { type: 'auto' | 'any' | 'none' } | { type: 'tool'; name: string };
  thinking?: { type?: 'enabled' | 'disabled' | 'adaptive' | 'between_tools' };
  cache_control?: CacheControl | null;
  output_config?: { effort?: Effort | null };
  output_format?: object | null;
}

const NO_BLOCKS: readonly Block[] = [];

/** Returns the blocks of a content, or none for a string. */
export const getBlocks = (content: unknown): readonly Block[] =>
  Array.isArray(content) ? (content as Block[]) : NO_BLOCKS;

/** Returns the messages with an empty list for the content that a system message may lack. */
export function completeContents(messages: readonly CheckedMessage[]): readonly CheckedMessage[] {
  const isComplete = ({ content }: Partial<CheckedMessage>): boolean => content !== undefined;
  if (messages.every(isComplete)) return messages;
  return messages.map((message) => (isComplete(message) ? message : { ...message, content: [] }));
}
