import assert from 'node:assert/strict';
import { test } from './fixtures.ts';
import { fillCredentials, signUp } from './people.ts';

test('changes the password in the settings and accepts the new one at sign-in', async ({ visit }) => {
  const page = await visit({ expected: [/422/] });
  const person = await signUp(page);
  await page.goto('/settings/security');
  const form = page.locator('form', { has: page.getByLabel('New password') });
  const change = async (current: string, next: string) => {
    await form.getByRole('textbox', { name: 'Current password' }).fill(current);
    await form.getByRole('textbox', { name: 'New password' }).fill(next);
    await form.getByRole('button', { name: 'Change password' }).click();
  };
  await change('not my password', 'a new one of mine');
  await form.getByRole('alert').getByText('Current password is incorrect.').waitFor();
  await change(person.password, 'password1');
  await form.getByRole('alert').getByText('too common').waitFor();
  assert.ok(await form.getByRole('checkbox', { name: 'Revoke my API keys and assistant tokens too' }).isChecked());
  await change(person.password, 'a new one of mine');
  await page.getByText('your API keys and assistant tokens are revoked').waitFor();
  assert.equal(await form.getByRole('alert').count(), 0);

  const otherBrowserPage = await visit();
  await otherBrowserPage.goto('/sign-in');
  await fillCredentials(otherBrowserPage, { ...person, password: 'a new one of mine' });
  await otherBrowserPage.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click();
  await otherBrowserPage.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
});
