import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

interface ReservedPort {
  port: number;
  /** Lets it go, for the one who listens there next; more than once does no harm. */
  release(): Promise<void>;
}

/** A port that is free, and stays so for us: between a look and a listen that comes seconds later another program
 * could take it. */
export async function reservePort(host: string): Promise<ReservedPort> {
  // Nobody is told of the address before it is released; who finds it by trying is turned away.
  const holder = createServer((socket) => socket.destroy()).listen(0, host);
  await once(holder, 'listening');
  let released: Promise<void> | undefined;
  return {
    port: (holder.address() as AddressInfo).port,
    release: () => (released ??= new Promise((resolve) => void holder.close(() => resolve()))),
  };
}
