import { createHash } from 'node:crypto';

/** The link that a viewer opens. The fragment never reaches a server. */
export function linkOf(baseUrl: string, invitationId: string, ticket: string): string {
  return `${baseUrl}/demo-access#code=${Buffer.from(`${invitationId}.${ticket}`).toString('base64url')}`;
}

/** What is kept of a ticket. It is long and random, so a plain hash does. */
export const hashTicket = (ticket: string): Buffer => createHash('sha256').update(ticket).digest();
