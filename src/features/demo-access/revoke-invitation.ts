import type { ProviderResult } from '../../platform/identity/provider-client.ts';
import type { ProviderSession } from '../../platform/identity/provider-shapes.ts';
import { withAudit, type AuditActor, createAuditRecorder, createBestEffortAuditRecorder } from './audit.ts';
import type { DemoAccessContext } from './context.ts';
import { storeSessionSnapshots } from './queries.ts';
import {
  finishRevocation,
  scheduleRetry,
  requestRevocation,
  type RevocationRow,
  storeSessionOutcome,
  storeTicketOutcome,
} from './revocation-queries.ts';
import { toSessionSnapshot, hasEnded } from './session-snapshot.ts';

const RETRY_SECONDS = 10;
/** The provider's error code for a ticket that is no longer pending. */
const NOT_PENDING = 'sign_in_token_cannot_be_revoked_code';

type Unconfirmed = { ok: false; reason: 'unconfirmed'; retryAfter: number };
type StepResult = { ok: true } | { ok: false; reason: 'mismatch' } | Unconfirmed;
type RevocationResult =
  | {
      ok: true;
      /** Whether the link may have created an unrecorded session that the gate accepts. */
      mayStayActive: boolean;
    }
  | Exclude<StepResult, { ok: true }>
  | { ok: false; reason: 'not_found' | 'not_configured' };

const STEP_DONE = { ok: true } as const;
const MISMATCH = { ok: false, reason: 'mismatch' } as const;
const createUnconfirmed = (outcome?: ProviderResult<unknown>): Unconfirmed => {
  const retryAfter = outcome && !outcome.ok && outcome.reason === 'unconfirmed' ? outcome.retryAfter : null;
  return { ok: false, reason: 'unconfirmed', retryAfter: retryAfter ?? RETRY_SECONDS };
};

/**
 * Revokes an invitation: first in the database, then its ticket and its session at the provider. Each step can be
 * repeated, and completed steps are skipped. Never throws: an error is an unconfirmed revocation.
 */
export async function revokeInvitation(
  context: DemoAccessContext,
  id: string,
  auditActor: AuditActor,
): Promise<RevocationResult> {
  const { sql, gate, logger } = context;
  if (context.accounts.demoAccountId === undefined) return { ok: false, reason: 'not_configured' };
  const subject = { ...auditActor, action: 'invitation.revoke', invitationId: id };
  try {
    const row = await requestRevocation(sql, id);
    gate.clear();
    if (!row) return { ok: false, reason: 'not_found' };
    const stepResult = await revokeAtProvider({ context, row, auditActor });
    if (!stepResult.ok) {
      if (stepResult.reason === 'unconfirmed') await scheduleRetry(sql, id, stepResult.retryAfter);
      await createAuditRecorder(sql)(subject, stepResult.reason);
      return stepResult;
    }
    const mayStayActive = (await finishRevocation(sql, id)) && !gate.isStrict;
    await createAuditRecorder(sql)(subject, 'ok');
    return { ok: true, mayStayActive };
  } catch (err) {
    // The request may have been committed although its response was lost.
    gate.clear();
    logger.warn({ err, invitation: id }, 'failed to confirm a revocation');
    await createBestEffortAuditRecorder(context)(subject, 'unconfirmed');
    return createUnconfirmed();
  }
}

/** A revocation in progress. */
interface RevocationRun {
  context: DemoAccessContext;
  row: RevocationRow;
  auditActor: AuditActor;
}

async function revokeAtProvider(run: RevocationRun): Promise<StepResult> {
  if (run.row.revoked_at) return STEP_DONE;
  if (run.row.idp_user_id !== run.context.accounts.demoAccountId) return MISMATCH;
  const ticket = run.row.ticket_outcome === null ? await transitionTicket(run) : STEP_DONE;
  if (!ticket.ok) return ticket;
  const { session_id, session_outcome } = run.row;
  return session_id === null || session_outcome !== null ? STEP_DONE : transitionSession(run, session_id);
}

