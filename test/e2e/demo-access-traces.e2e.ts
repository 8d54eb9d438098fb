import assert from 'node:assert/strict';
import { type Browser, type BrowserContext, type Page, test } from '@playwright/test';
import { getEncodedForms, readDocument, findTraces } from '../support/find-traces.ts';
import { type LoggedService, startLoggedService } from '../support/logged-service.ts';
import { type Link, makeLink } from '../support/demo-links.ts';
import { pressOpen, waitForEntryState } from './demo-viewer.ts';

let service: LoggedService;
test.beforeAll(async () => {
  service = await startLoggedService({ TRUSTED_PROXIES: '127.0.0.1' });
});
test.afterAll(() => service.stop());

/** Secrets that may occur nowhere: the ticket, its signature, and the code that contains the ticket. */
const getSecrets = ({ ticket, code }: Link): string[] => [ticket, ticket.split('.')[2]!, code];

/** Everything that the browser sends, receives and reports. */
interface BrowserRecord {
  requests: { url: string; headers: string; body: string }[];
  answers: string[];
  console: string[];
}

function record(context: BrowserContext): BrowserRecord {
  const browserRecord: BrowserRecord = { requests: [], answers: [], console: [] };
  context.on('request', (request) => {
    const headers = JSON.stringify(request.headers());
    browserRecord.requests.push({ url: request.url(), headers, body: request.postData() ?? '' });
  });
  context.on('response', (response) => {
    browserRecord.answers.push(`${response.url()} ${JSON.stringify(response.headers())}`);
    void response.text().then(
      (text) => browserRecord.answers.push(text),
      () => undefined, // The page has continued without the request.
    );
  });
  context.on('console', (message) => browserRecord.console.push(message.text()));
  context.on('weberror', (error) => browserRecord.console.push(String(error.error())));
  return browserRecord;
}

/** Records the address at the page's first action, and each violation of its policy. */
const watch = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    const addresses: string[] = [];
    const violations: string[] = [];
    Object.assign(window, { addresses, violations });
    new ReportingObserver((reports) => violations.push(JSON.stringify(reports)), { buffered: true }).observe();
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, documentURI }) =>
      violations.push(`${effectiveDirective} ${documentURI}`),
    );
    const spy = (owner: object, name: string): void => {
      const original = (owner as { [name: string]: unknown })[name] as (...given: unknown[]) => unknown;
      Object.assign(owner, {
        [name](this: unknown, ...given: unknown[]) {
          addresses.push(`${name} ${location.hash}`);
          return original.apply(this, given);
        },
      });
    };
    for (const name of ['fetch', 'setTimeout', 'setInterval', 'addEventListener', 'queueMicrotask']) spy(window, name);
    for (const name of ['querySelector', 'createElement', 'addEventListener']) spy(document, name);
    for (const name of ['now', 'getEntries', 'getEntriesByType', 'mark']) spy(Performance.prototype, name);
    spy(Storage.prototype, 'getItem');
    spy(Storage.prototype, 'setItem');
  });

/** Reads the browser's own history of the tab. `typed` is the requested address, which no script can read. */
async function readHistory(page: Page): Promise<{ urls: string; typed: string }> {
  const protocol = await page.context().newCDPSession(page);
  const { entries } = await protocol.send('Page.getNavigationHistory');
  await protocol.detach();
  return {
    urls: entries.map(({ url, title }) => `${url} ${title}`).join(' '),
    typed: entries.map(({ userTypedURL }) => userTypedURL).join(' '),
  };
}

/** A browser that opens two links to the demo one after another. */
interface Trial {
  context: BrowserContext;
  page: Page;
  browserRecord: BrowserRecord;
  link: Link;
  second: Link;
  secrets: string[];
}

async function startTrial(browser: Browser): Promise<Trial> {
  const context = await browser.newContext({ baseURL: service.url });
  await watch(context);
  const browserRecord = record(context);
  const page = await context.newPage();
  const link = await makeLink(service);
  const second = await makeLink(service);
  return { context, page, browserRecord, link, second, secrets: [...getSecrets(link), ...getSecrets(second)] };
}

