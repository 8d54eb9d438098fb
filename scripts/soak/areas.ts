import { Client, type Reply } from '../stack/client.ts';
import { Person } from '../stack/person.ts';
import { OPERATOR_TOKEN, type Stack } from '../stack/start-stack.ts';

/** One request, or a few that belong together, with the statuses that are no error. */
export interface Area {
  name: string;
  /** How often it comes beside the others. */
  weight: number;
  ask(round: number): Promise<Reply>;
  right: readonly number[];
}

const BODY = {
  model: 'claude-opus-4-6',
  messages: [{ role: 'user', content: 'How many tokens are these words?'.repeat(20) }],
};
const SYMBOLS = Array.from({ length: 40 }, (_, i) => `R${String(i + 1).padStart(4, '0')}`);

/** A demo account that shows something, without which no link to it is made; returns its id. */
export async function makeDemoAccount(stack: Stack): Promise<string> {
  const demo = await new Person(stack.url).signUp();
  const { body } = await demo.send('POST', '/api/accounts', { name: 'Brokerage' });
  await demo.send('POST', '/api/investments/holdings', {
    account_id: body.account.id,
    symbol: SYMBOLS[0],
    quantity: 3,
  });
  await demo.send('POST', '/api/watchlist', { symbol: SYMBOLS[1] });
  return demo.idpId;
}

/** Every area of the service, as twenty members, two operators' clients and the holder of a key use it. */
export async function prepareAreas(stack: Stack): Promise<Area[]> {
  const people = await Promise.all(Array.from({ length: 20 }, () => new Person(stack.url).signUp()));
  const newcomers = await Promise.all(Array.from({ length: 60 }, () => new Person(stack.url).signUp()));
  for (const [i, person] of people.entries()) {
    const { body } = await person.send('POST', '/api/accounts', { name: 'Brokerage' });
    for (const symbol of SYMBOLS.slice(i % 5, 5 + (i % 5)))
      await person.send('POST', '/api/investments/holdings', { account_id: body.account.id, symbol, quantity: 3 });
    for (const symbol of SYMBOLS.slice(0, 15)) await person.send('POST', '/api/watchlist', { symbol });
  }
  // As many organisations as their limits of counts a minute ask for.
  const keys = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => stack.createKey(`Soaked ${n}`, 4)));
  const counters = keys.map((_, i) => new Client(stack.url, `127.0.0.${i + 20}`));
  const operator = new Client(stack.url, '127.0.0.10');
  const of = (round: number): Person => people[round % people.length]!;
  const get = (name: string, paths: readonly string[], weight: number): Area => ({
    ...{ name, weight, right: [200] },
    ask: (round) => of(round).send('GET', paths[Math.floor(round / people.length) % paths.length]!),
  });
  const count: Area = {
    ...{ name: 'count', weight: 40, right: [200] },
    ask: (round) => {
      const headers = { 'x-api-key': keys[round % keys.length]!, 'svc-version': '2023-06-01' };
      return counters[round % keys.length]!.send('POST', '/v1/messages/count_tokens', { body: BODY, headers });
    },
  };
  const link = await people[0]!.send('GET', '/api/referrals/get-link');
  const ref = String(link.body.link ?? link.body.url ?? '')
    .split(/[=/]/)
    .at(-1);
  const writes: Area = {
    // Of two requests of a member one may come after the other's removal.
    ...{ name: 'watchlist, writes', weight: 6, right: [200, 201, 204, 404, 409] },
    async ask(round) {
      const person = of(round);
      const symbol = SYMBOLS[15 + (round % 5)]!;
      const added = await person.send('POST', '/api/watchlist', { symbol });
      return added.status === 201 ? person.send('DELETE', `/api/watchlist/${added.body.item.id}`) : added;
    },
  };
  const links: Area = {
    ...{ name: 'demo links', weight: 2, right: [200, 201] },
    async ask() {
      const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };
      const made = await operator.send('POST', '/api/internal/demo-access', { body: { label: 'Soak' }, headers });
      if (made.status !== 201) return made;
      return operator.send('DELETE', `/api/internal/demo-access/${made.body.id}`, { headers });
    },
  };
  return [
    count,
    get('watchlist', ['/api/watchlist', `/api/watchlist/ticker/${SYMBOLS[0]}`, '/api/watchlist/earnings'], 12),
    writes,
    get(
      'dashboard',
      ['/api/dashboard', '/api/earnings', '/api/news', '/api/net-worth', '/api/investments/positions'],
      12,
    ),
    get(
      'search',
      ['/api/investments/search?q=r', '/api/investments/search?q=apple', '/api/investments/search?q=vo'],
      8,
    ),
    get(
      'referrals',
      ['/api/referrals/stats', '/api/referrals/history', `/api/referrals/validate-referrer?ref=${ref}`],
      5,
    ),
    links,
    get('connections', ['/api/connections', '/api/connections/offers'], 4),
    get('plans', ['/api/plans', '/api/billing'], 4),
    get(
      'reports',
      ['/api/assistant/reports/net_worth_change?days=30', `/api/assistant/reports/position?symbol=${SYMBOLS[4]}`],
      3,
    ),
    {
      ...{ name: 'own SQL', weight: 2, right: [200] },
      ask: (round) => of(round).send('POST', '/api/assistant/sql', { sql: 'select count(*) from holdings' }),
    },
    await mcp(people, stack),
    { ...{ name: 'sign-in', weight: 2, right: [200] }, ask: (round) => newcomers[round % newcomers.length]!.signIn() },
  ];
}

/** Each with an assistant of their own, since a token's calls are limited. */
async function mcp(people: readonly Person[], stack: Stack): Promise<Area> {
  const tokens = await Promise.all(
    people.map(async (person) => (await person.send('POST', '/api/assistant/tokens', { name: 'Soak' })).body.token),
  );
  const client = new Client(stack.url, '127.0.0.11');
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const ask = (round: number): Promise<Reply> => {
    const authorization = `Bearer ${tokens[round % tokens.length]}`;
    return client.send('POST', '/mcp', {
      body,
      headers: { authorization, accept: 'application/json, text/event-stream' },
    });
  };
  return { name: 'MCP', weight: 2, right: [200], ask };
}
