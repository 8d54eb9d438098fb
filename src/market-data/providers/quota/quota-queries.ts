import type { ServiceSql } from '../../../platform/database/roles.ts';

interface CallCount {
  provider: string;
  period: 'minute' | 'day';
  starts_at: Date;
  used: number;
}

class QuotaExhausted extends Error {}

/**
 * Limits of a class of calls: all calls of a minute and a day, and the calls of its group (quotes or non-quotes) in a
 * day.
 */
export interface CallLimitsForPriority {
  isQuote: boolean;
  minute: number;
  day: number;
  dayOfKind: number;
}

const callsOfKind = (isQuote: '$2' | '$5'): string =>
  `case when ${isQuote}::boolean then c.quotes else c.used - c.quotes end`;

/**
 * Counts one call in the current minute and day. Both are in UTC by the database clock, which all processes share.
 * Returns false and counts nothing if either limit is reached.
 */
export async function consumeCall(sql: ServiceSql, provider: string, limits: CallLimitsForPriority): Promise<boolean> {
  try {
    await sql.transaction(async (transaction) => {
      const rows = await transaction.query(
        `insert into market.provider_calls as c (provider, period, starts_at, used, quotes)
         select $1, s.period, date_trunc(s.period, now(), 'UTC'), 1, $5::boolean::int
           from (values ('day', $3::int), ('minute', $2::int)) as s (period, max_calls) where s.max_calls > 0
         on conflict (provider, period, starts_at) do update set used = c.used + 1, quotes = c.quotes + excluded.quotes
           where case c.period when 'minute' then c.used < $2::int
                 else c.used < $3::int and ${callsOfKind('$5')} < $4::int end
         returning c.period`,
        [provider, limits.minute, limits.day, limits.dayOfKind, limits.isQuote],
      );
      if (rows.length < 2) throw new QuotaExhausted();
    });
    return true;
  } catch (error) {
    if (error instanceof QuotaExhausted) return false;
    throw error;
  }
}

/** Returns whether the daily quota of a class is exhausted, by the database clock. */
export async function isDailyQuotaExhausted(
  sql: ServiceSql,
  provider: string,
  { isQuote, day, dayOfKind: dayLimit }: CallLimitsForPriority,
): Promise<boolean> {
  const rows = await sql.query(
    `select from market.provider_calls c
      where c.provider = $1 and c.period = 'day' and c.starts_at = date_trunc('day', now(), 'UTC')
        and (c.used >= $3 or ${callsOfKind('$2')} >= $4)`,
    [provider, isQuote, day, dayLimit],
  );
  return rows.length > 0;
}

/** Marks the minute as exhausted after a rate limit of the provider, so that other processes wait too. */
export async function exhaustMinute(sql: ServiceSql, provider: string, callsPerMinute: number): Promise<void> {
  await sql.query(
    `insert into market.provider_calls as c (provider, period, starts_at, used)
     values ($1, 'minute', date_trunc('minute', now(), 'UTC'), $2)
     on conflict (provider, period, starts_at) do update set used = greatest(c.used, excluded.used)`,
    [provider, callsPerMinute],
  );
}

/** Returns the call counts of today and of the minutes of the last hour, newest first. */
export function listCallCounts(sql: ServiceSql): Promise<CallCount[]> {
  return sql.query<CallCount>(
    `select provider, period, starts_at, used from market.provider_calls
      where starts_at >= case period when 'day' then date_trunc('day', now(), 'UTC') else now() - interval '1 hour' end
      order by provider, period, starts_at desc`,
  );
}

/** Returns the calls of the current minute and day (UTC), with those for quotes. */
export const listCurrentCounts = (sql: ServiceSql) =>
  sql.query<Omit<CallCount, 'starts_at'> & { quotes: number }>(
    `select provider, period, used, quotes from market.provider_calls
      where starts_at = date_trunc(period, now(), 'UTC')`,
  );

/** Deletes expired counts: minutes of past days and days of past months. */
export async function purgeCallCounts(sql: ServiceSql): Promise<void> {
  await sql.query(
    `delete from market.provider_calls
     where starts_at < now() - case period when 'minute' then interval '2 days' else interval '60 days' end`,
  );
}
