/** The areas of the product; each owns everything about itself. */
export const slices = [
  'token-counting',
  'dashboard',
  'watchlist',
  'search',
  'investments',
  'connections',
  'referrals',
  'demo-access',
  'billing',
  'assistant',
] as const;

/** What several slices stand on. */
export const rooms = ['identity', 'market-data', 'database', 'jobs', 'analytics', 'feature-flags', 'http'] as const;

/** Rooms that other rooms may use too. */
export const foundations: readonly string[] = ['database', 'http', 'jobs'];

/** Files that stand in `src/` itself; only these wire things together. */
const rootFiles = [
  'main',
  'app',
  'config',
  'errors',
  'slice',
  'run-slices',
  'command-line',
  'first-run',
  'first-run-data',
  'local-secrets',
  'open-database',
  'backup',
] as const;

/** Where a file stands; `kind` decides which walls surround it. */
export interface Place {
  kind:
    | 'contract'
    | 'counter'
    | 'slice'
    | 'slice-cli'
    | 'slice-web'
    | 'room'
    | 'web-kit'
    | 'web-shell'
    | 'root'
    | 'cli'
    | 'workshop'
    | 'unknown';
  /** Slice, room, root file or top folder. */
  name: string;
}

const includes = (list: readonly string[], name: string): boolean => list.includes(name);

/** The place of a path that is relative to the project's root. */
export function placeOf(path: string): Place {
  const parts = path.split('/');
  const [top = '', name = '', third = ''] = parts;
  if (parts.length === 1 || includes(['test', 'scripts', 'tools', 'packages', 'bench', 'bin'], top))
    return { kind: 'workshop', name: top };
  if (top === 'cli') return { kind: 'cli', name: 'cli' };
  if (top !== 'src') return { kind: 'unknown', name: top };
  if (parts.length === 2) return placeOfRootFile(name);
  // The pages' addresses are what the shell and the server have agreed on.
  if (path === 'src/web/page-paths.ts') return { kind: 'contract', name };
  // How money is written, by the server and on screen; a contract would bring its validator into the browser.
  if (path === 'src/billing/minor-units.ts') return { kind: 'contract', name };
  if (name === 'web') return { kind: third === 'ui' || third === 'lib' ? 'web-kit' : 'web-shell', name };
  const isSlice = includes(slices, name);
  if (!isSlice && !includes(rooms, name)) return { kind: 'unknown', name };
  if (parts.at(-1) === 'contract.ts') return { kind: 'contract', name };
  if (name === 'token-counting' && third === 'counter') return { kind: 'counter', name: 'counter' };
  // Rooms may have screens and commands of their own (signing in, refreshing the market's catalog).
  if (third === 'web') return { kind: 'slice-web', name };
  if (third === 'cli.ts') return { kind: 'slice-cli', name };
  return { kind: isSlice ? 'slice' : 'room', name };
}

function placeOfRootFile(file: string): Place {
  const name = file.replace(/(\.test)?\.ts$/, '');
  return { kind: includes(rootFiles, name) ? 'root' : 'unknown', name };
}
