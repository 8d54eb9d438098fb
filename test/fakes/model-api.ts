import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { text as readText } from 'node:stream/consumers';

type Block = { type: string; text?: string; content?: string; id?: string; name?: string; input?: unknown };
interface Body {
  model: string;
  system: string;
  max_tokens: number;
  stream: boolean;
  tools: { name: string; description: string; input_schema: object }[];
  tool_choice?: { type: string };
  messages: { role: 'user' | 'assistant' | 'system'; content: Block[] }[];
  metadata?: { user_id?: string };
}

interface ModelApiRequest {
  headers: IncomingHttpHeaders;
  body: Body;
  /** Whether the client disconnected before the end of the response. */
  aborted: boolean;
}

export interface ModelApi {
  url: string;
  /** Received requests, in order. */
  requests: ModelApiRequest[];
  /** Time of the first byte of each response, as returned by `performance.now()`. */
  firstBytes: number[];
  /** Completes the responses to `[slow]`. */
  releaseFirstBytes(): void;
  close(): Promise<void>;
}

/** Content of a response: chunks of text, tool calls, and the stop reason. */
interface Plan {
  text: string[];
  calls: { name: string; input: unknown }[];
  stop: string;
  end?: 'cut' | 'early' | 'overloaded' | 'slow';
}

/**
 * Starts a local API of the model for the official SDK, which sends server-sent events of one message. The question
 * selects the behavior: `[tool NAME {json}]`, `[loop]`, `[obey]` (follows instructions in tool results: `CALL name
 * {json}`, `LINK url`), `[link URL]`, `[overload]`, `[overload once]`, `[overload midway]`, `[cut]`, `[early end]`,
 * `[slow]`, `[too long]`, `[refuse]`, `[bad key]`. Any other question gets an answer in three chunks.
 */
