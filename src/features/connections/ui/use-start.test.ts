import assert from 'node:assert/strict';
import { test, type TestContext } from 'vitest';
import { onlineManager } from '@tanstack/react-query';
import { useState } from 'react';
import { eventually, eventuallyEquals } from '../../../../test/support/eventually.ts';
import { runHook } from '../../../../test/support/run-hook.ts';
import { serveStub } from '../../../../test/support/stub-service.ts';
import type { ConnectionKind } from '../contract.ts';
import { useStart } from './use-start.ts';

// Runs in a process of its own: what stands in for a browser's page are globals.

/** The dialog's choice and its button, with what was asked of the service and where the page went. */
async function open(t: TestContext, url = 'https://bank.example/sign-in') {
  const asked: unknown[] = [];
  const wentTo: string[] = [];
  Object.assign(window.location, { assign: (to: URL) => void wentTo.push(to.href) });
  await serveStub((_call, body) => {
    asked.push(body);
    return { url };
  });
  const hook = await runHook(t, () => {
    const [kind, choose] = useState<ConnectionKind>('bank');
    const start = useStart();
    return { kind, choose, start, begin: () => start.mutate({ kind }) };
  });
  return { hook, asked, wentTo };
}

test('an attempt that waits for the network starts with what was chosen at the press', async (t) => {
  const { hook, asked, wentTo } = await open(t);
  onlineManager.setOnline(false);
  t.onTestFinished(() => onlineManager.setOnline(true));
  hook.current.begin();
  await eventually(() => hook.current.start.isPaused);
  hook.current.choose('brokerage');
  await eventually(() => hook.current.kind === 'brokerage');
  assert.deepEqual(asked, []);
  onlineManager.setOnline(true);
  await eventuallyEquals(() => wentTo, ['https://bank.example/sign-in']);
  assert.deepEqual(asked, [{ kind: 'bank' }]);
});

test('an address that is no page is not opened', async (t) => {
  const { hook, wentTo } = await open(t, 'javascript:alert(1)');
  hook.current.begin();
  await eventually(() => hook.current.start.isError);
  assert.deepEqual(wentTo, []);
});
