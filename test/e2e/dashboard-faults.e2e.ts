import assert from 'node:assert/strict';
import type { Locator, Page } from '@playwright/test';
import { eventuallyEquals } from '../support/eventually.ts';
import { faults } from '../support/faults.ts';
import type { TestService } from '../support/service.ts';
import {
  type FailingCall,
  closeNotice,
  type Flow,
  controlTimeouts,
  dropResponse,
  expectedBrowserErrors,
  testFaultFlows,
} from './faults.ts';
import { shareMember } from './fixtures.ts';
import { type Person, register } from './people.ts';
import { deleteAllInvestments } from './sample-member.ts';
import { getHoldings } from './home-holdings.ts';

const dialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Add investment' });
const HOLDINGS: FailingCall = { method: 'POST', path: /^\/api\/investments\/holdings$/ };

const readSavedOrder = (page: Page): Promise<string> =>
  page
    .getByRole('list', { name: 'Cards' })
    .locator('> li')
    .evaluateAll((cards) => cards.map(({ id }) => id.replace('card-', '')).join());
const FIRST = 'net_worth,accounts,movers,earnings,dividends,news,holdings,watchlist';
const MOVED = 'accounts,net_worth,movers,earnings,dividends,news,holdings,watchlist';

/** Waits until the cards are in this order. */
const waitForOrder = (page: Page, wanted: string) =>
  page.waitForFunction(
    (ids) =>
      [...document.querySelectorAll('[aria-label="Cards"] > li')].map(({ id }) => id.replace('card-', '')).join() ===
      ids,
    wanted,
  );

/** Waits until the service has stored this order of a member's cards. */
async function waitForSavedLayout(service: TestService, { email }: Person, wanted: string): Promise<void> {
  const read = async (): Promise<string | undefined> =>
    (
      await service.database.owner<{ ids: string }>(
        `select array_to_string(array(select card ->> 'id' from jsonb_array_elements(l.cards) as card), ',') as ids
       from public.dashboard_layouts l join public.all_users m using (idp_id) where m.email = $1`,
        [email],
      )
    )[0]?.ids;
  await eventuallyEquals(read, wanted);
}

async function openForm(page: Page, service: TestService, person: Person): Promise<void> {
  await deleteAllInvestments(service, person);
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Add investment' }).first().click();
  await dialog(page).getByRole('combobox', { name: 'Security' }).waitFor();
}

async function fillForm(page: Page, service: TestService, person: Person): Promise<void> {
  await openForm(page, service, person);
  await dialog(page).getByRole('combobox', { name: 'Security' }).fill('AAPL');
  await dialog(page).getByRole('option', { name: /^AAPL/ }).click();
  await dialog(page).getByLabel('Quantity').fill('3');
  await dialog(page)
    .getByLabel(/^Total cost/)
    .fill('450');
}

const submit = (page: Page): Promise<void> => dialog(page).getByRole('button', { name: 'Add investment' }).click();

async function assertFormKept(page: Page, message: string): Promise<void> {
  await dialog(page).getByRole('alert').getByText(message).waitFor();
  await dialog(page).getByRole('group', { name: 'Security' }).getByText('AAPL').waitFor();
  assert.equal(await dialog(page).getByLabel('Quantity').inputValue(), '3');
  assert.equal(
    await dialog(page)
      .getByLabel(/^Total cost/)
      .inputValue(),
    '450',
  );
}

/** Returns the numbers of a member's accounts and holdings in the service. */
async function countOwned(service: TestService, { email }: Person): Promise<{ accounts: number; holdings: number }> {
  const [found] = await service.database.owner<{ accounts: number; holdings: number }>(
    `select (select count(*)::int from public.accounts a where a.idp_id = m.idp_id) as accounts,
            (select count(*)::int from public.manual_public_holdings h where h.idp_id = m.idp_id) as holdings
       from public.all_users m where m.email = $1`,
    [email],
  );
  assert.ok(found);
  return found;
}

async function prepareSingleInvestment(page: Page, service: TestService, person: Person): Promise<void> {
  await dialog(page).waitFor({ state: 'detached' });
  await getHoldings(page).getByText('AAPL').waitFor();
  assert.deepEqual(await countOwned(service, person), { accounts: 1, holdings: 1 });
}

