import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer, type ViteDevServer } from 'vite';

const root = fileURLToPath(new URL('../..', import.meta.url));
const WATCHED_PATHS = ['src', 'db/migrations', '.env'];

interface ViteOptions {
  /** The server that the browser's connection for changes is opened on. */
  http: Server;
  /** Told of each file of the server that was changed, added or removed, from the repository on. */
  onServerChange(file: string): void;
}

/** True of what the server loads; screens and tests are not among it. */
export function isServerFile(file: string): boolean {
  if (file === 'src/ui/shell/route-paths.ts' || file === '.env') return true;
  return !/\/web\/|\.test\.tsx?$/.test(file) && /^(src\/.+\.(ts|js)|db\/migrations\/.+\.sql)$/.test(file);
}

/**
 * Vite behind an HTTP server of ours, with the configuration of the build; scripts and styles carry a nonce for the
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
