import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { eventually } from '../support/eventually.ts';
import { shareMember, test as base } from './fixtures.ts';
import { signUp } from './people.ts';
import { openSampleDashboard } from './sample-member.ts';

const test = shareMember((page) => signUp(page));
const getDialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });
const getPath = (page: Page): string => {
  const { pathname, search } = new URL(page.url());
  return pathname + search;
};

/** Opens Home after the settings, so that Back from Home is visible. */
async function openHome(page: Page): Promise<void> {
  await page.goto('/settings');
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
}
const waitForSettings = (page: Page) => page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();

test('closes dialogs and panels in reverse order on Back and then leaves the page', async ({ page }) => {
  await openHome(page);
  const opener = page.getByRole('button', { name: 'Add investment' }).first();
  await opener.click();
  await getDialog(page, 'Add investment').waitFor();
  await page.goBack();
  await getDialog(page, 'Add investment').waitFor({ state: 'detached' });
  assert.ok(await opener.evaluate((element) => element === document.activeElement), 'the focus returns');
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Assistant' }).click();
  await getDialog(page, 'Assistant').waitFor();
  await page.goBack();
  await getDialog(page, 'Assistant').waitFor({ state: 'detached' });
  assert.equal(getPath(page), '/dashboard');
  await page.goBack();
  await waitForSettings(page);
});

test(
  'leaves the page at the first Back after its dialogs were closed by button',
  { tag: '@slow' },
  async ({ page }) => {
    await openHome(page);
    for (let round = 0; round < 2; round += 1) {
      await page.getByRole('button', { name: 'Add investment' }).first().click();
      await getDialog(page, 'Add investment').getByRole('button', { name: 'Cancel' }).click();
      await getDialog(page, 'Add investment').waitFor({ state: 'detached' });
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Assistant' }).click();
      await getDialog(page, 'Assistant').getByRole('button', { name: 'Close' }).click();
      await getDialog(page, 'Assistant').waitFor({ state: 'detached' });
    }
    await page.goBack();
    await waitForSettings(page);
  },
);

test('asks on Back and Escape before typed text is lost', async ({ page }) => {
  await openHome(page);
  await page.getByRole('button', { name: 'Add investment' }).first().click();
  const form = getDialog(page, 'Add investment');
  await form.getByLabel('Quantity').fill('12');
  const question = getDialog(page, 'Discard what you typed?');
  await page.goBack();
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await question.waitFor({ state: 'detached' });
  assert.equal(await form.getByLabel('Quantity').inputValue(), '12');
  await page.keyboard.press('Escape');
  await question.waitFor();
  await page.goBack();
  await question.waitFor({ state: 'detached' });
  assert.equal(await form.getByLabel('Quantity').inputValue(), '12');
  await page.goBack();
  await question.getByRole('button', { name: 'Discard' }).click();
  await form.waitFor({ state: 'detached' });
  assert.equal(getPath(page), '/dashboard');
});

test('keeps the question above the form when Escape is pressed repeatedly', { tag: '@slow' }, async ({ page }) => {
  await openHome(page);
  await page.getByRole('button', { name: 'Add investment' }).first().click();
  const form = getDialog(page, 'Add investment');
  await form.getByLabel('Quantity').fill('12');
  const question = getDialog(page, 'Discard what you typed?');
  // The browser lets a page prevent only some of the closings.
  for (let press = 0; press < 12; press += 1) {
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => {
      const [inner, outer] = [...document.querySelectorAll('dialog')].toReversed();
      return inner?.open && outer?.open !== false && inner.contains(document.activeElement);
    });
  }
  if (!(await question.isVisible())) await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Keep editing' }).click();
  assert.equal(await form.getByLabel('Quantity').inputValue(), '12');
});

test('leaves no entry behind when the panel of a security was closed', async ({ page }) => {
  await openHome(page);
  const open = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    const search = page.getByRole('dialog');
    await search.getByRole('combobox').fill('AAPL');
    await search.getByRole('option', { name: /AAPL/ }).first().click();
    await page.waitForURL(/symbol=AAPL/);
    await getDialog(page, 'Apple Inc.').waitFor();
  };
  await open();
  await getDialog(page, 'Apple Inc.').getByRole('button', { name: 'Close', exact: true }).click();
  await getDialog(page, 'Apple Inc.').waitFor({ state: 'detached' });
  await open();
  await page.goBack();
  await getDialog(page, 'Apple Inc.').waitFor({ state: 'detached' });
  assert.equal(getPath(page), '/dashboard');
  await page.goBack();
  await waitForSettings(page);
});