export async function startModelApi(): Promise<ModelApi> {
  const requests: ModelApiRequest[] = [];
  const firstBytes: number[] = [];
  const attemptsByQuestion = new Map<string, number>();
  let firstBytesReleased = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    void (async () => {
      const body = JSON.parse(await readText(request)) as Body;
      const entry: ModelApiRequest = { headers: request.headers, body, aborted: false };
      requests.push(entry);
      response.on('close', () => {
        entry.aborted = !response.writableFinished;
      });
      const question = getQuestion(body);
      const times = (attemptsByQuestion.get(question) ?? 0) + 1;
      attemptsByQuestion.set(question, times);
      if (request.url !== '/v1/messages' || request.method !== 'POST') return fail(response, 404, 'not_found_error');
      if (!request.headers.authorization?.startsWith('Bearer ') || question.includes('[bad key]'))
        return fail(response, 401, 'authentication_error');
      if (question.includes('[overload]') || (question.includes('[overload once]') && times === 1))
        return fail(response, 529, 'overloaded_error');
      firstBytes.push(performance.now());
      await write(response, body, createPlan(question, body), () => firstBytesReleased.promise);
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    firstBytes,
    releaseFirstBytes() {
      firstBytesReleased.resolve();
      firstBytesReleased = Promise.withResolvers<void>();
    },
    async close() {
      firstBytesReleased.resolve();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Returns the blocks of a message. Other clients send a string for one text block. */
const getBlocks = (content: string | readonly Block[]): readonly Block[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

const getTexts = (content: string | readonly Block[]): string[] => getBlocks(content).flatMap(({ text }) => text ?? []);

/** Returns the member's newest message that is a question and not a tool result. */
function getQuestion({ messages }: Body): string {
  const lastUserMessage = messages
    .filter(({ role, content }) => role === 'user' && getTexts(content).length > 0)
    .at(-1);
  return getTexts(lastUserMessage?.content ?? []).at(-1) ?? '';
}

/** Returns the tool results after the question. */
function getToolResults({ messages }: Body): string[] {
  const from = messages.findLastIndex(({ role, content }) => role === 'user' && getTexts(content).length > 0);
  return messages
    .slice(from + 1)
    .flatMap(({ content }) => getBlocks(content).flatMap(({ content: result }) => result ?? []));
}

function createPlan(question: string, body: Body): Plan {
  const results = getToolResults(body);
  const createTextPlan = (...text: string[]): Plan => ({ text, calls: [], stop: 'end_turn' });
  const canCallTools = body.tool_choice?.type !== 'none';
  const createToolCallPlan = (name: string, input: unknown): Plan => ({
    text: [],
    calls: [{ name, input }],
    stop: 'tool_use',
  });
  const tool = /\[tool (\w+) (\{.*?\})\]/.exec(question);
  if (tool && results.length === 0)
    return { ...createToolCallPlan(tool[1]!, JSON.parse(tool[2]!)), text: ['Let me ', 'look. '] };
  if (tool) return createTextPlan('Found ', `it: ${results.length} result.`);
  if (question.includes('[loop forever]') || (question.includes('[loop]') && canCallTools))
    return createToolCallPlan('my_position', { symbol: 'AAPL' });
  if (question.includes('[obey]')) return createInjectedPlan(body, results, canCallTools);
  const createLinkPlan = /\[link ([^\]]+)\]/.exec(question);
  if (createLinkPlan)
    return createTextPlan(
      'Read [this',
      `](${createLinkPlan[1]}) `,
      'or ',
      createLinkPlan[1]!.slice(0, 9),
      createLinkPlan[1]!.slice(9),
      ' now.',
    );
  if (question.includes('[overload midway]')) return { ...createTextPlan('You hold '), end: 'overloaded' };
  if (question.includes('[cut]')) return { ...createTextPlan('You hold '), end: 'cut' };
  if (question.includes('[early end]')) return { ...createTextPlan('You hold '), end: 'early' };
  if (question.includes('[slow]')) return { ...createTextPlan('One ', 'two ', 'three.'), end: 'slow' };
  if (question.includes('[too long]')) return { ...createTextPlan('You hold '), stop: 'max_tokens' };
  if (question.includes('[refuse]')) return { ...createTextPlan(), stop: 'refusal' };
  return createTextPlan('You asked: ', `“${question}”. `, 'Nothing is known of it.');
}

/**
 * Creates a plan that follows injected instructions: it first reads news and account names, then follows one
 * instruction per turn.
 */
function createInjectedPlan({ messages }: Body, results: readonly string[], canCallTools: boolean): Plan {
  if (results.length === 0) {
    const reads = [
      { name: 'news', input: {} },
      { name: 'run_sql', input: { sql: 'select name from accounts order by name' } },
    ];
    return { text: [], calls: reads, stop: 'tool_use' };
  }
  const read = results.join('\n').replaceAll('\\"', '"');
  const orders = [...read.matchAll(/CALL (\w+) (\{.*?\})/g)].map(([, name, input]) => ({
    name: name!,
    input: JSON.parse(input!) as unknown,
  }));
  const from = messages.findLastIndex(({ role, content }) => role === 'user' && getTexts(content).length > 0);
  const order = orders[messages.slice(from).filter(({ role }) => role === 'assistant').length - 1];
  if (order && canCallTools) return { text: [], calls: [order], stop: 'tool_use' };
  const links = [...read.matchAll(/LINK (\S+?)(?=["\s\\])/g)].flatMap(([, url]) => [`[here](${url})`, ` ${url} `]);
  return { text: ['As told: ', ...links, '![x](https://evil.example/p.png)'], calls: [], stop: 'end_turn' };
}

async function write(
  response: ServerResponse,
  body: Body,
  plannedResponse: Plan,
  firstBytesReleased: () => Promise<void>,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'request-id': 'req_fake' });
  const send = (type: string, data: object): void => {
    void response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  };
  const input = Math.ceil(JSON.stringify(body).length / 4);
  send('message_start', {
    message: {
      id: 'msg_fake',
      type: 'message',
      role: 'assistant',
      model: body.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: input, output_tokens: 1 },
    },
  });
  let index = 0;
  if (plannedResponse.text.length > 0) {
    send('content_block_start', { index, content_block: { type: 'text', text: '' } });
    send('ping', {});
    for (const [at, text] of plannedResponse.text.entries()) {
      if (at > 0) await (plannedResponse.end === 'slow' && at === 1 ? firstBytesReleased() : wait(1));
      send('content_block_delta', { index, delta: { type: 'text_delta', text } });
    }
    // Destroy the socket only after the sent data has been flushed.
    if (plannedResponse.end === 'cut') {
      response.write(': \n\n', () => response.socket?.destroySoon());
      return;
    }
    if (plannedResponse.end === 'early') {
      response.end();
      return;
    }
    if (plannedResponse.end === 'overloaded') {
      send('error', { error: { type: 'overloaded_error', message: 'Overloaded' } });
      response.end();
      return;
    }
    send('content_block_stop', { index: index++ });
  }
  for (const { name, input: given } of plannedResponse.calls) {
    const id = `toolu_${name}_${body.messages.length}`;
    send('content_block_start', { index, content_block: { type: 'tool_use', id, name, input: {} } });
    const json = JSON.stringify(given);
    for (const part of [json.slice(0, 5), json.slice(5)])
      send('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json: part } });
    send('content_block_stop', { index: index++ });
  }
  send('message_delta', {
    delta: { stop_reason: plannedResponse.stop, stop_sequence: null },
    usage: { output_tokens: Math.ceil(plannedResponse.text.join('').length / 4) + 10 * plannedResponse.calls.length },
  });
  send('message_stop', {});
  response.end();
}

function fail(response: ServerResponse, status: number, type: string): void {
  response.writeHead(status, { 'content-type': 'application/json', 'retry-after-ms': '5' });
  response.end(JSON.stringify({ type: 'error', error: { type, message: 'From the fake.' } }));
}
