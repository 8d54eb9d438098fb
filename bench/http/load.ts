import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';

export interface Target {
  url: string;
  key?: string | undefined;
  /** Process of the server, whose processor time is read where the system tells it (Linux). */
  pid?: number | undefined;
  /** All of them, where there are several. */
  pids?: readonly number[] | undefined;
}

export interface LoadResult {
  perSecond: number;
  p50: number;
  p99: number;
  /** Answers other than 200. */
  failures: number;
  /** The first of them. */
  failure?: string | undefined;
  /** Share of one core that this generator used. */
  cpu: number;
  /** Processor time of the server for one request, in microseconds; NaN where the system does not tell. */
  serverMicros: number;
}

/** Ticks of 10 ms that the processes of a server have computed. */
const ticksOf = ({ pid, pids = pid === undefined ? [] : [pid] }: Target): number =>
  pids.length === 0 ? Number.NaN : pids.reduce((sum, each) => sum + ticks(each), 0);

function ticks(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]!.split(' ');
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return Number.NaN;
  }
}

/** The bytes of one request on a kept-alive connection. */
function frame({ key }: Target, body: Buffer): Buffer {
  const auth = key ? `x-api-key: ${key}\r\n` : '';
  const head =
    `POST /v1/messages/count_tokens HTTP/1.1\r\nhost: localhost\r\n${auth}svc-version: 2023-06-01\r\n` +
    `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

/** One connection, one request at a time, over a bare socket: a client library would cost more than the servers. */
class Connection {
  private readonly socket: Socket;
  private text = '';
  private settle: PromiseWithResolvers<string> | undefined;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.read(chunk.toString('latin1')));
    socket.on('error', (error) => this.settle?.reject(error));
    socket.on('close', () => this.settle?.reject(new Error('the server closed the connection')));
  }

  static async open({ url }: Target): Promise<Connection> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await new Promise<void>((resolve, reject) => void socket.once('connect', resolve).once('error', reject));
    return new Connection(socket);
  }

  send(bytes: Buffer): Promise<string> {
    this.settle = Promise.withResolvers();
    this.socket.write(bytes);
    return this.settle.promise;
  }

  close(): void {
    this.socket.destroy();
  }

  private read(text: string): void {
    this.text += text;
    const border = this.text.indexOf('\r\n\r\n');
    if (border === -1) return;
    const length = Number(/content-length: (\d+)/i.exec(this.text)?.[1]);
    if (this.text.length < border + 4 + length) return;
    const whole = this.text;
    this.text = '';
    this.settle?.resolve(whole);
  }
}

/** Sends one body and returns what the server says of it. */
export async function ask(target: Target, body: Buffer): Promise<{ status: number; body: { input_tokens: number } }> {
  const connection = await Connection.open(target);
  const text = await connection.send(frame(target, body));
  connection.close();
  return {
    status: Number(text.slice(9, 12)),
    body: JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) as { input_tokens: number },
  };
}

/**
 * Sends every body once over `connections` connections; `pauseMs` between a connection's requests makes it a load below
 * saturation.
 */
export async function load(
  target: Target,
  bodies: readonly Buffer[],
  connections: number,
  pauseMs = 0,
): Promise<LoadResult> {
  const frames = bodies.map((body) => frame(target, body));
  const times: number[] = [];
  let next = 0;
  let failures = 0;
  let failure: string | undefined;
  const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(target)));
  const cpu = process.cpuUsage();
  const before = ticksOf(target);
  const started = performance.now();
  await Promise.all(
    open.map(async (connection) => {
      for (let mine = next++; mine < frames.length; mine = next++) {
        const from = performance.now();
        const text = await connection.send(frames[mine]!);
        times.push(performance.now() - from);
        if (!text.startsWith('HTTP/1.1 200')) {
          failures += 1;
          failure ??= text;
        }
        if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }),
  );
  const took = performance.now() - started;
  const used = process.cpuUsage(cpu);
  const serverMicros = ((ticksOf(target) - before) * 10_000) / frames.length;
  for (const connection of open) connection.close();
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))]!;
  return {
    perSecond: (times.length / took) * 1_000,
    p50: at(0.5),
    p99: at(0.99),
    failures,
    failure,
    cpu: (used.user + used.system) / 1_000 / took,
    serverMicros,
  };
}