/** Keeps every timer of a second or more from firing, so that no poll can run. */
const preventPolls = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const setTimer = window.setTimeout.bind(window);
    window.setInterval = (() => 0) as unknown as typeof window.setInterval;
    window.setTimeout = ((run: () => void, delayMs = 0, ...args: []) =>
      delayMs >= 1_000 ? 0 : setTimer(run, delayMs, ...args)) as unknown as typeof window.setTimeout;
  });

test('shows a change of another tab by broadcast, without a poll', async ({ page }) => {
  const watching = await page.context().newPage();
  await preventPolls(watching);
  await watching.goto('/settings/api-keys');
  await watching.getByRole('button', { name: 'Create key' }).waitFor();
  await page.goto('/settings/api-keys');
  await page.getByLabel('Name').fill('Another program');
  const reads: string[] = [];
  watching.on('request', (request) => reads.push(request.url()));
  const created = page.waitForResponse((response) => response.request().method() === 'POST' && response.ok());
  await page.getByRole('button', { name: 'Create key' }).click();
  await created;
  const start = performance.now();
  await watching.getByRole('button', { name: /^Revoke Another program/ }).waitFor();
  console.log(`The other tab agrees after ${Math.round(performance.now() - start)} ms`);
  assert.ok(reads.length > 0, 'the other tab has read the keys again');
  await watching.close();
});

const setScroll = (page: Page, top: number): Promise<void> => page.evaluate((y) => window.scrollTo(0, y), top);
const readScroll = (page: Page): Promise<number> => page.evaluate(() => scrollY);

base(
  'returns to the scroll position on Back, after the data have loaded and after a reload',
  async ({ page, service }) => {
    await openSampleDashboard(page, service, 'pro');
    await page.setViewportSize({ width: 390, height: 700 });
    await page.getByRole('region', { name: 'Latest news' }).waitFor();
    await setScroll(page, 1000);
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Portfolio' }).click();
    await page.getByRole('heading', { name: 'Portfolio', level: 1 }).waitFor();
    await eventually(async () => (await readScroll(page)) === 0);
    await page
      .getByRole('table', { name: 'Holdings' })
      .or(page.getByRole('list', { name: 'Holdings' }))
      .first()
      .waitFor();
    await setScroll(page, 400);
    await page.goBack();
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await eventually(async () => (await readScroll(page)) === 1000);
    await page.goForward();
    await page.getByRole('heading', { name: 'Portfolio', level: 1 }).waitFor();
    await eventually(async () => (await readScroll(page)) === 400);
    await page.goBack();
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await eventually(async () => (await readScroll(page)) === 1000);
    // Without cached data the cards load late.
    await page.reload();
    await page.getByRole('region', { name: 'Latest news' }).waitFor();
    await eventually(async () => (await readScroll(page)) === 1000);
  },
);

base('asks before a page with typed text is left by a link or Back', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Create account' }).first().click();
  const email = page.getByLabel('Email');
  await email.fill('ada@example.com');
  const question = getDialog(page, 'Discard what you typed?');
  await page.getByRole('link', { name: 'Developers' }).first().click();
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await question.waitFor({ state: 'detached' });
  assert.equal(await email.inputValue(), 'ada@example.com');
  await page.goBack();
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await question.waitFor({ state: 'detached' });
  assert.equal(getPath(page), '/sign-up');
  await page.goBack();
  await question.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('slider', { name: /^Net worth of the sample/ }).waitFor();
  await page.goForward();
  await page.getByRole('heading', { name: 'Create your account' }).waitFor();
  await email.fill('ada@example.com');
  await email.fill('');
  await page.getByRole('link', { name: 'Developers' }).first().click();
  await page.getByRole('heading', { name: 'Developers', level: 1 }).waitFor();
});

base('asks before the playground is left with a typed request, and not with the example', async ({ page }) => {
  await page.goto('/developers/playground');
  const developers = page.getByRole('navigation').getByRole('link', { name: 'Developers' }).first();
  const editor = page.getByLabel('Request as JSON');
  await editor.waitFor();
  await developers.click();
  await page.getByRole('heading', { name: 'Developers', level: 1 }).waitFor();
  await page.goBack();
  await editor.fill('{"model":"claude-sonnet-5","messages":[]}');
  const question = getDialog(page, 'Discard what you typed?');
  await developers.click();
  await question.getByRole('button', { name: 'Keep editing' }).click();
  assert.match(await editor.inputValue(), /messages/);
  await developers.click();
  await question.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('heading', { name: 'Developers', level: 1 }).waitFor();
});
