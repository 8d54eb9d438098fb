import assert from 'node:assert/strict';
import { test } from 'vitest';
import { startIdentityApp, TestBrowser } from '../../../test/support/identity.ts';
import { findReservedAccounts } from './seed-people.ts';

test('creates the accounts of the first run once, with working passwords', { tags: ['slow'] }, async (t) => {
  const { database, url, owner, identity, getEmbedded: embedded } = await startIdentityApp(t);
  const accounts = (demoAccountId?: string) => findReservedAccounts(database.service, { demoAccountId });
  assert.deepEqual(await accounts(), { demoAccountId: undefined, sampleUserId: undefined });
  const first = await embedded().seedPeople();
  const people = await embedded().seedPeople();
  assert.deepEqual(
    people.members.map(({ tier }) => tier),
    ['free', 'pro', 'max'],
  );
  assert.deepEqual(
    people.members.map((member) => member.idp_user_id),
    first.members.map((member) => member.idp_user_id),
  );
  assert.equal(people.demoAccountIdpUserId, first.demoAccountIdpUserId);
  assert.equal((await owner('select * from idp.users')).length, 5);
  assert.equal((await owner('select * from public.all_users where email is not null')).length, 5);
  assert.equal((await owner(`select * from idp.webhook_messages where type = 'user.created'`)).length, 5);
  const { demoAccountIdpUserId: demoAccountId, sampleUserIdpUserId: sampleUserId } = people;
  assert.deepEqual(await accounts(), { demoAccountId, sampleUserId });
  assert.deepEqual(await accounts('user_set'), { demoAccountId: 'user_set', sampleUserId });
  const named = { demoAccountId: 'user_set', sampleUserId: 'user_shown' };
  assert.deepEqual(await findReservedAccounts(database.service, named), named);

  for (const { email, password, idp_user_id } of people.members) {
    const answer = await new TestBrowser(url).call('POST', '/client/sign_ins', { identifier: email, password });
    assert.equal(answer.body.client.sessions[0].user.id, idp_user_id);
  }
  const ticket = await identity.client.createSignInToken(people.demoAccountIdpUserId!, 60);
  assert.equal(ticket.ok, true);
  for (const email of ['demo@example.com', 'sample@example.com']) {
    assert.equal(
      (await new TestBrowser(url).call('POST', '/client/sign_ins', { identifier: email, password: '' })).status,
      422,
    );
  }
});
