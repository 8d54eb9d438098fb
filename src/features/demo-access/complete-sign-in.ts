import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Member } from '../../platform/identity/member.ts';
import type { ProviderSession } from '../../platform/identity/provider-shapes.ts';
import { audited, type By, noteIn } from './audit.ts';
import { bindSession, type BindRow, isBeingEnded, lockSession, selectForBinding } from './bind-queries.ts';
import type { DemoAccessContext } from './context.ts';
import { endUnboundSession } from './end-session.ts';
import { hashTicket } from './link.ts';
import { factsOf } from './session-facts.ts';

const RETRY_SECONDS = 2;
/** Milliseconds by which the provider's clock may be behind the database's. */
const CLOCK_SKEW = 5_000;

const uuid = z.guid();
const NO_HASH = Buffer.alloc(32);

/** Why a session was not bound for good; it is ended then. */
type Refused = 'invalid' | 'revoked' | 'used' | 'expired' | 'session_over' | 'not_stored';

type Completed =
  | { ok: true }
  | { ok: false; reason: 'not_configured' | 'not_demo_account' | Refused }
  /** The provider says that the session is another account's: it is not touched. */
  | { ok: false; reason: 'not_theirs' }
  | { ok: false; reason: 'unavailable'; retryAfter: number; cause?: Error };

const refuse = (reason: Refused): Completed => ({ ok: false, reason });

/**
 * Binds the session that asks to the invitation whose ticket it shows: one session an invitation, and one invitation a
 * session. The same two again are bound already. Where the session is refused it is ended at the provider, unless an
 * invitation names it; where nothing could be decided it stays, so that the same may be asked again.
 */
export async function completeSignIn(
  deps: DemoAccessContext,
  member: Member,
  signIn: { invitationId: string; ticket: string },
  by: By,
): Promise<Completed> {
  if (deps.accounts.demoAccountId === undefined) return { ok: false, reason: 'not_configured' };
  if (!member.isDemoAccount) return { ok: false, reason: 'not_demo_account' };
  const id = uuid.safeParse(signIn.invitationId).data?.toLowerCase() ?? null;
  const completed = await bind({ deps, member, by, id, ticketHash: hashTicket(signIn.ticket) });
  if (!completed.ok && completed.reason !== 'unavailable' && completed.reason !== 'not_theirs')
    await endUnboundSession(deps, { sessionId: member.sessionId, invitationId: id }, by);
  return completed;
}

/** A sign-in that is under way. */
interface Run {
  deps: DemoAccessContext;
  member: Member;
  by: By;
  id: string | null;
  ticketHash: Buffer;
}

async function bind(run: Run): Promise<Completed> {
  const { deps, member, by, id } = run;
  const before = await judge(run);
  if (!('open' in before)) return before;
  const subject = { ...by, action: 'session.get', invitationId: id, sessionId: member.sessionId };
  const session = await audited(noteIn(deps.sql), subject, () => deps.provider.getSession(member.sessionId));
  if (!session.ok) {
    // A 404 means that the session is over only where the provider knows the demo account.
    const look = () => deps.provider.getUser(member.idpId);
    if (
      session.reason === 'not_found' &&
      (await audited(noteIn(deps.sql), { ...subject, action: 'user.get' }, look)).ok
    )
      return refuse('session_over');
    const asked = session.reason === 'unconfirmed' ? session.retryAfter : null;
    return { ok: false, reason: 'unavailable', retryAfter: asked ?? RETRY_SECONDS };
  }
  const { user_id, status, created_at } = session.value;
  if (user_id !== member.idpId) return { ok: false, reason: 'not_theirs' };
  if (status !== 'active') return refuse('session_over');
  // A session that is older than the link did not come from it.
  if (created_at < before.open.created_at.getTime() - CLOCK_SKEW) return refuse('invalid');
  return store(run, session.value);
}

/** What the committed state of the invitation says to this session; the invitation where it may be bound. */
async function judge({ deps, member, id, ticketHash }: Run): Promise<Completed | { open: BindRow }> {
  const row = id === null ? undefined : await selectForBinding(deps.sql, id);
  const matches = timingSafeEqual(row?.ticket_hash ?? NO_HASH, ticketHash);
  if (!matches || row?.idp_user_id !== member.idpId) return refuse('invalid');
  if (row.is_revoked) return refuse('revoked');
  if (row.session_id !== null) return row.session_id === member.sessionId ? { ok: true } : refuse('used');
  return row.is_expired ? refuse('expired') : { open: row };
}

async function store(run: Run, session: ProviderSession): Promise<Completed> {
  const { deps, member, by, ticketHash } = run;
  const id = run.id!;
  const subject = { ...by, action: 'invitation.bind', invitationId: id, sessionId: member.sessionId };
  try {
    const came = await deps.sql.transaction(async (tx) => {
      await lockSession(tx, member.sessionId);
      const isEnding = await isBeingEnded(tx, member.sessionId);
      const isBound = !isEnding && (await bindSession(tx, { id, ticketHash, session: factsOf(session) }));
      await noteIn(tx)(subject, isBound ? 'ok' : 'lost');
      return isEnding ? 'ending' : isBound ? 'bound' : 'lost';
    });
    if (came === 'bound') return { ok: true };
    if (came === 'ending') return refuse('session_over');
  } catch (error) {
    if ((error as { code?: string }).code === '23505') return refuse('invalid');
    return judgeAfterFault(run, error as Error);
  }
  const now = await judge(run);
  // Another hand was there first, and which one is written down.
  if ('open' in now) throw new Error(`The invitation ${id} was open and could not be bound.`);
  return now;
}

/** Reads what was committed, since the answer alone may have been lost. */
async function judgeAfterFault(run: Run, cause: Error): Promise<Completed> {
  run.deps.logger.warn({ err: cause, invitation: run.id }, 'the binding of a demo session failed');
  try {
    const now = await judge(run);
    return 'open' in now ? refuse('not_stored') : now;
  } catch {
    return { ok: false, reason: 'unavailable', retryAfter: RETRY_SECONDS, cause };
  }
}
