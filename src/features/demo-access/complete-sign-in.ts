import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Member } from '../../platform/identity/member.ts';
import type { ProviderSession } from '../../platform/identity/provider-shapes.ts';
import { withAudit, type AuditActor, createAuditRecorder } from './audit.ts';
import { bindSession, hashTicket, isTerminationRequested, lockSession, selectForBinding } from './bind-queries.ts';
import type { DemoAccessContext } from './context.ts';
import { revokeUnboundSession } from './end-session.ts';
import { toSessionSnapshot } from './session-snapshot.ts';

const RETRY_SECONDS = 2;
/** Milliseconds by which the provider's clock may be behind the database's. */
const CLOCK_SKEW_MS = 5_000;

const uuid = z.guid();
const EMPTY_HASH = Buffer.alloc(32);

type SignInRejection =
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

type SignInResult = { ok: true } | SignInRejection;

/** What the committed state of an invitation says to the session that asks. */
type InvitationCheck =
  | { state: 'bindable'; createdAt: Date }
  | { state: 'bound' }
  | { state: 'refused'; reason: 'invalid' | 'revoked' | 'used' | 'expired' };

const BOUND = { ok: true } as const;
const createRejection = (reason: Extract<SignInRejection, { endsSession: true }>['reason']): SignInRejection => ({
  ok: false,
  reason,
  endsSession: true,
});
const createUnavailable = (retryAfter: number | null, cause?: Error): SignInRejection => ({
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
  auditActor: AuditActor,
): Promise<SignInResult> {
  if (deps.accounts.demoAccountId === undefined) return { ok: false, reason: 'not_configured', endsSession: false };
  if (!member.isDemoAccount) return { ok: false, reason: 'not_demo_account', endsSession: false };
  const id = uuid.safeParse(signIn.invitationId).data?.toLowerCase() ?? null;
  const completed = await bind({ deps, member, auditActor, id, ticketHash: hashTicket(signIn.ticket) });
  if (!completed.ok && completed.endsSession)
    await revokeUnboundSession(deps, { sessionId: member.sessionId, invitationId: id }, auditActor);
  return completed;
}

/** A sign-in that is under way. */
interface SignInContext {
  deps: DemoAccessContext;
  member: Member;
  auditActor: AuditActor;
  id: string | null;
  ticketHash: Buffer;
}

async function bind(signIn: SignInContext): Promise<SignInResult> {
  const { member } = signIn;
  const check = await checkInvitation(signIn);
  if (check.state === 'bound') return BOUND;
  if (check.state === 'refused') return createRejection(check.reason);
  const read = await readSession(signIn);
  if (!read.ok) return read;
  const { user_id, status, created_at } = read.session;
  if (user_id !== member.idpId) return { ok: false, reason: 'not_theirs', endsSession: false };
  if (status !== 'active') return createRejection('session_over');
  // A session that is older than the link did not come from it.
  if (created_at < check.createdAt.getTime() - CLOCK_SKEW_MS) return createRejection('invalid');
  return bindInTransaction(signIn, read.session);
}

async function checkInvitation({ deps, member, id, ticketHash }: SignInContext): Promise<InvitationCheck> {
  const row = id === null ? undefined : await selectForBinding(deps.sql, id);
  const matches = timingSafeEqual(row?.ticket_hash ?? EMPTY_HASH, ticketHash);
  if (!matches || row?.idp_user_id !== member.idpId) return { state: 'refused', reason: 'invalid' };
  if (row.is_revoked) return { state: 'refused', reason: 'revoked' };
  if (row.session_id === member.sessionId) return { state: 'bound' };
  if (row.session_id !== null) return { state: 'refused', reason: 'used' };
  return row.is_expired ? { state: 'refused', reason: 'expired' } : { state: 'bindable', createdAt: row.created_at };
}

async function readSession({
  deps,
  member,
  auditActor,
  id,
}: SignInContext): Promise<{ ok: true; session: ProviderSession } | SignInRejection> {
  const recordAudit = createAuditRecorder(deps.sql);
  const subject = { ...auditActor, action: 'session.get', invitationId: id, sessionId: member.sessionId };
  const session = await withAudit(recordAudit, subject, () => deps.provider.getSession(member.sessionId));
  if (session.ok) return { ok: true, session: session.value };
  if (session.reason === 'not_found') {
    // A 404 means that the session is over only where the provider knows the demo account.
    const getUser = () => deps.provider.getUser(member.idpId);
    if ((await withAudit(recordAudit, { ...subject, action: 'user.get' }, getUser)).ok)
      return createRejection('session_over');
  }
  return createUnavailable(session.reason === 'unconfirmed' ? session.retryAfter : null);
}

/** Binds the session in one transaction, then reads what was committed where another caller or a fault came between. */
async function bindInTransaction(signIn: SignInContext, session: ProviderSession): Promise<SignInResult> {
  const { deps, member, auditActor, ticketHash } = signIn;
  const id = signIn.id!;
  const subject = { ...auditActor, action: 'invitation.bind', invitationId: id, sessionId: member.sessionId };
  let outcome: { isTerminating: boolean; isBound: boolean };
  try {
    outcome = await deps.sql.transaction(async (tx) => {
      await lockSession(tx, member.sessionId);
      const isTerminating = await isTerminationRequested(tx, member.sessionId);
      const isBound =
        !isTerminating && (await bindSession(tx, { id, ticketHash, session: toSessionSnapshot(session) }));
      await createAuditRecorder(tx)(subject, isBound ? 'ok' : 'lost');
      return { isTerminating, isBound };
    });
  } catch (error) {
    if ((error as { code?: string }).code === '23505') return createRejection('invalid');
    return reloadAfterError(signIn, error as Error);
  }
  if (outcome.isBound) return BOUND;
  if (outcome.isTerminating) return createRejection('session_over');
  const check = await checkInvitation(signIn);
  if (check.state === 'bindable') throw new Error(`The invitation ${id} was open and could not be bound.`);
  return check.state === 'bound' ? BOUND : createRejection(check.reason);
}

/** Reads what was committed, since the answer alone may have been lost. */
async function reloadAfterError(signIn: SignInContext, cause: Error): Promise<SignInResult> {
  signIn.deps.logger.warn({ err: cause, invitation: signIn.id }, 'the binding of a demo session failed');
  try {
    const check = await checkInvitation(signIn);
    if (check.state === 'bound') return BOUND;
    return createRejection(check.state === 'bindable' ? 'not_stored' : check.reason);
  } catch {
    return createUnavailable(null, cause);
  }
}
