import type { Outcome } from '../../platform/identity/provider-client.ts';
import type { ProviderSession } from '../../platform/identity/provider-shapes.ts';
import { audited, type By, noteIn, tryNoteIn } from './audit.ts';
import type { DemoAccessContext } from './context.ts';
import { storeSessionFacts } from './queries.ts';
import {
  finishRevocation,
  postponeAttempt,
  requestRevocation,
  type RevocationRow,
  storeSessionSettled,
  storeTicketSettled,
} from './revocation-queries.ts';
import { factsOf, isOver } from './session-facts.ts';

const RETRY_SECONDS = 10;
/** The provider's code for a ticket that is no longer pending. */
const NOT_PENDING = 'sign_in_token_cannot_be_revoked_code';

type Unconfirmed = { ok: false; reason: 'unconfirmed'; retryAfter: number };
type Settled = { ok: true } | { ok: false; reason: 'mismatch' } | Unconfirmed;
type Revoked =
  | {
      ok: true;
      /** The link may have made a session that is not recorded, and the gate lets such sessions pass. */
      mayLiveOn: boolean;
    }
  | Exclude<Settled, { ok: true }>
  | { ok: false; reason: 'not_found' | 'not_configured' };

const SETTLED = { ok: true } as const;
const MISMATCH = { ok: false, reason: 'mismatch' } as const;
const unconfirmed = (outcome?: Outcome<unknown>): Unconfirmed => {
  const asked = outcome && !outcome.ok && outcome.reason === 'unconfirmed' ? outcome.retryAfter : null;
  return { ok: false, reason: 'unconfirmed', retryAfter: asked ?? RETRY_SECONDS };
};

/**
 * Revokes an invitation: first for ourselves, then its ticket and the session that it made at the provider. Each step
 * can be repeated, and what is settled is not asked for again. Never throws: a fault is an unconfirmed revocation.
 */
export async function revokeInvitation(deps: DemoAccessContext, id: string, by: By): Promise<Revoked> {
  const { sql, gate, logger } = deps;
  if (deps.accounts.demoAccountId === undefined) return { ok: false, reason: 'not_configured' };
  const subject = { ...by, action: 'invitation.revoke', invitationId: id };
  try {
    const row = await requestRevocation(sql, id);
    gate.forget();
    if (!row) return { ok: false, reason: 'not_found' };
    const settled = await settle({ deps, row, by });
    if (!settled.ok) {
      if (settled.reason === 'unconfirmed') await postponeAttempt(sql, id, settled.retryAfter);
      await noteIn(sql)(subject, settled.reason);
      return settled;
    }
    const mayLiveOn = (await finishRevocation(sql, id)) && !gate.isStrict;
    await noteIn(sql)(subject, 'ok');
    return { ok: true, mayLiveOn };
  } catch (err) {
    // The request may have been committed though its answer was lost.
    gate.forget();
    logger.warn({ err, invitation: id }, 'a revocation could not be confirmed');
    await tryNoteIn(deps)(subject, 'unconfirmed');
    return unconfirmed();
  }
}

/** A revocation that is under way. */
interface Run {
  deps: DemoAccessContext;
  row: RevocationRow;
  by: By;
}

async function settle(run: Run): Promise<Settled> {
  if (run.row.revoked_at) return SETTLED;
  if (run.row.idp_user_id !== run.deps.accounts.demoAccountId) return MISMATCH;
  const ticket = run.row.ticket_settled === null ? await settleTicket(run) : SETTLED;
  if (!ticket.ok) return ticket;
  const { session_id, session_settled } = run.row;
  return session_id === null || session_settled !== null ? SETTLED : settleSession(run, session_id);
}

