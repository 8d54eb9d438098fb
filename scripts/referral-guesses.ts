/**
 * `npm run lab -- referral-guesses [guesses]` (default 100,000): guesses links at validate-referrer from 1,000
 * addresses under the default limits and counts what was refused by which limit; then, without limits, times guesses
 * that share nothing, 4, 8 and 11 characters with a member’s link. Ends with 1 where a guess is answered beyond a
 * limit, the count of refusals is another than the metric’s, or a shared beginning can be told by the time.
 */
import { drawLink } from '../src/referrals/referral-link.ts';
import { type ReferralApp, startReferralApp } from '../test/support/referrals.ts';
import { median } from '../test/support/median.ts';

const guesses = Number(process.argv[2] ?? 100_000);
const ADDRESSES = 1_000;
const TIMED = 2_000;
const LIMITS = { perIdentifier: 10, perAddress: 30, inAll: 600 };
const MINUTE_MS = 60_000;

const ending: (() => Promise<void>)[] = [];
const start = (rateLimits?: typeof LIMITS): Promise<ReferralApp> =>
  startReferralApp(
    { after: (end) => void ending.push(end as () => Promise<void>) },
    { idle: true, ...(rateLimits && { rateLimits }) },
  );
const ask = (app: ReferralApp, ref: string, remoteAddress: string) =>
  app.app.inject({ url: `/api/referrals/validate-referrer?ref=${ref}`, remoteAddress });

let broken = 0;
const hold = (rule: string, holds: boolean): void => {
  console.log(`${holds ? 'ok    ' : 'WRONG '} ${rule}`);
  if (!holds) broken += 1;
};

/** The most events within any minute. */
function mostInAMinute(times: readonly number[]): number {
  let [from, most] = [0, 0];
  for (const [to, time] of times.entries()) {
    while (time - times[from]! >= MINUTE_MS) from += 1;
    most = Math.max(most, to - from + 1);
  }
  return most;
}

async function guess(): Promise<void> {
  const app = await start(LIMITS);
  const { link } = await app.referrer();
  const answered = Array.from({ length: ADDRESSES }, (): number[] => []);
  const statuses: Record<number, number> = {};
  const started = performance.now();
  for (let nth = 0; nth < guesses; nth += 1) {
    const address = nth % ADDRESSES;
    const { statusCode } = await ask(app, drawLink(), `10.1.${address >> 8}.${address & 255}`);
    statuses[statusCode] = (statuses[statusCode] ?? 0) + 1;
    if (statusCode !== 429) answered[address]!.push(performance.now());
  }
  const refusals = await app.metric('tally_referral_refusals_total');
  const counted = Object.values(refusals).reduce((sum, count) => sum + count, 0);
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(`${guesses} guesses in ${seconds} s: ${JSON.stringify(statuses)}, refused ${JSON.stringify(refusals)}`);
  hold('the metric counts each refusal', counted === (statuses[429] ?? 0));
  hold('no guess was a link', !(200 in statuses));
  const all = answered.flat().toSorted((a, b) => a - b);
  hold(`at most ${LIMITS.inAll} answers in any minute`, mostInAMinute(all) <= LIMITS.inAll);
  hold(
    `at most ${LIMITS.perAddress} of them to one address`,
    answered.every((times) => mostInAMinute(times) <= 30),
  );
  const shown = await ask(app, link, '10.2.0.1');
  hold('a link that is somebody’s is refused alike meanwhile', [200, 429].includes(shown.statusCode));
}

/** How far apart the medians of groups of guesses lie that share so many characters with the link, in ms. */
async function timeByPrefix(app: ReferralApp, link: string, shared: readonly number[]): Promise<number> {
  const times = shared.map((): number[] => []);
  for (let nth = 0; nth < TIMED; nth += 1)
    for (const [group, count] of shared.entries()) {
      let ref = link;
      while (ref === link || ref[count] === link[count]) ref = link.slice(0, count) + drawLink().slice(count);
      const from = performance.now();
      await ask(app, ref, '10.3.0.1');
      times[group]!.push(performance.now() - from);
    }
  const medians = times.map(median);
  console.log(`  sharing ${shared.join(', ')} characters: ${medians.map((ms) => ms.toFixed(3)).join(', ')} ms`);
  return Math.max(...medians) - Math.min(...medians);
}

try {
  await guess();
  const app = await start();
  const { link } = await app.referrer();
  await app.owner(`insert into public.all_users (idp_id) select 'user_' || n from generate_series(1, 20000) n`);
  await timeByPrefix(app, link, [0, 0, 0, 0]); // what runs for the first time is slower
  const control = await timeByPrefix(app, link, [0, 0, 0, 0]);
  const apart = await timeByPrefix(app, link, [0, 4, 8, 11]);
  console.log(`medians apart by ${apart.toFixed(3)} ms, of equal groups by ${control.toFixed(3)} ms`);
  hold('a shared beginning cannot be told by the time', apart <= Math.max(0.1, 3 * control));
} finally {
  for (const end of ending) await end();
}
process.exitCode = broken > 0 ? 1 : 0;
