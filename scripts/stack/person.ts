import { randomBytes } from 'node:crypto';
import { Client, type Reply } from './client.ts';
import { SITE } from './start-stack.ts';

const PASSWORD = 'correct horse battery';
/** A token lives for 60 s; the pages fetch the next one before it ends. */
const FRESH_MS = 40_000;

let made = 0;

/** Somebody with a browser: an address, a cookie and a session of their own. */
export class Person {
  readonly client: Client;
  readonly email = `person-${randomBytes(6).toString('hex')}@example.com`;
  idpId = '';
  private cookie = '';
  private sessionId = '';
  private token = '';
  private tokenAt = -Infinity;

  constructor(url: string) {
    made += 1;
    this.client = new Client(url, `127.1.${Math.floor(made / 250)}.${1 + (made % 250)}`);
  }

  async signUp(): Promise<this> {
    const reply = await this.provider('/client/sign_ups', { email_address: this.email, password: PASSWORD });
    if (reply.status !== 200) throw new Error(`sign-up: ${reply.status} ${JSON.stringify(reply.body)}`);
    this.idpId = reply.body.response.created_user_id;
    this.sessionId = reply.body.response.created_session_id;
    const first = await this.send('GET', '/api/me');
    if (first.status !== 200) throw new Error(`/api/me: ${first.status} ${JSON.stringify(first.body)}`);
    return this;
  }

  /** As in a browser that has never been here. */
  async signIn(): Promise<Reply> {
    this.cookie = '';
    const reply = await this.provider('/client/sign_ins', { identifier: this.email, password: PASSWORD });
    if (reply.status === 200) {
      this.sessionId = reply.body.response.created_session_id;
      this.tokenAt = -Infinity;
    }
    return reply;
  }

  /** A request of the signed-in pages: a token that is refused or old is fetched anew, once, as they do. */
  async send(method: string, path: string, body?: object): Promise<Reply> {
    if (performance.now() - this.tokenAt > FRESH_MS) {
      const refused = await this.refresh();
      if (refused) return refused;
    }
    const reply = await this.ask(method, path, body);
    if (reply.status !== 401) return reply;
    return (await this.refresh()) ?? (await this.ask(method, path, body));
  }

  private ask(method: string, path: string, body?: object): Promise<Reply> {
    return this.client.send(method, path, { body, headers: { authorization: `Bearer ${this.token}`, origin: SITE } });
  }

  private async refresh(): Promise<Reply | undefined> {
    const reply = await this.provider(`/client/sessions/${this.sessionId}/tokens`, {});
    if (reply.status !== 200) return reply;
    this.token = reply.body.jwt;
    this.tokenAt = performance.now();
    return undefined;
  }

  private async provider(path: string, form: Record<string, string>): Promise<Reply> {
    const headers = { origin: SITE, ...(this.cookie && { cookie: this.cookie }) };
    const reply = await this.client.send('POST', `/_idp/v1${path}`, { body: new URLSearchParams(form), headers });
    for (const line of [reply.headers['set-cookie'] ?? []].flat()) this.cookie = line.split(';')[0]!;
    return reply;
  }
}
