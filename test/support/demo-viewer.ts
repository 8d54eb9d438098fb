import { type Answer, callBackend, send, TestBrowser } from './identity.ts';

/** A viewer of the shared demo account: their browser, and calls of the API with their session. */
export interface DemoViewer {
  browser: TestBrowser;
  sessionId: string;
  call(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Answer>;
}

/**
 * Signs a viewer in by a ticket of the provider, without an invitation: the service must run with `SECRET_KEY` and
 * DEMO_ACCESS_STRICT=off.
 */
export async function signInViewer(url: string, demoAccountId: string): Promise<DemoViewer> {
  const { body: made } = await callBackend(url, 'POST', '/sign_in_tokens', { user_id: demoAccountId });
  const browser = new TestBrowser(url);
  const { body } = await browser.call('POST', '/client/sign_ins', { strategy: 'ticket', ticket: made.token });
  const sessionId = body.response.created_session_id as string;
  const authorization = `Bearer ${await browser.token(sessionId)}`;
  return {
    browser,
    sessionId,
    call: (method, path, sent, headers = {}) => send(`${url}${path}`, method, sent, { authorization, ...headers }),
  };
}
