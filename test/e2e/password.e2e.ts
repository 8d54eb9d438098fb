import assert from 'node:assert/strict';
import { assertAccessible } from '../support/browser.ts';
import { test } from './fixtures.ts';
import { fillCredentials, signUp } from './people.ts';

test('changes the password in the settings and accepts the new one at sign-in', { tag: '@slow' }, async ({ visit }) => {
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
  assert.equal(await form.getByRole('checkbox').count(), 0, 'there is nothing to end');
  await change(person.password, 'a new one of mine');
  await page.getByText('Your other sessions have ended.').waitFor();
  assert.equal(await form.getByRole('alert').count(), 0);

  const otherBrowserPage = await visit();
  await otherBrowserPage.goto('/sign-in');
  await fillCredentials(otherBrowserPage, { ...person, password: 'a new one of mine' });
  await otherBrowserPage.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click();
  await otherBrowserPage.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
});

test(
  'asks for the password before a new key when the sign-in was eleven minutes ago',
  { tag: '@slow' },
  async ({ visit, service }) => {
    const page = await visit({ expected: [/403/, /422/] });
    const person = await signUp(page);
    await service.database.owner(
      `update idp.sessions set created_at = now() - interval '11 minutes'
      where user_id = (select id from idp.users where email = $1)`,
      [person.email],
    );
    await page.goto('/settings/api-keys');
    const create = async () => {
      await page.getByLabel('Name').fill('Build server');
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('dialog', { name: 'Confirm that it is you' }).waitFor();
    };
    await create();
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('alert').getByText('Nothing has changed').waitFor();

    await create();
    await assertAccessible(page, 'a confirmation with the password');
    await dialog.getByRole('textbox', { name: 'Your password' }).fill('not my password');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('alert').getByText('Password is incorrect.').waitFor();
    await dialog.getByRole('textbox', { name: 'Your password' }).fill(person.password);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('region', { name: 'Your new key' }).getByText(/^sk-/).waitFor();
  },
);
