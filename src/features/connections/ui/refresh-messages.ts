import type { Connection } from '../contract.ts';

interface Refreshed {
  status: 'updated' | 'incomplete' | 'pending' | 'sign_in_needed';
  connection: Pick<Connection, 'institution'>;
}

/** Describes the result of a refresh, with what happens to the figures. */
export function describeRefresh({ status, connection: { institution } }: Refreshed): string {
  switch (status) {
    case 'updated':
      return `${institution} is up to date.`;
    case 'incomplete':
      return `${institution} did not return all figures. The last ones are kept.`;
    case 'pending':
      return `${institution} is slow to answer. Its figures appear here when they arrive.`;
    case 'sign_in_needed':
      return `${institution} needs you to sign in again. Its last figures are kept.`;
  }
}

/** Describes a refresh that came too soon after another. `retryAfter` is in seconds, null if unknown. */
export function describeTooSoon(institution: string, retryAfter: number | null): string {
  const wait = retryAfter === null ? 'in a minute' : `in ${retryAfter} ${retryAfter === 1 ? 'second' : 'seconds'}`;
  return `${institution} was refreshed less than a minute ago. You can refresh it again ${wait}.`;
}
