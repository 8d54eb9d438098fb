import { type Answer, send, TestBrowser } from './identity.ts';
import type { TestService } from './service.ts';

/** A viewer of the shared demo account: their browser, and calls of the API with their session. */
export interface DemoViewer {
  browser: TestBrowser;
  sessionId: string;
  /** Both parts of the link that they came by. */
  invitation: { invitation_id: string; ticket: string };
  call(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Answer>;
}

/** Signs a viewer in by a link of their own, as its page does; the service must be reached as `SITE`. */
export async function signInViewer({ url, firstRun }: Pick<TestService, 'url' | 'firstRun'>): Promise<DemoViewer> {
  const operator = { authorization: `Bearer ${firstRun.operator_token}` };
  const { body: made } = await send(`${url}/api/internal/demo-access`, 'POST', { label: 'A viewer' }, operator);
  const code = Buffer.from(new URL(made.link).hash.slice('#code='.length), 'base64url').toString();
  const invitation = { invitation_id: made.id as string, ticket: code.slice(code.indexOf('.') + 1) };
  const browser = new TestBrowser(url);
  const { body } = await browser.call('POST', '/client/sign_ins', { strategy: 'ticket', ticket: invitation.ticket });
  const sessionId = body.response.created_session_id as string;
  const authorization = `Bearer ${await browser.token(sessionId)}`;
  const call: DemoViewer['call'] = (method, path, sent, headers = {}) =>
    send(`${url}${path}`, method, sent, { authorization, ...headers });
  const { status } = await call('POST', '/api/demo-access/complete', invitation);
  if (status !== 200) throw new Error(`the sign-in was not completed: ${status}`);
  return { browser, sessionId, invitation, call };
}
