import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { connectDatabase } from '../../platform/database/connect.ts';
import { listMigrationNames } from '../../platform/database/migration-files.ts';
import { migrate } from '../../platform/database/migrate.ts';
import { setReferralLink } from '../../platform/identity/queries.ts';
import { referralLink } from './contract.ts';
import { LINK_ALPHABET, generateLink, getReferralLink } from './referral-link.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
  await db.owner(`insert into public.all_users (idp_id) select 'user_' || n from generate_series(1, 30) n`);
});
afterAll(() => db.drop());

test('uses an alphabet without look-alikes in contract and database check', async () => {
  assert.equal(new Set(LINK_ALPHABET).size, 56);
  assert.doesNotMatch(LINK_ALPHABET, /[01IOlo]/);
  const printable = Array.from({ length: 94 }, (_, index) => String.fromCodePoint(33 + index));
  const accepted = printable.filter((letter) => referralLink.safeParse(letter.repeat(12)).success).join('');
  assert.equal(accepted, LINK_ALPHABET);
  const check = async (link: string): Promise<boolean> =>
    db.owner(`update public.all_users set referral_link = $1 where idp_id = 'user_30'`, [link]).then(
      () => true,
      (error: Error) => {
        assert.match(error.message, /violates check constraint "all_users_referral_link_check(_\d+)?"$/);
        return false;
      },
    );
  const storedLetters: string[] = [];
  for (const letter of printable) if (await check(letter.repeat(12))) storedLetters.push(letter);
  assert.equal(storedLetters.join(''), LINK_ALPHABET);
  for (const link of ['', 'A'.repeat(11), 'A'.repeat(13)]) assert.equal(await check(link), false);
});

test('draws each letter with equal probability at every position', () => {
  const drawCount = 60_000;
  const counts = Array.from({ length: 12 }, () => new Map<string, number>());
  for (let i = 0; i < drawCount; i += 1)
    for (const [position, letter] of [...generateLink()].entries())
      counts[position]!.set(letter, (counts[position]!.get(letter) ?? 0) + 1);
  const expected = drawCount / LINK_ALPHABET.length;
  for (const [position, countByLetter] of counts.entries()) {
    const chiSquared =
      [...LINK_ALPHABET].reduce((sum, letter) => sum + ((countByLetter.get(letter) ?? 0) - expected) ** 2, 0) /
      expected;
    // With 55 degrees of freedom a fair generator exceeds 130 about once in twenty million positions.
    assert.ok(chiSquared < 130, `place ${position}: ${chiSquared}`);
  }
});

test('rejects bytes that would favor the first letters', () => {
  const bytes = (first: number) => (count: number) =>
    Uint8Array.from({ length: count }, (_, i) => (i === 0 ? first : 0));
  assert.equal(generateLink(bytes(223)), `z${'2'.repeat(11)}`);
  assert.equal(generateLink(bytes(224)), '2'.repeat(12));
  assert.equal(generateLink(bytes(255)), '2'.repeat(12));
});

test('returns one link to concurrent callers in two processes', async () => {
  const other = connectDatabase(db.urls);
  try {
    for (let member = 1; member <= 20; member += 1) {
      const requests = Array.from({ length: 10 }, (_, i) =>
        getReferralLink(i % 2 ? db.database.service : other.service, `user_${member}`),
      );
      assert.equal(new Set(await Promise.all(requests)).size, 1);
    }
  } finally {
    await other.close();
  }
});

test('generates again after a collision and reports a generator that repeats itself', async () => {
  const takenLink = (await getReferralLink(db.database.service, 'user_21'))!;
  const draws = [takenLink, takenLink, 'Qm7XvT3kWz9B'];
  assert.equal(await getReferralLink(db.database.service, 'user_22', () => draws.shift()!), 'Qm7XvT3kWz9B');
  await assert.rejects(
    getReferralLink(db.database.service, 'user_23', () => takenLink),
    /unused referral link in \d attempts/,
  );
  assert.equal(await getReferralLink(db.database.service, 'user_22'), 'Qm7XvT3kWz9B');
});

test('does not block writes to the member’s rows while generating a link', async () => {
  await db.database.service.transaction(async (tx) => {
    await setReferralLink(tx, 'user_24', 'Qm7XvT3kWz9C');
    const rows = `select from public.all_users where idp_id = 'user_24' for key share nowait`;
    assert.equal((await db.database.service.query(rows)).length, 1);
  });
});

test('rejects a change of a link by the service and by the member', async () => {
  const link = (await getReferralLink(db.database.service, 'user_25'))!;
  await setReferralLink(db.database.service, 'user_25', 'Qm7XvT3kWz9D');
  assert.equal(await getReferralLink(db.database.service, 'user_25'), link);
  const change = `update public.all_users set referral_link = 'Qm7XvT3kWz9D' where idp_id = 'user_25'`;
  await assert.rejects(db.database.service.query(change), { code: '42501' });
  const asMember = db.database.asMember({ sub: 'user_25' });
  await assert.rejects(asMember.query(change), { code: '42501' });
  await assert.rejects(asMember.query(`select public.set_referral_link('user_25', 'Qm7XvT3kWz9D')`), { code: '42501' });
});

test('keeps all links when a database is migrated whose links were in a table of their own', async (t) => {
  const old = await createTestDatabase(t, { template: 'template0' });
  const names = await listMigrationNames();
  await migrate(old.ownerUrl, { onlyFiles: new Set(names.filter((name) => name < '20261128_01_referral_link.sql')) });
  await old.owner(`insert into public.all_users (idp_id) values ('user_a'), ('user_b')`);
  await old.owner(`insert into public.referral_links (idp_id, link) values ('user_a', 'Qm7XvT3kWz9B')`);
  await migrate(old.ownerUrl);
  assert.deepEqual(await old.owner('select idp_id, referral_link from public.all_users order by 1'), [
    { idp_id: 'user_a', referral_link: 'Qm7XvT3kWz9B' },
    { idp_id: 'user_b', referral_link: null },
  ]);
  assert.deepEqual(await old.owner(`select to_regclass('public.referral_links') as old`), [{ old: null }]);
  await assert.rejects(
    old.owner(`update public.all_users set referral_link = 'Qm7XvT3kWz9B' where idp_id = 'user_b'`),
    { code: '23505', constraint: 'all_users_referral_link_key' },
  );
});

test('returns no link to a person who is not a member', async () => {
  assert.equal(await getReferralLink(db.database.service, 'user_nobody'), undefined);
});
