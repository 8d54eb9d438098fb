import { type AuditActor, createAuditRecorder } from './audit.ts';
import type { ProviderClient } from '../../platform/identity/provider-client.ts';
import type { Invitation } from './contract.ts';
import type { DemoAccessContext } from './context.ts';
import { type ListedRow, selectInvitations, type SessionSnapshot, storeSessionSnapshots } from './queries.ts';
import { toSessionSnapshot } from './session-snapshot.ts';

const PAGE_SIZE = 50;
/** Maximum number of provider calls per list: pages of sessions, then single sessions that no page contained. */
const MAX_SESSION_PAGES = 3;
const MAX_SINGLE_SESSIONS = 5;
const SESSIONS_PER_PAGE = 100;

/**
 * Returns a page of invitations, newest first, with the current state of their sessions at the provider. If the
 * provider is unavailable, returns the last known values with the status `unknown`. Returns `undefined` for an invalid
 * cursor.
 */
export async function listInvitations(context: DemoAccessContext, cursor: string | undefined, auditActor: AuditActor) {
  const after = cursor === undefined ? undefined : readCursor(cursor);
  if (cursor !== undefined && after === undefined) return undefined;
  await createAuditRecorder(context.sql)({ ...auditActor, action: 'invitation.list', invitationId: null }, 'ok');
  const page = { limit: PAGE_SIZE, after };
  const rows = await selectInvitations(context.sql, page);
  const account = context.accounts.demoAccountId;
  const activeSessionIds = rows.flatMap(({ session_id, session_is_over, idp_user_id }) =>
    session_id !== null && !session_is_over && idp_user_id === account ? [session_id] : [],
  );
  const snapshots = activeSessionIds.length > 0 ? await readSessions(context.provider, account!, activeSessionIds) : [];
  await storeSessionSnapshots(context.sql, snapshots);
  const currentRows = snapshots.length > 0 ? await selectInvitations(context.sql, page) : rows;
  const readSessionIds = new Set(snapshots.map(({ sessionId }) => sessionId));
  const last = currentRows.length === PAGE_SIZE ? currentRows.at(-1) : undefined;
  return {
    invitations: currentRows.map((row) =>
      toInvitationResponse(row, row.session_is_over || readSessionIds.has(row.session_id ?? '')),
    ),
    next_cursor: last ? Buffer.from(`${last.created_exactly}.${last.id}`).toString('base64url') : null,
  };
}

/** Reads the account's sessions at the provider, within the maximum number of calls per list. */
async function readSessions(
  provider: ProviderClient,
  userId: string,
  ids: readonly string[],
): Promise<SessionSnapshot[]> {
  const remainingIds = new Set(ids);
  const snapshots: SessionSnapshot[] = [];
  for (let page = 0; page < MAX_SESSION_PAGES && remainingIds.size > 0; page += 1) {
    const offset = page * SESSIONS_PER_PAGE;
    const listed = await provider.listSessions({ userId, limit: SESSIONS_PER_PAGE, offset });
    if (!listed.ok) return snapshots;
    for (const session of listed.value.data)
      if (remainingIds.delete(session.id)) snapshots.push(toSessionSnapshot(session));
    if (listed.value.data.length < SESSIONS_PER_PAGE) break;
  }
  // The provider deletes old sessions. Another instance of the provider would not have them either.
  let accountExists: boolean | undefined;
  for (const sessionId of [...remainingIds].slice(0, MAX_SINGLE_SESSIONS)) {
    const found = await provider.getSession(sessionId);
    if (found.ok && found.value.user_id === userId) snapshots.push(toSessionSnapshot(found.value));
    else if (!found.ok && found.reason === 'not_found') {
      accountExists ??= (await provider.getUser(userId)).ok;
      if (accountExists) snapshots.push({ sessionId, status: 'not_found', lastActiveAt: null, expiresAt: null });
    } else if (!found.ok && found.reason === 'unconfirmed') break;
  }
  return snapshots;
}

function toInvitationResponse(
  { session_is_over: _over, created_exactly: _exactly, used_at, ...row }: ListedRow,
  isCurrent: boolean,
): Invitation {
  const status = isCurrent ? (row.session_status as Invitation['session_status']) : 'unknown';
  return {
    ...row,
    active: row.status === 'unused' || row.status === 'in_use',
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    usedAt: toIsoOrNull(used_at),
    session_last_active_at: toIsoOrNull(row.session_last_active_at),
    session_expires_at: toIsoOrNull(row.session_expires_at),
    session_status: row.session_id === null ? null : status,
  };
}

const toIsoOrNull = (time: Date | null): string | null => time?.toISOString() ?? null;

const CURSOR = /^(\d{1,17})\.([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/;

function readCursor(cursor: string): { createdExactly: string; id: string } | undefined {
  const parts = CURSOR.exec(Buffer.from(cursor, 'base64url').toString());
  return parts ? { createdExactly: parts[1]!, id: parts[2]! } : undefined;
}
