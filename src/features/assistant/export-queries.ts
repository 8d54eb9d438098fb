import type { MemberRows } from '../../feature.ts';

/** Rows of this feature in the export of a member's data. */
export const memberRows: MemberRows = {
  'public.assistant_conversations': {
    rows: `select idp_id, id, title, symbol, created_at, updated_at
        from public.assistant_conversations where idp_id = $1 order by created_at, id`,
  },
  'public.assistant_messages': {
    rows: `select idp_id, conversation_id, id, position, role, created_at, text, symbol, status, parts, reason,
             failure, links, removed_links, usage, stop_requested, written_at
        from public.assistant_messages where idp_id = $1 order by conversation_id, position`,
  },
  'public.assistant_tokens': {
    rows: `select idp_id, id, name, hint, scopes, created_at, expires_at, last_used_at, revoked_at
        from public.assistant_tokens where idp_id = $1 order by created_at, id`,
    omittedColumns: { token_hash: 'a hash by which it is recognized' },
  },
  'public.assistant_usage': {
    rows: `select idp_id, answer_id, day, spent, reserved, expires_at
        from public.assistant_usage where idp_id = $1 order by day, answer_id`,
  },
};
