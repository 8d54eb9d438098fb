import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Member } from '../../platform/identity/member.ts';
import type { ProviderSession } from '../../platform/identity/provider-shapes.ts';
import { audited, type By, noteIn } from './audit.ts';
import { bindSession, hashTicket, isTerminationRequested, lockSession, selectForBinding } from './bind-queries.ts';
import type { DemoAccessContext } from './context.ts';
import { revokeUnboundSession } from './end-session.ts';
import { factsOf } from './session-facts.ts';

const RETRY_SECONDS = 2;
/** Milliseconds by which the provider's clock may be behind the database's. */
const CLOCK_SKEW = 5_000;

const uuid = z.guid();
const NO_HASH = Buffer.alloc(32);

type Refusal =
  /** The sign-in failed for good: its session is ended. */
  | {
      ok: false;
      reason: 'invalid' | 'revoked' | 'used' | 'expired' | 'session_over' | 'not_stored';
      endsSession: true;
    }
  /** `not_theirs`: the provider says that the session is another account's. */
  | { ok: false; reason: 'not_configured' | 'not_demo_account' | 'not_theirs'; endsSession: false }
  /** Nothing could be decided: the same may be asked again. */
  | { ok: false; reason: 'unavailable'; endsSession: false; retryAfter: number; cause?: Error };

type Completed = { ok: true } | Refusal;

/** What the committed state of an invitation says to the session that asks. */
type InvitationCheck =
  | { state: 'bindable'; createdAt: Date }
  | { state: 'bound' }
  | { state: 'refused'; reason: 'invalid' | 'revoked' | 'used' | 'expired' };

const BOUND = { ok: true } as const;
const refuse = (reason: Extract<Refusal, { endsSession: true }>['reason']): Refusal => ({
  ok: false,
  reason,
  endsSession: true,
});
const unavailable = (retryAfter: number | null, cause?: Error): Refusal => ({
  ok: false,
  reason: 'unavailable',
  endsSession: false,
  retryAfter: retryAfter ?? RETRY_SECONDS,
  ...(cause && { cause }),
});

/**
 * Binds the session that asks to the invitation whose ticket it shows: one session an invitation, and one invitation a
 * session. The same two again are bound already. A refusal that `endsSession` ends it at the provider, unless an
 * invitation names it.
 */
export async function completeSignIn(
  deps: DemoAccessContext,
  member: Member,
  signIn: { invitationId: string; ticket: string },
  by: By,
): Promise<Completed> {
  if (deps.accounts.demoAccountId === undefined) return { ok: false, reason: 'not_configured', endsSession: false };
  if (!member.isDemoAccount) return { ok: false, reason: 'not_demo_account', endsSession: false };
  const id = uuid.safeParse(signIn.invitationId).data?.toLowerCase() ?? null;
  const completed = await bind({ deps, member, by, id, ticketHash: hashTicket(signIn.ticket) });
  if (!completed.ok && completed.endsSession)
    await revokeUnboundSession(deps, { sessionId: member.sessionId, invitationId: id }, by);
  return completed;
}

/** A sign-in that is under way. */
interface SignIn {
  deps: DemoAccessContext;
  member: Member;
  by: By;
  id: string | null;
  ticketHash: Buffer;
}

async function bind(signIn: SignIn): Promise<Completed> {
  const { member } = signIn;
  const check = await checkInvitation(signIn);
  if (check.state === 'bound') return BOUND;
  if (check.state === 'refused') return refuse(check.reason);
  const read = await readSession(signIn);
  if (!read.ok) return read;
  const { user_id, status, created_at } = read.session;
  if (user_id !== member.idpId) return { ok: false, reason: 'not_theirs', endsSession: false };
  if (status !== 'active') return refuse('session_over');
  // A session that is older than the link did not come from it.
  if (created_at < check.createdAt.getTime() - CLOCK_SKEW) return refuse('invalid');
  return store(signIn, read.session);
}

async function checkInvitation({ deps, member, id, ticketHash }: SignIn): Promise<InvitationCheck> {
  const row = id === null ? undefined : await selectForBinding(deps.sql, id);
  const matches = timingSafeEqual(row?.ticket_hash ?? NO_HASH, ticketHash);
  if (!matches || row?.idp_user_id !== member.idpId) return { state: 'refused', reason: 'invalid' };
  if (row.is_revoked) return { state: 'refused', reason: 'revoked' };
  if (row.session_id === member.sessionId) return { state: 'bound' };
  if (row.session_id !== null) return { state: 'refused', reason: 'used' };
  return row.is_expired ? { state: 'refused', reason: 'expired' } : { state: 'bindable', createdAt: row.created_at };
}

async function readSession({
  deps,
  member,
  by,
  id,
}: SignIn): Promise<{ ok: true; session: ProviderSession } | Refusal> {
  const note = noteIn(deps.sql);
  const subject = { ...by, action: 'session.get', invitationId: id, sessionId: member.sessionId };
  const session = await audited(note, subject, () => deps.provider.getSession(member.sessionId));
  if (session.ok) return { ok: true, session: session.value };
  if (session.reason === 'not_found') {
    // A 404 means that the session is over only where the provider knows the demo account.
    const getUser = () => deps.provider.getUser(member.idpId);
    if ((await audited(note, { ...subject, action: 'user.get' }, getUser)).ok) return refuse('session_over');
  }
  return unavailable(session.reason === 'unconfirmed' ? session.retryAfter : null);
}

/** Binds the session in one transaction, then reads what was committed where another caller or a fault came between. */
async function store(signIn: SignIn, session: ProviderSession): Promise<Completed> {
  const { deps, member, by, ticketHash } = signIn;
  const id = signIn.id!;
  const subject = { ...by, action: 'invitation.bind', invitationId: id, sessionId: member.sessionId };
  let outcome: { isEnding: boolean; isBound: boolean };
  try {
    outcome = await deps.sql.transaction(async (tx) => {
      await lockSession(tx, member.sessionId);
      const isEnding = await isTerminationRequested(tx, member.sessionId);
      const isBound = !isEnding && (await bindSession(tx, { id, ticketHash, session: factsOf(session) }));
      await noteIn(tx)(subject, isBound ? 'ok' : 'lost');
      return { isEnding, isBound };
    });
  } catch (error) {
    if ((error as { code?: string }).code === '23505') return refuse('invalid');
    return checkAfterFault(signIn, error as Error);
  }
  if (outcome.isBound) return BOUND;
  if (outcome.isEnding) return refuse('session_over');
  const check = await checkInvitation(signIn);
  if (check.state === 'bindable') throw new Error(`The invitation ${id} was open and could not be bound.`);
  return check.state === 'bound' ? BOUND : refuse(check.reason);
}

/** Reads what was committed, since the answer alone may have been lost. */
async function checkAfterFault(signIn: SignIn, cause: Error): Promise<Completed> {
  signIn.deps.logger.warn({ err: cause, invitation: signIn.id }, 'the binding of a demo session failed');
  try {
    const check = await checkInvitation(signIn);
    if (check.state === 'bound') return BOUND;
    return refuse(check.state === 'bindable' ? 'not_stored' : check.reason);
  } catch {
    return unavailable(null, cause);
  }
}
