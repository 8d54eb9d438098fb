import { type StreamEvent, streamEvent } from '../../src/features/assistant/contract.ts';
import { type ModelApi, startModelApi } from '../fakes/model-api.ts';
import { type ApiResponse, sendRequest, TestBrowser } from './identity.ts';
import { startService, type TestService } from './service.ts';

/** The stream of an answer. */
interface Stream {
  status: number;
  headers: Headers;
  /** The body of a rejection without a stream. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  errorBody: any;
  /** Events in order until the stream ends. */
  events: AsyncGenerator<StreamEvent>;
  /** Reads all remaining events. */
  readRest(): Promise<StreamEvent[]>;
  /** Disconnects the client. */
  disconnect(): void;
}

export interface SignedInMember {
  idpId: string;
  call(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<ApiResponse>;
  ask(text: string, options?: object): Promise<Stream>;
}

export interface AssistantService extends TestService {
  model: ModelApi;
  /** Signs in a member of the first run: 0 is on Free, 1 on Pro, 2 on Max. */
  signIn(member: number): Promise<SignedInMember>;
}

/** Starts the whole service with the fake model. */
export async function startAssistantService(settings: Record<string, string> = {}): Promise<AssistantService> {
  const model = await startModelApi();
  const service = await startService({
    ANTHROPIC_API_KEY: 'sk-test-key',
    ANTHROPIC_BASE_URL: model.url,
    WORKER: 'off',
    API_RATE_LIMIT: '9999',
    ...settings,
  });
  return {
    ...service,
    model,
    async signIn(member) {
      const { email, password, idp_user_id: idpId } = service.firstRun.members[member]!;
      const browser = new TestBrowser(service.url, service.url);
      const { body } = await browser.call('POST', '/client/sign_ins', { identifier: email, password });
      // A session token is valid for a minute.
      const createAuthorization = async () => `Bearer ${await browser.token(body.response.created_session_id)}`;
      return {
        idpId,
        call: async (method, path, sent, headers) =>
          sendRequest(service.url + path, method, sent, {
            authorization: await createAuthorization(),
            origin: service.url,
            ...headers,
          }),
        ask: async (text, extra) => ask(service.url, await createAuthorization(), { text, ...extra }),
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
    method: 'POST',
    signal: leave.signal,
    body: JSON.stringify(body),
    headers: { authorization, 'content-type': 'application/json', origin: url },
  });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  const events = parseEventStream(isStream ? response : new Response(''));
  return {
    status: response.status,
    headers: response.headers,
    events,
    errorBody: isStream ? undefined : await response.json(),
    async readRest() {
      const remainingEvents: StreamEvent[] = [];
      for await (const event of events) remainingEvents.push(event);
      return remainingEvents;
    },
    disconnect: () => leave.abort(),
  };
}

/** Yields each event in the form of the contract. */
async function* parseEventStream(response: Response): AsyncGenerator<StreamEvent> {
  let buffer = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    buffer += chunk;
    const completeEvents = buffer.split('\n\n');
    buffer = completeEvents.pop()!;
    for (const text of completeEvents) {
      const [, type, data] = /^event: (\w+)\ndata: (.*)$/.exec(text) ?? [];
      if (data === undefined) continue;
      const event = streamEvent.parse(JSON.parse(data));
      if (event.type !== type) throw new Error(`the event ${type} holds ${event.type}`);
      yield event;
    }
  }
}

/** Returns the text of an answer's events. */
export const getText = (events: readonly StreamEvent[]): string =>
  events.map((event) => (event.type === 'text' ? event.text : '')).join('');
