import type { Outcome } from '../../platform/identity/provider-client.ts';
import type { SignInToken } from '../../platform/identity/provider-shapes.ts';
import { audited, type By, inWords, noteIn, type Subject, tryNoteIn } from './audit.ts';
import type { DemoAccessContext } from './context.ts';
import { hashTicket } from './bind-queries.ts';
import { abandonInvitation, deleteUnmade, insertInvitation, storeTicket } from './queries.ts';

/** Seconds in which a link can be used. */
const LIFETIME = 24 * 3600;
const RETRY_SECONDS = 5;

export interface CreateContext extends DemoAccessContext {
  baseUrl: string;
  /** Whether the demo account can be shown, with what is missing as a sentence. */
  isReady: (idpUserId: string) => Promise<{ ok: true } | { ok: false; reason: string }>;
}

type Created =
  | { ok: true; id: string; label: string; link: string; expiresAt: Date }
  | { ok: false; reason: 'not_configured' | 'refused' }
  | { ok: false; reason: 'not_ready'; message: string }
  | { ok: false; reason: 'unavailable'; retryAfter: number; cause?: Error };

type OfInvitation = Subject & { invitationId: string };
type Ticket = SignInToken & { token: string };

/**
 * Makes an invitation. Its row exists before the ticket is asked for; where the answer is lost it stays, as one whose
 * revocation is pending, until the ticket that may exist has expired.
 */
export async function createInvitation(deps: CreateContext, label: string, by: By): Promise<Created> {
  const { sql, provider, baseUrl } = deps;
  const { demoAccountId } = deps.accounts;
  if (demoAccountId === undefined) return { ok: false, reason: 'not_configured' };
  const ready = await deps.isReady(demoAccountId);
  if (!ready.ok) return { ok: false, reason: 'not_ready', message: ready.reason };

  const subject = (invitationId: string) => ({ ...by, action: 'ticket.create', invitationId });
  const { id, expires_at } = await sql.transaction(async (tx) => {
    const row = await insertInvitation(tx, { label, idpUserId: demoAccountId });
    await noteIn(tx)(subject(row.id), 'intent');
    return row;
  });
  const outcome = await provider.createSignInToken(demoAccountId, LIFETIME);
  if (!outcome.ok) return giveUp(deps, outcome, subject(id));

  const stored = await keepTicket(deps, outcome, subject(id));
  if (!stored.ok) return { ...stored, reason: 'unavailable', retryAfter: RETRY_SECONDS };
  return { ok: true, id, label, link: linkOf(baseUrl, id, outcome.value.token), expiresAt: expires_at };
}

/** Keeps the ticket's hash; a ticket that cannot be kept is revoked at once. */
async function keepTicket(
  deps: CreateContext,
  outcome: Outcome<Ticket> & { ok: true },
  subject: OfInvitation,
): Promise<{ ok: true } | { ok: false; cause?: Error }> {
  const { id: tokenId, token } = outcome.value;
  const id = subject.invitationId;
  try {
    const kept = await deps.sql.transaction(async (tx) => {
      await noteIn(tx)(subject, 'ok', outcome.traceId);
      return storeTicket(tx, { id, ticketHash: hashTicket(token), tokenId });
    });
    if (kept) return { ok: true };
    await discard(deps, outcome.value, subject);
    return { ok: false };
  } catch (error) {
    await discard(deps, outcome.value, subject);
    return { ok: false, cause: error as Error };
  }
}

/** The link that a viewer opens. The fragment never reaches a server. */
function linkOf(baseUrl: string, invitationId: string, ticket: string): string {
  return `${baseUrl}/demo-access#code=${Buffer.from(`${invitationId}.${ticket}`).toString('base64url')}`;
}

/** Revokes a ticket that nobody was given, and hands what is left of it to the reconciler. */
async function discard(deps: CreateContext, ticket: Ticket, subject: OfInvitation): Promise<void> {
  const revoke = { ...subject, action: 'ticket.revoke' };
  const outcome = await audited(tryNoteIn(deps), revoke, () => deps.provider.revokeSignInToken(ticket.id));
  const kept = { ticketHash: hashTicket(ticket.token), tokenId: ticket.id, isRevoked: outcome.ok };
  await abandonInvitation(deps.sql, subject.invitationId, kept).catch((err: unknown) =>
    deps.logger.error({ err, invitation: subject.invitationId }, 'an invitation without a link could not be closed'),
  );
}

/** After a refusal nothing was made and the row goes; else a ticket may exist, and the row stays for its lifetime. */
async function giveUp(
  { sql, logger }: CreateContext,
  outcome: Outcome<Ticket> & { ok: false },
  subject: OfInvitation,
): Promise<Created> {
  const id = subject.invitationId;
  await sql
    .transaction(async (tx) => {
      await (isRefusal(outcome) ? deleteUnmade(tx, id) : abandonInvitation(tx, id));
      await noteIn(tx)(subject, inWords(outcome), outcome.traceId);
    })
    .catch((err: unknown) =>
      logger.error({ err, invitation: id }, 'an invitation without a ticket could not be closed'),
    );
  logger.warn({ invitation: id, outcome: inWords(outcome) }, 'the identity provider made no ticket');
  if (outcome.reason === 'unconfirmed')
    return { ok: false, reason: 'unavailable', retryAfter: outcome.retryAfter ?? RETRY_SECONDS };
  return { ok: false, reason: 'refused' };
}

/** Whether the provider itself has refused, so that no ticket exists; a proxy's page says nothing of that. */
const isRefusal = (outcome: Outcome<Ticket> & { ok: false }): boolean =>
  outcome.reason !== 'unconfirmed' || (outcome.code !== null && [401, 403, 429].includes(outcome.status ?? 0));
