import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { assertAccessible } from '../support/browser.ts';
import { test } from './fixtures.ts';
import { fillCredentials, signUp } from './people.ts';

test('downloads one’s data and deletes the account after the password', { tag: '@slow' }, async ({ visit }) => {
  const page = await visit({ expected: [/422/] });
  const person = await signUp(page);
  await page.goto('/settings');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download my data' }).click(),
  ]);
  assert.match(download.suggestedFilename(), /^tally-[\d-]{10}\.json$/);
  assert.ok((await readFile(await download.path(), 'utf8')).includes(person.email));

  await page.getByRole('button', { name: 'Delete account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  await dialog.getByText('Kept without your name').waitFor();
  await assertAccessible(page, 'a deletion of the account');
  await dialog.getByRole('textbox', { name: 'Your password' }).fill('not my password');
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await dialog.getByRole('alert').getByText('Password is incorrect.').waitFor();
  await dialog.getByRole('textbox', { name: 'Your password' }).fill(person.password);
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await page.getByText('Your account is deleted.').waitFor();
  await page.goto('/sign-in');
  await fillCredentials(page, person);
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('alert').getByText('Email or password is incorrect.').waitFor();
});

test(
  'lists where a member is signed in and ends another session after the password',
  { tag: '@slow' },
  async ({ visit }) => {
    const page = await visit();
    const person = await signUp(page);
    const other = await visit({ expected: [/401/] });
    await other.goto('/sign-in?next=/settings/security');
    await fillCredentials(other, person);
    await other.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click();
    await other.getByRole('heading', { name: 'Where you are signed in' }).waitFor();

    await page.goto('/settings/security');
    await page.getByText('This browser', { exact: true }).waitFor();
    await assertAccessible(page, 'the list of sessions');
    await page.getByRole('button', { name: /^Sign out \w+, / }).click();
    const dialog = page.getByRole('dialog', { name: /^Sign out / });
    await dialog.getByRole('textbox', { name: 'Your password' }).fill(person.password);
    await dialog.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('Signed out. Open pages there notice it within a minute.').waitFor();
    await page.getByRole('button', { name: /^Sign out \w+, / }).waitFor({ state: 'detached' });
    await other.goto('/settings/security');
    await other.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
  },
);
