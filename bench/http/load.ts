import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';

export interface Target {
  url: string;
  key?: string | undefined;
  /** Process id of the server, whose CPU time is read if the system provides it (Linux). */
  pid?: number | undefined;
  /** All process ids if the server has several. */
  pids?: readonly number[] | undefined;
}

export interface LoadResult {
  /** The count of each body. */
  counts: readonly number[];
  perSecond: number;
  p50: number;
  p99: number;
  /** CPU use of this generator, as a share of one core. */
  generatorShare: number;
  /** CPU time of the server per request in µs. NaN if the system does not provide it. */
  serverMicros: number;
}

/** Returns the CPU ticks (10 ms) of a server's processes. */
const sumTicks = ({ pid, pids = pid === undefined ? [] : [pid] }: Target): number =>
  pids.length === 0 ? Number.NaN : pids.reduce((sum, processId) => sum + readTicks(processId), 0);

function readTicks(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]!.split(' ');
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return Number.NaN;
  }
}

/** Returns the head of a request with a body of `length` bytes on a keep-alive connection. */
function buildHead({ key }: Target, length: number): string {
  const auth = key ? `x-api-key: ${key}\r\n` : '';
  return (
    `POST /v1/messages/count_tokens HTTP/1.1\r\nhost: localhost\r\n${auth}svc-version: 2023-06-01\r\n` +
    `content-type: application/json\r\ncontent-length: ${length}\r\n\r\n`
  );
}

/** One connection with one request at a time on a raw socket. A client library would use more CPU than the servers. */
class Connection {
  private readonly target: Target;
  private readonly socket: Socket;
  private text = '';
  private deferred: PromiseWithResolvers<number> | undefined;

  constructor(target: Target, socket: Socket) {
    this.target = target;
    this.socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.read(chunk.toString('latin1')));
    socket.on('error', (error) => this.deferred?.reject(error));
    socket.on('close', () => this.deferred?.reject(new Error('the server closed the connection')));
  }

  static async open(target: Target): Promise<Connection> {
    const { hostname, port } = new URL(target.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new Connection(target, socket);
  }

  /** Sends one body and returns the count of the server. Rejects if the status is not 200. */
  send(body: Buffer): Promise<number> {
    this.deferred = Promise.withResolvers();
    this.socket.cork();
    this.socket.write(buildHead(this.target, body.length));
    this.socket.write(body);
    this.socket.uncork();
    return this.deferred.promise;
  }

  close(): void {
    this.socket.destroy();
  }

  private read(text: string): void {
    this.text += text;
    const headEnd = this.text.indexOf('\r\n\r\n');
    if (headEnd === -1) return;
    const length = Number(/content-length: (\d+)/i.exec(this.text)?.[1]);
    if (this.text.length < headEnd + 4 + length) return;
    const response = this.text;
    this.text = '';
    if (response.startsWith('HTTP/1.1 200'))
      this.deferred?.resolve((JSON.parse(response.slice(headEnd + 4)) as { input_tokens: number }).input_tokens);
    else this.deferred?.reject(new Error(`a count was answered: ${response}`));
  }
}

/**
 * Sends every body once over `connections` connections. Throws if a response is not 200. `pauseMs` between the requests
 * of a connection keeps the load below saturation.
 */
export async function load(
  target: Target,
  bodies: readonly Buffer[],
  connections: number,
  pauseMs = 0,
): Promise<LoadResult> {
  const counts: number[] = [];
  const times: number[] = [];
  let next = 0;
  const openConnections = await Promise.all(Array.from({ length: connections }, () => Connection.open(target)));
  const cpuStart = process.cpuUsage();
  const ticksBefore = sumTicks(target);
  const started = performance.now();
  await Promise.all(
    openConnections.map(async (connection) => {
      for (let index = next++; index < bodies.length; index = next++) {
        const from = performance.now();
        counts[index] = await connection.send(bodies[index]!);
        times.push(performance.now() - from);
        if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }),
  );
  const elapsedMs = performance.now() - started;
  const cpuUsed = process.cpuUsage(cpuStart);
  const serverMicros = ((sumTicks(target) - ticksBefore) * 10_000) / bodies.length;
  for (const connection of openConnections) connection.close();
  times.sort((a, b) => a - b);
  const quantile = (fraction: number): number =>
    times[Math.min(times.length - 1, Math.floor(times.length * fraction))]!;
  return {
    counts,
    perSecond: (times.length / elapsedMs) * 1_000,
    p50: quantile(0.5),
    p99: quantile(0.99),
    generatorShare: (cpuUsed.user + cpuUsed.system) / 1_000 / elapsedMs,
    serverMicros,
  };
}