async function settleTicket(run: Run): Promise<Settled> {
  const { sql, provider } = run.deps;
  const { id, token_id, ticket_is_over } = run.row;
  if (token_id === null) {
    // Its answer was lost: a ticket may exist that nobody holds, and that cannot be named until it has expired.
    if (!ticket_is_over) return unconfirmed();
    await storeTicketSettled(sql, id, 'expired');
    return SETTLED;
  }
  const outcome = await ask(run, 'ticket.revoke', () => provider.revokeSignInToken(token_id));
  if (outcome.ok) {
    if (!isOurs(run, outcome.value)) return unconfirmed();
    await storeTicketSettled(sql, id, 'revoked');
    return SETTLED;
  }
  if (outcome.reason === 'conflict' && outcome.status === 400 && outcome.code === NOT_PENDING) {
    await storeTicketSettled(sql, id, 'consumed');
    return SETTLED;
  }
  if (outcome.reason !== 'not_found') return unconfirmed(outcome);
  const account = await confirmAccount(run);
  if (account.ok) await storeTicketSettled(sql, id, 'not_found');
  return account;
}

/** What the provider says of the session that the invitation names. */
type SessionCheck =
  | { state: 'over'; session: ProviderSession }
  | { state: 'active' }
  | { state: 'foreign' }
  | { state: 'failed'; outcome: FailedCall };

type FailedCall = Outcome<ProviderSession> & { ok: false };

async function settleSession(run: Run, sessionId: string): Promise<Settled> {
  const before = await checkSession(run, sessionId);
  if (before.state !== 'active') return settleInactive(run, before);
  const revoked = await ask(run, 'session.revoke', () => run.deps.provider.revokeSession(sessionId));
  if (revoked.ok) return isOurs(run, revoked.value) ? storeOver(run, revoked.value) : unconfirmed();
  if (revoked.reason === 'not_found') return settleFailed(run, revoked);
  // The revocation may have worked though its answer was lost.
  const after = await checkSession(run, sessionId);
  return after.state === 'active' ? unconfirmed(revoked) : settleInactive(run, after);
}

async function checkSession(run: Run, sessionId: string): Promise<SessionCheck> {
  const outcome = await ask(run, 'session.get', () => run.deps.provider.getSession(sessionId));
  if (!outcome.ok) return { state: 'failed', outcome };
  if (!isOurs(run, outcome.value)) return { state: 'foreign' };
  return isOver(outcome.value) ? { state: 'over', session: outcome.value } : { state: 'active' };
}

function settleInactive(run: Run, check: Exclude<SessionCheck, { state: 'active' }>): Settled | Promise<Settled> {
  switch (check.state) {
    case 'over':
      return storeOver(run, check.session);
    case 'foreign':
      return MISMATCH;
    case 'failed':
      return settleFailed(run, check.outcome);
  }
}

/** A session that the provider does not know any more is over, where it is the right provider that says so. */
async function settleFailed(run: Run, outcome: FailedCall): Promise<Settled> {
  if (outcome.reason !== 'not_found') return unconfirmed(outcome);
  const account = await confirmAccount(run);
  if (account.ok) await storeSessionSettled(run.deps.sql, run.row.id, 'not_found');
  return account;
}

const isOurs = ({ deps }: Run, { user_id }: { user_id: string }): boolean => user_id === deps.accounts.demoAccountId;

async function storeOver(run: Run, session: ProviderSession): Promise<Settled> {
  await storeSessionFacts(run.deps.sql, [factsOf(session)]);
  await storeSessionSettled(run.deps.sql, run.row.id, 'over');
  return SETTLED;
}

/** A 404 says as much of another instance or a wrong address; only beside the demo account it means "gone". */
async function confirmAccount(run: Run): Promise<Settled> {
  const { provider, accounts } = run.deps;
  const outcome = await ask(run, 'user.get', () => provider.getUser(accounts.demoAccountId!));
  if (outcome.ok) return SETTLED;
  return outcome.reason === 'not_found' ? MISMATCH : unconfirmed(outcome);
}

function ask<T>({ deps, row, by }: Run, action: string, call: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  const subject = {
    ...by,
    action,
    invitationId: row.id,
    sessionId: action.startsWith('session.') ? row.session_id : null,
  };
  return audited(noteIn(deps.sql), subject, call);
}
