import assert from 'node:assert/strict';
import { assertAccessible } from '../support/browser.ts';
import { createScope } from '../support/test-scope.ts';
import { type FakeMailServer, startMailServer } from '../fakes/mail-server.ts';
import { test as base } from './fixtures.ts';
import { createPerson, registerSignedOut, signUp } from './people.ts';

const test = base.extend<object, { mails: FakeMailServer }>({
  mails: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from the pattern
    async ({}, use) => {
      const scope = createScope();
      await use(await startMailServer(scope));
      await scope.end();
    },
    { scope: 'worker' },
  ],
  settings: [
    async ({ mails }, use) => use({ SMTP_URL: mails.url, MAIL_FROM: 'Tally <tally@example.com>' }),
    { scope: 'worker' },
  ],
});

const readUrl = (text: string): string => /^http\S+$/m.exec(text)![0];

test('stops a change of email from the current one', { tag: '@slow' }, async ({ visit, mails }) => {
  const page = await visit();
  const person = await signUp(page);
  const elsewhere = await visit({ expected: [/401/, /422/] });

  await test.step('asks for the password in a browser that is signed out', async () => {
    await elsewhere.goto(readUrl((await mails.waitForMail(person.email)).text));
    await elsewhere.getByRole('button', { name: 'Confirm email' }).click();
    await elsewhere.getByRole('status').getByText('You are not signed in to this account here.').waitFor();
    await assertAccessible(elsewhere, 'a confirmation with the password');
    await elsewhere.getByRole('textbox', { name: 'Your password' }).fill('not my password');
    await elsewhere.getByRole('button', { name: 'Confirm email' }).click();
    await elsewhere.getByRole('alert').getByText('Password is incorrect.').waitFor();
    await elsewhere.getByRole('textbox', { name: 'Your password' }).fill(person.password);
    await elsewhere.getByRole('button', { name: 'Confirm email' }).click();
    await elsewhere.getByRole('heading', { name: 'Email confirmed' }).waitFor();
  });

  await test.step('stops a change with the link in the mail to the current email', async () => {
    const next = createPerson().email;
    await page.goto('/settings');
    await page.getByRole('button', { name: 'Change email' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change email' });
    await dialog.getByLabel('New email').fill(next);
    await dialog.getByRole('textbox', { name: 'Your password' }).fill(person.password);
    await dialog.getByRole('button', { name: 'Send link' }).click();
    await page.getByText(`Open the link sent to ${next} to change to it.`).waitFor();
    await elsewhere.goto(readUrl((await mails.waitForMail(person.email, 1)).text));
    await elsewhere.getByRole('heading', { name: 'Stop the change of your email' }).waitFor();
    assert.equal(new URL(elsewhere.url()).hash, '');
    await assertAccessible(elsewhere, 'a change that can be stopped');
    await elsewhere.getByRole('button', { name: 'Stop the change' }).click();
    await elsewhere.getByRole('heading', { name: 'Change stopped' }).waitFor();
    await page.reload();
    await page.getByText('Confirmed', { exact: true }).waitFor();
    assert.equal(await page.getByText(next).count(), 0);
  });
});

test(
  'sets a forgotten password and changes the email with links of mails',
  { tag: '@slow' },
  async ({ page, mails }) => {
    const person = await registerSignedOut(page);
    await mails.waitForMail(person.email);
    const next = { email: createPerson().email, password: 'a password of my own' };

    await test.step('sends a link to the entered address', async () => {
      await page.goto('/sign-in');
      await page.getByRole('link', { name: 'Forgot your password?' }).click();
      await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
      await page.getByLabel('Email').fill(person.email);
      await page.getByRole('button', { name: 'Send link' }).click();
      await page.getByRole('heading', { name: 'Check your email' }).waitFor();
      await assertAccessible(page, 'a requested link');
    });

    await test.step('keeps the link valid when a scanner opens it, and hides its code', async () => {
      const url = readUrl((await mails.waitForMail(person.email, 1)).text);
      for (const _visit of ['scanner', 'member']) {
        await page.goto('about:blank');
        await page.goto(url);
        await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
      }
      assert.equal(new URL(page.url()).hash, '');
      await assertAccessible(page, 'a new password');
      await page.getByRole('textbox', { name: 'New password' }).fill('password1');
      await page.getByRole('button', { name: 'Change password' }).click();
      await page.getByRole('alert').getByText('too common').waitFor();
      await page.getByRole('textbox', { name: 'New password' }).fill(next.password);
      await page.getByRole('button', { name: 'Change password' }).click();
      await page.getByRole('heading', { name: 'Password changed' }).waitFor();
      // The reset confirmed the address, so it removed an app.
      await page.getByRole('status').getByText('unless the link confirms this email for the first time').waitFor();
      await page.getByRole('link', { name: 'Continue' }).click();
      await page.waitForURL('**/dashboard');
      await page.goto('about:blank');
      await page.goto(url);
      await page.getByRole('textbox', { name: 'New password' }).fill('yet another password');
      await page.getByRole('button', { name: 'Change password' }).click();
      await page.getByRole('heading', { name: 'Link not valid' }).waitFor();
    });

    await test.step('changes the email with the link to the new one', async () => {
      await page.goto('/settings');
      await page.getByText('Confirmed', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Change email' }).click();
      const dialog = page.getByRole('dialog', { name: 'Change email' });
      await dialog.getByLabel('New email').fill(next.email);
      await dialog.getByRole('textbox', { name: 'Your password' }).fill('not my password');
      await dialog.getByRole('button', { name: 'Send link' }).click();
      await dialog.getByRole('alert').getByText('Password is incorrect.').waitFor();
      await assertAccessible(page, 'a change of email');
      await dialog.getByRole('textbox', { name: 'Your password' }).fill(next.password);
      await dialog.getByRole('button', { name: 'Send link' }).click();
      await page.getByText(`Open the link sent to ${next.email} to change to it.`).waitFor();
      await assertAccessible(page, 'an address that waits for its link');
      await page.goto(readUrl((await mails.waitForMail(next.email)).text));
      await page.getByRole('button', { name: 'Confirm email' }).click();
      await page.getByRole('heading', { name: 'Email confirmed' }).waitFor();
      await page.goto('/settings');
      await page.getByText('Confirmed', { exact: true }).waitFor();
      await page.getByRole('main').getByText(next.email).first().waitFor();
    });
  },
);
