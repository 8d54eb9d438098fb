import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'vitest';
import { deleteMemberKeys, memberKeys } from './stored-keys.ts';

/** Names with the same prefix that are no keys of the storage: channels, a lock and a file. */
const OTHER_NAMES = ['tally.changes', 'tally.session', 'tally.events', 'tally.json'];

/**
 * Other keys of the browser's storage. `own`: its module deletes it at sign-out, or keeps it for a reason of its own.
 * `view`: how a member sorts a list, for the next sign-in. `browser`: it concerns no member.
 */
const otherKeys: Readonly<Record<string, 'own' | 'view' | 'browser'>> = {
  'tally.cached-member': 'own',
  'tally.event.': 'own',
  'tally.events-off': 'browser',
  'tally.has': 'own',
  'tally.holdings.sort.2.': 'view',
  'tally.kept-adds': 'own',
  'tally.member': 'own',
  'tally.no-logos': 'browser',
  'tally.number-format': 'browser',
  'tally.portfolio.view.1.': 'view',
  'tally.privacy': 'browser',
  'tally.referral': 'browser',
  'tally.reloaded-at': 'browser',
  'tally.scroll': 'browser',
  'tally.theme': 'browser',
  'tally.tour': 'own',
  'tally.watchlist': 'own',
  'tally.watchlist.table-sort.1.': 'view',
  'tally.watchlist.view.1.': 'view',
};

test('has a rule for each key that a screen stores', () => {
  const files = globSync('src/**/*.{ts,tsx,js}').filter(
    (path) => /[/\\]ui[/\\]/.test(path) && !/\.test\.|stored-keys/.test(path),
  );
  const names = files.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/['`](tally\.[a-z0-9.-]+)/g)].map(([, name]) => name!),
  );
  const keys = [...new Set(names)].filter((name) => !OTHER_NAMES.includes(name));
  assert.deepEqual(keys.sort(), [...memberKeys, ...Object.keys(otherKeys)].sort());
});

test('deletes what belongs to a member, and keeps the settings of the browser', () => {
  const localStorage: Record<string, string> = {
    'tally.was-empty.1.user_1': '1',
    'tally.last-import.1.user_1': '1',
    'tally.cards': 'news',
    'tally.theme': 'dark',
  };
  const removeItem = (key: string): void => {
    delete localStorage[key];
  };
  Object.defineProperty(localStorage, 'removeItem', { value: removeItem });
  Object.assign(globalThis, { window: { localStorage } });
  deleteMemberKeys();
  assert.deepEqual(Object.keys(localStorage), ['tally.theme']);
});
