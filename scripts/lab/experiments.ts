/** One proof or measurement that `npm run lab -- <name>` runs. */
interface Experiment {
  /** What it shows, in one line. */
  does: string;
  /** What stands in for the arguments that it takes; `npm run lab` prints it behind the name. */
  takes?: string;
  /** The file that is run, from the repository on; its first lines say what each argument means. */
  file: string;
  /** Arguments before the caller's own. */
  args?: readonly string[];
  /** Settings on top of the environment. */
  env?: Readonly<Record<string, string>>;
}

const vocabulary = 'scripts/measure-vocabulary';

/** Every proof and measurement by its name, in the order in which `npm run lab` lists them. */
export const experiments: Readonly<Record<string, Experiment>> = {
  accuracy: {
    does: 'scores the counter and its peers on recorded requests, into docs/accuracy.md',
    takes: '[records.jsonl[.gz]] [--stdout]',
    file: 'scripts/accuracy.ts',
  },
  regression: {
    does: 'counts our own requests anew, into test/regression/counts.jsonl, and prints which counts changed',
    takes: '[--check]',
    file: 'scripts/regression.ts',
  },
  'check-texts': {
    does: 'compares the counter with the recorded counts of whole documents',
    takes: '[folder]',
    file: 'scripts/check-texts.ts',
  },
  'check-edges': {
    does: 'compares the counter with a slow reading of the rules on every short string of edge symbols',
    takes: '[longest]',
    file: 'scripts/check-edge-strings.ts',
  },
  'compare-native': {
    does: 'compares the counter with the native package, string by string (npm ci in bench/ first)',
    takes: '[edges] [ends] [characters] [random]',
    file: 'scripts/compare-native.ts',
  },
  'compare-documents': {
    does: 'compares the counter with the native package on whole documents',
    takes: '[--slices] [folder or file …]',
    file: 'scripts/compare-documents.ts',
  },
  'compare-kinds': {
    does: 'compares the counter with the native package on new texts of forty kinds (npm ci in bench/ first)',
    takes: '[texts] [seed]',
    file: 'scripts/compare-kinds.ts',
  },
  'long-tests': {
    does: 'runs the tests without a browser over all of their cases, where `npm test` takes a part',
    file: 'scripts/test.ts',
    args: ['.test.ts'],
    env: { LONG_TESTS: 'on' },
  },
  'sql-attacks': {
    does: "runs every attack on the member's SQL, and each once more behind the parser (npm test takes every fifth)",
    file: 'scripts/test.ts',
    args: ['src/assistant/sql/attacks'],
    env: { LONG_TESTS: 'on' },
  },
  'assistant-counts': {
    does: "compares the assistant's counts before calls with recorded conversations with tools",
    takes: '[records.jsonl[.gz] …]',
    file: 'scripts/assistant-counts.ts',
  },
  'sql-guard-mutations': {
    does: "loosens each guard of the member's SQL and shows that the attacks, or the questions, notice",
    file: 'scripts/mutate-sql-guards.ts',
  },
  'sql-fuzz': {
    does: "runs statements of a grammar and mutated attacks through the guards of the member's SQL",
    takes: '[--minutes 5] [--seed n]',
    file: 'scripts/fuzz-sql.ts',
  },
  'mcp-conformance': {
    does: 'runs the official conformance suite of the Model Context Protocol against our server',
    file: 'scripts/mcp-conformance.ts',
  },
  'measure-vocabulary': {
    does: "measures the counter's vocabularies anew, text by text (minutes to hours)",
    takes: '--natives <folder> --scratch <folder> …',
    file: 'scripts/measure-vocabulary.ts',
  },
  'find-corrections': {
    does: 'searches recorded counts for pieces that the measured vocabularies lack',
    takes: '<folder>',
    file: `${vocabulary}/find-corrections.ts`,
  },
  'recorded-pieces': {
    does: 'writes the pieces that recorded probes of the real service force beside the measured ones',
    takes: '<folder>',
    file: `${vocabulary}/recorded-probes.ts`,
  },
  'generate-characters': {
    does: "writes the counter's table of characters",
    takes: '[--check]',
    file: 'scripts/generate-character-classes.ts',
  },
  'build-library': {
    does: 'builds the counter alone into dist/token-counter, to pack and install elsewhere',
    takes: '[--out <folder>]',
    file: 'scripts/build-library.ts',
  },
  fuzz: {
    does: 'sends mutated requests to the count endpoint: no 500, none takes a second, counts keep their bounds',
    takes: '[requests] [seed]',
    file: 'scripts/fuzz-requests.ts',
  },
  'race-watchlist': {
    does: 'races adds, removals and a downgrade from two processes',
    takes: '[adds] [--unlocked]',
    file: 'scripts/race-watchlist.ts',
  },
  'two-processes': {
    does: 'races two processes on one port against limits, then kills one under load',
    takes: '[adds]',
    file: 'scripts/two-processes.ts',
  },
  faults: {
    does: 'kills, freezes, fills and misleads one part after another under load: what people see, what is lost',
    takes: '[--rounds 1] [--only text]',
    file: 'scripts/faults.ts',
  },
  'previous-version': {
    does: 'migrates the database while the version before the newest migration serves it, then runs both beside',
    takes: '[--commit id]',
    file: 'scripts/previous-version.ts',
  },
  soak: {
    does: 'mixes every area at 70 % of the measured peak, restarts both servers meanwhile, and fits how memory grows',
    takes: '[--minutes 10] [--share 0.7]',
    file: 'scripts/soak.ts',
  },
  'contract-fuzz': {
    does: 'sends requests made of the OpenAPI document, sound and unsound, and holds each answer to it',
    takes: '[--requests 4000] [--seed n]',
    file: 'scripts/contract-fuzz.ts',
  },
  'attack-tools': {
    does: "sends Debian's attack tools at a service: sqlmap, slowhttptest, wapiti, zzuf, ab, siege, wrk, h2load",
    takes: '[--only text]',
    file: 'scripts/attack-tools.ts',
  },
  'demo-outcomes': {
    does: 'holds sign-in links to a table: each request that calls the provider, with each fault',
    file: 'scripts/test.ts',
    args: ['test/demo-outcomes'],
    env: { LONG_TESTS: 'on' },
  },
  'race-demo-access': {
    does: 'races completions, revocations and expiry of sign-in links in processes that stop at any step',
    takes: '[--rounds 10000] [--seed n] [--unlocked]',
    file: 'scripts/race-demo-access.ts',
  },
  'kill-demo-access': {
    does: 'kills a service process while it works on sign-in links, restarts it and looks at every link',
    takes: '[--rounds 200] [--seed n]',
    file: 'scripts/kill-demo-access.ts',
  },
  'event-outbox': {
    does: 'kills a service with 10,000 events, and tabs of a browser, and looks for each event at the receiver',
    takes: '[--rounds 40] [--seed n]',
    file: 'scripts/event-outbox.ts',
  },
  'billing-properties': {
    does: 'delivers payment events repeatedly and in random order to two processes that die, and compares',
    takes: '[sequences] [seed]',
    file: 'scripts/billing-properties.ts',
  },
  'referral-properties': {
    does: 'reports sign-ups and connections in random order from two processes, and checks the rules of referrals',
    takes: '[sequences] [seed]',
    file: 'scripts/referral-properties.ts',
  },
  'secrets-sweep': {
    does: 'looks for the keys and tokens of connections in all that a service writes and answers while they fail',
    takes: '[rounds]',
    file: 'scripts/secrets-sweep.ts',
  },
  'referral-answers': {
    does: 'times the open referral routes by case, with a provider that takes no time and one that takes 300 ms',
    takes: '[calls]',
    file: 'scripts/referral-answers.ts',
  },
  'referral-guesses': {
    does: 'guesses referral links from a thousand addresses, and times guesses that share a beginning with a link',
    takes: '[guesses]',
    file: 'scripts/referral-guesses.ts',
  },
  'measure-snapshots': {
    takes: '[members] [days]',
    does: 'times writing the day’s net worth of 300,000 members at once and in batches, and thinning old days',
    file: 'scripts/measure-snapshots.ts',
  },
  'measure-growth': {
    takes: '[members …]',
    does: 'measures requests, jobs for all members, bytes and Redis at 1,000, 10,000 and 100,000 members',
    file: 'scripts/measure-growth.ts',
  },
  'measure-policies': {
    does: 'times member_id() in policies beside the subquery of before, on 500,000 rows, with the plans',
    takes: '[rows] [rounds]',
    file: 'scripts/measure-policies.ts',
  },
  'mutate-policies': {
    does: 'loosens each policy and grant once and asks whether the tests of rights notice',
    file: 'scripts/mutate-policies.ts',
  },
  distributed: {
    takes: '[path …]',
    does: 'spreads members’ rows over a Citus cluster, shows places, plans and isolation, and runs the tests on it',
    file: 'scripts/distributed/prove.ts',
  },
  'build-citus': {
    takes: '[source folder]',
    does: 'builds Citus for the PostgreSQL of pg_config and installs it there',
    file: 'scripts/distributed/build-citus.sh',
  },
  'prove-start': {
    does: 'kills the service at moments of its start and starts it again',
    takes: '[kills] [seed]',
    file: 'scripts/prove-start.ts',
  },
  'prove-clone': {
    does: 'walks the README in a fresh clone under an empty home',
    takes: '[npm command]',
    file: 'scripts/prove-fresh-clone.sh',
  },
  conformance: {
    does: "drives the embedded identity provider with the hosted one's own libraries",
    file: 'test/conformance/run.ts',
  },
  'react-aria': {
    does: 'shows that React Aria works under the content security policy (npm ci in bench/ first)',
    file: 'bench/react-aria/strict-policy.ts',
  },
  'all-looks': {
    does: 'runs accessibility tests in every theme at every size; npm test takes two of the four',
    file: 'scripts/test.ts',
    args: [
      'accessibility.e2e',
      'plans.e2e',
      'holdings.e2e',
      'api-docs.e2e',
      'connections.e2e',
      'upgrade.e2e',
      'referrals.e2e',
      'demo-access-states.e2e',
      'demo-viewer.e2e',
      'assistant.e2e',
      'revenue.e2e',
      'demo-tour.e2e',
      'playground.e2e',
    ],
    env: { ALL_LOOKS: 'on' },
  },
  'all-widths': {
    does: 'compares boxes on every page at eight widths, for what is cut or overlaps; npm test takes the dashboard',
    file: 'scripts/test.ts',
    args: ['widths.e2e'],
    env: { ALL_WIDTHS: 'on' },
  },
  'scan-links': {
    does: 'looks at a demo link a hundred times in each way of scanners and browsers; npm test does twice',
    file: 'scripts/test.ts',
    args: ['demo-access-scanners.e2e'],
    env: { LONG_TESTS: 'on' },
  },
  release: {
    does: 'builds the archive that a server installs, and the list of its libraries, into dist/release',
    takes: '[--folder path]',
    file: 'scripts/build-release.ts',
  },
  deploy: {
    does: 'checks deploy/ by the schemas of Kubernetes and Compose (npm ci --prefix test/deploy first)',
    file: 'scripts/check-deploy.ts',
  },
  image: {
    does: 'builds the image without a container engine and runs what it holds: start, count, stop, rolling restart',
    takes: '[yes|no]',
    file: 'scripts/prove-image.sh',
  },
  monitoring: {
    does: 'runs every expression of the alerts and the dashboard in deploy/monitoring on a Prometheus of this machine',
    file: 'scripts/prove-monitoring.ts',
  },
};
