import type { Message } from '../request-types.ts';

/** The conversation from its last `compaction` block on: the service drops everything before it. */
export function compacted(messages: readonly Message[]): readonly Message[] {
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index];
    if (message === undefined || typeof message.content !== 'object') continue;
    const from = message.content.findLastIndex((block) => block.type === 'compaction');
    if (from >= 0) return [{ ...message, content: message.content.slice(from) }, ...messages.slice(index + 1)];
  }
  return messages;
}
