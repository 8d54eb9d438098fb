import { type By, noteIn } from './audit.ts';
import type { ProviderClient } from '../../platform/identity/provider-client.ts';
import type { Invitation } from './contract.ts';
import type { DemoAccessContext } from './context.ts';
import { type ListedRow, selectInvitations, type SessionFacts, storeSessionFacts } from './queries.ts';
import { factsOf } from './session-facts.ts';

const PAGE = 50;
/** Calls of the provider that one list may cost: pages of sessions, then sessions that no page held. */
const MOST_SESSION_PAGES = 3;
const MOST_SINGLE_SESSIONS = 5;
const SESSIONS_A_PAGE = 100;

/**
 * A page of invitations, newest first, with what the provider says of their sessions now; where it does not answer,
 * the last known values with the status `unknown`. `undefined` for a cursor that is none of ours.
 */
export async function listInvitations(deps: DemoAccessContext, cursor: string | undefined, by: By) {
  const after = cursor === undefined ? undefined : readCursor(cursor);
  if (cursor !== undefined && after === undefined) return undefined;
  await noteIn(deps.sql)({ ...by, action: 'invitation.list', invitationId: null }, 'ok');
  const page = { limit: PAGE, after };
  const rows = await selectInvitations(deps.sql, page);
  const account = deps.accounts.demoAccountId;
  const living = rows.flatMap(({ session_id, session_is_over, idp_user_id }) =>
    session_id !== null && !session_is_over && idp_user_id === account ? [session_id] : [],
  );
  const facts = living.length > 0 ? await readSessions(deps.provider, account!, living) : [];
  await storeSessionFacts(deps.sql, facts);
  const fresh = facts.length > 0 ? await selectInvitations(deps.sql, page) : rows;
  const read = new Set(facts.map(({ sessionId }) => sessionId));
  const last = fresh.length === PAGE ? fresh.at(-1) : undefined;
  return {
    invitations: fresh.map((row) => present(row, row.session_is_over || read.has(row.session_id ?? ''))),
    next_cursor: last ? Buffer.from(`${last.created_exactly}.${last.id}`).toString('base64url') : null,
  };
}

/** What the provider says of the account's sessions, as far as it answers within the calls that a list may cost. */
async function readSessions(provider: ProviderClient, userId: string, ids: readonly string[]): Promise<SessionFacts[]> {
  const wanted = new Set(ids);
  const facts: SessionFacts[] = [];
  for (let page = 0; page < MOST_SESSION_PAGES && wanted.size > 0; page += 1) {
    const offset = page * SESSIONS_A_PAGE;
    const listed = await provider.listSessions({ userId, limit: SESSIONS_A_PAGE, offset });
    if (!listed.ok) return facts;
    for (const session of listed.value.data) if (wanted.delete(session.id)) facts.push(factsOf(session));
    if (listed.value.data.length < SESSIONS_A_PAGE) break;
  }
  // Sessions that are long over are cleaned up; another instance of the provider would not know them either.
  let accountExists: boolean | undefined;
  for (const sessionId of [...wanted].slice(0, MOST_SINGLE_SESSIONS)) {
    const found = await provider.getSession(sessionId);
    if (found.ok && found.value.user_id === userId) facts.push(factsOf(found.value));
    else if (!found.ok && found.reason === 'not_found') {
      accountExists ??= (await provider.getUser(userId)).ok;
      if (accountExists) facts.push({ sessionId, status: 'not_found', lastActiveAt: null, expiresAt: null });
    } else if (!found.ok && found.reason === 'unconfirmed') break;
  }
  return facts;
}

function present(
  { session_is_over: _over, created_exactly: _exactly, used_at, ...row }: ListedRow,
  isKnown: boolean,
): Invitation {
  const status = row.session_status as Invitation['session_status'];
  return {
    ...row,
    active: row.status === 'unused' || row.status === 'in_use',
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    usedAt: inIso(used_at),
    session_last_active_at: inIso(row.session_last_active_at),
    session_expires_at: inIso(row.session_expires_at),
    session_status: row.session_id === null ? null : isKnown ? status : 'unknown',
  };
}

const inIso = (time: Date | null): string | null => time?.toISOString() ?? null;

const CURSOR = /^(\d{1,17})\.([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/;

function readCursor(cursor: string): { createdExactly: string; id: string } | undefined {
  const parts = CURSOR.exec(Buffer.from(cursor, 'base64url').toString());
  return parts ? { createdExactly: parts[1]!, id: parts[2]! } : undefined;
}