const flows: readonly Flow[] = [
  {
    name: 'Add investment',
    call: HOLDINGS,
    prepare: fillForm,
    perform: submit,
    assertLost: assertFormKept,
    assertDone: prepareSingleInvestment,
  },
  {
    name: 'search for what was bought',
    call: { method: 'GET', path: /^\/api\/investments\/search$/ },
    prepare: openForm,
    async perform(page) {
      const retryButton = dialog(page).getByRole('button', { name: 'Try again' });
      if (await retryButton.isVisible()) await retryButton.click();
      else await dialog(page).getByRole('combobox', { name: 'Security' }).fill('AAPL');
    },
    async assertLost(page, message) {
      await dialog(page).getByRole('alert').getByText(message).waitFor();
      assert.equal(await dialog(page).getByRole('combobox', { name: 'Security' }).inputValue(), 'AAPL');
    },
    async assertDone(page) {
      await dialog(page).getByRole('option', { name: /^AAPL/ }).waitFor();
    },
  },
  {
    name: 'arrange the cards',
    // No test below the browser covers this flow.
    everyFault: true,
    call: { method: 'PUT', path: /^\/api\/dashboard$/ },
    async prepare(page) {
      await page.goto('/dashboard');
      await page.getByRole('button', { name: 'Arrange' }).click();
      await page.getByRole('button', { name: 'Move Net worth later' }).waitFor();
    },
    perform: (page) => page.getByRole('button', { name: 'Move Net worth later' }).click(),
    async assertLost(page, message) {
      await closeNotice(page, `Could not save the cards of Home. ${message}`);
      await waitForOrder(page, FIRST);
    },
    async assertDone(page, service, person) {
      await waitForOrder(page, MOVED);
      await waitForSavedLayout(service, person, MOVED);
    },
  },
];

testFaultFlows('the dashboard', (page) => register(page), flows);

const test = shareMember(
  async (page) => {
    await controlTimeouts(page);
    return register(page);
  },
  { expected: expectedBrowserErrors },
);

test('adds an investment once when its response is lost', { tag: '@slow' }, async ({ page, service, member }) => {
  await fillForm(page, service, member);
  await dropResponse(page, { method: 'POST', path: /^\/api\/accounts$/ });
  await submit(page);
  await assertFormKept(page, faults['never answers']);
  assert.deepEqual(await countOwned(service, member), { accounts: 1, holdings: 0 }, 'created the account nevertheless');
  await dropResponse(page, HOLDINGS);
  await submit(page);
  await page.waitForFunction(() => document.querySelector('dialog [aria-busy]') === null);
  await assertFormKept(page, faults['never answers']);
  assert.deepEqual(await countOwned(service, member), { accounts: 1, holdings: 1 }, 'and so was the holding');
  await submit(page);
  await prepareSingleInvestment(page, service, member);
});

test('keeps the second arrangement when the first one fails', { tag: '@slow' }, async ({ page }) => {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Arrange' }).click();
  let calls = 0;
  const saved = page.waitForResponse(
    (response) => response.url().endsWith('/api/dashboard') && response.request().method() === 'PUT' && response.ok(),
  );
  await page.route('**/api/dashboard', async (route) => {
    if (route.request().method() !== 'PUT') return route.fallback();
    calls += 1;
    if (calls === 1)
      await route.fulfill({
        status: 503,
        json: { code: 'UNAVAILABLE', message: 'This is not available right now; try again later.' },
      });
    else await route.continue();
  });
  await page.getByRole('button', { name: 'Move Net worth later' }).waitFor();
  await page.evaluate(() => {
    const press = () => document.querySelector<HTMLElement>('[aria-label="Move Net worth later"]')?.click();
    press();
    press();
  });
  await saved;
  const shown = await readSavedOrder(page);
  await page.reload();
  await page.getByRole('region', { name: 'Holdings' }).waitFor();
  assert.equal(await readSavedOrder(page), shown, 'what is shown is what is saved');
  assert.notEqual(shown, FIRST);
});
