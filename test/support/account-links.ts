import { type ApiResponse, TestBrowser } from './identity.ts';

/** Returns the id and the secret of a link's code. */
export function readLink(text: string): { id: string; secret: string } {
  const found = /#code=([\w-]+)\.([\w-]+)/.exec(text);
  if (!found) throw new Error(`There is no link in: ${text}`);
  return { id: found[1]!, secret: found[2]! };
}

/** Enters the code of a link in a sign-in. */
export function enterCode(browser: TestBrowser, signInId: string, code: string): Promise<ApiResponse> {
  const path = `/client/sign_ins/${encodeURIComponent(signInId)}/attempt_first_factor`;
  return browser.call('POST', path, { strategy: 'reset_password_email_code', code });
}

/** Sets a password with the link in the text, as the page does. Returns the response that ended it. */
export async function setPasswordByLink(
  url: string,
  text: string,
  password: string,
  browser = new TestBrowser(url),
): Promise<ApiResponse> {
  const { id, secret } = readLink(text);
  const accepted = await enterCode(browser, id, `${id}.${secret}`);
  return accepted.status === 200
    ? browser.call('POST', `/client/sign_ins/${id}/reset_password`, { password })
    : accepted;
}

/** Opens the link in the text that confirms an address, as the page does when its button is pressed. */
export function confirmEmailByLink(browser: TestBrowser, text: string, password?: string): Promise<ApiResponse> {
  const { id, secret } = readLink(text);
  return browser.call('POST', '/verify', { token: `${id}.${secret}`, ...(password !== undefined && { password }) });
}
