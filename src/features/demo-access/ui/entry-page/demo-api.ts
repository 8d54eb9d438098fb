import * as z from 'zod/mini';
import type { DemoLink } from './read-link.ts';

/** Response of our API. `status` is 0 without a response. `code` is empty unless the response is an error. */
export interface DemoApiResponse {
  status: number;
  code: string;
  /** Seconds to wait before a retry, if the response contains them. */
  retryAfter: number | null;
}

/** Calls of our API, each with the session of the given token. No function throws. */
export interface DemoApi {
  /** `isDemoAccount` is null unless the status is 200. */
  fetchIdentity(jwt: string): Promise<DemoApiResponse & { isDemoAccount: boolean | null }>;
  complete(jwt: string, link: DemoLink): Promise<DemoApiResponse>;
}

const TIMEOUT_MS = 20_000;
const meResponse = z.object({ is_demo_account: z.boolean() });
const errorBody = z.object({ code: z.string() });

/** Creates the client of this origin's API. Its only credential is the token. */
export function createDemoApi(): DemoApi {
  async function call(path: string, jwt: string, init: RequestInit = {}): Promise<DemoApiResponse & { body: unknown }> {
    try {
      const response = await fetch(path, {
        ...init,
        credentials: 'omit',
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: { ...init.headers, authorization: `Bearer ${jwt}` },
      });
      const body: unknown = await response.json();
      const retryAfter = Number(response.headers.get('retry-after') ?? undefined);
      return {
        status: response.status,
        code: (!response.ok && errorBody.safeParse(body).data?.code) || '',
        retryAfter: retryAfter > 0 ? retryAfter : null,
        body,
      };
    } catch {
      // A truncated or non-JSON response carries no information, so the call may be repeated.
      return { status: 0, code: '', retryAfter: null, body: null };
    }
  }

  return {
    async fetchIdentity(jwt) {
      const response = await call('/api/me', jwt);
      return { ...response, isDemoAccount: meResponse.safeParse(response.body).data?.is_demo_account ?? null };
    },
    complete: (jwt, { invitationId, ticket }) =>
      call('/api/demo-access/complete', jwt, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ invitation_id: invitationId, ticket }),
      }),
  };
}
