import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import type { TestService } from '../support/service.ts';
import { shareMember } from './fixtures.ts';
import { endSessionRemotely, fillCredentials, openApiKeys, register, signUp } from './people.ts';

const test = shareMember(async (page) => {
  const member = await register(page);
  await openKeys(page);
  return member;
});

async function openKeys(page: Page): Promise<void> {
  await page.goto('/settings/api-keys');
  await page.getByText('No keys yet.').waitFor();
}

async function createKey(page: Page, name: string): Promise<string> {
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Create key' }).click();
  return page.getByRole('region', { name: 'Your new key' }).getByText(/^sk-/).innerText();
}

const count = (service: TestService, key: string): Promise<Response> =>
  fetch(`${service.url}/v1/messages/count_tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'svc-version': '2023-06-01', 'x-api-key': key },
    body: JSON.stringify({ model: 'claude-sonnet-4-5', messages: [{ role: 'user', content: 'Hello' }] }),
  });

// Each test continues with the keys of the one before.
test.describe.serial('API keys of one member', () => {
  test('requests no key without a name', async ({ page }) => {
    await page.getByLabel('Name').fill('   ');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page
      .getByRole('alert')
      .getByRole('link', { name: /Give the key a name/ })
      .waitFor();
  });

  test('rejects a new key after its revocation', async ({ page, service }) => {
    const key = await createKey(page, 'Build server');
    assert.equal((await count(service, key)).status, 200);
    assert.equal(await page.getByLabel('Name').inputValue(), '', 'the form is ready for the next one');
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByText('1 of 20').waitFor();
    await page.reload();
    await page.getByText('Build server').waitFor();
    assert.doesNotMatch(await page.content(), new RegExp(key), 'the key itself never comes back');
    await page.getByRole('button', { name: 'Revoke Build server' }).click();
    await page
      .getByRole('dialog', { name: 'Revoke “Build server”?' })
      .getByRole('button', { name: 'Revoke the key' })
      .click();
    await page
      .getByRole('status')
      .getByText(/is revoked/)
      .waitFor();
    await page.getByText('0 of 20').waitFor();
    assert.equal((await count(service, key)).status, 401);
  });

  test(
    'sends a waiting request after the password when the session ended',
    { tag: '@slow' },
    async ({ page, member }) => {
      await page.goto('/settings/api-keys');
      // The read of the list would otherwise be the one call that is routed below.
      await page.getByText('0 of 20').waitFor();
      // The service rejects calls, and the provider issues no further token.
      await endSessionRemotely(page);
      await page.route(
        '**/api/api-keys',
        (route) =>
          route.request().method() === 'POST'
            ? route.fulfill({ status: 401, json: { code: 'UNAUTHENTICATED', message: 'Sign in.' } })
            : route.continue(),
        { times: 1 },
      );
      await page.getByLabel('Name').fill('Sent twice, made once');
      await page.getByRole('button', { name: 'Create key' }).click();
      const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
      await dialog.getByRole('textbox', { name: 'Password' }).fill(member.password);
      await dialog.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('region', { name: 'Your new key' }).waitFor();
      await page.getByText('1 of 20').waitFor();
    },
  );

  test(
    'leaves a key unchanged and restores the focus on Escape and Cancel',
    { tag: '@slow' },
    async ({ page, service }) => {
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.goto('/settings/api-keys');
      const key = await createKey(page, 'Kept');
      const revoke = page.getByRole('button', { name: 'Revoke Kept' });
      for (const close of [
        () => page.keyboard.press('Escape'),
        () => page.getByRole('button', { name: 'Cancel' }).click(),
      ]) {
        await revoke.click();
        await page.getByRole('dialog').waitFor();
        await close();
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        assert.equal(await revoke.evaluate((button) => button === document.activeElement), true);
      }
      assert.equal((await count(service, key)).status, 200);
    },
  );
});

test(
  'makes the key after the password when the session ends while a name is typed',
  { tag: '@slow' },
  async ({ visit }) => {
    const page = await visit();
    await page.clock.install();
    const person = await register(page);
    await openKeys(page);
    await page.getByLabel('Name').fill('Typed before the end');
    await endSessionRemotely(page);
    await page.clock.fastForward(60_000);
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByRole('textbox', { name: 'Password' }).fill(person.password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('Name').inputValue(), 'Typed before the end');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('region', { name: 'Your new key' }).waitFor();
  },
);

test('shows a service error with its id in place and keeps the typed text', { tag: '@slow' }, async ({ visit }) => {
  const page = await visit({ expected: [/answer 500/, /status of 500/] });
  await register(page);
  await openKeys(page);
  const fail = {
    status: 500,
    headers: { 'x-request-id': 'req-of-this-test' },
    json: { code: 'INTERNAL', message: 'Something went wrong on our side; quote the request id.' },
  };
  await page.route('**/api/api-keys', (route) => route.fulfill(fail));
  await page.getByLabel('Name').fill('Still here');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('alert').getByText('Could not create the key').waitFor();
  assert.equal(await page.getByLabel('Name').inputValue(), 'Still here');
  await page.reload();
  await page.getByText('Request req-of-this-test').waitFor();
  await page.unroute('**/api/api-keys');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('No keys yet.').waitFor();
});

test('removes a member’s data from the page when another member signs in', { tag: '@slow' }, async ({ visit }) => {
  const other = await register(await visit());
  const page = await visit();
  const { email } = await signUp(page);
  await openApiKeys(page);
  await createKey(page, 'Mine alone');
  await page.getByRole('button', { name: `Account of ${email}` }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
  await fillCredentials(page, other);
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  await openApiKeys(page);
  await page.getByText('No keys yet.').waitFor();
  assert.equal(await page.getByText('Mine alone').count(), 0);
});
