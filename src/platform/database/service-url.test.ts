import assert from 'node:assert/strict';
import { test } from 'vitest';
import { buildServiceUrl } from './service-url.ts';

test('replaces only user and password', () => {
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

test('keeps a socket’s URL and a pooler’s tenant', () => {
  assert.equal(
    buildServiceUrl('postgres://authenticator:a@/postgres?host=%2Ftmp%2Fx', 'k'),
    'postgres://service_authenticator:k@/postgres?host=%2Ftmp%2Fx',
  );
  assert.equal(
    buildServiceUrl('postgres://authenticator.tenant1:a@pooler.example:5432/postgres', 'k'),
    'postgres://service_authenticator.tenant1:k@pooler.example:5432/postgres',
  );
});

test('rejects a URL of another kind without repeating it', () => {
  assert.throws(
    () => buildServiceUrl('https://user:secret@db.example', 'k'),
    (error: Error) => /must have the form/.test(error.message) && !error.message.includes('secret'),
  );
});
