import type { ProviderResult } from '../../platform/identity/provider-client.ts';
import type { SignInToken } from '../../platform/identity/provider-shapes.ts';
import {
  withAudit,
  type AuditActor,
  describeResult,
  createAuditRecorder,
  type AuditSubject,
  createBestEffortAuditRecorder,
} from './audit.ts';
import type { DemoAccessContext } from './context.ts';
import { hashTicket } from './bind-queries.ts';
import { closeUnsentInvitation, deleteFailedInvitation, insertInvitation, storeTicket } from './queries.ts';

/** Lifetime of a link in seconds. */
const LINK_LIFETIME_SECONDS = 24 * 3600;
const RETRY_SECONDS = 5;

export interface CreateContext extends DemoAccessContext {
  baseUrl: string;
  /** Returns whether the demo account can be shown. `reason` is a sentence that states the missing step. */
  isReady: (idpUserId: string) => Promise<{ ok: true } | { ok: false; reason: string }>;
}

type CreateResult =
  | { ok: true; id: string; label: string; link: string; expiresAt: Date }
  | { ok: false; reason: 'not_configured' | 'rejected' }
  | { ok: false; reason: 'not_ready'; message: string }
  | { ok: false; reason: 'unavailable'; retryAfter: number; cause?: Error };

type InvitationSubject = AuditSubject & { invitationId: string };
type Ticket = SignInToken & { token: string };

/**
 * Creates an invitation. The row is stored before the ticket is requested. If the response is lost, the row remains
 * with a pending revocation until the possible ticket has expired.
 */
export async function createInvitation(
  context: CreateContext,
  label: string,
  auditActor: AuditActor,
): Promise<CreateResult> {
  const { sql, provider, baseUrl } = context;
  const { demoAccountId } = context.accounts;
  if (demoAccountId === undefined) return { ok: false, reason: 'not_configured' };
  const readiness = await context.isReady(demoAccountId);
  if (!readiness.ok) return { ok: false, reason: 'not_ready', message: readiness.reason };

  const subject = (invitationId: string) => ({ ...auditActor, action: 'ticket.create', invitationId });
  const { id, expires_at } = await sql.transaction(async (tx) => {
    const row = await insertInvitation(tx, { label, idpUserId: demoAccountId });
    await createAuditRecorder(tx)(subject(row.id), 'intent');
    return row;
  });
  const outcome = await provider.createSignInToken(demoAccountId, LINK_LIFETIME_SECONDS);
  if (!outcome.ok) return closeFailedInvitation(context, outcome, subject(id));

  const stored = await storeTicketHash(context, outcome, subject(id));
  if (!stored.ok) return { ...stored, reason: 'unavailable', retryAfter: RETRY_SECONDS };
  return { ok: true, id, label, link: buildLink(baseUrl, id, outcome.value.token), expiresAt: expires_at };
}

/** Stores the ticket's hash. Revokes the ticket at once if the hash cannot be stored. */
async function storeTicketHash(
  context: CreateContext,
  outcome: ProviderResult<Ticket> & { ok: true },
  subject: InvitationSubject,
): Promise<{ ok: true } | { ok: false; cause?: Error }> {
  const { id: tokenId, token } = outcome.value;
  const id = subject.invitationId;
  try {
    const isStored = await context.sql.transaction(async (tx) => {
      await createAuditRecorder(tx)(subject, 'ok', outcome.traceId);
      return storeTicket(tx, { id, ticketHash: hashTicket(token), tokenId });
    });
    if (isStored) return { ok: true };
    await revokeUnsentTicket(context, outcome.value, subject);
    return { ok: false };
  } catch (error) {
    await revokeUnsentTicket(context, outcome.value, subject);
    return { ok: false, cause: error as Error };
  }
}

/** Builds the link for the viewer. Browsers never send the fragment to a server. */
function buildLink(baseUrl: string, invitationId: string, ticket: string): string {
  return `${baseUrl}/demo-access#code=${Buffer.from(`${invitationId}.${ticket}`).toString('base64url')}`;
}

/** Revokes a ticket whose link was never returned. The reconciler repeats a failed revocation. */
async function revokeUnsentTicket(context: CreateContext, ticket: Ticket, subject: InvitationSubject): Promise<void> {
  const revokeSubject = { ...subject, action: 'ticket.revoke' };
  const outcome = await withAudit(createBestEffortAuditRecorder(context), revokeSubject, () =>
    context.provider.revokeSignInToken(ticket.id),
  );
  const closedTicket = { ticketHash: hashTicket(ticket.token), tokenId: ticket.id, isRevoked: outcome.ok };
  await closeUnsentInvitation(context.sql, subject.invitationId, closedTicket).catch((err: unknown) =>
    context.logger.error({ err, invitation: subject.invitationId }, 'failed to close an invitation without a link'),
  );
}

/**
 * Closes a failed invitation. Deletes the row after a definite rejection. Otherwise a ticket may exist, and the row
 * remains for the ticket's lifetime.
 */
async function closeFailedInvitation(
  { sql, logger }: CreateContext,
  outcome: ProviderResult<Ticket> & { ok: false },
  subject: InvitationSubject,
): Promise<CreateResult> {
  const id = subject.invitationId;
  await sql
    .transaction(async (tx) => {
      await (isDefiniteRejection(outcome) ? deleteFailedInvitation(tx, id) : closeUnsentInvitation(tx, id));
      await createAuditRecorder(tx)(subject, describeResult(outcome), outcome.traceId);
    })
    .catch((err: unknown) => logger.error({ err, invitation: id }, 'failed to close an invitation without a ticket'));
  logger.warn({ invitation: id, outcome: describeResult(outcome) }, 'identity provider confirmed no ticket');
  if (outcome.reason === 'unconfirmed')
    return { ok: false, reason: 'unavailable', retryAfter: outcome.retryAfter ?? RETRY_SECONDS };
  return { ok: false, reason: 'rejected' };
}

/**
 * Returns whether the provider itself rejected the request, so that no ticket exists. The error page of a proxy proves
 * nothing.
 */
const isDefiniteRejection = (outcome: ProviderResult<Ticket> & { ok: false }): boolean =>
  outcome.reason !== 'unconfirmed' || (outcome.code !== null && [401, 403, 429].includes(outcome.status ?? 0));
