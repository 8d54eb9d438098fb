import type { Conversation, ConversationMessage } from '../contract.ts';
import { type ConversationRow, INTERRUPTED, KEPT_DAYS, type MessageRow } from './queries.ts';

export const presentHeading = ({ id, title, symbol, created_at, updated_at }: ConversationRow) => ({
  ...{ id, title, symbol, created_at: created_at.toISOString(), updated_at: updated_at.toISOString() },
  deleted_at: new Date(updated_at.getTime() + KEPT_DAYS * 86_400_000).toISOString(),
});

export const presentConversation = (row: ConversationRow, messages: readonly MessageRow[]): Conversation => ({
  ...presentHeading(row),
  messages: messages.map(presentMessage),
});

function presentMessage(row: MessageRow): ConversationMessage {
  const { id, symbol, parts, reason, links, removed_links, usage } = row;
  const created = row.created_at.toISOString();
  if (row.role === 'member') return { role: 'member', id, text: row.text ?? '', symbol, created_at: created };
  const abandoned = row.abandoned ? { code: 'INTERRUPTED' as const, message: INTERRUPTED, retry: true } : null;
  return {
    ...{ role: 'assistant', id, parts, reason, links, removed_links, usage, created_at: created },
    status: abandoned ? 'failed' : (row.status ?? 'failed'),
    failure: row.failure ?? abandoned,
  };
}
