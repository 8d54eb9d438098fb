import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { assertAccessibleInAllVariants, a11yScenarios } from '../support/browser.ts';
import { getDatabaseSettings } from '../support/service.ts';
import { test } from './fixtures.ts';

const field = (page: Page) => page.getByRole('textbox', { name: 'Operator’s token' });
const { OPERATOR_TOKEN: token } = getDatabaseSettings({ urls: { authenticator: '', service: '' } } as never);

test('lets the operator delete a member after a question', { tag: '@slow' }, async ({ service, visit }) => {
  const [walk] = a11yScenarios;
  const page = await visit(walk);
  const email = `operator-${Date.now()}@example.com`;
  await service.database.owner(`insert into public.all_users (idp_id, email) values ($1, $2)`, [
    `user_${Date.now()}`,
    email,
  ]);
  // Other tests run beside this one, so it changes no flag of theirs.
  const flag = `operator-${Date.now()}`;
  await service.database.owner('insert into public.feature_flags (flag, percentage) values ($1, 100)', [flag]);
  await page.goto('/operator');
  await field(page).fill(service.firstRun.operator_token);
  await field(page).press('Enter');
  await page.getByText('This token is not valid.').waitFor();
  await assertAccessibleInAllVariants(page, "the operator's token is asked for", walk);
  await field(page).fill(token);
  await field(page).press('Enter');
  await page.getByRole('rowheader', { name: 'migrations' }).waitFor();

  await page.getByRole('textbox', { name: 'Id, or part of an address' }).fill('demo@');
  await page.getByRole('button', { name: 'Find' }).click();
  const members = page.getByRole('region', { name: 'Members', exact: true });
  await members.getByText('Demo account').waitFor();
  await page.getByRole('textbox', { name: 'Id, or part of an address' }).fill(email);
  await page.getByRole('button', { name: 'Find' }).click();
  await members.getByRole('button', { name: `Delete ${email}` }).click();
  await assertAccessibleInAllVariants(page, 'a deletion is asked for', walk);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('There are no such members.').waitFor();
  await assertAccessibleInAllVariants(page, "the operator's page", walk);
  const flags = page.getByRole('region', { name: 'Flags' }).getByRole('listitem').filter({ hasText: flag });
  await flags.getByRole('button', { name: `Turn off ${flag}`, exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
  await flags.getByText('Off for all members').waitFor();
  await flags.getByRole('button', { name: `Turn on ${flag}`, exact: true }).click();
  await flags.getByText('On for all members').waitFor();
  await flags.getByLabel(`${flag}, one member by id or address`).fill(service.firstRun.members[0]!.email);
  await flags.getByRole('button', { name: `Turn off ${flag} for this member` }).click();
  await flags.getByRole('button', { name: `Clear ${flag} for ${service.firstRun.members[0]!.idp_user_id}` }).click();
  await flags.getByRole('table').waitFor({ state: 'detached' });
  await service.database.owner('delete from public.feature_flags where flag = $1', [flag]);
  await page.getByText('What changed in this version').click();
  await page.getByRole('heading', { name: 'Breaking' }).waitFor();
  await page.setViewportSize({ width: 320, height: 640 });
  const [content, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(content <= screen, `${content} pixels wide on a screen of ${screen}`);

  // An ended session leads to the token at the next request, and what was typed is kept.
  await service.database.owner('delete from tally.operator_sessions');
  await page.getByRole('textbox', { name: 'Id, or part of an address' }).fill('sample@');
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByText('You were signed out.').waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);
  await field(page).fill(token);
  await field(page).press('Enter');
  await members.getByText('Sample user').waitFor();
  assert.equal(await page.getByRole('textbox', { name: 'Id, or part of an address' }).inputValue(), 'sample@');

  await page.reload();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await field(page).waitFor();
  await page.reload();
  await field(page).waitFor();
  assert.equal(await page.evaluate(() => document.cookie.includes('tally_operator')), false);
});

/** Opens the operator's page after another one, with a flag that is off, until the test ends. */
const flagTest = test.extend<{ form: Awaited<ReturnType<typeof openFlag>> }>({
  form: async ({ service, visit }, use) => {
    const flag = `operator-typed-${Date.now()}`;
    await service.database.owner('insert into public.feature_flags (flag, percentage) values ($1, 0)', [flag]);
    await use(await openFlag(await visit({ expected: [/status of 404/] }), flag));
    await service.database.owner('delete from public.feature_flags where flag = $1', [flag]);
  },
});

async function openFlag(page: Page, flag: string) {
  await page.goto('/sign-up');
  await page.getByRole('heading', { name: 'Create your account' }).waitFor();
  await page.goto('/operator');
  await field(page).fill(token);
  await field(page).press('Enter');
  const settings = page.getByRole('region', { name: 'Flags' }).getByRole('listitem').filter({ hasText: flag });
  const question = page.getByRole('dialog', { name: 'Discard what you typed?' });
  return {
    page,
    settings,
    question,
    share: settings.getByLabel(`${flag}, percent of members`),
    member: settings.getByLabel(`${flag}, one member by id or address`),
    turnOn: settings.getByRole('button', { name: `Turn on ${flag}`, exact: true }),
    async assertAsksOnBack(): Promise<void> {
      await page.goBack();
      await question.getByRole('button', { name: 'Keep editing' }).click({ timeout: 10_000 });
      await question.waitFor({ state: 'detached' });
    },
  };
}

flagTest('announces a problem of a flag at its field and asks before the text is lost', async ({ form }) => {
  const { settings, share, member, assertAsksOnBack } = form;
  await share.fill('many');
  await share.press('Enter');
  await settings.getByRole('alert').getByText('Enter a whole number from 0 to 100.').waitFor({ timeout: 10_000 });
  assert.equal(await share.getAttribute('aria-invalid'), 'true');
  await assertAsksOnBack();
  await share.fill('0');
  await member.fill('nobody@example.com');
  await member.press('Enter');
  await settings.getByRole('alert').waitFor();
  assert.equal(await member.getAttribute('aria-invalid'), 'true');
  await assertAsksOnBack();
});

flagTest('compares typed text with the saved one and shows what a button has set', async ({ form }) => {
  const { settings, share, turnOn, assertAsksOnBack } = form;
  await share.fill('25');
  await share.press('Enter');
  await settings.getByText('On for 25\u00A0% of members').waitFor();
  assert.ok(await share.evaluate((element) => element === document.activeElement), 'the focus stays');
  await share.fill('0');
  await assertAsksOnBack();
  await turnOn.click();
  await settings.getByText('On for all members').waitFor();
  assert.equal(await share.inputValue(), '100');
});

flagTest('leaves the page after Discard when two of its forms have typed text', async ({ form }) => {
  const { page, question, share, member } = form;
  await share.fill('30');
  await member.fill('nobody@example.com');
  await page.goBack();
  await question.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('heading', { name: 'Create your account' }).waitFor({ timeout: 10_000 });
});
