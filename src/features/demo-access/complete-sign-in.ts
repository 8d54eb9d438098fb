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
/** Maximum time in ms by which the provider's clock may be behind the clock of the database. */
const CLOCK_SKEW_MS = 5_000;

const invitationIdShape = z.guid();
/** SQLSTATE of a unique violation. */
const UNIQUE_VIOLATION = '23505';
const EMPTY_HASH = Buffer.alloc(32);

type SignInRejection =
  /** The sign-in failed for good, and its session is ended. */
  | {
      ok: false;
      reason: 'invalid' | 'revoked' | 'used' | 'expired' | 'session_over' | 'not_stored';
      endsSession: true;
    }
  /** `foreign_session`: the provider reports that the session belongs to another account. */
  | { ok: false; reason: 'not_configured' | 'not_demo_account' | 'foreign_session'; endsSession: false }
  /** Nothing was decided. The same request may be repeated. */
  | { ok: false; reason: 'unavailable'; endsSession: false; retryAfter: number; cause?: Error };

type SignInResult = { ok: true } | SignInRejection;

/** The committed state of an invitation, seen from the requesting session. */
type InvitationCheck =
  | { state: 'bindable'; createdAt: Date }
  | { state: 'bound' }
  | { state: 'rejected'; reason: 'invalid' | 'revoked' | 'used' | 'expired' };

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
 * Binds the requesting session to the invitation of its ticket. Each invitation has one session, and each session one
 * invitation. A repeated request for the same pair succeeds. A rejection with `endsSession` ends the session at the
 * provider unless an invitation names it.
 */
export async function completeSignIn(
  context: DemoAccessContext,
  member: Member,
  signIn: { invitationId: string; ticket: string },
  auditActor: AuditActor,
): Promise<SignInResult> {
  if (context.accounts.demoAccountId === undefined) return { ok: false, reason: 'not_configured', endsSession: false };
  if (!member.isDemoAccount) return { ok: false, reason: 'not_demo_account', endsSession: false };
  const id = invitationIdShape.safeParse(signIn.invitationId).data?.toLowerCase() ?? null;
  const completed = await bind({ context, member, auditActor, id, ticketHash: hashTicket(signIn.ticket) });
  if (!completed.ok && completed.endsSession)
    await revokeUnboundSession(context, { sessionId: member.sessionId, invitationId: id }, auditActor);
  return completed;
}

/** A sign-in in progress. */
interface SignInContext {
  context: DemoAccessContext;
  member: Member;
  auditActor: AuditActor;
  id: string | null;
  ticketHash: Buffer;
}

async function bind(signIn: SignInContext): Promise<SignInResult> {
  const { member } = signIn;
  const check = await checkInvitation(signIn);
  if (check.state === 'bound') return BOUND;
  if (check.state === 'rejected') return createRejection(check.reason);
  const read = await readSession(signIn);
  if (!read.ok) return read;
  const { user_id, status, created_at } = read.session;
  if (user_id !== member.idpId) return { ok: false, reason: 'foreign_session', endsSession: false };
  if (status !== 'active') return createRejection('session_over');
  // A session that is older than the link was not created by it.
  if (created_at < check.createdAt.getTime() - CLOCK_SKEW_MS) return createRejection('invalid');
  return bindInTransaction(signIn, read.session);
}

async function checkInvitation({ context, member, id, ticketHash }: SignInContext): Promise<InvitationCheck> {
  const row = id === null ? undefined : await selectForBinding(context.sql, id);
  const matches = timingSafeEqual(row?.ticket_hash ?? EMPTY_HASH, ticketHash);
  if (!matches || row?.idp_user_id !== member.idpId) return { state: 'rejected', reason: 'invalid' };
  if (row.is_revoked) return { state: 'rejected', reason: 'revoked' };
  if (row.session_id === member.sessionId) return { state: 'bound' };
  if (row.session_id !== null) return { state: 'rejected', reason: 'used' };
  return row.is_expired ? { state: 'rejected', reason: 'expired' } : { state: 'bindable', createdAt: row.created_at };
}

async function readSession({
  context,
  member,
  auditActor,
  id,
}: SignInContext): Promise<{ ok: true; session: ProviderSession } | SignInRejection> {
  const recordAudit = createAuditRecorder(context.sql);
  const subject = { ...auditActor, action: 'session.get', invitationId: id, sessionId: member.sessionId };
  const session = await withAudit(recordAudit, subject, () => context.provider.getSession(member.sessionId));
  if (session.ok) return { ok: true, session: session.value };
  if (session.reason === 'not_found') {
    // A 404 proves the end of a session only if the provider still has the demo account.
    const getUser = () => context.provider.getUser(member.idpId);
    if ((await withAudit(recordAudit, { ...subject, action: 'user.get' }, getUser)).ok)
      return createRejection('session_over');
  }
  return createUnavailable(session.reason === 'unconfirmed' ? session.retryAfter : null);
}

/** Binds the session in one transaction. If a concurrent request or an error interferes, reads the committed state. */
async function bindInTransaction(signIn: SignInContext, session: ProviderSession): Promise<SignInResult> {
  const { context, member, auditActor, ticketHash } = signIn;
  const id = signIn.id!;
  const subject = { ...auditActor, action: 'invitation.bind', invitationId: id, sessionId: member.sessionId };
  let outcome: { isTerminating: boolean; isBound: boolean };
  try {
    outcome = await context.sql.transaction(async (tx) => {
      await lockSession(tx, member.sessionId);
      const isTerminating = await isTerminationRequested(tx, member.sessionId);
      const isBound =
        !isTerminating && (await bindSession(tx, { id, ticketHash, session: toSessionSnapshot(session) }));
      await createAuditRecorder(tx)(subject, isBound ? 'ok' : 'lost');
      return { isTerminating, isBound };
    });
  } catch (error) {
    if ((error as { code?: string }).code === UNIQUE_VIOLATION) return createRejection('invalid');
    return reloadAfterError(signIn, error as Error);
  }
  if (outcome.isBound) return BOUND;
  if (outcome.isTerminating) return createRejection('session_over');
  const check = await checkInvitation(signIn);
  if (check.state === 'bindable') throw new Error(`Invitation ${id} changed state during bind.`);
  return check.state === 'bound' ? BOUND : createRejection(check.reason);
}

/** Reads the committed state, because the commit may have succeeded although its response was lost. */
async function reloadAfterError(signIn: SignInContext, cause: Error): Promise<SignInResult> {
  signIn.context.logger.warn({ err: cause, invitation: signIn.id }, 'failed to bind a demo session');
  try {
    const check = await checkInvitation(signIn);
    if (check.state === 'bound') return BOUND;
    return createRejection(check.state === 'bindable' ? 'not_stored' : check.reason);
  } catch {
    return createUnavailable(null, cause);
  }
}
