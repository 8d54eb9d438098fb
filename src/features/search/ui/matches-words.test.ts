import assert from 'node:assert/strict';
import { test } from 'vitest';
import { matchesWords } from './matches-words.ts';

test('matches the beginnings of words in any order and case', () => {
  const label = 'Invite friends refer-a-friend';
  for (const query of ['', '  ', 'inv', 'FRIENDS', 'friends inv', 'refer'])
    assert.equal(matchesWords(label, query), true, query);
  for (const query of ['vite', 'friendsx', 'invite bank']) assert.equal(matchesWords(label, query), false, query);
});
