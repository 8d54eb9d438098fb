import { Agent, request } from 'node:http';

export interface Reply {
  /** The answer's, or what broke instead: `ECONNRESET`, `timeout` … */
  status: number | string;
  /** The code of a refusal. */
  code: string | undefined;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  // oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape are looked into
  body: any;
  ms: number;
}

interface Sent {
  body?: object | URLSearchParams | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds until the answer is given up. */
  timeout?: number;
}

/** Another machine, as the service sees it: one kept connection at a time, from an address of its own in 127/8. */
export class Client {
  private readonly base: URL;
  private readonly agent: Agent;

  constructor(url: string, address = '127.0.0.1') {
    this.base = new URL(url);
    this.agent = new Agent({ keepAlive: true, maxSockets: 4, localAddress: address });
  }

  send(method: string, path: string, { body, headers = {}, timeout = 20_000 }: Sent = {}): Promise<Reply> {
    const from = performance.now();
    const form = body instanceof URLSearchParams;
    const text = body === undefined ? undefined : form ? body.toString() : JSON.stringify(body);
    const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
    return new Promise((resolve) => {
      const broke = (error: NodeJS.ErrnoException): void =>
        resolve({
          ...{ status: error.code ?? error.message, code: undefined, headers: {}, body: undefined },
          ms: performance.now() - from,
        });
      const outgoing = request(
        {
          ...{ host: this.base.hostname, port: this.base.port, method, path, agent: this.agent },
          headers: {
            ...(text !== undefined && { 'content-type': type, 'content-length': String(Buffer.byteLength(text)) }),
            ...headers,
          },
          signal: AbortSignal.timeout(timeout),
        },
        (answer) => {
          let received = '';
          answer.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
          answer.on('error', broke);
          answer.on('end', () => {
            const parsed = parse(received, answer.headers['content-type']);
            resolve({
              ...{ status: answer.statusCode ?? 0, headers: answer.headers, body: parsed },
              code: codeOf(parsed),
              ms: performance.now() - from,
            });
          });
        },
      );
      outgoing.on('error', broke);
      outgoing.end(text);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

function parse(text: string, type: string | undefined): unknown {
  if (text === '' || !type?.includes('json')) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function codeOf(body: unknown): string | undefined {
  const { code, error, errors } = (body ?? {}) as {
    code?: string;
    error?: { type?: string };
    errors?: { code?: string }[];
  };
  return code ?? error?.type ?? errors?.[0]?.code;
}
