import { checkClient } from './own-client.ts';

/** Settings of the assistant's login that keep members' own SQL out of the server's log, with the values that do. */
const QUIET: Readonly<Record<string, readonly string[]>> = {
  log_min_messages: ['fatal', 'panic'],
  log_min_error_statement: ['panic'],
  track_activities: ['off'],
};

/**
 * Which of those settings the assistant's login goes without, as `name = value`; a superuser sets them. None where the
 * login is not let in, since no statement runs then.
 */
export async function missingLogSettings(assistantUrl: string): Promise<string[]> {
  await using client = checkClient(assistantUrl);
  try {
    await client.connect();
    const { rows } = await client.query<{ name: string; setting: string }>(
      'select name, setting from pg_catalog.pg_settings where name = any ($1)',
      [Object.keys(QUIET)],
    );
    return rows
      .filter(({ name, setting }) => !QUIET[name]!.includes(setting))
      .map(({ name }) => `${name} = ${QUIET[name]![0]}`)
      .toSorted();
  } catch {
    return [];
  }
}
