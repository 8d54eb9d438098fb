// Who may import whom: the table in docs/architecture.md, enforced by `npm run check`.

import { Visitor } from '@swc/core/Visitor.js';
import { features, foundations, sharedFolders } from './tools/check/folders.ts';

// swc's visitor does not know `using` declarations and would refuse the file.
const visitStatement = Visitor.prototype.visitStatement;
Visitor.prototype.visitStatement = function (statement) {
  if (statement.type !== 'UsingDeclaration') return visitStatement.call(this, statement);
  this.visitVariableDeclarators(statement.decls);
  return statement;
};

const FEATURE = features.join('|');
const SHARED = sharedFolders.join('|');
const FOUNDATION = foundations.join('|');

const TEST = String.raw`\.(test|e2e)\.tsx?$`;
/** Files that server and browser share: schemas, the paths of the pages, and the format of amounts. */
const CONTRACT = String.raw`^src/.+/contract\.ts$|^src/web/page-paths\.ts$|^src/billing/minor-units\.ts$`;
const COUNTER = '^src/token-counting/counter/';
const COMMAND = String.raw`^src/[^/]+/cli\.ts$`;
/** Code of the browser: the shell, its components, and each feature's screens. */
const SCREENS = '^src/web/|^src/[^/]+/web/';
const KIT = '^src/web/(ui|lib)/';
const ROOT_FILE = String.raw`^src/[^/]+\.ts$`;

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Neither file can be read alone: move what both need into a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      comment: 'The imported file or package does not exist: correct the name, or add the package.',
      severity: 'error',
      // Benchmarks install their packages in a folder of their own.
      from: { pathNot: '^bench/' },
      to: { couldNotResolve: true },
    },
    {
      name: 'known-folders',
      comment: 'A new folder of src/ is added to tools/check/folders.ts and to docs/architecture.md.',
      severity: 'error',
      from: { path: `^src/(?!(${FEATURE}|${SHARED}|web)/)[^/]+/` },
      to: {},
    },
    {
      name: 'no-tools-in-product',
      comment: 'The product runs without tests, tools and benchmarks: move what both need into src/.',
      severity: 'error',
      from: { path: '^(src|cli)/', pathNot: TEST },
      to: {
        path: [TEST, '^(test|tools|packages|bench|bin)/', String.raw`^(?!package\.json)[^/]+\.(ts|mjs|json)$`],
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'no-dev-dependency-in-server',
      comment: 'A devDependency is absent where the service runs: move it to dependencies.',
      severity: 'error',
      from: { path: '^(src|cli)/', pathNot: [TEST, SCREENS] },
      to: { dependencyTypes: ['npm-dev'] },
    },
    {
      name: 'no-server-package-in-browser',
      comment: 'Screens use zod and devDependencies, which the build bundles; no server package and no Node module.',
      severity: 'error',
      from: { path: SCREENS, pathNot: TEST },
      to: { dependencyTypes: ['core', 'npm'], pathNot: '^node_modules/zod/' },
    },
    {
      name: 'no-re-export',
      comment: "Import the file that defines a name; only the counter's index.ts is a public face.",
      severity: 'error',
      from: { path: '^(src|cli)/', pathNot: String.raw`${COUNTER}.*index\.ts$` },
      to: { dependencyTypes: ['export'] },
    },
    {
      name: 'contract-imports-contracts',
      comment: 'A contract holds shapes alone, so that the browser can load it: it imports zod and other contracts.',
      severity: 'error',
      from: { path: CONTRACT },
      to: { pathNot: [CONTRACT, '^node_modules/zod/'] },
    },
    {
      name: 'counter-stands-alone',
      comment: 'The counter is a library without dependencies that also runs in a browser.',
      severity: 'error',
      from: { path: COUNTER, pathNot: TEST },
      to: { pathNot: COUNTER },
    },
    {
      name: 'features-meet-in-app',
      comment: 'A feature never imports another: take a function as a parameter, and hand it over in app.ts.',
      severity: 'error',
      from: { path: `^src/(${FEATURE})/`, pathNot: [TEST, SCREENS, CONTRACT] },
      to: { path: `^src/(${FEATURE})/`, pathNot: '^src/$1/' },
    },
    {
      name: 'test-of-its-own-feature',
      comment: "A test sees its own feature's files only: go through the app over HTTP, or move the test to test/.",
      severity: 'error',
      from: { path: `^src/((?!web/)[^/]+)/.*${TEST}` },
      to: { path: `^src/(${FEATURE})/`, pathNot: ['^src/$1/', CONTRACT, COUNTER] },
    },
    {
      name: 'shared-imports-foundations',
      comment: 'A shared folder imports database, http, jobs, errors.ts and slice.ts; app.ts hands over the rest.',
      severity: 'error',
      from: { path: `^src/(${SHARED})/`, pathNot: [TEST, SCREENS, CONTRACT, COMMAND] },
      to: { path: '^(src|cli)/', pathNot: ['^src/$1/', `^src/(${FOUNDATION})/`, String.raw`^src/(errors|slice)\.ts$`] },
    },
    {
      name: 'shared-command-imports-shared',
      comment: "A shared folder's command knows no feature.",
      severity: 'error',
      from: { path: `^src/(${SHARED})/cli\\.ts$` },
      to: { path: `^src/(${FEATURE})/` },
    },
    {
      name: 'no-wiring-in-features',
      comment: 'Only main.ts and app.ts know settings and wiring: take what is needed as a parameter.',
      severity: 'error',
      from: { path: `^src/(${FEATURE}|${SHARED})/`, pathNot: [TEST, SCREENS, CONTRACT] },
      to: { path: [ROOT_FILE, '^cli/'], pathNot: String.raw`^src/(errors|slice|command-line)\.ts$` },
    },
    {
      name: 'command-line-for-commands',
      comment: "Only a folder's cli.ts imports command-line.ts.",
      severity: 'error',
      from: { path: `^src/(${FEATURE}|${SHARED})/`, pathNot: [TEST, COMMAND] },
      to: { path: String.raw`^src/command-line\.ts$` },
    },
    {
      name: 'commands-for-the-command-line',
      comment: "A folder's cli.ts is imported by cli/ alone: move what is shared out of it.",
      severity: 'error',
      from: { path: '^src/', pathNot: TEST },
      to: { path: COMMAND },
    },
    {
      name: 'no-screens-in-server',
      comment: 'The server never loads screens: move the shared shape into contract.ts.',
      severity: 'error',
      from: { path: '^(src|cli)/', pathNot: [TEST, SCREENS] },
      to: { path: SCREENS, pathNot: CONTRACT },
    },
    {
      name: 'screens-import-contracts',
      comment: "A feature's screens import their own web/, contracts and the kit; they ask the server over HTTP.",
      severity: 'error',
      from: { path: '^src/((?!web/)[^/]+)/web/', pathNot: TEST },
      // The playground counts in the browser while one types.
      to: { path: '^(src|cli)/', pathNot: ['^src/$1/(web|counter)/', KIT, CONTRACT] },
    },
    {
      name: 'kit-knows-no-screen',
      comment: 'src/web/ui and src/web/lib serve every screen and know none.',
      severity: 'error',
      from: { path: KIT, pathNot: TEST },
      to: { path: '^(src|cli)/', pathNot: [KIT, CONTRACT] },
    },
    {
      name: 'shell-imports-screens',
      comment: 'The shell imports screens and contracts; it asks the server over HTTP.',
      severity: 'error',
      from: { path: '^src/web/', pathNot: [TEST, KIT, CONTRACT] },
      to: { path: '^(src|cli)/', pathNot: [SCREENS, CONTRACT] },
    },
    {
      name: 'command-line-chooses',
      comment:
        "cli/ imports main's entries, each folder's cli.ts and the counter: move other code into a folder's cli.ts.",
      severity: 'error',
      from: { path: '^cli/', pathNot: TEST },
      to: { path: '^src/', pathNot: [COMMAND, COUNTER, String.raw`^src/(?!app\.)[^/]+\.ts$`] },
    },
    {
      name: 'app-for-main',
      comment: 'Only main.ts and tests make an app.',
      severity: 'error',
      from: { path: '^(src|cli)/', pathNot: [TEST, String.raw`^src/main\.ts$`] },
      to: { path: String.raw`^src/app\.ts$` },
    },
    {
      name: 'main-starts-everything',
      comment: 'main.ts is the entry: move what is shared out of it.',
      severity: 'error',
      from: { path: '^src/', pathNot: TEST },
      to: { path: String.raw`^src/main\.ts$` },
    },
    {
      name: 'slice-shape-knows-no-slice',
      comment: 'slice.ts is the interface of every feature and imports none of them.',
      severity: 'error',
      from: { path: String.raw`^src/slice\.ts$` },
      to: { path: '^(src|cli)/', pathNot: `^src/(${FOUNDATION})/` },
    },
    {
      name: 'lowest-files',
      comment: 'errors.ts, settings.ts, config.ts and command-line.ts are below everything else of src/.',
      severity: 'error',
      from: { path: String.raw`^src/(errors|settings|config|command-line)\.ts$` },
      to: { path: '^(src|cli)/', pathNot: String.raw`^src/(errors|settings)\.ts$` },
    },
  ],
  options: {
    // TypeScript 7 has no JavaScript API; tools/check/import-rules.test.ts proves that .ts and .tsx are parsed.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^dist/', '^data/', '^test/conformance/', '^test/api-clients/', String.raw`\.d\.ts$`] },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
    skipAnalysisNotInRules: true,
  },
};
