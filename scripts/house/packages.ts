import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { type Place, placeOf } from './places.ts';
import type { Problem } from './problem.ts';
import type { Source } from './read-source.ts';
import { isTest, type TextFile } from './tree.ts';

/** The package names of the project's manifests. */
interface Manifest {
  runtime: ReadonlySet<string>;
  development: ReadonlySet<string>;
  /** What single folders (benchmarks, conformance tests) install for themselves alone. */
  ofFolders: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Reads every `package.json` of the tree. */
export function readManifest(files: readonly TextFile[]): Manifest {
  const names = (file: TextFile | undefined, ...fields: string[]): ReadonlySet<string> => {
    const parsed = file ? (JSON.parse(file.text) as Record<string, object | undefined>) : {};
    return new Set(fields.flatMap((field) => Object.keys(parsed[field] ?? {})));
  };
  const root = files.find(({ path }) => path === 'package.json');
  const inner = files.filter(({ path }) => path.endsWith('/package.json'));
  return {
    runtime: names(root, 'dependencies', 'optionalDependencies'),
    development: names(root, 'devDependencies'),
    ofFolders: new Map(
      inner.map((file) => [
        posix.dirname(file.path),
        names(file, 'dependencies', 'devDependencies', 'optionalDependencies'),
      ]),
    ),
  };
}

/** Packages that a file may not import where it stands. */
export function findWrongPackages(sources: readonly Source[], manifest: Manifest): Problem[] {
  return sources.flatMap((source) =>
    source.imports.flatMap(({ specifier, line }) => {
      if (specifier === undefined || specifier.startsWith('.')) return [];
      const message = objection(source.path, specifier, manifest);
      return message
        ? [{ path: source.path, line, rule: 'packages', message: `imports "${specifier}": ${message}` }]
        : [];
    }),
  );
}

const isWeb = (place: Place): boolean =>
  place.kind === 'slice-web' || place.kind === 'web-kit' || place.kind === 'web-shell';

function objection(path: string, specifier: string, manifest: Manifest): string | undefined {
  const place = placeOf(path);
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  const isOurs = name === 'tally';
  const builtin = isBuiltin(specifier);
  if (builtin && !specifier.startsWith('node:')) return 'write it as "node:…", so that no package can take its name.';
  if (isTest(path) || place.kind === 'workshop') {
    const known = builtin || isOurs || manifest.runtime.has(name) || manifest.development.has(name);
    const ofFolder = [...manifest.ofFolders].some(
      ([folder, names]) => path.startsWith(`${folder}/`) && names.has(name),
    );
    return known || ofFolder ? undefined : undeclared(name);
  }
  if (place.kind === 'contract' && name !== 'zod') return 'a contract imports zod and other contracts, nothing else.';
  if (place.kind === 'counter')
    return 'the counter runs in Node and in a browser and has no dependency. Pass it in as a parameter.';
  if (isWeb(place)) {
    if (builtin) return "screens run in the browser, where Node's modules are not.";
    return manifest.development.has(name) || name === 'zod'
      ? undefined
      : 'a server library has no place in the browser (what screens use stands in devDependencies).';
  }
  if (builtin || isOurs || manifest.runtime.has(name)) return undefined;
  return manifest.development.has(name)
    ? `it is a devDependency, absent where the service runs. Move it to dependencies.`
    : undeclared(name);
}

const undeclared = (name: string): string =>
  `package.json does not list ${name}; it is there by chance. Add it with an exact version.`;
