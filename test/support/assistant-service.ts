import { type StreamEvent, streamEvent } from '../../src/features/assistant/contract.ts';
import { type ModelApi, startModelApi } from '../fakes/model-api.ts';
import { type Answer, send, TestBrowser } from './identity.ts';
import { startService, type TestService } from './service.ts';

/** A stream of an answer that is being read. */
interface Stream {
  status: number;
  headers: Headers;
  /** The refusal's body, where there is no stream. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  refusal: any;
  /** Events as they come; ends with the stream. */
  events: AsyncGenerator<StreamEvent>;
  /** All that are left. */
  rest(): Promise<StreamEvent[]>;
  /** Goes away. */
  leave(): void;
}

export interface SignedIn {
  idpId: string;
  call(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Answer>;
  ask(text: string, more?: object): Promise<Stream>;
}

export interface AssistantService extends TestService {
  model: ModelApi;
  /** Signs a member of the first run in: 0 is on Free, 1 on Pro, 2 on Max. */
  signIn(member: number): Promise<SignedIn>;
}

/** The whole service with the fake model behind it. */
export async function startAssistantService(settings: Record<string, string> = {}): Promise<AssistantService> {
  const model = await startModelApi();
  const service = await startService({
    ...{ ANTHROPIC_API_KEY: 'sk-test-key', ANTHROPIC_BASE_URL: model.url, WORKER: 'off', API_RATE_LIMIT: '9999' },
    ...settings,
  });
  return {
    ...service,
    model,
    async signIn(member) {
      const { email, password, idp_user_id: idpId } = service.firstRun.members[member]!;
      const browser = new TestBrowser(service.url, service.url);
      const { body } = await browser.call('POST', '/client/sign_ins', { identifier: email, password });
      // They hold for a minute.
      const authorise = async () => `Bearer ${await browser.token(body.response.created_session_id)}`;
      return {
        idpId,
        call: async (method, path, sent, headers) =>
          send(service.url + path, method, sent, {
            ...{ authorization: await authorise(), origin: service.url },
            ...headers,
          }),
        ask: async (text, more) => ask(service.url, await authorise(), { text, ...more }),
      };
    },
    async stop() {
      await service.stop();
      await model.close();
    },
  };
}

async function ask(url: string, authorization: string, body: object): Promise<Stream> {
  const leave = new AbortController();
  const response = await fetch(`${url}/api/assistant/messages`, {
    ...{ method: 'POST', signal: leave.signal, body: JSON.stringify(body) },
    headers: { authorization, 'content-type': 'application/json', origin: url },
  });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  const events = readEvents(isStream ? response : new Response(''));
  return {
    ...{ status: response.status, headers: response.headers, events },
    refusal: isStream ? undefined : await response.json(),
    async rest() {
      const left: StreamEvent[] = [];
      for await (const event of events) left.push(event);
      return left;
    },
    leave: () => leave.abort(),
  };
}

/** Each event as the contract has it. */
async function* readEvents(response: Response): AsyncGenerator<StreamEvent> {
  let waiting = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    waiting += chunk;
    const whole = waiting.split('\n\n');
    waiting = whole.pop()!;
    for (const text of whole) {
      const [, type, data] = /^event: (\w+)\ndata: (.*)$/.exec(text) ?? [];
      if (data === undefined) continue;
      const event = streamEvent.parse(JSON.parse(data));
      if (event.type !== type) throw new Error(`the event ${type} holds ${event.type}`);
      yield event;
    }
  }
}

/** The text of an answer's events. */
export const textOf = (events: readonly StreamEvent[]): string =>
  events.map((event) => (event.type === 'text' ? event.text : '')).join('');
