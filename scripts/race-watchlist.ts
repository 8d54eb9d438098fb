/**
 * `npm run lab -- race-watchlist [adds]` (default 800, at least 150): two server processes, one database. The adds race
 * against one member with room for a single row; then against a downgrade, at several moments; then together with
 * removals and reorders. Prints what came of each and ends with 1 where a row was too many, a position double or a gap
 * left. With `--unlocked` the member's lock is taken out first: that the same checks then find something wrong shows
 * that they are awake.
 */
import { createTestDatabase } from '../test/support/database.ts';
import { send } from '../test/support/identity.ts';
import {
  addSymbols,
  addTo,
  downgrade,
  memberWith,
  rowsOf,
  type Runner,
  standingOf,
  startServers,
  storm,
} from '../test/support/watchlist-race.ts';

const unlocked = process.argv.includes('--unlocked');
const adds = Number(process.argv.slice(2).find((argument) => /^\d+$/.test(argument)) ?? 800);
const WIDTH = 25;
const MAX_LIMIT = 250;
/** Adds among removals and reorders; fewer in all would not reach the moments of the downgrade either. */
const MIXED_ADDS = 150;
if (adds < MIXED_ADDS) {
  console.error(`${adds} adds are too few to race: name at least ${MIXED_ADDS}, or none for 800.`);
  process.exit(2);
}

const db = await createTestDatabase();
const servers = await startServers(db);
let wrong = 0;
const report = (name: string, good: boolean, figures: string): void => {
  if (!good) wrong += 1;
  console.log(`${good ? 'ok    ' : 'WRONG '} ${name.padEnd(44)} ${figures}`);
};

try {
  if (unlocked)
    await db.owner(
      'create or replace function public.lock_watchlist(p_idp_id text) returns void language sql volatile ' +
        `set search_path = '' return null::void`,
    );
  const symbols = await addSymbols(db, MAX_LIMIT + adds);
  const [first] = servers.urls;

  for (const [tier, limit] of [
    ['free', 20],
    ['pro', 100],
    ['max', 250],
  ] as const) {
    const member = await memberWith(db, first, tier, symbols.slice(0, limit - 1));
    const started = performance.now();
    const counts = await storm(
      servers.urls,
      WIDTH,
      symbols.slice(MAX_LIMIT).map((symbol) => addTo(member, symbol)),
    );
    const { rows, dense } = await standingOf(db, member.idpId);
    const good = counts[201] === 1 && counts[403] === adds - 1 && rows === limit && dense;
    report(
      `${adds} adds at ${limit - 1} of ${limit} (${tier})`,
      good,
      `${JSON.stringify(counts)}, ${rows} rows, dense ${dense}, ${Math.round(performance.now() - started)} ms`,
    );
  }

  for (const moment of [25, 40, 55, 70, 85]) {
    const member = await memberWith(db, first, 'max', symbols.slice(0, 20));
    let over = false;
    const storming = storm(
      servers.urls,
      WIDTH,
      symbols
        .slice(MAX_LIMIT)
        .slice(0, 200)
        .map((symbol) => addTo(member, symbol)),
    ).finally(() => {
      over = true;
    });
    while (!over && (await rowsOf(db, member.idpId)) < moment);
    const atDowngrade = await downgrade(db, member.idpId);
    const counts = await storming;
    const { rows, dense } = await standingOf(db, member.idpId);
    report(
      `${Math.min(adds, 200)} adds and a downgrade to 20 at ${moment} rows`,
      rows === atDowngrade && dense && (counts[201] ?? 0) + (counts[403] ?? 0) === Math.min(adds, 200),
      `${JSON.stringify(counts)}, ${atDowngrade} rows then, ${rows} after, dense ${dense}`,
    );
  }

  const member = await memberWith(db, first, 'max', symbols.slice(0, 60));
  const ids = (
    await db.owner<{ id: string }>(`select id from public.watchlist_items where idp_id = $1 order by position`, [
      member.idpId,
    ])
  ).map(({ id }) => id);
  const mixed = [
    ...symbols
      .slice(MAX_LIMIT, MAX_LIMIT + MIXED_ADDS)
      .map(
        (symbol, i) => (url: string) =>
          send(`${url}/api/watchlist`, 'POST', { symbol, position: (i % 50) + 1 }, member.headers),
      ),
    ...ids
      .slice(0, 40)
      .map((id) => (url: string) => send(`${url}/api/watchlist/${id}`, 'DELETE', undefined, member.headers)),
    ...Array.from({ length: 40 }, () => (url: string) => reverse(url, member)),
  ];
  // Dealt like cards, so that adds, removals and reorders are under way together.
  const dealt = Array.from({ length: 7 }, (_, hand) => mixed.filter((_call, i) => i % 7 === hand)).flat();
  const counts = await storm(servers.urls, WIDTH, dealt);
  const { rows, dense } = await standingOf(db, member.idpId);
  const known = Object.keys(counts).every((status) => ['200', '201', '204', '409'].includes(status));
  report(
    `${MIXED_ADDS} adds, 40 removals, 40 reorders`,
    rows === 60 + (counts[201] ?? 0) - (counts[204] ?? 0) && dense && known,
    `${JSON.stringify(counts)}, ${rows} rows, dense ${dense}`,
  );
} finally {
  await servers.stop();
  await db.drop();
}

/** Asks for the opposite order; where another was faster, again from the ids in the refusal, up to ten times. */
async function reverse(url: string, { headers }: Runner): Promise<{ status: number }> {
  let answer = await send(`${url}/api/watchlist/order`, 'PUT', { ids: [] }, headers);
  for (let tries = 0; tries < 10 && answer.status === 409; tries += 1) {
    answer = await send(`${url}/api/watchlist/order`, 'PUT', { ids: answer.body.ids.toReversed() }, headers);
  }
  return answer;
}
process.exitCode = wrong > 0 ? 1 : 0;
