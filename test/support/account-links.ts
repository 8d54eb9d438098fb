import { type ApiResponse, TestBrowser } from './identity.ts';

/** Returns the id and the secret of a link's code. */
export function readLink(text: string): { id: string; secret: string } {
  const found = /#code=([\w-]+)\.([\w-]+)/.exec(text);
  if (!found) throw new Error(`There is no link in: ${text}`);
  return { id: found[1]!, secret: found[2]! };
}

/** Sets a password with the link in the text, as the page does. */
export function setPasswordByLink(url: string, text: string, password: string): Promise<ApiResponse> {
  const { id, secret } = readLink(text);
  return new TestBrowser(url).call('POST', `/client/sign_ins/${id}/reset_password`, { code: secret, password });
}

/** Opens the link in the text that confirms an address, as the page does when its button is pressed. */
export function confirmEmailByLink(url: string, text: string): Promise<ApiResponse> {
  const { id, secret } = readLink(text);
  return new TestBrowser(url).call('POST', '/verify', { token: `${id}.${secret}` });
}
