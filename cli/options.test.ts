import assert from 'node:assert/strict';
import { test } from 'vitest';
import { runInProcess } from '../test/support/run-program.ts';
import { commands } from './commands.ts';

/** Options that accept any text. Whether what the text names exists is found later. */
const ANY_TEXT = [
  'count --model',
  'demo-access create --env-file',
  'demo-access list --env-file',
  'demo-access revoke --env-file',
  'demo-account candidates --env-file',
  'flags set --member',
  'members list --after',
  'members list --search',
  'referrals attribute --referred',
  'referrals attribute --referrer',
  'referrals export --referrer',
  'referrals list --referrer',
];

/** Wrong values of the other options, with the other arguments of the command. */
const WRONG_VALUES: Record<string, { values: readonly string[]; others?: string }> = {
  'backup --keep': { values: ['0', '1001', 'all', '1.5', ''], others: '/backups' },
  'backup --schedule': { values: ['weekly', '24:00', '2:00', '02:60', ''], others: '/backups' },
  'count --max-share': { values: ['0', '100.1', '-1', 'half', '1e1', ''], others: '-' },
  'count --max-tokens': { values: ['0', '-1', '1.5', '1e3', 'all', ''], others: '-' },
  'demo-access create --label': { values: ['', ' ', 'a'.repeat(121)] },
  'flags set --percent': { values: ['101', '-1', '1.5', 'all', ''], others: 'new-card' },
  'keys create --name': { values: ['', ' ', 'a'.repeat(121), 'a\nb'] },
  'keys create --organisation': { values: ['', ' ', 'a'.repeat(121)], others: '--name one' },
  'keys create --tier': { values: ['0', '5', 'one', ''], others: '--name one' },
  'members invite --email': { values: ['ada', 'ada@', '@example.com', ''] },
  'members list --limit': { values: ['0', '101', '1e1', 'all', ''] },
  'plans set --amount-minor': { values: ['0', '-1', '9.99', '1e3', ''], others: 'pro --currency USD --interval month' },
  'plans set --currency': {
    values: ['XXX', 'XTS', 'ABC', 'usd', 'US', '$', ''],
    others: 'pro --amount-minor 999 --interval month',
  },
  'plans set --interval': { values: ['week', 'months', ''], others: 'pro --amount-minor 999 --currency USD' },
  'plans set --limit': { values: ['0', '-1', '1000000', 'none', ''], others: 'pro' },
  'referrals attribute --reason': { values: ['', ' ', 'a'.repeat(301)], others: '--referred a --referrer b' },
  'revenue cohorts --from': { values: ['today', '2026-02-30', '26-01-01', ''] },
  'revenue cohorts --to': { values: ['today', '2026-02-30', '26-01-01', ''] },
  'revenue funnel --from': { values: ['today', '2026-02-30', '26-01-01', ''] },
  'revenue funnel --to': { values: ['today', '2026-02-30', '26-01-01', ''] },
  'revenue mrr --from': { values: ['today', '2026-02-30', '26-01-01', ''] },
  'revenue mrr --to': { values: ['today', '2026-02-30', '26-01-01', ''] },
  'revenue report --by': { values: ['day', ''] },
  'revenue report --from': { values: ['today', '2026-02-30', '26-01-01', ''] },
  'revenue report --to': { values: ['today', '2026-02-30', '26-01-01', ''] },
  'start --only': { values: ['web', ''] },
  'start --processes': { values: ['0', '65', '1.5', 'all', ''] },
};

/** Returns each option with a value, such as `keys create --name`, in the calls that a help lists first. */
function listOptions({ name, help }: { name: string; help: string }): string[] {
  return help
    .split('\n\n')[0]!
    .split('\n')
    .flatMap((line) => {
      // `tally plans show|set --limit N` has the subcommands `show` and `set`.
      const [, subcommands = ''] = /^tally [\w-]+ ([a-z][a-z-]*(?:\|[a-z-]+)*)(?: |$)/.exec(line) ?? [];
      const calls = subcommands === '' ? [name] : subcommands.split('|').map((subcommand) => `${name} ${subcommand}`);
      // A word follows an option with a value. The file after --lines is an argument of the command.
      const options = [...line.matchAll(/(--(?!lines )[a-z-]+) (?=\w)/g)].map(([, option]) => option!);
      return calls.flatMap((call) => options.map((option) => `${call} ${option}`));
    });
}

test('lists an option in this file when a command accepts it with a value', () => {
  const options = [...new Set(commands.flatMap(listOptions))].sort();
  assert.deepEqual(options, [...ANY_TEXT, ...Object.keys(WRONG_VALUES)].sort());
});

test.each(Object.entries(WRONG_VALUES))(
  'names the option in one sentence when the value of %s is wrong',
  async (call, { values, others = '' }) => {
    const option = call.split(' ').at(-1)!;
    for (const value of values) {
      const argv = [...call.split(' ').slice(0, -1), ...others.split(' ').filter(Boolean), `${option}=${value}`];
      const { code, out, err } = await runInProcess(argv);
      assert.deepEqual([code, out], [2, ''], JSON.stringify(value));
      const [sentence = '', ...rest] = err.trimEnd().split('\n');
      assert.deepEqual(rest, [], 'one sentence');
      assert.ok(sentence.startsWith(`tally ${argv[0]}: `) && sentence.includes(option), sentence);
    }
  },
);

test.each([
  [
    'members set-tier',
    ['members', 'set-tier', 'ada@example.com', 'gold'],
    /the tier must be free, pro or max, .*"gold"/,
  ],
  ['plans set', ['plans', 'set', 'gold', '--limit', '5'], /the plan must be free, pro or max, .*"gold"/],
  [
    'plans set with half a price',
    ['plans', 'set', 'pro', '--currency', 'USD'],
    /a price needs --amount-minor, --currency and/,
  ],
  ['revenue mrr', ['revenue', 'mrr', '--from', '2026-02-02', '--to', '2026-02-01'], /--from must not be after --to/],
  ['jobs retry', ['jobs', 'retry', '1', 'two'], /"two" is not the id of a job/],
  ['market refresh', ['market', 'refresh', 'AAPL', 'no symbol'], /"no symbol" is not a symbol/],
])('says what is wrong when an argument of %s is wrong', async (_command, argv, sentence) => {
  const { code, err } = await runInProcess(argv);
  assert.equal(code, 2);
  assert.match(err, sentence);
});
