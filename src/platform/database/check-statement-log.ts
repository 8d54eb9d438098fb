import { createCheckClient } from './disposable-client.ts';

/** Settings of the assistant's login that keep members' SQL out of the server log, each with its allowed values. */
const REQUIRED_SETTINGS: Readonly<Record<string, readonly string[]>> = {
  log_min_messages: ['fatal', 'panic'],
  log_min_error_statement: ['panic'],
  track_activities: ['off'],
};

/**
 * Returns the required log settings that the assistant's login lacks, as sorted `name = value` lines for a superuser to
 * set. Returns an empty list if the check fails, for example because the login may not connect. No statement runs then.
 */
export async function findMissingLogSettings(assistantUrl: string): Promise<string[]> {
  await using client = createCheckClient(assistantUrl);
  try {
    await client.connect();
    const { rows } = await client.query<{ name: string; setting: string }>(
      'select name, setting from pg_catalog.pg_settings where name = any ($1)',
      [Object.keys(REQUIRED_SETTINGS)],
    );
    return rows
      .filter(({ name, setting }) => !REQUIRED_SETTINGS[name]!.includes(setting))
      .map(({ name }) => `${name} = ${REQUIRED_SETTINGS[name]![0]}`)
      .toSorted();
  } catch {
    return [];
  }
}
