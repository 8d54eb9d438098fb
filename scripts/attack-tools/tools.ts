import { join } from 'node:path';

/** One run of a program at the service. */
export interface Tool {
  name: string;
  program: string;
  args: readonly string[];
  /** What of its words is a finding; `undefined` where there is none. */
  finds(output: string): string | undefined;
  /** The words to print. */
  says(output: string): string;
}

/** Findings that are meant so, with what docs/security.md says of them. */
const EXPLAINED: readonly (readonly [finding: RegExp, reason: string])[] = [
  [/X-XSS-Protection is not set/, 'X-XSS-Protection is gone from browsers; the content security policy stands instead'],
  [/Strict-Transport-Security is not set/, 'Strict-Transport-Security is sent where BASE_URL is https'],
];

/** Debian's package of each program. */
export const PACKAGES: Readonly<Record<string, string>> = {
  sqlmap: 'sqlmap',
  slowhttptest: 'slowhttptest',
  wapiti: 'wapiti',
  zzuf: 'zzuf',
  ab: 'apache2-utils',
  siege: 'siege',
  wrk: 'wrk',
  h2load: 'nghttp2-client',
};

interface Target {
  url: string;
  /** The same, where every request is a member's. */
  signedIn: string;
  apiKey: string;
  /** What the programs write goes here. */
  folder: string;
}

const line = (output: string, pattern: RegExp): string => pattern.exec(output)?.[0].trim() ?? '(no such line)';

/** Every run, in the order in which they are made; each is bounded in time or in number. */
export const toolsFor = (target: Target): readonly Tool[] => [
  ...injections(target),
  ...slowClients(target),
  scan(target),
  ...loads(target),
];

function injections({ url, signedIn, apiKey, folder }: Target): Tool[] {
  const inject = (name: string, ...args: readonly string[]): Tool => ({
    name: `sqlmap, ${name}`,
    program: 'sqlmap',
    args: [
      ...['--batch', '--flush-session', '--output-dir', folder, '--dbms', 'PostgreSQL', '--level', '2', '--risk', '2'],
      ...['--technique', 'BEUS', '--ignore-code', '400,401,403,404,409,422,429', '--disable-coloring', ...args],
    ],
    finds: (output) => /is vulnerable|Parameter: .*\n\s+Type:/.exec(output)?.[0],
    says: (output) =>
      /do(?:es)? not appear to be injectable/.test(output) ? 'no parameter can be injected into' : output.slice(-300),
  });
  const json = ['-H', 'content-type: application/json'];
  const key = ['-H', `x-api-key: ${apiKey}`, '-H', 'svc-version: 2023-06-01'];
  return [
    inject('search', '-u', `${signedIn}/api/investments/search?q=apple&limit=5`),
    inject('a ticker in the path', '-u', `${signedIn}/api/watchlist/ticker/AAPL*`),
    inject('adding', '-u', `${signedIn}/api/watchlist`, '--data', '{"symbol":"AAPL"}', ...json),
    inject('a referral link', '-u', `${url}/api/referrals/validate-referrer?ref=Qm7XvT3kWz9B`),
    inject('models', '-u', `${url}/v1/models?limit=5&after_id=claude-sonnet-5`, ...key),
  ];
}

