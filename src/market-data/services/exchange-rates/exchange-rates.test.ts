import assert from 'node:assert/strict';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { type EcbAnswer, type EcbFake, renderDaily, startEcbFake } from '../../../../test/fakes/ecb/ecb-fake.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts';
import { createSimulatedRates } from '../../../embedded/market-data/simulated-rates.ts';
import { createLogger } from '../../../platform/http/logger.ts';
import { referenceCurrency } from '../../contract.ts';
import { createEcbRates } from '../../providers/ecb/ecb.ts';
import type { ExchangeRateSource } from '../../domain/exchange-rates.ts';
import { createExchangeRates } from './exchange-rates.ts';

/** A Monday after publication. */
const now = () => new Date('2026-11-23T16:00:00Z');
const publishedDays = [
  { date: '2021-11-04', rates: { USD: '1.1569', GBP: '0.84823', RUB: '82.5' } },
  { date: '2026-11-19', rates: { USD: '1.15', GBP: '0.86' } },
  { date: '2026-11-20', rates: { USD: '1.16', GBP: '0.87' } },
  { date: '2026-11-23', rates: { USD: '1.1612', GBP: '0.87105', JPY: '176.42' } },
];
const range = { from: '2026-11-21', to: '2026-11-23' };

let database: TestDatabase;
let fake: EcbFake;
beforeAll(async () => {
  database = await createTestDatabase();
  fake = await startEcbFake(publishedDays);
});
afterAll(async () => {
  await fake.close();
  await database.drop();
});
beforeEach(async () => {
  Object.assign(fake, { days: publishedDays, answer: undefined, requests: [] });
  await database.owner('delete from market.exchange_rates');
});

function createRates(source: ExchangeRateSource = createEcbRates({ baseUrl: fake.url, now }), clock = now) {
  const registry = new Registry();
  const rates = createExchangeRates({
    sql: database.database.service,
    jobs: { add: async () => '1' },
    logger: createLogger('silent'),
    source,
    metrics: { registry },
    now: clock,
  });
  return { ...rates, registry };
}

describe('rates of the European Central Bank', () => {
  test('stores the history first and then the daily file', async () => {
    const rates = createRates();
    await rates.refresh();
    assert.deepEqual(fake.requests, ['/stats/eurofxref/eurofxref-hist.zip']);
    assert.deepEqual(Object.fromEntries(await rates.read(['USD', 'JPY', 'EUR', 'TWD'], range)), {
      USD: { dates: ['2026-11-20', '2026-11-23'], rates: ['1.16', '1.1612'], sample: false },
      JPY: { dates: ['2026-11-23'], rates: ['176.42'], sample: false },
    });
    fake.days = [...publishedDays, { date: '2026-11-24', rates: { USD: '1.17' } }];
    await rates.refresh();
    assert.deepEqual(fake.requests.slice(1), ['/stats/eurofxref/eurofxref-daily.xml']);
    const stored = await rates.read(['USD'], { from: '2026-11-24', to: '2026-11-24' });
    assert.deepEqual(stored.get('USD')?.rates, ['1.17']);
  });

  test('fetches the history again when a workday is missing', async () => {
    const rates = createRates();
    fake.days = publishedDays.slice(0, 2);
    await rates.refresh();
    fake.days = publishedDays;
    fake.requests = [];
    await rates.refresh();
    assert.deepEqual(fake.requests, ['/stats/eurofxref/eurofxref-daily.xml', '/stats/eurofxref/eurofxref-hist.zip']);
    const stored = await rates.read(['USD'], { from: '2026-11-19', to: '2026-11-23' });
    assert.deepEqual(stored.get('USD')?.dates, ['2026-11-19', '2026-11-20', '2026-11-23']);
  });

  test('replaces a rate that was corrected', async () => {
    const rates = createRates();
    await rates.refresh();
    fake.days = [...publishedDays.slice(0, 3), { date: '2026-11-23', rates: { USD: '1.2' } }];
    await rates.refresh();
    assert.deepEqual((await rates.read(['USD'], range)).get('USD')?.rates, ['1.16', '1.2']);
  });

  const badAnswers: readonly [string, EcbAnswer][] = [
    ['is unavailable', { status: 503 }],
    ['is empty', { body: '' }],
    ['is a page', { body: '<!doctype html><p>Maintenance<p>' }],
    ['has no rates', { body: renderDaily({ date: '2026-11-23', rates: {} }) }],
    ['has a future date', { body: renderDaily({ date: '2026-12-23', rates: { USD: '1.2' } }) }],
    ['has an impossible date', { body: renderDaily({ date: '2026-11-31', rates: { USD: '1.2' } }) }],
    ['has a rate of zero', { body: renderDaily({ date: '2026-11-23', rates: { USD: '1.2', GBP: '0' } }) }],
    ['has a rate that is no number', { body: renderDaily({ date: '2026-11-23', rates: { USD: '1,2' } }) }],
    ['never ends', { hangs: true }],
  ];
  test.for(badAnswers)('keeps the last rates and counts the failure when the file %s', async ([, answer]) => {
    await createRates().refresh();
    const rates = createRates(createEcbRates({ baseUrl: fake.url, now, timeoutMs: answer.hangs ? 300 : 30_000 }));
    fake.answer = answer;
    await assert.rejects(rates.refresh(), /Exchange rates of ecb were not fetched/);
    assert.deepEqual((await rates.read(['USD'], range)).get('USD')?.rates, ['1.16', '1.1612']);
    assert.match(await rates.registry.metrics(), /^tally_exchange_rates_failures_total 1$/m);
  });

  test('rejects an archive that is broken or has no table', async () => {
    for (const body of ['PK', publishedDays[0]!.date, new Uint8Array(100)]) {
      fake.answer = { body };
      await assert.rejects(createRates().refresh(), /were not fetched/);
    }
    assert.deepEqual(await createRates().read(['USD'], range), new Map());
  });

  test('measures the age of the newest rate', async () => {
    await createRates().refresh();
    const later = createRates(undefined, () => new Date('2026-12-01T09:00:00Z'));
    assert.match(await later.registry.metrics(), /^tally_exchange_rates_age_seconds 723600$/m);
  });
});

describe('simulated rates', () => {
  test('has each reference currency on each workday of a year', async () => {
    const rates = createRates(createSimulatedRates(now));
    await rates.refresh();
    const stored = await rates.read(referenceCurrency.options, { from: '2025-11-24', to: '2026-11-23' });
    assert.deepEqual([...stored.keys(), 'EUR'].sort(), referenceCurrency.options);
    const { dates, sample } = stored.get('USD')!;
    assert.deepEqual([dates[0], dates.at(-1), sample], ['2025-11-24', '2026-11-23', true]);
    assert.ok(dates.every((date) => new Date(date).getUTCDay() % 6 !== 0));
    assert.equal(dates.includes('2025-12-25'), false);
  });

  test('disappears when the central bank’s rates are stored', async () => {
    await createRates(createSimulatedRates(now)).refresh();
    const published = createRates();
    assert.deepEqual(await published.read(['USD'], range), new Map(), 'simulated rates are no rates');
    await published.refresh();
    await createRates(createSimulatedRates(now)).refresh();
    const stored = (await createRates(createSimulatedRates(now)).read(['USD'], range)).get('USD');
    assert.deepEqual(stored?.rates, ['1.16', '1.1612']);
  });
});
