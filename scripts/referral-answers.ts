/**
 * `npm run lab -- referral-answers [calls]` (default 2,000 a case): calls the open referral routes with what is
 * recorded, refused, unknown and repeated, in turns, with a provider that answers at once and with one that takes 300
 * ms. Ends with 1 where two cases differ in status, headers or bytes, or by more than 5 ms at the median.
 */
import { randomUUID } from 'node:crypto';
import { type ReferralApp, startReferralApp } from '../test/support/referrals.ts';
import { median } from '../test/support/median.ts';

const calls = Number(process.argv[2] ?? 2_000);
const MOST_APART_MS = 5;
const someId = (): string => `user_${randomUUID().replaceAll('-', '')}`;

/** What a case sends on its nth call. */
type Case = (nth: number) => { path: string; body: Record<string, string> };

async function prepareCases(app: ReferralApp): Promise<Record<string, Case>> {
  const { id, link: ref } = await app.referrer();
  const [old, connected] = [await app.person({ hours: 60, ref }), await app.person({ ref })];
  const withoutLink = await app.person();
  await app.connect(connected);
  const recent: string[] = [];
  for (let i = 0; i < calls; i += 1) recent.push(await app.person({ isKnown: false, ref }));
  const known = await app.person();
  await app.created(known, (await app.referrer()).link);
  const track = (referred: (nth: number) => string, referrer = id): Case => {
    return (nth) => ({ path: 'track-signup', body: { referred_idp_id: referred(nth), referrer_idp_id: referrer } });
  };
  const complete = (referred: (nth: number) => string): Case => {
    return (nth) => ({ path: 'mark-completed', body: { referred_idp_id: referred(nth) } });
  };
  return {
    'sign-up, recorded': track((nth) => recent[nth]!),
    'sign-up, recorded before': track(() => known),
    'sign-up, without the link': track(() => withoutLink),
    'sign-up, oneself': track(() => id),
    'sign-up, unknown person': track(someId),
    'sign-up, unknown referrer': track(() => known, 'user_nobody'),
    'sign-up, too old': track(() => old),
    'sign-up, connected': track(() => connected),
    'sign-up, demo account': track(() => 'user_demo'),
    'completion, uncompleted': complete(() => known),
    'completion, connected': complete(() => connected),
    'completion, unknown person': complete(someId),
  };
}

/** Calls every case in turns; returns how many rules were broken. */
async function compare(app: ReferralApp, delay: number): Promise<number> {
  app.people.delay = delay;
  const cases = Object.entries(await prepareCases(app));
  const times = new Map(cases.map(([name]): [string, number[]] => [name, []]));
  const answers = new Map<string, number>();
  for (let nth = 0; nth < calls; nth += 1)
    for (const [name, prepare] of cases) {
      const { path, body } = prepare(nth);
      const from = performance.now();
      const response = await fetch(`${app.url}/api/referrals/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-request-id': '0123456789abcdef' },
        body: JSON.stringify(body),
      });
      const text = await response.text();
      times.get(name)!.push(performance.now() - from);
      const headers = [...response.headers].filter(([header]) => header !== 'date');
      const answer = JSON.stringify([response.status, headers, text]);
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
    }
  const medians = cases.map(([name]) => median(times.get(name)!));
  const apart = Math.max(...medians) - Math.min(...medians);
  console.log(`provider answers in ${delay} ms, ${calls} calls a case, ${app.people.questions} questions to it`);
  for (const [index, [name]] of cases.entries()) console.log(`  ${name.padEnd(28)} ${medians[index]!.toFixed(2)} ms`);
  console.log(`  medians apart by ${apart.toFixed(2)} ms; ${answers.size} different answer(s)`);
  if (answers.size > 1) for (const [answer, count] of answers) console.log(`  ${count} times ${answer}`);
  return (apart > MOST_APART_MS ? 1 : 0) + (answers.size === 1 ? 0 : 1);
}

let broken = 0;
for (const delay of [0, 300]) {
  await using ends = new AsyncDisposableStack();
  const ending: (() => Promise<void>)[] = [];
  ends.defer(async () => {
    for (const end of ending) await end();
  });
  const accounts = { demoAccountId: 'user_demo', sampleUserId: undefined };
  const app = await startReferralApp({ after: (end) => void ending.push(end as () => Promise<void>) }, { accounts });
  broken += await compare(app, delay);
}
process.exitCode = broken > 0 ? 1 : 0;
