import { type AuditActor, createAuditRecorder } from './audit.ts';
import type { ProviderSession } from '../../platform/identity/provider-shapes.ts';
import type { DemoAccessContext } from './context.ts';
import { findBoundSessions } from './queries.ts';

const SESSIONS_PER_PAGE = 100;
const MAX_PAGES = 10;

type OrphanedSessionsResult =
  | { ok: true; sessions: ProviderSession[] }
  | { ok: false; reason: 'not_configured' }
  | { ok: false; reason: 'unavailable'; retryAfter: number };

/**
 * Returns the demo account's active sessions at the provider that no invitation names, newest first. A consumed ticket
 * without a recorded session may have created them. An operator decides about them, and this function ends none.
 */
export async function listOrphanedSessions(
  { sql, provider, accounts }: DemoAccessContext,
  auditActor: AuditActor,
): Promise<OrphanedSessionsResult> {
  const userId = accounts.demoAccountId;
  if (userId === undefined) return { ok: false, reason: 'not_configured' };
  await createAuditRecorder(sql)({ ...auditActor, action: 'session.list', invitationId: null }, 'ok');
  const activeSessions: ProviderSession[] = [];
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const offset = page * SESSIONS_PER_PAGE;
    const listed = await provider.listSessions({ userId, status: 'active', limit: SESSIONS_PER_PAGE, offset });
    if (!listed.ok) {
      const retryAfter = (listed.reason === 'unconfirmed' && listed.retryAfter) || 5;
      return { ok: false, reason: 'unavailable', retryAfter };
    }
    activeSessions.push(...listed.value.data);
    if (listed.value.data.length < SESSIONS_PER_PAGE) break;
  }
  const ids = activeSessions.map(({ id }) => id);
  const bound = await findBoundSessions(sql, ids);
  return { ok: true, sessions: activeSessions.filter(({ id }) => !bound.has(id)) };
}
