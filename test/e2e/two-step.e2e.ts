import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { generateSync } from 'otplib';
import { assertAccessible } from '../support/browser.ts';
import { test } from './fixtures.ts';
import { endSessionRemotely, fillCredentials, type Person, signUp } from './people.ts';

/** Opens the sign-in page and enters email and password. */
async function enterPassword(page: Page, person: Person): Promise<void> {
  await page.goto('/sign-in');
  await fillCredentials(page, person);
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Two-step verification', level: 1 }).waitFor();
}

/** Sends a code or a recovery code of a sign-in. */
async function enterCode(page: Page, label: 'Code' | 'Recovery code', code: string): Promise<void> {
  await page.getByRole('textbox', { name: label, exact: true }).fill(code);
  await page.getByRole('button', { name: 'Sign in', exact: true }).last().click();
}

test('signs in with an authenticator app until it is turned off', { tag: '@slow' }, async ({ visit, service }) => {
  const page = await visit({ expected: [/422/] });
  const person = await signUp(page);
  /** Makes the code of this time step usable again, since a test does not wait for the next. */
  const nextCode = async (): Promise<string> => {
    await service.database.owner(
      `update idp.totp_factors set last_used_step = null
       where user_id = (select id from idp.users where email = $1)`,
      [person.email],
    );
    return generateSync({ secret });
  };
  let secret = '';
  let codes: string[] = [];

  await test.step('shows the key, accepts a code and shows recovery codes once', async () => {
    await page.goto('/settings/security');
    await page.getByRole('button', { name: 'Set up an app' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' });
    await dialog.getByRole('textbox', { name: 'Your password' }).fill(person.password);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
    await assertAccessible(page, 'the set-up of an app');
    secret = (await dialog.locator('code').textContent())!.replaceAll(' ', '');
    await dialog.getByRole('textbox', { name: 'Code' }).fill('12 34');
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await dialog.getByRole('alert').getByText('This code is incorrect.').waitFor();
    await dialog.getByRole('textbox', { name: 'Code' }).fill(generateSync({ secret }));
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    const shown = page.getByRole('dialog', { name: 'Two-step verification is on' });
    await shown.getByRole('region', { name: 'Your recovery codes' }).waitFor();
    await assertAccessible(page, 'new recovery codes');
    codes = await shown.getByRole('listitem').allTextContents();
    await page.keyboard.press('Escape');
    assert.equal(await shown.isVisible(), true, 'Escape does not lose the codes');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      shown.getByRole('button', { name: 'Download' }).click(),
    ]);
    assert.equal(await readFile(await download.path(), 'utf8'), `${codes.join('\n')}\n`);
    await shown.getByRole('button', { name: 'I have saved them' }).click();
    await page.getByText('If you lose your phone, sign in with one of your recovery codes.').waitFor();
  });

  await test.step('asks for the code at the sign-in and accepts a recovery code', async () => {
    const other = await visit({ expected: [/422/] });
    await enterPassword(other, person);
    await assertAccessible(other, 'the second step of a sign-in');
    await other.getByRole('button', { name: 'Back to sign-in' }).click();
    assert.equal(await other.getByRole('textbox', { name: 'Email' }).inputValue(), person.email);
    await enterPassword(other, person);
    await enterCode(other, 'Code', '12 34');
    await other.getByRole('alert').getByText('This code is incorrect.').waitFor();
    await enterCode(other, 'Code', await nextCode());
    await other.getByRole('heading', { name: 'Home', level: 1 }).waitFor();

    const third = await visit();
    await enterPassword(third, person);
    await third.getByText('Enter the code of your authenticator app.').waitFor();
    await third.getByRole('button', { name: 'Use a recovery code' }).click();
    await third.getByText('Enter one of your recovery codes.').waitFor();
    assert.equal(await third.getByText('authenticator app.').count(), 0);
    await enterCode(third, 'Recovery code', codes[0]!.toUpperCase());
    await third.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  });

  await test.step('continues on the page after an ended session with password and code', async () => {
    const ended = await visit({ expected: [/401/] });
    await ended.clock.install();
    await enterPassword(ended, person);
    await enterCode(ended, 'Code', await nextCode());
    await ended.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await endSessionRemotely(ended);
    await ended.clock.fastForward(60_000);
    const dialog = ended.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByRole('textbox', { name: 'Password' }).fill(person.password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.getByRole('textbox', { name: 'Code' }).fill(await nextCode());
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  await test.step('turns it off after password and code', async () => {
    await page.getByRole('button', { name: 'Turn off' }).click();
    const dialog = page.getByRole('dialog', { name: 'Turn off two-step verification?' });
    await dialog.getByRole('textbox', { name: 'Your password' }).fill(person.password);
    await dialog.getByRole('textbox', { name: 'Code' }).fill(await nextCode());
    await dialog.getByRole('button', { name: 'Turn off' }).click();
    await page.getByText('Two-step verification is off.').waitFor();
    await page.getByRole('button', { name: 'Set up an app' }).waitFor();
  });
});
