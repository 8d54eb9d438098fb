import assert from 'node:assert/strict';
import type { Locator, Page } from '@playwright/test';
import type { TestService } from '../support/service.ts';
import { type Flow, testFaultFlows } from './faults.ts';
import { type Person, register } from './people.ts';
import { deleteAllInvestments } from './sample-member.ts';
import { getHoldingRows } from './home-holdings.ts';

const HOLDING = /^\/api\/investments\/holdings\/[^/]+$/;
const ACCOUNT = /^\/api\/accounts\/[^/]+$/;
/** The form, also above the panel of its security. */
const dialog = (page: Page): Locator =>
  page.getByRole('dialog').filter({ hasNot: page.getByRole('region', { name: 'Your position' }) });
const row = (page: Page): Locator => getHoldingRows(page).filter({ hasText: 'KO' });

/** Returns a member's holdings in the service, for example “Brokerage: 40 KO”. */
async function listOwned(service: TestService, { email }: Person): Promise<string[]> {
  const found = await service.database.owner<{ description: string }>(
    `select concat(a.name, ': ', trim_scale(h.quantity), ' ', h.symbol) as description from public.accounts a
       join public.all_users m using (idp_id) left join public.manual_public_holdings h on h.account_id = a.id
      where m.email = $1`,
    [email],
  );
  return found.map(({ description }) => description);
}

/** Gives a member exactly one account with forty shares of Coca-Cola. */
async function begin(page: Page, service: TestService, person: Person): Promise<void> {
  await deleteAllInvestments(service, person);
  await service.database.owner(
    `with made as (insert into public.accounts (idp_id, name, balance)
       select idp_id, 'Brokerage', 100 from public.all_users where email = $1 returning id, idp_id)
     insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity, cost_basis)
     select idp_id, id, 'KO', 40, 2000 from made`,
    [person.email],
  );
  await page.goto('/dashboard');
  await row(page).waitFor();
}

async function openHolding(page: Page, service: TestService, person: Person): Promise<void> {
  await begin(page, service, person);
  await row(page).getByRole('link').click();
  await page.getByRole('region', { name: 'Your position' }).getByRole('button', { name: 'Edit' }).click();
  await dialog(page).getByLabel('Quantity').fill('41');
}

async function openAccount(page: Page, service: TestService, person: Person): Promise<void> {
  await begin(page, service, person);
  await page.getByRole('region', { name: 'Holdings' }).getByRole('button', { name: 'Accounts' }).click();
  await dialog(page).getByRole('button', { name: 'Edit Brokerage' }).click();
}

/** Asserts that the dialog announces the fault and nothing has changed. */
async function assertFormKept(page: Page, message: string, service: TestService, person: Person): Promise<void> {
  await dialog(page).getByRole('alert').getByText(message).waitFor();
  assert.deepEqual(await listOwned(service, person), ['Brokerage: 40 KO']);
}

async function assertHoldingKept(page: Page, message: string, service: TestService, person: Person): Promise<void> {
  await assertFormKept(page, message, service, person);
  assert.equal(await dialog(page).getByLabel('Quantity').inputValue(), '41', 'what was typed stays');
}

testFaultFlows('accounts and holdings', (page) => register(page), [
  {
    name: 'change a holding',
    everyFault: true,
    call: { method: 'PATCH', path: HOLDING },
    prepare: openHolding,
    perform: (page) => dialog(page).getByRole('button', { name: 'Save' }).click(),
    assertLost: assertHoldingKept,
    async assertDone(page, service, person) {
      await row(page)
        .getByText(/Quantity 41$/)
        .waitFor();
      assert.deepEqual(await listOwned(service, person), ['Brokerage: 41 KO']);
    },
  },
  {
    name: 'remove a holding',
    call: { method: 'DELETE', path: HOLDING },
    prepare: openHolding,
    perform: (page) => dialog(page).getByRole('button', { name: 'Remove' }).click(),
    assertLost: assertHoldingKept,
    async assertDone(page, service, person) {
      await page.getByText('KO removed from Brokerage.').waitFor();
      assert.deepEqual(await listOwned(service, person), ['Brokerage:  ']);
    },
  },
  {
    name: 'change an account',
    call: { method: 'PATCH', path: ACCOUNT },
    async prepare(page, service, person) {
      await openAccount(page, service, person);
      await dialog(page).getByLabel('Name of the account').fill('Old broker');
    },
    perform: (page) => dialog(page).getByRole('button', { name: 'Save' }).click(),
    async assertLost(page, message, service, person) {
      await assertFormKept(page, message, service, person);
      assert.equal(
        await dialog(page).getByLabel('Name of the account').inputValue(),
        'Old broker',
        'what was typed stays',
      );
    },
    async assertDone(page, service, person) {
      await dialog(page).getByRole('button', { name: 'Edit Old broker' }).waitFor();
      assert.deepEqual(await listOwned(service, person), ['Old broker: 40 KO']);
    },
  },
  {
    name: 'delete an account',
    call: { method: 'DELETE', path: ACCOUNT },
    async prepare(page, service, person) {
      await openAccount(page, service, person);
      await dialog(page).getByRole('button', { name: 'Delete' }).click();
      await dialog(page).getByText('Its holding is deleted too.').waitFor();
    },
    perform: (page) => dialog(page).getByRole('button', { name: 'Delete the account' }).click(),
    assertLost: assertFormKept,
    async assertDone(page, service, person) {
      // The dialog stays open until the service has responded.
      await dialog(page).getByRole('button', { name: 'Delete the account' }).waitFor({ state: 'detached' });
      assert.deepEqual(await listOwned(service, person), []);
    },
  },
] satisfies readonly Flow[]);
