import assert from 'node:assert/strict';
import { assertAccessible } from '../support/browser.ts';
import { addVirtualAuthenticator } from '../support/virtual-authenticator.ts';
import { test } from './fixtures.ts';
import { fillCredentials, registerSignedOut } from './people.ts';

test('adds, uses, renames and removes a passkey', { tag: '@slow' }, async ({ visit, service }) => {
  // Browsers offer passkeys at localhost, and none at the address of the other tests.
  const page = await visit({ expected: [/^request to elsewhere: http:\/\/localhost:/] });
  const site = service.url.replace('127.0.0.1', 'localhost');
  const authenticator = await addVirtualAuthenticator(page);
  const person = await registerSignedOut(page);
  const main = page.getByRole('main');
  const passkeys = page.getByRole('region', { name: 'Passkeys' });

  await test.step('adds a passkey after the password', async () => {
    await page.goto(`${site}/sign-in?next=/settings/security`);
    await fillCredentials(page, person);
    await main.getByRole('button', { name: 'Sign in', exact: true }).click();
    await passkeys.getByRole('button', { name: 'Add a passkey' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
    await dialog.getByRole('textbox', { name: 'Your password' }).fill(person.password);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await passkeys.getByText('not used yet').waitFor();
    assert.equal(await page.getByRole('checkbox', { name: 'Remove my passkeys too' }).isChecked(), false);
    await assertAccessible(page, 'a list of passkeys');
  });

  await test.step('renames it', async () => {
    await passkeys.getByRole('button', { name: /^Rename / }).click();
    const dialog = page.getByRole('dialog', { name: 'Rename passkey' });
    await dialog.getByLabel('Name').fill('My laptop');
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await passkeys.getByText('My laptop').waitFor();
    await dialog.waitFor({ state: 'detached' });
  });

  await test.step('signs in with it, without a password', async () => {
    await page.getByRole('button', { name: /^Account of / }).click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    await page.goto(`${site}/sign-in?next=/settings/security`);
    await authenticator.setUserVerified(false);
    await main.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('alert').getByText('No passkey was used.').waitFor();
    await assertAccessible(page, 'a failed sign-in by passkey');
    await authenticator.setUserVerified(true);
    await main.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await passkeys.getByText('last used').waitFor();
  });

  await test.step('removes it after the password', async () => {
    await passkeys.getByRole('button', { name: 'Remove My laptop' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove “My laptop”?' });
    await dialog.getByRole('textbox', { name: 'Your password' }).fill(person.password);
    await dialog.getByRole('button', { name: 'Remove passkey' }).click();
    await dialog.waitFor({ state: 'detached' });
    await passkeys.getByText('My laptop').waitFor({ state: 'detached' });
  });
});
