import type { Person } from '../stack/person.ts';
import type { Reply } from '../stack/client.ts';

type Membership = 'in' | 'out' | 'unknown';

/**
 * What one member was told of their list: an answer is a promise, no answer leaves the symbol unknown until `settle`.
 * `broken` holds each promise that a later answer contradicts.
 */
export class Ledger {
  readonly broken: string[] = [];
  /** Adds and removals that were acknowledged. */
  acknowledged = 0;
  private readonly person: Person;
  private readonly memberships: Map<string, Membership>;
  private readonly ids = new Map<string, string>();

  constructor(person: Person, symbols: readonly string[]) {
    this.person = person;
    this.memberships = new Map(symbols.map((symbol) => [symbol, 'out']));
  }

  async add(): Promise<Reply | undefined> {
    const symbol = this.pick('out');
    if (symbol === undefined) return undefined;
    const reply = await this.person.send('POST', '/api/watchlist', { symbol });
    if (reply.status === 201) {
      this.acknowledged += 1;
      this.ids.set(symbol, reply.body.item.id);
      this.memberships.set(symbol, 'in');
    } else {
      if (reply.status === 409) this.broken.push(`${symbol} was removed, and is there at the next add`);
      this.memberships.set(symbol, 'unknown');
    }
    return reply;
  }

  async remove(): Promise<Reply | undefined> {
    const symbol = this.pick('in');
    if (symbol === undefined) return undefined;
    const reply = await this.person.send('DELETE', `/api/watchlist/${this.ids.get(symbol)}`);
    if (reply.status === 204) {
      this.acknowledged += 1;
      this.memberships.set(symbol, 'out');
    } else {
      if (reply.status === 404) this.broken.push(`${symbol} was added, and is not there at its removal`);
      this.memberships.set(symbol, 'unknown');
    }
    return reply;
  }

  /** Turns the list round. */
  async reorder(): Promise<Reply | undefined> {
    const list = await this.person.send('GET', '/api/watchlist');
    if (list.status !== 200) return list;
    const ids = (list.body.items as { id: string }[]).map(({ id }) => id).toReversed();
    return ids.length < 2 ? undefined : this.person.send('PUT', '/api/watchlist/order', { ids });
  }

  list(): Promise<Reply> {
    return this.person.send('GET', '/api/watchlist');
  }

  /** Compares with the list once nothing is under way, and takes over what was unknown. False: it cannot be read. */
  async settle(): Promise<boolean> {
    const { status, body } = await this.list();
    if (status !== 200) return false;
    const items = body.items as { id: string; symbol: string; position: number }[];
    const there = new Map(items.map(({ symbol, id }) => [symbol, id]));
    for (const [symbol, membership] of this.memberships) {
      if (membership === 'in' && !there.has(symbol)) this.broken.push(`${symbol} was added, and is not on the list`);
      if (membership === 'out' && there.has(symbol)) this.broken.push(`${symbol} was removed, and is on the list`);
      this.memberships.set(symbol, there.has(symbol) ? 'in' : 'out');
    }
    for (const [symbol, id] of there) this.ids.set(symbol, id);
    if (items.some(({ position }, i) => position !== i + 1)) this.broken.push('positions are not 1 to n');
    return true;
  }

  private pick(wanted: Membership): string | undefined {
    const fitting = [...this.memberships].filter(([, membership]) => membership === wanted);
    return fitting[Math.floor(Math.random() * fitting.length)]?.[0];
  }
}
