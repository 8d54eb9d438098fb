import type { RedirectQuery } from '../contract.ts';

const STATUSES: readonly string[] = ['SUCCESS', 'ERROR', 'ABANDONED'] satisfies RedirectQuery['status'][];
const PARAMETER_PATTERNS = {
  connection_id: /^.{1,100}$/,
  error_code: /^[A-Za-z0-9_]{1,40}$/,
  status_code: /^.{1,10}$/,
};

/** Parses the redirect query of a brokerage's page. Returns `undefined` if it is not valid. */
export function parseRedirectQuery(query: URLSearchParams): RedirectQuery | undefined {
  const status = query.get('status');
  if (status === null || !STATUSES.includes(status)) return undefined;
  const parameters = Object.entries(PARAMETER_PATTERNS).flatMap(([name, pattern]) => {
    const value = query.get(name);
    return value !== null && pattern.test(value) ? [[name, value] as const] : [];
  });
  return { status: status as RedirectQuery['status'], ...Object.fromEntries(parameters) };
}
