import assert from 'node:assert/strict';
import { callBackend, SECRET_KEY } from '../support/identity.ts';
import { assertAccessible } from '../support/browser.ts';
import { test } from './fixtures.ts';
import { createPerson, fillCredentials } from './people.ts';

test.use({ settings: { SIGN_UP: 'invite', IDP_SECRET_KEY: SECRET_KEY } });

test('signs up with an invitation after it asked for one', { tag: '@slow' }, async ({ page, service }) => {
  const person = createPerson();
  const [referrer] = service.firstRun.members;
  await service.database.owner(`update public.all_users set referral_link = 'Qm7XvT3kWz9B' where idp_id = $1`, [
    referrer!.idp_user_id,
  ]);
  for (const path of ['/sign-in', '/?ref=Qm7XvT3kWz9B']) {
    await page.goto(path);
    await page.getByRole('main').getByText('New members need an invitation from the operator of this site.').waitFor();
    assert.equal(await page.locator('[href^="/sign-up"]').count(), 0, path);
  }
  await page.getByRole('button', { name: 'See a sample portfolio' }).click();
  await page.getByRole('complementary', { name: 'Sample portfolio' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Create account' }).count(), 0);
  const ended = page.waitForResponse(/\/v1\/client\/sessions\/[^/]+\/end$/);
  await page.getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('button', { name: 'See a sample portfolio' }).waitFor();
  await ended;
  await page.goto('/sign-up');
  await page.getByRole('heading', { name: 'Sign-up by invitation' }).waitFor();
  await assertAccessible(page, 'a sign-up without an invitation');
  assert.equal(await page.getByLabel('Email').count(), 0);

  const { body } = await callBackend(service.url, 'POST', '/invitations', { email_address: person.email });
  await page.goto('about:blank');
  await page.goto(body.url as string);
  await fillCredentials(page, person);
  assert.equal(new URL(page.url()).hash, '');
  const [request] = await Promise.all([
    page.waitForRequest((asked) => asked.url().endsWith('/sign_ups')),
    page.getByRole('main').getByRole('button', { name: 'Create account' }).click(),
  ]);
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  const form = new URLSearchParams(request.postData() ?? '');
  assert.equal(form.get('unsafe_metadata'), JSON.stringify({ ref: 'Qm7XvT3kWz9B' }));
});

test('says in the place of links to the sign-up that it is closed', { tag: '@slow' }, async ({ page }) => {
  await page.route('**/api/config', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), sign_up: 'closed' } });
  });
  for (const path of ['/', '/sign-in']) {
    await page.goto(path);
    await page.getByRole('main').getByText('This site takes no new members at the moment.').waitFor();
    assert.equal(await page.locator('[href^="/sign-up"]').count(), 0, path);
  }
});
