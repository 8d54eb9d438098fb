import { queryOptions } from '@tanstack/react-query';
import { type Decoder, fields, list, optional, text } from '../../../ui/shell/session/decode.ts';
import { readFrontendApi } from '../../../ui/shell/session/read-frontend-api.ts';

const number: Decoder<number> = (value) => {
  if (typeof value !== 'number') throw new TypeError(`expected a number, got ${typeof value}`);
  return value;
};

const decodeSessions = list(
  fields({
    id: text,
    last_active_at: number,
    latest_activity: optional(fields({ browser_name: optional(text), ip_address: optional(text) })),
  }),
);

/** A browser in which the member is signed in. */
export interface AccountSession {
  id: string;
  /** Name of the browser, such as Firefox. */
  device: string;
  address: string | null;
  lastActiveAt: string;
}

/** Reads the active sessions of the member from the embedded identity provider, the most recently used first. */
export const accountSessionsQuery = queryOptions({
  queryKey: ['identity', 'sessions'],
  queryFn: async (): Promise<AccountSession[]> => {
    const sessions = await readFrontendApi('/v1/me/sessions/active', decodeSessions, 'Your sessions cannot be read.');
    return sessions
      .toSorted((left, right) => right.last_active_at - left.last_active_at)
      .map(({ id, latest_activity: activity, last_active_at: lastActiveAt }) => ({
        id,
        device: activity?.browser_name ?? 'Unknown browser',
        address: activity?.ip_address ?? null,
        lastActiveAt: new Date(lastActiveAt).toISOString(),
      }));
  },
});
