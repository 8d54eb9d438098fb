import { HASH_SLOTS } from '../src/embedded/identity/passwords.ts';
import { ATTEMPTS_WINDOW_MS, IDENTITY_LIMITS } from '../src/embedded/identity/provider.ts';
import { SQL_SECONDS_PER_MINUTE } from '../src/features/assistant/assistant.ts';
import { MAX_PENDING_STATEMENTS } from '../src/features/assistant/sql/sql-budget.ts';
import { MAX_UNREAD_BYTES } from '../src/features/assistant/answers/event-stream.ts';
import { PREVIEWS_PER_MINUTE } from '../src/features/portfolio/import/routes.ts';
import { PDF_SECONDS_PER_MINUTE } from '../src/features/token-api/pdf/pdf-reader.ts';
import { DEFAULT_PDF_LIMITS } from '../src/features/token-api/pdf/pdf-result.ts';
import { COUNT_LIMITS } from '../src/features/token-api/workers/count-pool.ts';
import { MAX_PER_ADDRESS, MAX_PER_CONNECTION, MAX_V1_PER_ADDRESS } from '../src/platform/http/limit-concurrency.ts';
import { UNREAD_RESPONSE_LIMITS } from '../src/platform/http/limit-unread-response.ts';
import { METRICS_INTERVAL_MS } from '../src/platform/http/metrics-route.ts';
import { replaceGenerated } from './replace-generated.ts';

const format = (figure: number): string => figure.toLocaleString('en-US');
const toSeconds = (milliseconds: number): string => `${milliseconds / 1_000} s`;

const WINDOW = toSeconds(ATTEMPTS_WINDOW_MS);

const ROWS: readonly [work: string, limit: string, per: string][] = [
  ['requests in progress', format(MAX_PER_CONNECTION), 'connection'],
  ['requests in progress', `${format(MAX_PER_ADDRESS)}, and ${format(MAX_V1_PER_ADDRESS)} to \`/v1\``, 'address'],
  [
    'response that its client does not read',
    `${toSeconds(UNREAD_RESPONSE_LIMITS.milliseconds)}, and 1 s more for each ${UNREAD_RESPONSE_LIMITS.bytesPerSecond / 1024} kB`,
    'response',
  ],
  ['answer of the assistant that its client does not read', `${MAX_UNREAD_BYTES / 1024} kB`, 'answer'],
  ['responses that their clients do not read', `${UNREAD_RESPONSE_LIMITS.maxBytes / 1024 ** 2} MB`, 'process'],
  [`sign-ins in ${WINDOW}`, format(IDENTITY_LIMITS.signInPerPerson), 'person and address'],
  [`sign-ins in ${WINDOW}`, format(IDENTITY_LIMITS.signInPerAddress), 'address'],
  ['sign-ins in a day', format(IDENTITY_LIMITS.signInPerAddressAndDay), 'address'],
  [`sign-ups in ${WINDOW}`, format(IDENTITY_LIMITS.signUpPerAddress), 'address'],
  [
    'hashes of passwords at once',
    `${HASH_SLOTS.slots}, of which ${HASH_SLOTS.reservedSlots} only for known browsers`,
    'process',
  ],
  [
    'SQL of members',
    `${SQL_SECONDS_PER_MINUTE} s in a minute, 1 at a time, ${MAX_PENDING_STATEMENTS - 1} waiting`,
    'member',
  ],
  ['reading of PDFs', `${PDF_SECONDS_PER_MINUTE} s of processor time in a minute`, 'organization'],
  ['reading of a PDF', `${toSeconds(DEFAULT_PDF_LIMITS.processorMilliseconds)} of processor time`, 'document'],
  ['previews of an import in a minute', format(PREVIEWS_PER_MINUTE), 'member'],
  ['count of a large or costly body', toSeconds(COUNT_LIMITS.timeLimitMs), 'request'],
  ['waiting counts of such bodies', format(COUNT_LIMITS.maxWaitingPerOwner), 'organization'],
  ['other counts and rejections of them', '1 at a time, each organization in turn', 'process'],
  ['collection of metrics', `once in ${toSeconds(METRICS_INTERVAL_MS)}`, 'process'],
];

/** Returns the table of docs/explanation/security.md that names what bounds costly work. */
export const describeWorkLimits = (): string =>
  ['| work | limit | per |', '|---|---|---|', ...ROWS.map((row) => `| ${row.join(' | ')} |`)].join('\n');

/** Returns the page with the table as the code has it. */
export const replaceWorkLimits = (page: string): string =>
  replaceGenerated(page, 'the limits of costly work', describeWorkLimits());
