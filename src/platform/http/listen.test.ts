import assert from 'node:assert/strict';
import { type AddressInfo, createServer } from 'node:net';
import { test, type TestContext } from 'vitest';
import { ListenAddressError, listenWithErrorHint } from './listen.ts';

function listen(t: TestContext, host: string, port: number): Promise<number> {
  const server = createServer();
  t.onTestFinished(() => {
    server.close();
  });
  return listenWithErrorHint(
    { host, port },
    () =>
      new Promise((resolve, reject) =>
        server.once('error', reject).listen(port, host, () => resolve((server.address() as AddressInfo).port)),
      ),
  );
}

test('names the setting when the port is in use or the address is of another machine', async (t) => {
  const port = await listen(t, '127.0.0.1', 0);
  await assert.rejects(listen(t, '127.0.0.1', port), {
    constructor: ListenAddressError,
    message:
      `The port ${port} of 127.0.0.1 is in use by another program; ` +
      'stop that one first, or set PORT to a free port.',
  });
  await assert.rejects(listen(t, '203.0.113.7', 0), {
    constructor: ListenAddressError,
    message: 'The setting HOST is no address of this machine: 203.0.113.7.',
  });
});

test('rethrows other errors unchanged', async () => {
  const unknownError = new Error('something else');
  await assert.rejects(
    listenWithErrorHint({ host: '127.0.0.1', port: 1 }, () => Promise.reject(unknownError)),
    (error) => error === unknownError,
  );
});
