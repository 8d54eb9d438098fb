import assert from 'node:assert/strict';
import { type Deviations, SoftwareAuthenticator } from './authenticator.ts';
import { type ApiResponse, startIdentityApp, TestBrowser, type TestIdentityOptions } from './identity.ts';
import type { TestScope } from './test-scope.ts';

/** Browsers offer passkeys only at a site with https and a domain. */
export const PASSKEY_SITE = 'https://tally.test';

/** Starts identity at a site with passkeys. */
export const startPasskeyApp = (t: TestScope, options: TestIdentityOptions = {}) =>
  startIdentityApp(t, { baseUrl: PASSKEY_SITE, ...options });

export const createPasskeyBrowser = (url: string): TestBrowser => new TestBrowser(url, PASSKEY_SITE);

/** Requests the options of a new passkey. */
export async function requestRegistration(browser: TestBrowser): Promise<{ id: string; nonce: string }> {
  const { status, body } = await browser.call('POST', '/me/passkeys', {});
  assert.equal(status, 200, JSON.stringify(body));
  return { id: body.response.id, nonce: body.response.verification.nonce };
}

/** Sends a new passkey for verification. */
export const attemptRegistration = (browser: TestBrowser, id: string, credential: string): Promise<ApiResponse> =>
  browser.call('POST', `/me/passkeys/${id}/attempt_verification`, {
    strategy: 'passkey',
    public_key_credential: credential,
  });

/** Adds a passkey to the signed-in user of the browser and returns its authenticator. */
export async function addPasskey(browser: TestBrowser): Promise<{ id: string; authenticator: SoftwareAuthenticator }> {
  const authenticator = new SoftwareAuthenticator(PASSKEY_SITE);
  const { id, nonce } = await requestRegistration(browser);
  const { status, body } = await attemptRegistration(browser, id, authenticator.create(nonce));
  assert.equal(status, 200, JSON.stringify(body));
  return { id, authenticator };
}

/** Starts a sign-in by passkey. */
export async function startPasskeySignIn(browser: TestBrowser): Promise<{ id: string; nonce: string }> {
  const { status, body } = await browser.call('POST', '/client/sign_ins', { strategy: 'passkey' });
  assert.equal(status, 200, JSON.stringify(body));
  return { id: body.response.id, nonce: body.response.first_factor_verification.nonce };
}

/** Sends the signature of a passkey for a sign-in. */
export const attemptPasskeySignIn = (browser: TestBrowser, id: string, credential: string): Promise<ApiResponse> =>
  browser.call('POST', `/client/sign_ins/${id}/attempt_first_factor`, {
    strategy: 'passkey',
    public_key_credential: credential,
  });

/** Signs a browser in with a passkey, or attempts to, and returns the last response. */
export async function signInByPasskey(
  browser: TestBrowser,
  authenticator: SoftwareAuthenticator,
  deviations: Deviations = {},
): Promise<ApiResponse> {
  const { id, nonce } = await startPasskeySignIn(browser);
  return attemptPasskeySignIn(browser, id, authenticator.sign(nonce, deviations));
}
