import { AppError } from '../../../errors.ts';
import type { HttpApp } from '../../../platform/http/app-type.ts';
import { createRateLimiter } from '../../../platform/http/rate-limit.ts';
import type { SharedRateLimits } from '../../../platform/http/redis-rate-limiter.ts';
import { route } from '../../../platform/http/route.ts';
import type { Database } from '../../../platform/database/connect.ts';
import { type MemberAccess, parseIdParam } from '../../../platform/identity/member-access.ts';
import { routes } from './contract.ts';
import { importHoldings, type ImportResult, MAX_IMPORT_BYTES, undoImport } from './import-holdings.ts';
import { MAX_IMPORT_ROWS } from './holdings-file.ts';
import { createFileParser } from './parse-in-thread.ts';
import { deleteKeptChoice } from './queries.ts';
import { serializeImport } from './serialize-import.ts';
import type { LookUpListing, SearchListings } from './listings.ts';

const IMPORT_NOT_FOUND_MESSAGE = 'This is not your last import, so it cannot be undone.';

interface ImportRouteDependencies extends MemberAccess {
  database: Pick<Database, 'service' | 'transactionAs'>;
  /** Looks up a symbol that the catalog lacks, within the member's limit. Registers it unless it is a dry run. */
  lookUp: (idpId: string, dryRun: boolean) => LookUpListing;
  /** Searches listings, within the same limit. */
  search: (idpId: string) => SearchListings;
  /** Called with the newly held companies and the id of the import. Must not throw. */
  onCompaniesAdded: (symbols: readonly string[], importId: string) => void;
  createLimiter?: SharedRateLimits['createLimiter'] | undefined;
}

/** Imports of a member within a day. Each adds up to as many changes of net worth as a member has holdings. */
export const IMPORTS_PER_DAY = 100;

/** Previews of a member within a minute. Each parses a file of up to 1 MB. */
export const PREVIEWS_PER_MINUTE = 20;

/** Adds `/api/holdings/import`: the import of a file, its undo, and the deletion of kept columns. */
export function addImportRoutes(app: HttpApp, deps: ImportRouteDependencies): void {
  // JSON may escape each byte of the text as six bytes. 200 chosen securities and 200 columns add up to 400,000 bytes.
  const bodyLimit = 6 * MAX_IMPORT_BYTES + 400_000;
  const { createLimiter = createRateLimiter } = deps;
  const parse = createFileParser();
  const imports = createLimiter({ name: 'holdings-import', limit: IMPORTS_PER_DAY, windowMs: 86_400_000 });
  const previews = createLimiter({ name: 'holdings-preview', limit: PREVIEWS_PER_MINUTE, windowMs: 60_000 });
  route(app, routes.importHoldings, { bodyLimit }, async (request, reply) => {
    const { idpId } = deps.guards.getMember(request);
    const { text, kind, columns, account_id: accountId, existing, plan: confirmedPlan } = request.body;
    const securities = new Map(request.body.securities.map((choice) => [choice.text, choice.symbol]));
    const dryRun = request.query.dry_run === '1';
    const limited = await (dryRun ? previews : imports).consume(idpId);
    if (!limited.ok) throw new AppError('RATE_LIMITED', { retryAfter: limited.retryAfter });
    const imported = await importHoldings(
      { database: deps.database, parse, lookUp: deps.lookUp(idpId, dryRun), search: deps.search(idpId) },
      { idpId, text, kind, columns, securities, accountId, existing, dryRun, confirmedPlan },
    );
    if (!imported.ok) throw toImportError(imported);
    const { plan, importId } = imported;
    const companies = plan.rows.flatMap((row) =>
      row.kind === 'holding' && row.outcome === 'new' && row.assetType === 'stock' ? [row.symbol] : [],
    );
    if (importId !== null && companies.length > 0) deps.onCompaniesAdded([...new Set(companies)], importId);
    // The response has been validated row by row. Validating and serializing all of it at once would block other requests.
    return reply.type('application/json; charset=utf-8').send((await serializeImport(imported)) as never);
  });

  route(app, routes.deleteImportColumns, async (request, reply) => {
    const { idpId } = deps.guards.getMember(request);
    await deps.database.transactionAs({ sub: idpId }, ({ service }) =>
      deleteKeptChoice(service, idpId, request.params.header_id),
    );
    return reply.code(204).send();
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

/** Converts a rejected import to the API error. A rejected import changes nothing. */
function toImportError(rejection: Exclude<ImportResult, { ok: true }>): AppError {
  const toInvalid = (message: string, path = 'text'): AppError =>
    new AppError('INVALID_REQUEST', { message, issues: [{ path, message }] });
  switch (rejection.reason) {
    case 'too_large':
      return new AppError('PAYLOAD_TOO_LARGE', {
        message: 'The file is larger than 1 MB. Export fewer accounts, or a shorter period.',
      });
    case 'not_csv':
      return toInvalid('This is not a CSV file. Open it in a spreadsheet and save it as CSV.');
    case 'no_table':
      return toInvalid(
        'The file has no table of holdings or transactions. It needs a header, and rows with a security and a quantity.',
      );
    case 'other_columns':
      return toInvalid(`The file has ${rejection.count} columns. Choose a meaning for each.`, 'columns');
    case 'no_columns':
      return toInvalid(`Choose the columns with: ${rejection.missing.join(', ')}.`, 'columns');
    case 'no_kind':
      return toInvalid('The file may list positions or transactions. Choose which.', 'kind');
    case 'too_many_cells':
      return toInvalid('The file has too many cells. Delete its empty rows and columns.');
    case 'too_many_rows':
      return toInvalid(
        `The file has more than ${MAX_IMPORT_ROWS.toLocaleString('en-US')} rows. Import fewer at a time.`,
      );
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
