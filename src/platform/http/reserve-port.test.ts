import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { test } from 'vitest';
import { reservePort } from './reserve-port.ts';

test('blocks a reserved port until its release and frees it immediately then', async (t) => {
  const reserved = await reservePort('127.0.0.1');
  t.onTestFinished(() => reserved.release());
  const [listenError] = (await once(createServer().listen(reserved.port, '127.0.0.1'), 'error')) as [
    NodeJS.ErrnoException,
  ];
  assert.equal(listenError.code, 'EADDRINUSE');
  const guest = connect(reserved.port, '127.0.0.1');
  guest.on('error', () => {});
  await once(guest, 'close');
  await Promise.all([reserved.release(), reserved.release()]);
  const server = createServer().listen(reserved.port, '127.0.0.1');
  t.onTestFinished(() => {
    server.close();
  });
  await once(server, 'listening');
});

test('passes on the error when the address belongs to another machine', async () => {
  await assert.rejects(reservePort('203.0.113.7'), { code: 'EADDRNOTAVAIL' });
});
