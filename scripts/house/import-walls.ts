import { posix } from 'node:path';
import { foundations, type Place, placeOf } from './places.ts';
import type { Problem } from './problem.ts';
import type { Source } from './read-source.ts';
import { isTest } from './tree.ts';

/** Imports that cross a wall of the table in docs/architecture.md. */
export function findBrokenWalls(sources: readonly Source[]): Problem[] {
  const problems: Problem[] = [];
  for (const source of sources) {
    const from = placeOf(source.path);
    if (from.kind === 'unknown') problems.push({ path: source.path, rule: 'walls', message: unknownPlace(from.name) });
    for (const site of source.imports) {
      if (site.specifier === undefined) {
        if (isProduct(from) && !isTest(source.path))
          problems.push({ path: source.path, line: site.line, rule: 'walls', message: COMPUTED });
        continue;
      }
      if (!site.specifier.startsWith('.')) continue;
      const target = resolveImport(source.path, site.specifier);
      const reason = wallBetween(source.path, target);
      if (reason)
        problems.push({ path: source.path, line: site.line, rule: 'walls', message: `imports ${target}: ${reason}` });
    }
  }
  return problems;
}

/** The project path that a relative import names. */
export const resolveImport = (from: string, specifier: string): string =>
  posix.join(posix.dirname(from), specifier.replace(/\?.*$/, ''));

const isProduct = (place: Place): boolean => place.kind !== 'workshop';

const COMPUTED =
  'import() of a computed name goes around the walls. Write the name as a literal, or hand the function in ' +
  'from app.ts.';

const unknownPlace = (name: string): string =>
  `"${name}" is no slice, room or root file of the house. Put the file into the slice that it is about; ` +
  'a new room is added to scripts/house/places.ts and docs/architecture.md.';

const HAND_OVER =
  'Slices meet only through functions that app.ts hands over: take it as a parameter, and wire it in app.ts.';

/** Why `from` may not import `to`, with what to do instead; `undefined` where it may. */
function wallBetween(from: string, to: string): string | undefined {
  const a = placeOf(from);
  const b = placeOf(to);
  if (a.kind === 'workshop') return undefined;
  if (isTest(from)) return testWall(a, b);
  if (b.kind === 'workshop' && to !== 'package.json')
    return `the product never needs ${b.name}/ to run. Move what both need into src/.`;
  if (isTest(to)) return 'a test is no library. Move what both need into a file of its own.';
  if (a.kind === b.kind && a.name === b.name && a.kind !== 'root') return undefined;
  return productWall(a, b);
}

function testWall(a: Place, b: Place): string | undefined {
  const inside = b.kind === 'slice' || b.kind === 'slice-web' || b.kind === 'slice-cli';
  const ownOrOpen = a.name === b.name || a.kind === 'root' || a.kind === 'cli' || a.kind === 'web-shell';
  return inside && !ownOrOpen
    ? `a test looks inside its own slice only. Go through the app over HTTP, or move the test to test/.`
    : undefined;
}

function productWall(a: Place, b: Place): string | undefined {
  const own = a.name === b.name;
  switch (a.kind) {
    case 'contract':
      return b.kind === 'contract'
        ? undefined
        : 'a contract holds shapes alone, so that the web app can load it. It imports zod and other contracts, ' +
            'nothing else.';
    case 'counter':
      return (
        'the counter is a library in place, usable in a browser. It imports nothing outside its folder: ' +
        'pass what it needs as a parameter.'
      );
    case 'slice-cli':
      if (b.kind === 'root' && b.name === 'command-line') return undefined;
      return sliceWall(a, b, own);
    case 'slice':
      return sliceWall(a, b, own);
    case 'room':
      if (own && b.kind === 'contract') return undefined;
      if (isErrors(b) || isSliceShape(b) || foundations.includes(b.name)) return undefined;
      return (
        `a shared room imports only errors, slice, ${foundations.join(', ')} and its libraries. ` +
        'Let app.ts hand over what it needs.'
      );
    case 'slice-web':
      // The counter runs in a browser too; its own slice's screens count with it as one types.
      if (a.name === 'token-counting' && b.kind === 'counter') return undefined;
      return b.kind === 'contract' || b.kind === 'web-kit' ? undefined : SCREEN;
    case 'web-kit':
      return b.kind === 'contract'
        ? undefined
        : 'src/web/ui and src/web/lib serve every screen and know none. Import contracts, or pass it as a property.';
    case 'web-shell':
      return b.kind === 'contract' || b.kind === 'web-kit' || b.kind === 'slice-web' ? undefined : SCREEN;
    case 'cli':
      return cliWall(b);
    case 'root':
      return rootWall(a, b);
    default:
      return undefined;
  }
}

const SCREEN =
  "screens run in the browser: they import their slice's web/, contracts, src/web/ui and src/web/lib. " +
  'Ask the server over HTTP through the contract.';

const isErrors = (place: Place): boolean => place.kind === 'root' && place.name === 'errors';

/** What app.ts does with every slice and room: `src/slice.ts`. */
const isSliceShape = (place: Place): boolean => place.kind === 'root' && place.name === 'slice';

const isRoomContract = (place: Place): boolean => placeOf(`src/${place.name}/any.ts`).kind === 'room';

function sliceWall(a: Place, b: Place, own: boolean): string | undefined {
  if (own && (b.kind === 'slice' || b.kind === 'contract')) return undefined;
  if (a.name === 'token-counting' && b.kind === 'counter') return undefined;
  if (b.kind === 'room' || isErrors(b) || isSliceShape(b)) return undefined;
  return b.kind === 'contract' && isRoomContract(b) ? undefined : serverWall(b);
}

function serverWall(b: Place): string {
  if (b.kind === 'root' && b.name === 'config')
    return 'only main.ts and app.ts know the settings. Take the value as a parameter.';
  if (b.kind === 'root') return `only tests and main.ts import ${b.name}.ts. Take what you need as a parameter.`;
  if (b.kind === 'slice-web' || b.kind === 'web-kit' || b.kind === 'web-shell')
    return 'the server never loads screens. Move the shared shape into contract.ts.';
  return HAND_OVER;
}

function cliWall(b: Place): string | undefined {
  if (b.kind === 'slice-cli' || b.kind === 'counter' || isErrors(b)) return undefined;
  if (b.kind === 'root' && b.name !== 'app') return undefined;
  return (
    "the command line only chooses: it imports main's entries, each slice's cli.ts and the counter. " +
    "Put the work into the slice's cli.ts."
  );
}

function rootWall(a: Place, b: Place): string | undefined {
  if (a.name === 'slice')
    return foundations.includes(b.name)
      ? undefined
      : 'slice.ts is the shape that every slice has, and knows none of them: ' +
          `it imports ${foundations.join(', ')} alone.`;
  if (a.name === 'errors' || a.name === 'config' || a.name === 'command-line') {
    return a.name === 'config' && isErrors(b)
      ? undefined
      : `${a.name}.ts is below everything and imports nothing of ours.`;
  }
  if (b.kind === 'slice-web' || b.kind === 'web-kit' || b.kind === 'web-shell') return serverWall(b);
  if (b.kind === 'root' && b.name === 'app' && a.name !== 'main') return serverWall(b);
  return b.kind === 'root' && b.name === 'main'
    ? 'main.ts starts everything when it is loaded. Move what is shared out of it.'
    : undefined;
}
