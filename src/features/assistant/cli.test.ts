import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { assistantCommand } from './cli.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

async function run(...argv: string[]): Promise<{ code: number; out: string }> {
  let out = '';
  const code = await assistantCommand((work) => work(db.database)).run(argv, {
    out: (text) => {
      out += text;
    },
    err: () => {},
  });
  return { code, out };
}

test('shows counts and tokens of all members by day without what they wrote', async () => {
  assert.deepEqual(await run('usage'), {
    code: 0,
    out: 'No answer used tokens in the last eight days.\n0 conversations with 0 questions are stored.\n',
  });
  await db.owner(`insert into public.all_users (idp_id) values ('user_a'), ('user_b')`);
  await db.owner(`insert into public.assistant_usage (idp_id, answer_id, day, spent, reserved, expires_at) values
    ('user_a', gen_random_uuid(), '2026-11-26', 100, 0, now()), ('user_a', gen_random_uuid(), '2026-11-26', 50, 0, now()),
    ('user_b', gen_random_uuid(), '2026-11-26', 7, 900, now()), ('user_b', gen_random_uuid(), '2026-11-25', 1, 0, now()),
    ('user_b', gen_random_uuid(), '2026-11-25', 0, 900, now())`);
  await db.owner(
    `with c as (insert into public.assistant_conversations (idp_id, title) values ('user_a', 'A private title') returning *)
     insert into public.assistant_messages (idp_id, conversation_id, role, text, status)
     select idp_id, id, role, case role when 'member' then 'A private question' end, case role when 'assistant' then 'done' end
       from c, unnest(array['member', 'assistant', 'member']) as role`,
  );
  await db.owner(
    `insert into public.assistant_conversations (idp_id, title, updated_at) values ('user_b', 'Old', now() - interval '31 days')`,
  );
  const { code, out } = await run('usage', '--json');
  assert.equal(code, 0);
  assert.deepEqual(JSON.parse(out), {
    days: [
      { day: '2026-11-26', members: 2, answers: 3, tokens: 157 },
      { day: '2026-11-25', members: 1, answers: 1, tokens: 1 },
    ],
    conversations: 1,
    questions: 2,
  });
  assert.doesNotMatch(out + (await run('usage')).out, /private|user_/);
});