// Each test continues on the page of the one before, since a link opens the demo once.
test.describe.serial('a link to the demo', () => {
  let trial: Trial;
  test.beforeAll(async ({ browser }) => {
    trial = await startTrial(browser);
  });
  test.afterAll(() => trial.context.close());

  const assertNoSecrets = (text: string, where: string): void =>
    assert.deepEqual(findTraces(text, trial.secrets), [], where);

  /**
   * Prints behavior of the browser that the page cannot control. docs/explanation/identity-and-demo-access.md draws the
   * conclusion.
   */
  const report = (description: string, text: string): void =>
    console.log(`${description}: ${findTraces(text, trial.secrets).length > 0 ? 'has' : 'lacks'} the code`);

  test('leaves no trace of a ticket on the entry page or in its history', async () => {
    const { page, browserRecord, link } = trial;
    await page.goto(link.path);
    await waitForEntryState(page, 'ready');
    assert.deepEqual(
      browserRecord.requests.map(({ url }) => new URL(url).pathname).filter((path) => !path.endsWith('.woff2')),
      ['/demo-access'],
      'nothing else than the font is asked for',
    );
    const open = (await readDocument(page)) as { timings: string[] };
    // A browser keeps the address that opened a document until the document is closed.
    const { timings, ...rest } = open;
    report('the navigation entry of the entry page', timings.join(' '));
    assertNoSecrets(JSON.stringify(rest), 'the entry page');
    const { urls, typed } = await readHistory(page);
    assertNoSecrets(urls, 'the history of the entry page');
    report('what the browser was asked for, while the entry page is open', typed);
    const addresses = await page.evaluate(() => (window as unknown as { addresses: string[] }).addresses);
    assert.ok(addresses.length > 5, addresses.join());
    assertNoSecrets(addresses.join(' '), 'the address at the page’s first action');
  });

  test('leaves no trace of a ticket when another link is pasted into the open page', async () => {
    const { page, link, second } = trial;
    // A second link is pasted into the open page, and then the first one again.
    for (const { code, path } of [second, link]) {
      await page.evaluate((hash) => {
        location.hash = hash;
      }, `code=${code}`);
      await page.waitForURL('**/demo-access');
      assert.notEqual(page.url(), service.url + path);
    }
    assertNoSecrets((await readHistory(page)).urls, 'the history after a second link');
  });

  test('leaves no trace of a ticket in the browser when the demo is open', async () => {
    const { context, page, browserRecord } = trial;
    await page.route('**/api/demo-access/complete', async (route) => {
      assertNoSecrets(
        JSON.stringify(await readDocument(page).then(({ timings: _, ...others }) => others)),
        'while it opens',
      );
      await route.continue();
    });
    await pressOpen(page);
    const left = await readDocument(page);
    assertNoSecrets(JSON.stringify(left), 'the dashboard');
    assert.ok((left['timings'] as string[]).includes(`${service.url}/dashboard`), 'its entries have been read');
    assertNoSecrets((await readHistory(page)).urls, 'the history afterwards');
    report('what the browser was asked for, on the dashboard', (await readHistory(page)).typed);
    assertNoSecrets(JSON.stringify(await context.cookies()), 'cookies');
    assertNoSecrets(JSON.stringify(await context.storageState({ indexedDB: true })), 'stores');
    assertNoSecrets(browserRecord.console.join('\n'), 'the console');
    assertNoSecrets(browserRecord.answers.join('\n'), 'answers');
    assert.deepEqual(await page.evaluate(() => (window as unknown as { violations: string[] }).violations), []);
    await page.goBack().catch(() => undefined);
    assertNoSecrets(JSON.stringify(await readDocument(page)) + (await readHistory(page)).urls, 'the page before');
  });

  test('sends a ticket only twice, in a body', () => {
    const { browserRecord, link, second, secrets } = trial;
    const secretLocations = browserRecord.requests.filter(({ body }) => findTraces(body, secrets).length > 0);
    assert.deepEqual(
      secretLocations.map(({ url }) => url.slice(service.url.length)),
      ['/_idp/v1/client/sign_ins', '/api/demo-access/complete'],
      'the ticket is sent twice, in a body',
    );
    for (const { url, headers } of browserRecord.requests) assertNoSecrets(`${url} ${headers}`, url);
    for (const { body } of secretLocations)
      assert.equal(findTraces(body, [link.code, ...getSecrets(second)]).length, 0);
  });
});

test('finds a secret in each of its encoded forms', () => {
  for (const form of getEncodedForms('a/secret+ticket?'))
    assert.equal(findTraces(`x${form}y`, ['a/secret+ticket?']).length > 0, true);
  assert.deepEqual(findTraces('nothing', ['a secret']), []);
});
