/**
 * `npm run lab -- measure-policies [rows] [rounds]` (500,000 and 9): what it costs a policy to compare each row's owner
 * with `member_id()`, beside the subquery that policies had before and beside claims that are parsed for each row, in
 * one run. Of a member with ten rows among those of others, and of one whose rows are all that there are: the first
 * reads an index, the second the whole table. Prints plans and medians.
 */
import pg from 'pg';
import { createTestDatabase } from '../test/support/database.ts';
import { claimsOf } from '../test/support/rls/probe.ts';

const [rows = 500_000, rounds = 9] = process.argv.slice(2).map(Number);
const MEMBER = 'user_0';

const forms = {
  'a subquery': `((select auth.jwt()) ->> 'sub')`,
  'member_id()': 'public.member_id()',
  'claims a row': `(nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')`,
};
const shapes = { 'ten rows of many': Math.ceil(rows / 10), 'all rows': 1 };
const table = (shape: number, form: number): string => `public.measured_${shape}_${form}`;

const db = await createTestDatabase();
const client = new pg.Client({ connectionString: db.ownerUrl });
await client.connect();
try {
  for (const [shape, members] of Object.values(shapes).entries()) {
    for (const [form, owner] of Object.values(forms).entries()) {
      const name = table(shape, form);
      await client.query(`
        create table ${name} (idp_id text not null, id uuid not null default gen_random_uuid(), symbol text not null,
          primary key (idp_id, id));
        insert into ${name} (idp_id, symbol) select 'user_' || n % ${members}, 'S' || n % 1000
          from generate_series(1, ${rows}) n;
        alter table ${name} enable row level security;
        create policy own on ${name} for select to authenticated using (idp_id = ${owner});
        grant select on ${name} to authenticated`);
      await client.query(`vacuum analyze ${name}`);
    }
  }
  for (const [shape, what] of Object.keys(shapes).entries()) {
    console.log(`\n${what} (${rows.toLocaleString('en')} in the table): every symbol of the member's is read`);
    const times: number[][] = Object.keys(forms).map(() => []);
    for (let round = 0; round < rounds; round += 1)
      for (const form of times.keys())
        times[form]!.push(await timed(`select count(symbol) from ${table(shape, form)}`));
    for (const [form, name] of Object.keys(forms).entries()) {
      const sorted = times[form]!.toSorted((a, b) => a - b);
      console.log(
        `  ${name.padEnd(14)} ${sorted[rounds >> 1]!.toFixed(2).padStart(8)} ms   ${await scanOf(table(shape, form))}`,
      );
    }
  }
} finally {
  await client.end();
  await db.drop();
}

/** Milliseconds of a statement in the member's name. */
async function timed(text: string): Promise<number> {
  await putOn();
  const started = performance.now();
  await client.query(text);
  const spent = performance.now() - started;
  await client.query('commit');
  return spent;
}

/** Opens a transaction as the service does for a member. */
async function putOn(): Promise<void> {
  await client.query('begin');
  await client.query(
    `select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true), ` +
      `set_config('request.jwt.claim.sub', $2, true)`,
    [claimsOf(MEMBER), MEMBER],
  );
}

/** How the table is read, and by which condition. */
async function scanOf(name: string): Promise<string> {
  await putOn();
  const { rows: plan } = await client.query<Record<'QUERY PLAN', string>>(
    `explain (costs off) select count(symbol) from ${name}`,
  );
  await client.query('commit');
  return plan
    .map((line) => line['QUERY PLAN'].trim())
    .filter((line) => /Scan|Cond|Filter/.test(line))
    .map((line) => line.replace(/^-> +/, '').replaceAll(/public\.|measured_\d_\d/g, '…'))
    .join('; ');
}
