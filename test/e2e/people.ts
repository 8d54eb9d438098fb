import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';

export interface Person {
  email: string;
  password: string;
}

/** Somebody who is not known yet. */
export function newPerson(): Person {
  return { email: `${randomUUID()}@example.com`, password: `a long password ${randomUUID()}` };
}

export async function fillCredentials(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
}

/** Makes an account through the page and ends on the dashboard. */
export async function signUp(page: Page, person: Person = newPerson()): Promise<Person> {
  await page.goto('/sign-up');
  await fillCredentials(page, person);
  await page.getByRole('main').getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
  return person;
}

/** Ends the session of the page's browser from outside, as an administrator or its seven days would. Pages are not told. */
export async function endSessionElsewhere(page: Page): Promise<void> {
  const request = page.context().request;
  const { response } = (await (await request.get('/_idp/v1/client')).json()) as { response: { sessions: { id: string }[] } };
  for (const { id } of response.sessions) {
    const ended = await request.post(`/_idp/v1/client/sessions/${id}/end`);
    assert.equal(ended.status(), 200, await ended.text());
  }
}
