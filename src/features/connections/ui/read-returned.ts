import type { ReturnedQuery } from '../contract.ts';

const STATUSES: readonly string[] = ['SUCCESS', 'ERROR', 'ABANDONED'] satisfies ReturnedQuery['status'][];
const PARTS = { connection_id: /^.{1,100}$/, error_code: /^[A-Za-z0-9_]{1,40}$/, status_code: /^.{1,10}$/ };

/** The hint that a brokerage's page sends the browser back with; `undefined` where there is none of its shape. */
export function readReturned(query: URLSearchParams): ReturnedQuery | undefined {
  const status = query.get('status');
  if (status === null || !STATUSES.includes(status)) return undefined;
  const parts = Object.entries(PARTS).flatMap(([name, shape]) => {
    const value = query.get(name);
    return value !== null && shape.test(value) ? [[name, value] as const] : [];
  });
  return { status: status as ReturnedQuery['status'], ...Object.fromEntries(parts) };
}
