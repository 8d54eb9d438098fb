import assert from 'node:assert/strict';
import { test } from 'vitest';
import { parseRedirectQuery } from './parse-redirect-query.ts';

const parse = (query: string) => parseRedirectQuery(new URLSearchParams(query));

test('forwards only valid parameters of the redirect query', () => {
  assert.deepEqual(parse('status=SUCCESS&connection_id=0199a7c2&sessionId=secret'), {
    status: 'SUCCESS',
    connection_id: '0199a7c2',
  });
  assert.deepEqual(parse('status=ERROR&status_code=400&error_code=1066'), {
    status: 'ERROR',
    error_code: '1066',
    status_code: '400',
  });
  assert.deepEqual(parse(`status=ABANDONED&error_code=<b>&connection_id=${'a'.repeat(101)}`), { status: 'ABANDONED' });
  for (const query of ['', 'status=success', 'connection_id=1']) assert.equal(parse(query), undefined, query);
});
