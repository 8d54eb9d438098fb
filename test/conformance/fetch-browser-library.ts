import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The hosted provider's browser library, unpacked but not installed: some of its dependencies are not available
 * everywhere.
 */
const PACKAGE = '@clerk/clerk-js@6.34.1';
const INTEGRITY = 'sha512-PcM/x9lzmDU5bQ8jaJjkWYncJbAYL5hlxHG3jkO4SLG39apLqfBuFCaRw27ptIkwRCTJnY+a6Nvml3gk8G1CZA==';

/** Returns the source of the library's build without remotely hosted code, or the reason why it is unavailable. */
export function fetchBrowserLibrary(): { source: string } | { reason: string } {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  const run = (command: string, args: string[]): boolean =>
    spawnSync(command, args, { cwd: folder, stdio: 'ignore', timeout: 120_000, shell: process.platform === 'win32' })
      .status === 0;
  try {
    if (!run('npm', ['pack', '--silent', PACKAGE])) return { reason: `${PACKAGE} cannot be downloaded` };
    const archive = 'clerk-clerk-js-6.34.1.tgz';
    const digest = createHash('sha512')
      .update(readFileSync(join(folder, archive)))
      .digest('base64');
    if (`sha512-${digest}` !== INTEGRITY) return { reason: `${PACKAGE} is not the one that is known here` };
    if (!run('tar', ['-xzf', archive, 'package/dist/clerk.no-rhc.mjs']))
      return { reason: 'there is no tar to unpack it' };
    return { source: readFileSync(join(folder, 'package/dist/clerk.no-rhc.mjs'), 'utf8') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
