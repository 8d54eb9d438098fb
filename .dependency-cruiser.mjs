// Who may import whom: the table in docs/explanation/architecture.md, enforced by `npm run check`.

import { Visitor } from '@swc/core/Visitor.js';

// swc's visitor does not know `using` declarations and would refuse the file.
const visitStatement = Visitor.prototype.visitStatement;
Visitor.prototype.visitStatement = function (statement) {
  if (statement.type !== 'UsingDeclaration') return visitStatement.call(this, statement);
  this.visitVariableDeclarators(statement.decls);
  return statement;
};

const TEST = String.raw`\.(test|e2e)\.tsx?$`;
/** Files that server and browser share: schemas, paths of the pages, formats and sentences, exact sums. */
const CONTRACT =
  String.raw`^src/.+/contract\.ts$|^src/ui/shell/route-paths\.ts$|^src/features/(billing/minor-units|alerts/describe-alert)\.ts$|` +
  String.raw`^src/features/portfolio/(import/security-roles|holdings/(calculate-yields|holding-figures)|net-worth/(amounts|periods))\.ts$|` +
  String.raw`^src/ui/kit/(formats|format-count|format-list|date-format|format-locale|store|price-formats|new-york-time|make-once|count-factor-decimals|round-parts|round-change)\.ts$`;
/** Files of token counting that server and browser share: validation, places and fields of requests, PDF reader. */
const SHARED_COUNTING =
  String.raw`^src/features/token-api/(unknown-model|command/(creation-fields|locate-problem|request-use)|pdf/(pdf-result|read-pages|read-pdfs)|validation/` +
  String.raw`(?!(decode-base64|decode-body|inspect-json|lone-surrogate|parse-json)\.)(data/)?[^/]+)\.[jt]s$`;
const COUNTER = '^packages/token-counter/(src|data)/';
const COMMAND = String.raw`^src/((features|platform)/[^/]+|market-data)/(cli|[a-z-]+-cli)\.ts$`;
/** Code of the browser: kit, shell, and each feature's screens. */
const SCREENS = '^src/ui/|^src/features/.+/ui/';
const KIT = '^src/ui/kit/';
/** What the shell offers to screens: its folders but `routes`, which composes the screens of features. */
const SHELL_FOLDER = '^src/ui/shell/(?!routes/)[^/]+/';
const ROOT_FILE = String.raw`^src/[^/]+\.ts$`;
const LOWEST = String.raw`^src/(errors|feature|command-line)\.ts$`;

const SHARED_SCREENS = '^src/features/[^/]+/(?:|[^/]+/)ui/shared/';
/** Features whose `ui/shared/` the screens of each feature may import. No other feature's screens are imported. */
const SCREEN_IMPORTS = {
  search: ['securities'],
  portfolio: ['securities', 'search', 'connections'],
  watchlist: ['securities', 'search', 'portfolio'],
  assistant: ['securities', 'portfolio'],
};
const OTHER_FEATURE = `(?!(?:${Object.keys(SCREEN_IMPORTS).join('|')})/)[^/]+`;

