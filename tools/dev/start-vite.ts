import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer, type ViteDevServer } from 'vite';
import { sharedUiFiles } from '../shared-ui-files.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const WATCHED_PATHS = ['src', 'db/migrations', '.env'];

interface ViteOptions {
  /** HTTP server that accepts the browser's WebSocket for changes. */
  http: Server;
  /** Called with the path of each changed, added or removed file of the server, relative to the repository. */
  onServerChange(file: string): void;
}

/** Returns whether the server loads the file, which excludes screens and tests. */
export function isServerFile(file: string): boolean {
  if (sharedUiFiles.has(file) || file === '.env') return true;
  return !/\/ui\/|\.test\.tsx?$/.test(file) && /^(src\/.+\.(ts|js)|db\/migrations\/.+\.sql)$/.test(file);
}

/**
 * Starts Vite behind our own HTTP server, with the configuration of the build. Scripts and styles have a nonce for the
 * policy.
 */
export function startVite({ http, onServerChange }: ViteOptions): Promise<ViteDevServer> {
  return createServer({
    configFile: `${root}vite.config.ts`,
    appType: 'custom',
    logLevel: 'warn',
    html: { cspNonce: randomBytes(16).toString('base64') },
    server: { middlewareMode: true, cors: false, hmr: { server: http } },
    plugins: [
      {
        name: 'restart-server',
        configureServer({ watcher }) {
          watcher.add(WATCHED_PATHS.map((path) => root + path));
          watcher.on('all', (event, path) => {
            const file = relative(root, path).replaceAll(sep, '/');
            if (/^(add|change|unlink)$/.test(event) && isServerFile(file)) onServerChange(file);
          });
        },
      },
    ],
  });
}
