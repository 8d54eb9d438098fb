/**
 * `npm run bench -- lighthouse [--runs 3] [--preset mobile] [--path /]`: Lighthouse in both of its presets, in the
 * browser that the tests use: on the start page and sign-in, and as a member on the dashboard and the plans. Prints the
 * medians and every audit that is not perfect. Needs `npm --prefix bench ci`.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { parseArgs } from 'node:util';
import lighthouse, { desktopConfig } from 'lighthouse';
import { fillCredentials } from '../test/e2e/people.ts';
import { type BenchSite, withSite } from './browser/open-site.ts';
import { median } from '../test/support/median.ts';

/** What is read of a report; its own types come with the package, which a clone need not have. */
interface Report {
  categories: Record<string, { score: number; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<
    string,
    {
      title: string;
      score: number | null;
      scoreDisplayMode: string;
      displayValue?: string;
      details?: { items?: object[] };
    }
  >;
  runtimeError?: { message: string };
  /**
   * How much the machine did in half a second meanwhile: below 1000 or so it was slow or busy, and the times are too
   * long.
   */
  environment: { benchmarkIndex: number };
}

const { values: options } = parseArgs({
  options: { runs: { type: 'string', default: '3' }, preset: { type: 'string' }, path: { type: 'string' } },
});
const goals: Readonly<Record<string, number>> = { performance: 98, accessibility: 100, 'best-practices': 100 };
const presets = (
  [
    ['desktop', desktopConfig],
    ['mobile', undefined],
  ] as const
).filter(([name]) => name === (options.preset ?? name));
/** The last two as a member; the others redirect a signed-in member to the dashboard. */
const FOR_MEMBERS = ['/dashboard', '/plans'];
const paths = ['/', '/sign-in', ...FOR_MEMBERS].filter((path) => path === (options.path ?? path));
let isSignedIn = false;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * Signs a member of the first run in and gives the session to the browser's own profile, where Lighthouse opens its
 * tabs.
 */
async function signIn({ service, browser }: BenchSite): Promise<void> {
  const member = service.firstRun.members.find(({ tier }) => tier === 'pro');
  if (!member) throw new Error('The first run has made no member to sign in as.');
  const context = await browser.newContext({ baseURL: service.url });
  const page = await context.newPage();
  await page.goto('/sign-in');
  await fillCredentials(page, member);
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('list', { name: 'Watched tickers' }).waitFor();
  const cookies = (await context.cookies()).map(({ name, value, domain, path, httpOnly }) => ({
    name,
    value,
    domain,
    path,
    httpOnly,
  }));
  const cdp = await browser.newBrowserCDPSession();
  await cdp.send('Storage.setCookies', { cookies });
}

async function audit(url: string, port: number, config: object | undefined): Promise<Report> {
  const { lhr } = (await lighthouse(url, { port, logLevel: 'error', onlyCategories: Object.keys(goals) }, config)) as {
    lhr: Report & { finalDisplayedUrl: string };
  };
  if (lhr.runtimeError) throw new Error(lhr.runtimeError.message);
  if (lhr.finalDisplayedUrl !== url)
    throw new Error(`Lighthouse was led to ${lhr.finalDisplayedUrl}: the session is missing.`);
  return lhr;
}

/** Audits of the category that cost points, and what they say. */
function imperfect({ audits, categories }: Report, category: string): string[] {
  return categories[category]!.auditRefs.flatMap(({ id, weight }) => {
    const found = audits[id]!;
    if (found.score === null || found.score >= (category === 'performance' ? 0.9 : 1)) return [];
    const items = (found.details?.items ?? []).slice(0, 3).map((item) => JSON.stringify(item).slice(0, 300));
    return [
      `    ${weight > 0 ? `weight ${weight}` : 'no weight'}  ${id}: ${found.title} ${found.displayValue ?? ''}`,
      ...(category === 'performance' ? [] : items.map((item) => `      ${item}`)),
    ];
  });
}

let missed = 0;
const port = await freePort();
await withSite(
  async (site) => {
    for (const path of paths) {
      if (FOR_MEMBERS.includes(path) && !isSignedIn) await signIn(site);
      isSignedIn ||= FOR_MEMBERS.includes(path);
      for (const [name, config] of presets) {
        const reports: Report[] = [];
        for (let run = 0; run < Number(options.runs); run += 1)
          reports.push(await audit(site.service.url + path, port, config));
        console.log(
          `\n${path}, ${name}, median of ${reports.length}; ` +
            'benchmark index of the machine ' +
            `${reports.map(({ environment }) => Math.round(environment.benchmarkIndex)).join(', ')}`,
        );
        for (const [category, goal] of Object.entries(goals)) tell(reports, category, goal);
      }
    }
  },
  [`--remote-debugging-port=${port}`],
);
process.exitCode = missed > 0 ? 1 : 0;

function tell(reports: readonly Report[], category: string, goal: number): void {
  const scores = reports.map(({ categories }) => Math.round(categories[category]!.score * 100));
  if (median(scores) < goal) missed += 1;
  console.log(
    `  ${category.padEnd(16)} ${median(scores)}   (${scores.join(', ')})   ` +
      `${median(scores) >= goal ? 'goal met' : 'GOAL MISSED'}: at least ${goal}`,
  );
  const last = reports.at(-1)!;
  if (category === 'performance') {
    const metrics = [
      'first-contentful-paint',
      'largest-contentful-paint',
      'total-blocking-time',
      'cumulative-layout-shift',
      'speed-index',
    ];
    for (const id of metrics)
      console.log(`    ${id.padEnd(26)} ${reports.map(({ audits }) => audits[id]!.displayValue).join(', ')}`);
  }
  for (const line of imperfect(last, category)) console.log(line);
}
