// @module-tag alone
import assert from 'node:assert/strict';
import { test, type TestContext } from 'vitest';
import { onlineManager } from '@tanstack/react-query';
import { useState } from 'react';
import { eventually, eventuallyEquals } from '../../../../test/support/eventually.ts';
import { renderHook } from '../../../../test/support/render-hook.ts';
import { startStubService } from '../../../../test/support/stub-service.ts';
import type { ConnectionKind } from '../contract.ts';
import { useStartConnection } from './use-start-connection.ts';

// This file runs in its own process, because it replaces browser globals.

/** Renders the dialog's choice and button. Returns the service calls and navigations. */
async function openDialog(t: TestContext, url = 'https://bank.example/sign-in') {
  const requests: unknown[] = [];
  const visitedUrls: string[] = [];
  Object.assign(window.location, {
    assign: (to: URL) => {
      visitedUrls.push(to.href);
    },
  });
  await startStubService((_call, body) => {
    requests.push(body);
    return { url };
  });
  const hook = await renderHook(t, () => {
    const [kind, choose] = useState<ConnectionKind>('bank');
    const start = useStartConnection();
    return { kind, choose, start, begin: () => start.mutate({ kind }) };
  });
  return { hook, asked: requests, wentTo: visitedUrls };
}

test('starts with the choice at the press when the network is slow', async (t) => {
  const { hook, asked: requests, wentTo: visitedUrls } = await openDialog(t);
  onlineManager.setOnline(false);
  t.onTestFinished(() => onlineManager.setOnline(true));
  hook.current.begin();
  await eventually(() => hook.current.start.isPaused);
  hook.current.choose('brokerage');
  await eventually(() => hook.current.kind === 'brokerage');
  assert.deepEqual(requests, []);
  onlineManager.setOnline(true);
  await eventuallyEquals(() => visitedUrls, ['https://bank.example/sign-in']);
  assert.deepEqual(requests, [{ kind: 'bank' }]);
});

test('does not navigate to a non-http(s) URL', async (t) => {
  const { hook, wentTo: visitedUrls } = await openDialog(t, 'javascript:alert(1)');
  hook.current.begin();
  await eventually(() => hook.current.start.isError);
  assert.deepEqual(visitedUrls, []);
});