async function transitionTicket(run: RevocationRun): Promise<StepResult> {
  const { sql, provider } = run.context;
  const { id, token_id, ticket_is_over } = run.row;
  if (token_id === null) {
    // The response was lost. A ticket with an unknown id may exist until it has expired.
    if (!ticket_is_over) return createUnconfirmed();
    await storeTicketOutcome(sql, id, 'expired');
    return STEP_DONE;
  }
  const outcome = await callWithAudit(run, 'ticket.revoke', () => provider.revokeSignInToken(token_id));
  if (outcome.ok) {
    if (!belongsToDemoAccount(run, outcome.value)) return createUnconfirmed();
    await storeTicketOutcome(sql, id, 'revoked');
    return STEP_DONE;
  }
  if (outcome.reason === 'conflict' && outcome.status === 400 && outcome.code === NOT_PENDING) {
    await storeTicketOutcome(sql, id, 'consumed');
    return STEP_DONE;
  }
  if (outcome.reason !== 'not_found') return createUnconfirmed(outcome);
  const account = await confirmAccount(run);
  if (account.ok) await storeTicketOutcome(sql, id, 'not_found');
  return account;
}

/** State of the invitation's session at the provider. */
type SessionCheck =
  | { state: 'over'; session: ProviderSession }
  | { state: 'active' }
  | { state: 'other_account' }
  | { state: 'failed'; outcome: FailedCall };

type FailedCall = ProviderResult<ProviderSession> & { ok: false };

async function transitionSession(run: RevocationRun, sessionId: string): Promise<StepResult> {
  const before = await checkSession(run, sessionId);
  if (before.state !== 'active') return handleInactiveSession(run, before);
  const revoked = await callWithAudit(run, 'session.revoke', () => run.context.provider.revokeSession(sessionId));
  if (revoked.ok)
    return belongsToDemoAccount(run, revoked.value) ? storeEndedSession(run, revoked.value) : createUnconfirmed();
  if (revoked.reason === 'not_found') return handleFailedCall(run, revoked);
  // The revocation may have succeeded although its response was lost.
  const after = await checkSession(run, sessionId);
  return after.state === 'active' ? createUnconfirmed(revoked) : handleInactiveSession(run, after);
}

async function checkSession(run: RevocationRun, sessionId: string): Promise<SessionCheck> {
  const outcome = await callWithAudit(run, 'session.get', () => run.context.provider.getSession(sessionId));
  if (!outcome.ok) return { state: 'failed', outcome };
  if (!belongsToDemoAccount(run, outcome.value)) return { state: 'other_account' };
  return hasEnded(outcome.value) ? { state: 'over', session: outcome.value } : { state: 'active' };
}

function handleInactiveSession(
  run: RevocationRun,
  check: Exclude<SessionCheck, { state: 'active' }>,
): StepResult | Promise<StepResult> {
  switch (check.state) {
    case 'over':
      return storeEndedSession(run, check.session);
    case 'other_account':
      return MISMATCH;
    case 'failed':
      return handleFailedCall(run, check.outcome);
  }
}

/** Treats an unknown session as ended, if the provider has the demo account. */
async function handleFailedCall(run: RevocationRun, outcome: FailedCall): Promise<StepResult> {
  if (outcome.reason !== 'not_found') return createUnconfirmed(outcome);
  const account = await confirmAccount(run);
  if (account.ok) await storeSessionOutcome(run.context.sql, run.row.id, 'not_found');
  return account;
}

const belongsToDemoAccount = ({ context }: RevocationRun, { user_id }: { user_id: string }): boolean =>
  user_id === context.accounts.demoAccountId;

async function storeEndedSession(run: RevocationRun, session: ProviderSession): Promise<StepResult> {
  await storeSessionSnapshots(run.context.sql, [toSessionSnapshot(session)]);
  await storeSessionOutcome(run.context.sql, run.row.id, 'over');
  return STEP_DONE;
}

/**
 * Confirms that the provider has the demo account. A 404 from another instance or a wrong URL would not mean that a
 * session is gone.
 */
async function confirmAccount(run: RevocationRun): Promise<StepResult> {
  const { provider, accounts } = run.context;
  const outcome = await callWithAudit(run, 'user.get', () => provider.getUser(accounts.demoAccountId!));
  if (outcome.ok) return STEP_DONE;
  return outcome.reason === 'not_found' ? MISMATCH : createUnconfirmed(outcome);
}

function callWithAudit<T>(
  { context, row, auditActor }: RevocationRun,
  action: string,
  call: () => Promise<ProviderResult<T>>,
): Promise<ProviderResult<T>> {
  const subject = {
    ...auditActor,
    action,
    invitationId: row.id,
    sessionId: action.startsWith('session.') ? row.session_id : null,
  };
  return withAudit(createAuditRecorder(context.sql), subject, call);
}
