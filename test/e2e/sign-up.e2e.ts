import assert from 'node:assert/strict';
import { test } from './fixtures.ts';
import { fillCredentials, createPerson, registerSignedOut } from './people.ts';

test('creates an account and opens the dashboard', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('main').getByRole('link', { name: 'Create account' }).click();
  const person = createPerson();
  await fillCredentials(page, person);
  await page.getByRole('main').getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  assert.equal(new URL(page.url()).pathname, '/dashboard');
  assert.equal(await page.title(), 'Home · Tally');
  await page.getByRole('button', { name: `Account of ${person.email}` }).waitFor();
  await test.step('keeps the new session after a reload and in a second tab', async () => {
    await page.reload();
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    const second = await page.context().newPage();
    await second.goto('/');
    await second.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  });
});

test('shows errors of an invalid form at once without a request', async ({ page }) => {
  await page.goto('/sign-up');
  let requestCount = 0;
  page.on('request', (request) => {
    requestCount += request.url().includes('/sign_ups') ? 1 : 0;
  });
  await page.getByLabel('Email').fill('ada');
  await page.getByRole('textbox', { name: 'Password' }).fill('short');
  await page.getByRole('textbox', { name: 'Password' }).press('Enter');
  const alert = page.getByRole('alert');
  await alert.getByText('Could not create the account').waitFor();
  assert.equal(await alert.evaluate((box) => box === document.activeElement), true, 'the summary takes the focus');
  await alert.getByRole('link', { name: /at least 8 characters/ }).click();
  const password = page.getByRole('textbox', { name: 'Password' });
  assert.equal(
    await password.evaluate((input) => input === document.activeElement),
    true,
    'a problem leads to its field',
  );
  assert.equal(await password.getAttribute('aria-invalid'), 'true');
  assert.match(
    (await password.evaluate((input) =>
      input
        .getAttribute('aria-describedby')
        ?.split(' ')
        .map((id) => document.getElementById(id)?.textContent)
        .join(' '),
    )) ?? '',
    /at least 8 characters/,
  );
  assert.equal(requestCount, 0);
});

test('shows a taken address under its field and keeps what was typed', async ({ page }) => {
  const person = await registerSignedOut(page);
  await page.goto('/sign-up');
  await fillCredentials(page, { ...person, password: 'another long password' });
  await page.getByRole('main').getByRole('button', { name: 'Create account' }).click();
  await page
    .getByRole('alert')
    .getByRole('link', { name: /account with this email already exists/ })
    .waitFor();
  assert.equal(await page.getByLabel('Email').inputValue(), person.email);
  assert.equal(await page.getByRole('textbox', { name: 'Password' }).inputValue(), 'another long password');
  assert.equal(await page.getByLabel('Email').getAttribute('aria-invalid'), 'true');
});

test('sends the referral code of the link to the provider, also after the sign-in page', async ({ page }) => {
  await page.goto('/?ref=Ab3dEf6hIj9k');
  await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Create an account' }).click();
  // The earlier page has the same fields and stays until this page is shown.
  await page.getByRole('main').getByRole('button', { name: 'Create account' }).waitFor();
  await fillCredentials(page, createPerson());
  const [request] = await Promise.all([
    page.waitForRequest((asked) => asked.url().endsWith('/sign_ups')),
    page.getByRole('main').getByRole('button', { name: 'Create account' }).click(),
  ]);
  const form = new URLSearchParams(request.postData() ?? '');
  assert.deepEqual(JSON.parse(form.get('unsafe_metadata') ?? 'null'), { ref: 'Ab3dEf6hIj9k' });
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
});

test('creates one account when the button is pressed twice', async ({ page }) => {
  await page.goto('/sign-up?ref=%3Cscript%3E');
  await fillCredentials(page, createPerson());
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/sign_ups')) sent.push(request.postData() ?? '');
  });
  await page.getByRole('main').getByRole('button', { name: 'Create account' }).dblclick();
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  assert.equal(sent.length, 1);
  await test.step('omits an invalid code', async () => {
    assert.equal(new URLSearchParams(sent[0]).has('unsafe_metadata'), false);
  });
});
