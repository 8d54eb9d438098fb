import { type By, noteIn } from './audit.ts';
import type { ProviderSession } from '../../platform/identity/provider-shapes.ts';
import type { DemoAccessContext } from './context.ts';
import { selectBound } from './queries.ts';

const SESSIONS_A_PAGE = 100;
const MOST_PAGES = 10;

type Candidates =
  | { ok: true; sessions: ProviderSession[] }
  | { ok: false; reason: 'not_configured' }
  | { ok: false; reason: 'unavailable'; retryAfter: number };

/**
 * The demo account's living sessions at the provider that no invitation names, newest first: what a consumed ticket
 * without a recorded session may have made. They are for a person to judge; nothing here ends one.
 */
export async function listCandidates({ sql, provider, accounts }: DemoAccessContext, by: By): Promise<Candidates> {
  const userId = accounts.demoAccountId;
  if (userId === undefined) return { ok: false, reason: 'not_configured' };
  await noteIn(sql)({ ...by, action: 'session.list', invitationId: null }, 'ok');
  const living: ProviderSession[] = [];
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const offset = page * SESSIONS_A_PAGE;
    const listed = await provider.listSessions({ userId, status: 'active', limit: SESSIONS_A_PAGE, offset });
    if (!listed.ok) {
      const retryAfter = (listed.reason === 'unconfirmed' && listed.retryAfter) || 5;
      return { ok: false, reason: 'unavailable', retryAfter };
    }
    living.push(...listed.value.data);
    if (listed.value.data.length < SESSIONS_A_PAGE) break;
  }
  const ids = living.map(({ id }) => id);
  const bound = await selectBound(sql, ids);
  return { ok: true, sessions: living.filter(({ id }) => !bound.has(id)) };
}
