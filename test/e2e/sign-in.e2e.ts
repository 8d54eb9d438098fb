import assert from 'node:assert/strict';
import { test } from './fixtures.ts';
import { fillCredentials, createPerson, registerSignedOut } from './people.ts';

const submit = { name: 'Sign in', exact: true } as const;

test('signs a seeded member in and opens the requested page', async ({ page, service }) => {
  const [member] = service.firstRun.members;
  assert.ok(member);
  await page.goto('/settings?tab=account');
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
  await fillCredentials(page, member);
  await page.getByRole('main').getByRole('button', submit).click();
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  assert.equal(new URL(page.url()).pathname + new URL(page.url()).search, '/settings?tab=account');
  await page.getByText(member.idp_user_id).waitFor();
});

test('responds alike to a wrong password and an unknown address', async ({ page, service }) => {
  const [member] = service.firstRun.members;
  assert.ok(member);
  const announcements: string[] = [];
  for (const person of [{ email: member.email, password: 'not the password' }, createPerson()]) {
    await page.goto('/sign-in');
    await fillCredentials(page, person);
    await page.getByRole('main').getByRole('button', submit).click();
    announcements.push(await page.getByRole('alert').innerText());
    assert.equal(await page.getByLabel('Email').inputValue(), person.email);
    assert.equal(await page.getByRole('textbox', { name: 'Password' }).inputValue(), person.password);
  }
  assert.match(announcements[0] ?? '', /Email or password is incorrect/);
  assert.equal(announcements[0], announcements[1]);
});

test('follows ?next= to no other site', async ({ page, service }) => {
  const person = await registerSignedOut(page);
  await page.goto('/sign-in?next=//evil.example/settings');
  await fillCredentials(page, person);
  await page.getByRole('main').getByRole('button', submit).click();
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  assert.equal(page.url(), `${service.url}/dashboard`);
});

test('keeps the form offline and submits it when the connection is back', { tag: '@slow' }, async ({ visit }) => {
  const page = await visit({ expected: [/ERR_INTERNET_DISCONNECTED/] });
  const person = await registerSignedOut(page);
  await page.goto('/sign-in');
  await fillCredentials(page, person);
  await page.context().setOffline(true);
  await page.getByText('You are offline.').waitFor();
  await page.getByRole('main').getByRole('button', submit).click();
  await page
    .getByRole('alert')
    .getByText(/cannot be reached/)
    .waitFor();
  assert.equal(await page.getByRole('textbox', { name: 'Password' }).inputValue(), person.password);
  await page.context().setOffline(false);
  await page.getByText('You are offline.').waitFor({ state: 'hidden' });
  await page.getByRole('main').getByRole('button', submit).click();
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
});

test('signs in all tabs when one tab signs in', { tag: '@slow' }, async ({ page }) => {
  const person = await registerSignedOut(page);
  await page.goto('/sign-in?next=/settings');
  const second = await page.context().newPage();
  await second.goto('/sign-in');
  await fillCredentials(second, person);
  await second.getByRole('main').getByRole('button', submit).click();
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
});

test('shows the password on request while it is typed', async ({ page }) => {
  await page.goto('/sign-in');
  const password = page.getByRole('textbox', { name: 'Password' });
  await password.fill('visible to me');
  assert.equal(await password.getAttribute('type'), 'password');
  const reveal = page.getByRole('button', { name: 'Show password' });
  await reveal.click();
  assert.equal(await password.getAttribute('type'), 'text');
  assert.equal(await reveal.getAttribute('aria-pressed'), 'true');
});
