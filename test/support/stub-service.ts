import './page-stub.ts';
import { vi } from 'vitest';
import { session } from '../../src/ui/shell/session/session.ts';
import { type Fault, errorResponses } from './faults.ts';

/** Stub of the API and of the identity provider, for tests of UI code. */
export interface StubService {
  /** Calls to `/api` so far, for example “POST /api/watchlist”. */
  requests: string[];
  /** Fault of every call until it is reset to `null`. */
  fault: Fault | null;
  /** Ends the session as another device would. Calls are rejected, and the provider issues no further token. */
  endSession(): void;
  /** Signs the member Ada in, with a new session. */
  signIn(): Promise<void>;
}

const TOKEN = `e30.${btoa(JSON.stringify({ iat: 0, exp: 3_600 }))}.x`;

/**
 * Replaces `fetch` until the test ends, with Ada signed in. `answer` returns the body or the `Response` of a call
 * without a fault.
 */
export async function startStubService(answer: (call: string, body: unknown) => unknown): Promise<StubService> {
  let sessions = 0;
  let sessionEnded = false;
  const timeouts = new Set<AbortController>();
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const controller = new AbortController();
    timeouts.add(controller);
    return controller.signal;
  });
  const createSignInResponse = () => ({
    response: { status: 'complete', created_session_id: `sess_${sessions}` },
    client: {
      sessions: [
        {
          id: `sess_${sessions}`,
          status: 'active',
          user: { id: 'user_ada', email_addresses: [{ id: 'a', email_address: 'ada@example.com' }] },
          last_active_token: { jwt: TOKEN },
        },
      ],
    },
  });
  const service: StubService = {
    requests: [],
    fault: null,
    endSession: () => {
      sessionEnded = true;
    },
    async signIn() {
      const result = await session.signIn({ email: 'ada@example.com', password: 'long enough' });
      if (!result.ok) throw new Error(JSON.stringify(result));
    },
  };

  async function handleRequest(call: string, init: RequestInit): Promise<Response> {
    service.requests.push(call);
    if (sessionEnded) return Response.json({ code: 'UNAUTHENTICATED', message: 'Sign in.' }, { status: 401 });
    if (service.fault === 'never answers') {
      const pendingResponse = Promise.withResolvers<never>();
      init.signal?.addEventListener('abort', () => pendingResponse.reject(init.signal?.reason));
      // Trigger the timeout that the page set on this request.
      for (const timeout of timeouts) timeout.abort(new DOMException('signal timed out', 'TimeoutError'));
      timeouts.clear();
      return pendingResponse.promise;
    }
    if (service.fault) {
      const { json, ...responseInit } = errorResponses[service.fault];
      return Response.json(json, responseInit);
    }
    const body = await answer(call, init.body ? JSON.parse(init.body as string) : undefined);
    if (body instanceof Response) return body;
    return body === undefined ? new Response(null, { status: 204 }) : Response.json(body);
  }

  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init = {}) => {
    const path = input as string;
    if (path === '/api/config')
      return Response.json({
        frontend_api_url: '/_idp',
        sign_up: 'open',
        publishable_key: 'pk',
        base_url: 'http://127.0.0.1',
      });
    if (path.startsWith('/api/')) return handleRequest(`${init.method ?? 'GET'} ${path}`, init);
    if (path.endsWith('/sign_ins')) {
      sessions += 1;
      sessionEnded = false;
      return Response.json(createSignInResponse());
    }
    return sessionEnded ? Response.json({ errors: [] }, { status: 401 }) : Response.json({ jwt: TOKEN });
  });
  await service.signIn();
  return service;
}
