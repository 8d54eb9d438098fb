import { session } from '../../../ui/shell/session/session.ts';

const UNAVAILABLE = 'The sample portfolio is not available right now. Try again in a minute.';
const TIMEOUT_MS = 15_000;

/** Signs this browser in as the sample user. Returns a sentence if that failed, else null. */
export async function openSample(): Promise<string | null> {
  const ticket = await requestTicket();
  if (typeof ticket !== 'string') return ticket.problem;
  const redeemed = await session.redeemTicket(ticket);
  if (redeemed.ok) return null;
  if (!redeemed.problems.some(({ code }) => code === 'session_exists')) return UNAVAILABLE;
  // Another tab has signed in. Its session is used.
  await session.start();
  return null;
}

/** Requests a ticket without the member's call of the API, since a visitor has no token. */
async function requestTicket(): Promise<string | { problem: string }> {
  try {
    const response = await fetch('/api/sample-portfolio', {
      method: 'POST',
      credentials: 'omit',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body = (await response.json()) as { ticket?: unknown };
    if (response.status === 201 && typeof body.ticket === 'string') return body.ticket;
    if (response.status === 429) return { problem: 'Too many requests in a short time. Try again in a minute.' };
    return { problem: UNAVAILABLE };
  } catch {
    return { problem: 'Tally cannot be reached. Check your connection and try again.' };
  }
}
