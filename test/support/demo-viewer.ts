import { makeLink } from './demo-links.ts';
import { type ApiResponse, sendRequest, TestBrowser } from './identity.ts';

/** A viewer of the shared demo account: their browser, and API calls with their session. */
export interface DemoViewer {
  browser: TestBrowser;
  sessionId: string;
  /** Both parts of the viewer's link. */
  invitation: { invitation_id: string; ticket: string };
  call(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<ApiResponse>;
}

/** Creates a session from a ticket, without an invitation yet. `site` is the address of the service. */
export async function redeemTicket(
  { url }: { url: string },
  ticket: string,
  site?: string,
): Promise<Omit<DemoViewer, 'invitation'>> {
  const browser = new TestBrowser(url, site);
  const { status, body } = await browser.call('POST', '/client/sign_ins', { strategy: 'ticket', ticket });
  if (status !== 200) throw new Error(`the sign-in answered ${status}`);
  const sessionId = body.response.created_session_id as string;
  const authorization = `Bearer ${await browser.token(sessionId)}`;
  return {
    browser,
    sessionId,
    call: (method, path, sent, headers = {}) =>
      sendRequest(`${url}${path}`, method, sent, { authorization, ...headers }),
  };
}

/** Signs a viewer in with a new link, like the page. */
export async function signInViewer(service: Parameters<typeof makeLink>[0], site?: string): Promise<DemoViewer> {
  const { id, ticket } = await makeLink(service);
  const invitation = { invitation_id: id, ticket };
  const viewer = await redeemTicket(service, ticket, site);
  const { status } = await viewer.call('POST', '/api/demo-access/complete', invitation);
  if (status !== 200) throw new Error(`the sign-in was not completed: ${status}`);
  return { ...viewer, invitation };
}
