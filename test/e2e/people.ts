import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { eventually } from '../support/eventually.ts';
import { createRandomAddress } from '../support/random-address.ts';

export interface Person {
  email: string;
  password: string;
}

/** Creates a person without an account. */
export function createPerson(): Person {
  return { email: `${randomUUID()}@example.com`, password: `a long password ${randomUUID()}` };
}

export async function fillCredentials(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
}

/**
 * Creates an account and signs the page's browser in with the calls of the form. Skipping the form saves two page loads
 * in each test of other behavior. No page is open afterwards.
 */
export async function register(page: Page, person: Person = createPerson()): Promise<Person> {
  const { request } = page.context();
  const origin = new URL((await request.get('/healthz')).url()).origin;
  const signedUp = await request.post('/_idp/v1/client/sign_ups', {
    headers: { origin, 'x-forwarded-for': createRandomAddress() },
    form: { email_address: person.email, password: person.password },
  });
  assert.equal(signedUp.status(), 200, await signedUp.text());
  const { response } = (await signedUp.json()) as { response: { created_session_id: string } };
  const token = await request.post(`/_idp/v1/client/sessions/${response.created_session_id}/tokens`, {
    headers: { origin },
  });
  const { jwt } = (await token.json()) as { jwt: string };
  // The service creates a member's row at the first request, and learns the address from the provider's webhook. Tests
  // find people by address.
  await eventually(async () => {
    const me = await request.get('/api/me', { headers: { authorization: `Bearer ${jwt}` } });
    assert.equal(me.status(), 200, await me.text());
    return ((await me.json()) as { email: string | null }).email === person.email;
  });
  return person;
}

/** Creates an account that the page's browser is not signed in to. */
export async function registerSignedOut(page: Page): Promise<Person> {
  const person = await register(page);
  await page.context().clearCookies();
  return person;
}

/** Creates a new member and opens the dashboard. */
export async function signUp(page: Page, person: Person = createPerson()): Promise<Person> {
  await register(page, person);
  await page.goto('/dashboard');
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  return person;
}

/** Opens the settings from the account menu. */
export async function openSettings(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account of / }).click();
  await page.getByRole('group', { name: 'Account', exact: true }).getByRole('link', { name: 'Settings' }).click();
}

/** Opens the API keys from the developers' page of the account menu. */
export async function openApiKeys(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account of / }).click();
  await page.getByRole('group', { name: 'Account', exact: true }).getByRole('link', { name: 'Developers' }).click();
  await page.getByRole('main').getByRole('link', { name: 'API keys' }).click();
}

/**
 * Ends the session of the page's browser remotely, as an administrator or its expiry after seven days would. Pages
 * receive no notice.
 */
export async function endSessionRemotely(page: Page): Promise<void> {
  const request = page.context().request;
  const { response } = (await (await request.get('/_idp/v1/client')).json()) as {
    response: { sessions: { id: string }[] };
  };
  for (const { id } of response.sessions) {
    const ended = await request.post(`/_idp/v1/client/sessions/${id}/end`);
    assert.equal(ended.status(), 200, await ended.text());
  }
}
