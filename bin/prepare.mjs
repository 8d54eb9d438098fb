// npm runs this behind an install: it builds the library where all that it takes is installed. No install fails by it.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('..', import.meta.url));
const args = ['--import', './bin/pinned.mjs', 'tools/build-library.ts', '--if-stale', '--if-possible'];
const { status } = spawnSync(process.execPath, args, { cwd: repository, stdio: 'inherit' });
if (status !== 0)
  console.error('The library was not built; "npm run build" tries again. The service does not need it.');
