import { AppError } from '../../../errors.ts';
import type { HttpApp } from '../../../platform/http/app-type.ts';
import { createRateLimiter } from '../../../platform/http/rate-limit.ts';
import type { SharedRateLimits } from '../../../platform/http/redis-rate-limiter.ts';
import { route } from '../../../platform/http/route.ts';
import type { Database } from '../../../platform/database/connect.ts';
import { type MemberAccess, parseIdParam } from '../../../platform/identity/member-access.ts';
import { toNumber } from '../holding-responses.ts';
import { type ImportResponse, type ImportRow, routes } from './contract.ts';
import { importHoldings, type ImportResult, MAX_IMPORT_BYTES, undoImport } from './import-holdings.ts';
import { MAX_IMPORT_ROWS } from './holdings-file.ts';
import type { PlannedRow } from './plan-import.ts';
import type { LookUpListing } from './resolve-positions.ts';

const IMPORT_NOT_FOUND_MESSAGE = 'This is not your last import, so it cannot be undone.';

interface ImportRouteDependencies extends MemberAccess {
  database: Pick<Database, 'serviceForMember'>;
  /** Looks up a symbol that the catalog lacks, within the member's limit. Registers it unless it is a dry run. */
  lookUp: (idpId: string, dryRun: boolean) => LookUpListing;
  /** Called with the newly held companies and the id of the import. Must not throw. */
  onCompaniesAdded: (symbols: readonly string[], importId: string) => void;
  createLimiter?: SharedRateLimits['createLimiter'] | undefined;
}

/** Imports of a member within a day. Each adds up to as many changes of net worth as a member has holdings. */
export const IMPORTS_PER_DAY = 100;

/** Previews of a member within a minute. Each parses a file of up to 1 MB. */
export const PREVIEWS_PER_MINUTE = 20;

/** Adds `/api/holdings/import`: the import of a file, and its undo. */
export function addImportRoutes(app: HttpApp, deps: ImportRouteDependencies): void {
  // JSON may escape each byte of the text as six bytes, and the envelope adds up to 1,024 bytes.
  const bodyLimit = 6 * MAX_IMPORT_BYTES + 1024;
  const { createLimiter = createRateLimiter } = deps;
  const imports = createLimiter({ name: 'holdings-import', limit: IMPORTS_PER_DAY, windowMs: 86_400_000 });
  const previews = createLimiter({ name: 'holdings-preview', limit: PREVIEWS_PER_MINUTE, windowMs: 60_000 });
  route(app, routes.importHoldings, { bodyLimit }, async (request) => {
    const { idpId } = deps.guards.getMember(request);
    const { text, account_id: accountId, existing, plan: confirmedPlan } = request.body;
    const dryRun = request.query.dry_run === '1';
    const limited = await (dryRun ? previews : imports).consume(idpId);
    if (!limited.ok) throw new AppError('RATE_LIMITED', { retryAfter: limited.retryAfter });
    const imported = await importHoldings(
      { database: deps.database, lookUp: deps.lookUp(idpId, dryRun) },
      { idpId, text, accountId, existing, dryRun, confirmedPlan },
    );
    if (!imported.ok) throw toImportError(imported);
    const { plan, importId } = imported;
    const companies = plan.rows.flatMap((row) =>
      row.kind === 'holding' && row.outcome === 'new' && row.assetType === 'stock' ? [row.symbol] : [],
    );
    if (importId !== null && companies.length > 0) deps.onCompaniesAdded([...new Set(companies)], importId);
    return toImportResponse(imported);
  });

  route(app, routes.undoHoldingsImport, async (request, reply) => {
    const { idpId } = deps.guards.getMember(request);
    const id = parseIdParam(request.params, IMPORT_NOT_FOUND_MESSAGE);
    const undone = await undoImport(deps.database, idpId, id);
    if (undone.ok) return reply.code(204).send();
    throw undone.reason === 'not_found'
      ? new AppError('NOT_FOUND', { message: IMPORT_NOT_FOUND_MESSAGE })
      : new AppError('CONFLICT', {
          message: 'Your holdings have changed since this import, so it was not undone. Change them one by one.',
        });
  });
}

const toImportResponse = ({ file, plan, importId }: Extract<ImportResult, { ok: true }>): ImportResponse => ({
  format: file.format,
  plan: plan.digest,
  errors: [...file.errors].toSorted((a, b) => a.line - b.line),
  accounts: plan.accounts.map(({ id, name, currency, unlistedSymbols: unlisted }) => ({
    id,
    name,
    currency,
    unlisted,
  })),
  rows: plan.rows.map(toRowResponse),
  import_id: importId,
});

const toNumberOrNull = (amount: string | null): number | null => (amount === null ? null : toNumber(amount));

function toRowResponse(row: PlannedRow): ImportRow {
  const { lines, accountName: account, kind, outcome, reason, currency } = row;
  const shared = { lines, account, kind, outcome, reason, currency };
  if (row.kind === 'cash')
    return {
      ...shared,
      symbol: null,
      name: null,
      quantity: null,
      cost_basis: null,
      cash: toNumber(row.amount),
      previous:
        row.previousAmount === null ? null : { quantity: null, cost_basis: null, cash: toNumber(row.previousAmount) },
    };
  return {
    ...shared,
    symbol: row.symbol,
    name: row.name,
    ...(row.renamedFrom !== undefined && { renamed_from: row.renamedFrom }),
    quantity: toNumberOrNull(row.quantity),
    cost_basis: toNumberOrNull(row.costBasis),
    cash: null,
    previous: row.previous && {
      quantity: toNumber(row.previous.quantity),
      cost_basis: toNumberOrNull(row.previous.costBasis),
      cash: null,
    },
  };
}

/** Converts a rejected import to the API error. A rejected import changes nothing. */
function toImportError(rejection: Exclude<ImportResult, { ok: true }>): AppError {
  const toInvalid = (message: string): AppError =>
    new AppError('INVALID_REQUEST', { message, issues: [{ path: 'text', message }] });
  switch (rejection.reason) {
    case 'too_large':
      return new AppError('PAYLOAD_TOO_LARGE', { message: 'The file is larger than 1 MB. Export positions only.' });
    case 'not_csv':
      return toInvalid('This is not a CSV file. Open it in a spreadsheet and save it as CSV.');
    case 'transactions':
      return toInvalid('This is a list of transactions. Export the positions or holdings of your accounts instead.');
    case 'no_holdings':
      return toInvalid('The file has no table of holdings. It needs a header with a symbol or ISIN and a quantity.');
    case 'too_many_cells':
      return toInvalid('The file has too many cells. Delete its empty rows and columns.');
    case 'too_many_rows':
      return toInvalid(`The file has more than ${MAX_IMPORT_ROWS} rows. Import fewer at a time.`);
    case 'plan_changed':
      return new AppError('CONFLICT', { message: 'Your holdings have changed since the preview. Check it again.' });
    case 'no_account':
      return new AppError('NOT_FOUND', { message: 'You have no account with this id.' });
    case 'connected':
      return new AppError('CONFLICT', {
        message: 'This account comes from a connection. Choose one that you keep yourself.',
      });
    case 'limit_reached':
      return new AppError('LIMIT_REACHED', {
        message: `You can have ${rejection.limit} ${rejection.unit}. This import would exceed the limit.`,
        body: { limit: rejection.limit },
      });
    case 'unavailable':
      return new AppError('UNAVAILABLE', {
        retryAfter: rejection.retryAfter ?? 30,
        message: 'Some symbols cannot be looked up right now. Nothing was imported.',
      });
  }
}
