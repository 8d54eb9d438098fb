import assert from 'node:assert/strict';
import { test } from 'vitest';
import { buildServiceUrl } from './service-url.ts';

test('user and password are replaced, everything else is kept', () => {
  assert.equal(
    buildServiceUrl('postgres://authenticator:old@db.example:6543/tally?sslmode=require', 'new'),
    'postgres://service_authenticator:new@db.example:6543/tally?sslmode=require',
  );
  assert.equal(
    buildServiceUrl('postgresql://authenticator@db.example/tally', 'p@ss:/?#%'),
    'postgresql://service_authenticator:p%40ss%3A%2F%3F%23%25@db.example/tally',
  );
  assert.equal(
    buildServiceUrl('postgres://db.example/tally', 'k'),
    'postgres://service_authenticator:k@db.example/tally',
  );
});

test('a socket’s URL and a pooler’s tenant survive', () => {
  assert.equal(
    buildServiceUrl('postgres://authenticator:a@/postgres?host=%2Ftmp%2Fx', 'k'),
    'postgres://service_authenticator:k@/postgres?host=%2Ftmp%2Fx',
  );
  assert.equal(
    buildServiceUrl('postgres://authenticator.tenant1:a@pooler.example:5432/postgres', 'k'),
    'postgres://service_authenticator.tenant1:k@pooler.example:5432/postgres',
  );
});

test('what is not a PostgreSQL URL is refused without being repeated', () => {
  assert.throws(
    () => buildServiceUrl('https://user:secret@db.example', 'k'),
    (error: Error) => /must have the form/.test(error.message) && !error.message.includes('secret'),
  );
});