function slowClients({ url }: Target): Tool[] {
  const slow = (name: string, ...args: readonly string[]): Tool => ({
    name: `slowhttptest, 400 ${name}`,
    program: 'slowhttptest',
    args: ['-c', '400', '-r', '200', '-l', '20', '-p', '3', '-i', '5', ...args],
    finds: (output) => /service available:\S*\s+\S*NO/i.exec(output)?.[0],
    says: (output) => line(output, /Exit status:[^\n]*/).replaceAll(/\u001B\[[\d;]*m/g, ''),
  });
  return [
    slow('slow headers', '-H', '-u', `${url}/api/config`),
    slow('slow bodies', '-B', '-u', `${url}/v1/messages/count_tokens`, '-s', '8192'),
    slow('slow readers', '-X', '-u', `${url}/openapi.json`, '-w', '1', '-y', '2'),
  ];
}

/** Those that ask nobody outside. */
const MODULES =
  'blindsql,cookieflags,crlf,csp,csrf,exec,file,htaccess,http_headers,methods,permanentxss,redirect,' +
  'shellshock,sql,xss';

function scan({ signedIn, folder }: Target): Tool {
  const report = join(folder, 'wapiti.json');
  const starts = [
    '/api/investments/search?q=apple&limit=5',
    '/api/watchlist/ticker/AAPL',
    '/api/referrals/validate-referrer?ref=Qm7XvT3kWz9B',
    '/api/assistant/reports/position?symbol=AAPL',
    '/api/news',
  ].flatMap((path) => ['-s', signedIn + path]);
  const options = ['--no-bugreport', '--store-session', folder, '--store-config', folder, '-d', '2', '-v', '0'];
  const bounds = ['--max-scan-time', '30', '--max-attack-time', '6', '-t', '5'];
  const scanned = ['wapiti', '-u', `${signedIn}/`, ...starts, '-m', MODULES, ...options, ...bounds, '-f', 'json'];
  return {
    name: `wapiti, ${MODULES.split(',').length} modules, signed in`,
    program: 'wapiti',
    args: ['sh', '-c', '"$@" >/dev/null 2>&1; cat "$0"', report, ...scanned, '-o', report],
    finds: (output) =>
      found(output)
        .filter((each) => !reasonOf(each))
        .join('; ') || undefined,
    says: (output) =>
      `looked for ${kinds(output)} kinds; explained: ${found(output).map(reasonOf).filter(Boolean).join('; ')}`,
  };
}

interface Report {
  classifications: Record<string, unknown>;
  vulnerabilities: Record<string, { info: string; path: string }[]>;
  anomalies: Record<string, { info: string; path: string }[]>;
}

const reasonOf = (finding: string): string | undefined => EXPLAINED.find(([each]) => each.test(finding))?.[1];

const kinds = (output: string): number => Object.keys(read(output)?.classifications ?? {}).length;

function read(output: string): Report | undefined {
  try {
    return JSON.parse(output) as Report;
  } catch {
    return undefined;
  }
}

function found(output: string): string[] {
  const report = read(output);
  if (!report) return [`no report: ${output.slice(-300)}`];
  return [...Object.entries(report.vulnerabilities), ...Object.entries(report.anomalies)].flatMap(([kind, some]) =>
    some.map(({ info, path }) => `${kind}: ${info} (${path})`),
  );
}

function loads({ url }: Target): Tool[] {
  return [
    {
      name: 'ab, 20 at a time',
      program: 'ab',
      args: ['-q', '-k', '-n', '4000', '-c', '20', `${url}/api/config`],
      finds: (output) => (/Failed requests:\s+0\b/.test(output) ? undefined : line(output, /Failed requests:[^\n]*/)),
      says: (output) => `${line(output, /Failed requests:[^\n]*/)}, ${line(output, /Requests per second:[^\n]*/)}`,
    },
    {
      name: 'siege, 20 at a time',
      program: 'siege',
      args: ['-b', '-q', '-c', '20', '-t', '8S', '-j', `${url}/`],
      finds: (output) => (/"failed_transactions":\s+0\b/.test(output) ? undefined : 'failed transactions'),
      says: (output) => `${line(output, /"transactions":[^\n]*/)} ${line(output, /"failed_transactions":[^\n]*/)}`,
    },
    {
      name: 'wrk, 100 connections',
      program: 'wrk',
      args: ['-t1', '-c100', '-d8s', `${url}/healthz`],
      finds: (output) => /Non-2xx[^\n]*|Socket errors[^\n]*/.exec(output)?.[0],
      says: (output) => line(output, /\d+ requests in [^\n]*/),
    },
    {
      name: 'h2load, 50 clients over HTTP/1.1',
      program: 'h2load',
      args: ['--h1', '-n', '4000', '-c', '50', `${url}/api/config`],
      finds: (output) => (/ 0 failed, 0 errored, 0 timeout/.test(output) ? undefined : 'failed requests'),
      says: (output) => line(output, /requests: [^\n]*/),
    },
  ];
}
