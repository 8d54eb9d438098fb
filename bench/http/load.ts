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

/** Returns the bytes of one request on a keep-alive connection. */
function buildRequest({ key }: Target, body: Buffer): Buffer {
  const auth = key ? `x-api-key: ${key}\r\n` : '';
  const head =
    `POST /v1/messages/count_tokens HTTP/1.1\r\nhost: localhost\r\n${auth}svc-version: 2023-06-01\r\n` +
    `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

/** One connection with one request at a time on a raw socket. A client library would use more CPU than the servers. */
class Connection {
  private readonly socket: Socket;
  private text = '';
  private deferred: PromiseWithResolvers<string> | undefined;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.read(chunk.toString('latin1')));
    socket.on('error', (error) => this.deferred?.reject(error));
    socket.on('close', () => this.deferred?.reject(new Error('the server closed the connection')));
  }

  static async open({ url }: Target): Promise<Connection> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new Connection(socket);
  }

  send(bytes: Buffer): Promise<string> {
    this.deferred = Promise.withResolvers();
    this.socket.write(bytes);
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
    this.deferred?.resolve(response);
  }
}

/** Sends one body and returns the response of the server. */
export async function requestCount(
  target: Target,
  body: Buffer,
): Promise<{ status: number; body: { input_tokens: number } }> {
  const connection = await Connection.open(target);
  const text = await connection.send(buildRequest(target, body));
  connection.close();
  return {
    status: Number(text.slice(9, 12)),
    body: JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) as { input_tokens: number },
  };
}

/**
 * Sends every body once over `connections` connections. Throws if a response is not 200. `pauseMs` between the requests of a connection keeps the load
 * below saturation.
 */
export async function load(
  target: Target,
  bodies: readonly Buffer[],
  connections: number,
  pauseMs = 0,
): Promise<LoadResult> {
  const requests = bodies.map((body) => buildRequest(target, body));
  const times: number[] = [];
  let next = 0;
  const openConnections = await Promise.all(Array.from({ length: connections }, () => Connection.open(target)));
  const cpuStart = process.cpuUsage();
  const ticksBefore = sumTicks(target);
  const started = performance.now();
  await Promise.all(
    openConnections.map(async (connection) => {
      for (let index = next++; index < requests.length; index = next++) {
        const from = performance.now();
        const text = await connection.send(requests[index]!);
        times.push(performance.now() - from);
        if (!text.startsWith('HTTP/1.1 200')) throw new Error(`a count was answered: ${text}`);
        if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }),
  );
  const elapsedMs = performance.now() - started;
  const cpuUsed = process.cpuUsage(cpuStart);
  const serverMicros = ((sumTicks(target) - ticksBefore) * 10_000) / requests.length;
  for (const connection of openConnections) connection.close();
  times.sort((a, b) => a - b);
  const quantile = (fraction: number): number =>
    times[Math.min(times.length - 1, Math.floor(times.length * fraction))]!;
  return {
    perSecond: (times.length / elapsedMs) * 1_000,
    p50: quantile(0.5),
    p99: quantile(0.99),
    generatorShare: (cpuUsed.user + cpuUsed.system) / 1_000 / elapsedMs,
    serverMicros,
  };
}
