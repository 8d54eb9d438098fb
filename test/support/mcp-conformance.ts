import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startMcpApp } from './mcp-app.ts';

const SUITE_PACKAGE = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);
const EXPECTED = fileURLToPath(new URL('../conformance/mcp-expected-failures.yml', import.meta.url));
/** Timeout of the whole suite in ms. */
const TIMEOUT_MS = 120_000;

/**
 * Runs the official conformance suite, or the given scenarios of it, against the MCP server. The suite sends no
 * credentials, so a proxy adds a member's token to each request and changes nothing else. `code` 0: exactly the
 * expected scenarios failed.
 */
export async function runConformance(scenarios: readonly string[] = []): Promise<{ code: number; output: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'tally-conformance-'));
  const proxyServer: { url: string; token: string } = { url: '', token: '' };
  const proxy = createServer((incoming, outgoing) => {
    const { method, headers, url } = incoming;
    const sent = request(`${proxyServer.url}${url}`, {
      method,
      headers: { ...headers, authorization: `Bearer ${proxyServer.token}` },
    });
    sent.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    sent.on('error', () => outgoing.destroy());
    incoming.pipe(sent);
  });
  await new Promise<void>((resolve) => {
    proxy.listen(0, '127.0.0.1', resolve);
  });
  const address = `http://localhost:${(proxy.address() as AddressInfo).port}`;
  const app = await startMcpApp({ baseUrl: address });
  try {
    Object.assign(proxyServer, { url: app.url, token: await app.makeToken('user_ada') });
    const args = ['server', '--url', `${address}/mcp`, '-o', folder];
    const runs = scenarios.map((scenario) => runSuite([...args, '--scenario', scenario], folder));
    if (runs.length === 0) runs.push(runSuite([...args, '--suite', 'all', '--expected-failures', EXPECTED], folder));
    const ended = await Promise.all(runs);
    return {
      code: Math.max(...ended.map(({ code }) => code)),
      output: ended.map(({ output }) => output).join('\n'),
    };
  } finally {
    proxy.closeAllConnections();
    proxy.close();
    await app.close();
    rmSync(folder, { recursive: true });
  }
}

const runSuite = (args: readonly string[], cwd: string): Promise<{ code: number; output: string }> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [SUITE_PACKAGE, ...args],
      { cwd, timeout: TIMEOUT_MS, maxBuffer: 2 ** 26 },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
    );
  });
