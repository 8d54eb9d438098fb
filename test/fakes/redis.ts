import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/**
 * Starts a fake Redis that supports one script, and texts with a lifetime. It speaks RESP on a socket and reproduces the
 * script of `src/platform/http/redis-rate-limiter.ts` with its own clock. It runs no Lua. If `redis-server` is in PATH,
 * in-redis.test.ts runs the script itself.
 */
export async function startFakeRedis(now: () => number = () => Date.now() * 1_000) {
  const sets = new Map<string, number[]>();
  const texts = new Map<string, { value: string; expiresAt: number }>();
  const sockets = new Set<Socket>();
  const scripts = new Set<string>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    let rest = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      const { commands, left } = readCommands(Buffer.concat([rest, chunk]));
      rest = Buffer.from(left);
      for (const command of commands) socket.write(answer(command));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  function answer([name = '', ...values]: readonly string[]): string {
    switch (name.toUpperCase()) {
      case 'INFO':
        return encodeBulkString('redis_version:7.2.0\r\nloading:0\r\n');
      case 'EVALSHA':
        if (!scripts.has(values[0]!)) return '-NOSCRIPT No matching script. Please use EVAL.\r\n';
        return applyRateLimit(values[2]!, Number(values[3]), Number(values[4]), values[5]);
      case 'EVAL':
        scripts.add(createHash('sha1').update(values[0]!).digest('hex'));
        return applyRateLimit(values[2]!, Number(values[3]), Number(values[4]), values[5]);
      case 'SET':
        texts.set(values[0]!, { value: values[1]!, expiresAt: now() + Number(values[3]) * 1_000 });
        return '+OK\r\n';
      case 'GET': {
        const text = findText(values[0]!);
        return text ? encodeBulkString(text.value) : '$-1\r\n';
      }
      case 'PTTL': {
        const text = findText(values[0]!);
        return `:${text ? Math.ceil((text.expiresAt - now()) / 1_000) : -2}\r\n`;
      }
      case 'DEL':
        return `:${sets.delete(values[0]!) ? 1 : 0}\r\n`;
      default:
        return '+OK\r\n';
    }
  }

  function findText(key: string): { value: string; expiresAt: number } | undefined {
    const text = texts.get(key);
    return text && text.expiresAt > now() ? text : undefined;
  }

  function applyRateLimit(key: string, limit: number, window: number, mode = 'consume'): string {
    let nowMs = now();
    const log = sets.get(key) ?? [];
    if (log.length > 0 && log.at(-1)! >= nowMs) nowMs = log.at(-1)! + 1;
    const recentTimes = log.filter((time) => time > nowMs - window);
    const isAllowed = recentTimes.length < limit && mode !== 'peek';
    if (isAllowed) recentTimes.push(nowMs);
    sets.set(key, recentTimes);
    const oldest = recentTimes[Math.max(0, recentTimes.length - limit)] ?? nowMs;
    const reply = [oldest, recentTimes.at(-1) ?? nowMs, nowMs].map((time) => encodeBulkString(String(time)));
    return `*5\r\n:${isAllowed ? 1 : 0}\r\n:${recentTimes.length}\r\n${reply.join('')}`;
  }

  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys: () => [...sets.keys(), ...texts.keys()],
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const encodeBulkString = (text: string): string => `$${Buffer.byteLength(text)}\r\n${text}\r\n`;

/** Parses arrays of bulk strings, as clients send them. Returns the rest of an incomplete command. */
function readCommands(bytes: Buffer): { commands: string[][]; left: Buffer } {
  const commands: string[][] = [];
  let at = 0;
  const readLine = (from: number): [text: string, next: number] | undefined => {
    const end = bytes.indexOf('\r\n', from);
    return end === -1 ? undefined : [bytes.toString('utf8', from, end), end + 2];
  };
  let head = readLine(at);
  while (head) {
    let next = head[1];
    const args: string[] = [];
    while (args.length < Number(head[0].slice(1))) {
      const size = readLine(next);
      const length = size && Number(size[0].slice(1));
      if (!size || length === undefined || size[1] + length + 2 > bytes.length)
        return { commands, left: bytes.subarray(at) };
      args.push(bytes.toString('utf8', size[1], size[1] + length));
      next = size[1] + length + 2;
    }
    commands.push(args);
    at = next;
    head = readLine(at);
  }
  return { commands, left: bytes.subarray(at) };
}
