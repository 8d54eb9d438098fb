import pg from 'pg';
import type { TestScope } from './test-scope.ts';

/**
 * Records every statement that this process sends to a database until the test ends. Excludes the statements that frame
 * a transaction (begin, role, identity, commit).
 */
export function recordStatements(t: TestScope): string[] {
  const texts: string[] = [];
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function note(this: pg.Client, ...values: unknown[]) {
    const [statement] = values as [string | { text: string }];
    const text = (typeof statement === 'string' ? statement : statement.text).replace(/\s+/g, ' ').trim();
    if (!/^(begin|commit|rollback)$|^set local (citus|request)\.|set_config\('role'/i.test(text)) texts.push(text);
    return (query as (...args: unknown[]) => unknown).apply(this, values);
  } as typeof query;
  t.onTestFinished(() => {
    pg.Client.prototype.query = query;
  });
  return texts;
}