/** Folders of the portfolio that each of its folders may import. The feature itself joins them. */
const PORTFOLIO_IMPORTS = {
  explain: [],
  'net-worth': ['explain'],
  holdings: ['net-worth', 'explain'],
  accounts: ['holdings', 'net-worth', 'explain'],
  dividends: ['holdings', 'net-worth', 'explain'],
  demo: ['accounts', 'holdings', 'net-worth'],
  import: ['accounts', 'holdings', 'net-worth'],
  dashboard: ['import', 'accounts', 'dividends', 'holdings', 'net-worth', 'explain'],
};

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
      comment: 'src/ has the folders of docs/explanation/architecture.md: put the file into one of them.',
      severity: 'error',
      from: { path: '^src/(?!(features|market-data|platform|embedded|ui|config|installation)/)[^/]+/' },
      to: {},
    },
    {
      name: 'no-tools-in-product',
      comment: 'The product runs without tests, tools and benchmarks: move what both need into src/.',
      severity: 'error',
      from: { path: '^(src|cli)/', pathNot: TEST },
      to: {
        path: [
          TEST,
          '^(test|tools|packages/[^/]+/(?!(src|data)/)|bench|bin)/',
          String.raw`^(?!package\.json)[^/]+\.(ts|mjs|json)$`,
        ],
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
      comment:
        'Screens use zod, jsonc-parser, fflate and devDependencies, which the build bundles; no server package, no Node module.',
      severity: 'error',
      from: { path: SCREENS, pathNot: TEST },
      to: { dependencyTypes: ['core', 'npm'], pathNot: '^node_modules/(zod|jsonc-parser|fflate)/' },
    },
    {
      name: 'no-re-export',
      comment: "Import the file that defines a name; only the counter's index.ts is a public face.",
      severity: 'error',
      from: { path: '^(src|cli)/' },
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
      name: 'shared-counting-runs-in-browsers',
      comment:
        'Server and browser share these files: they import each other, the counter and packages that run in browsers.',
      severity: 'error',
      from: { path: SHARED_COUNTING, pathNot: TEST },
      to: { pathNot: [SHARED_COUNTING, CONTRACT, COUNTER, '^node_modules/(zod|unpdf|jsonc-parser)/'] },
    },
    {
      name: 'counter-stands-alone',
      comment: 'The counter is a library without dependencies that also runs in a browser.',
      severity: 'error',
      from: { path: COUNTER, pathNot: TEST },
      to: { pathNot: COUNTER },
    },
    {
      name: 'package-without-service',
      comment: 'A package is built and understood without the service: nothing in it imports src/.',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^src/' },
    },
    {
      name: 'counter-by-its-entry',
      comment: 'The product uses what the library publishes: import packages/token-counter/src/index.ts.',
      severity: 'error',
      from: { path: '^(src|cli)/', pathNot: TEST },
      to: { path: COUNTER, pathNot: '^packages/token-counter/src/index[.]ts$' },
    },
    {
      name: 'features-meet-in-app',
      comment:
        'A feature imports of another its contract alone: take a function as a parameter, which app.ts hands over.',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/', pathNot: [TEST, SCREENS, CONTRACT] },
      to: { path: '^src/features/', pathNot: ['^src/features/$1/', CONTRACT] },
    },
    ...Object.entries(PORTFOLIO_IMPORTS).map(([folder, imported]) => ({
      name: 'portfolio-folders-one-way',
      comment: `No two folders of the portfolio import each other: ${folder} imports ${imported.join(', ') || 'none'}.`,
      severity: 'error',
      from: { path: `^src/features/portfolio/${folder}/`, pathNot: TEST },
      to: {
        path: '^src/features/portfolio/',
        pathNot: `^src/features/portfolio/(${[folder, ...imported].join('|')})/`,
      },
    })),
    {
      name: 'test-of-its-own-feature',
      comment: "A test sees its own feature's files only: go through the app over HTTP, or move the test to test/.",
      severity: 'error',
      from: { path: `^src/(features/[^/]+|platform|market-data)/.*${TEST}` },
      to: { path: '^src/features/', pathNot: ['^src/$1/', SHARED_SCREENS, CONTRACT] },
    },
    {
      name: 'platform-knows-no-feature',
      comment: 'Platform serves every feature and knows none: app.ts hands over what it needs.',
      severity: 'error',
      from: { path: '^src/platform/', pathNot: TEST },
      to: { path: '^(src|cli)/', pathNot: ['^src/platform/', LOWEST, CONTRACT] },
    },
    {
      name: 'market-data-imports-platform',
      comment: 'Market data imports platform; app.ts hands over the rest.',
      severity: 'error',
      from: { path: '^src/market-data/', pathNot: TEST },
      to: { path: '^(src|cli)/', pathNot: ['^src/(market-data|platform)/', LOWEST, CONTRACT] },
    },
    {
      name: 'market-data-domain-is-lowest',
      comment: 'The domain is types and rules without I/O: move what calls or stores into providers/ or services/.',
      severity: 'error',
      from: { path: '^src/market-data/domain/', pathNot: TEST },
      to: { pathNot: '^src/market-data/domain/' },
    },
    {
      name: 'providers-import-domain',
      comment: 'Providers know the domain and nothing of the services that call them.',
      severity: 'error',
      from: { path: '^src/market-data/providers/', pathNot: TEST },
      to: { path: '^src/market-data/', pathNot: '^src/market-data/(domain|providers)/' },
    },
    {
      name: 'services-import-providers',
      comment: 'Services know domain and providers; market-data.ts wires them.',
      severity: 'error',
      from: { path: '^src/market-data/services/', pathNot: TEST },
      to: { path: '^src/market-data/', pathNot: '^src/market-data/(domain|providers|services)/' },
    },
    {
      name: 'provider-folders-one-way',
      comment: 'No two folders of providers/ import each other: http, quota and single-flight import no other.',
      severity: 'error',
      from: { path: '^src/market-data/providers/(http|quota|single-flight)/', pathNot: TEST },
      to: { path: '^src/market-data/providers/', pathNot: '^src/market-data/providers/$1/' },
    },
    {
      name: 'provider-folders-one-way',
      comment: 'No two folders of providers/ import each other: chain, fmp and finnhub import http alone.',
      severity: 'error',
      from: { path: '^src/market-data/providers/(chain|fmp|finnhub)/', pathNot: TEST },
      to: { path: '^src/market-data/providers/', pathNot: '^src/market-data/providers/($1|http)/' },
    },
    {
      name: 'service-folders-one-way',
      comment: 'No two folders of services/ import each other: all import shared, history also prices, catalog any.',
      severity: 'error',
      from: { path: '^src/market-data/services/(shared|prices|earnings|news|logos|fundamentals)/', pathNot: TEST },
      to: { path: '^src/market-data/services/', pathNot: '^src/market-data/services/($1|shared)/' },
    },
    {
      name: 'service-folders-one-way',
      comment: 'No two folders of services/ import each other: history imports prices and shared.',
      severity: 'error',
      from: { path: '^src/market-data/services/history/', pathNot: TEST },
      to: { path: '^src/market-data/services/', pathNot: '^src/market-data/services/(history|prices|shared)/' },
    },
    {
      name: 'features-import-services',
      comment: "A feature uses market data's domain, services and contract, never a provider or the wiring.",
      severity: 'error',
      from: { path: '^src/features/', pathNot: TEST },
      to: { path: '^src/market-data/', pathNot: ['^src/market-data/(domain|services)/', CONTRACT] },
    },
    {
      name: 'embedded-imports-platform',
      comment:
        'An embedded provider knows platform, the domain of market data and contracts: move what both need there.',
      severity: 'error',
      from: { path: '^src/embedded/', pathNot: TEST },
      to: { path: '^(src|cli)/', pathNot: ['^src/(embedded|platform|market-data/domain)/', LOWEST, CONTRACT] },
    },
    {
      name: 'no-wiring-in-folders',
      comment: 'Only main.ts, app.ts and installation/ know settings and wiring: take what is needed as a parameter.',
      severity: 'error',
      from: { path: '^src/(features|platform|market-data|embedded)/', pathNot: [TEST, SCREENS, CONTRACT] },
      to: {
        path: [ROOT_FILE, '^src/(config|installation)/', '^cli/'],
        pathNot: String.raw`^src/(errors|feature|command-line)\.ts$`,
      },
    },
    {
      name: 'command-line-for-commands',
      comment: "Only a folder's cli.ts or …-cli.ts imports command-line.ts.",
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: [TEST, COMMAND] },
      to: { path: String.raw`^src/command-line\.ts$` },
    },
    {
      name: 'commands-for-the-command-line',
      comment: "A folder's cli.ts or …-cli.ts is imported by cli/ alone: move what is shared out of it.",
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
      comment: "A feature's screens import their own ui/, contracts, kit and shell; they ask the server over HTTP.",
      severity: 'error',
      from: { path: '^src/features/([^/]+)/(?:|[^/]+/)ui/', pathNot: TEST },
      to: {
        path: '^(src|cli)/',
        pathNot: ['^src/features/$1/(?:|[^/]+/)ui/', SHARED_SCREENS, KIT, SHELL_FOLDER, CONTRACT, SHARED_COUNTING],
      },
    },
    ...Object.entries({ [OTHER_FEATURE]: [], ...SCREEN_IMPORTS }).map(([feature, imported]) => ({
      name: 'shared-screens-one-way',
      comment: "No two features import each other's ui/shared/: SCREEN_IMPORTS lists whose a feature may import.",
      severity: 'error',
      from: { path: `^src/features/(${feature})/`, pathNot: TEST },
      to: {
        path: SHARED_SCREENS,
        pathNot: `^src/features/(${['$1', ...imported].join('|')})/`,
      },
    })),
    {
      name: 'kit-knows-no-screen',
      comment: 'src/ui/kit serves every screen: it knows no feature, no route of the API and no session.',
      severity: 'error',
      from: { path: KIT, pathNot: TEST },
      to: { path: '^(src|cli)/', pathNot: KIT },
    },
    {
      name: 'routes-compose-screens',
      comment: 'Only src/ui/shell/routes and main.ts know screens: take what is needed as a property.',
      severity: 'error',
      from: { path: '^src/ui/shell/(?!routes/|main\\.)', pathNot: TEST },
      to: { path: '^src/features/.+/ui/' },
    },
    {
      name: 'shell-imports-screens',
      comment: 'The shell imports screens and contracts; it asks the server over HTTP.',
      severity: 'error',
      from: { path: '^src/ui/', pathNot: [TEST, KIT, CONTRACT] },
      to: { path: '^(src|cli)/', pathNot: [SCREENS, CONTRACT] },
    },
    {
      name: 'command-line-chooses',
      comment:
        "cli/ imports main's entries, config, installation/, commands of folders and the counter: move other code there.",
      severity: 'error',
      from: { path: '^cli/', pathNot: TEST },
      to: {
        path: '^src/',
        pathNot: [COMMAND, COUNTER, '^src/(config|installation)/', String.raw`^src/(?!app\.)[^/]+\.ts$`],
      },
    },
    {
      name: 'app-imports-embedded',
      comment: 'Only app.ts and tests import src/embedded: put what both need behind a port.',
      severity: 'error',
      from: { path: '^(src|cli)/', pathNot: [TEST, '^src/embedded/', String.raw`^src/app\.ts$`] },
      to: { path: '^src/embedded/' },
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
      name: 'feature-shape-knows-no-feature',
      comment: 'feature.ts is the interface of every feature and imports none of them.',
      severity: 'error',
      from: { path: String.raw`^src/feature\.ts$` },
      to: { path: '^(src|cli)/', pathNot: '^src/platform/' },
    },
    {
      name: 'lowest-files',
      comment: 'errors.ts, config/ and command-line.ts are below everything else of src/.',
      severity: 'error',
      from: { path: [String.raw`^src/(errors|command-line)\.ts$`, '^src/config/'] },
      to: { path: '^(src|cli)/', pathNot: [String.raw`^src/errors\.ts$`, '^src/config/'] },
    },
  ],
  options: {
    // TypeScript 7 has no JavaScript API; tools/check/import-rules.test.ts proves that .ts and .tsx are parsed.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: {
      path: [
        '^dist/',
        '^packages/token-counter/dist/',
        '^data/',
        '^test/conformance/',
        String.raw`^test/api-clients/(?!api-clients\.test\.ts$)`,
        '^test/counting-clients/send-',
        String.raw`\.d\.ts$`,
      ],
    },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
    skipAnalysisNotInRules: true,
  },
};
