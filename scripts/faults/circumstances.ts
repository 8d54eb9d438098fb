import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FMP_KEY } from '../../test/fakes/fmp/fmp-fake.ts';
import type { startStack } from '../stack/start-stack.ts';
import { type ProviderBetween, startProviderBetween } from './provider-between.ts';

/** Which circumstances a fault needs; the stack is started once for each. */
export type Under = 'plain' | 'clock' | 'providers';

/** What the processes of the stack stand in, so that it can be changed under them. */
export interface Circumstances {
  launch: NonNullable<Parameters<typeof startStack>[1]>;
  /** Sets how far the clock of each of our processes is off, such as `+3600`. */
  setClock?: (offset: (name: string) => string) => void;
  provider?: ProviderBetween;
  /** Takes the provider's name away, and the name server with it; returns what brings both back. */
  forgetNames?: () => () => void;
}

const PROVIDER = 'provider.tally.test';
/** An address of this machine on which a name server hears and says nothing. */
const UNRESPONSIVE = '127.0.0.77';

export async function prepareCircumstances(under: Under, stack: AsyncDisposableStack): Promise<Circumstances> {
  const folder = mkdtempSync(join(tmpdir(), 'tally-faults-'));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  if (under === 'clock') return prepareClock(folder);
  if (under === 'providers') return prepareProviders(folder, stack);
  return { launch: {} };
}

function prepareClock(folder: string): Circumstances {
  const library = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')[0];
  if (library === undefined) return { launch: {} };
  const fileOf = (name: string): string => join(folder, name.replace(/\W/g, '-'));
  const names = ['server 1', 'server 2', 'worker'];
  const setClock = (offset: (name: string) => string): void => {
    for (const name of names) writeFileSync(fileOf(name), `${offset(name)}\n`);
  };
  setClock(() => '+0');
  return {
    setClock,
    launch: {
      env: (name) => ({
        LD_PRELOAD: library,
        FAKETIME_TIMESTAMP_FILE: fileOf(name),
        FAKETIME_CACHE_DURATION: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      }),
    },
  };
}

async function prepareProviders(folder: string, stack: AsyncDisposableStack): Promise<Circumstances> {
  const provider = await startProviderBetween();
  stack.defer(() => provider.close());
  const settings = (host: string) => ({
    FMP_API_KEY: FMP_KEY,
    FMP_BASE_URL: `http://${host}:${provider.port}`,
    FMP_CALLS_PER_MINUTE: '100000',
  });
  const canMount = spawnSync('unshare', ['-m', 'mount', '--bind', '/etc/hosts', '/etc/hosts']).status === 0;
  const unresponsive = createSocket('udp4');
  const bound = canMount && existsSync('/etc/resolv.conf') && (await listens(unresponsive));
  stack.defer(() => void unresponsive.close());
  if (!bound) return { provider, launch: { settings: settings('127.0.0.1') } };
  const [hosts, names] = [join(folder, 'hosts'), join(folder, 'resolv.conf')];
  const remember = (): void => writeFileSync(hosts, `127.0.0.1 localhost ${PROVIDER}\n`);
  remember();
  writeFileSync(names, `nameserver ${UNRESPONSIVE}\n`);
  const bind = `mount --bind ${hosts} /etc/hosts && mount --bind ${names} /etc/resolv.conf && exec "$@"`;
  return {
    provider,
    forgetNames: () => {
      writeFileSync(hosts, '127.0.0.1 localhost\n');
      return remember;
    },
    launch: { settings: settings(PROVIDER), before: ['unshare', '-m', 'sh', '-c', bind, 'sh'] },
  };
}

async function listens(socket: ReturnType<typeof createSocket>): Promise<boolean> {
  const failed = once(socket, 'error').then(
    () => false,
    () => false,
  );
  socket.bind(53, UNRESPONSIVE);
  return Promise.race([once(socket, 'listening').then(() => true), failed]);
}
