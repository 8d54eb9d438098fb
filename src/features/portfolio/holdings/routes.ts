import { toLookupError } from '../../../market-data/services/catalog/lookup-errors.ts';
import type { MemberSql, ServiceSql } from '../../../platform/database/roles.ts';
import { AppError } from '../../../errors.ts';
import type { HttpApp } from '../../../platform/http/app-type.ts';
import { route } from '../../../platform/http/route.ts';
import { sendCsv } from '../../../platform/http/send-csv.ts';
import { type AddHoldingResult, addHolding, type RegisterSymbol } from './add-holding.ts';
import { writeHoldingsCsv } from './export-holdings.ts';
import { toPortfolioHoldings } from './list-portfolio-holdings.ts';
import { HOLDING_LIMIT, type PositionList, routes } from './contract.ts';
import { parseIdParam, type MemberAccess, PRIVATE_CACHE_CONTROL } from '../../../platform/identity/member-access.ts';
import { toHoldingResponse, toPositionList, toUnlistedHoldingResponse } from './holding-responses.ts';
import { netWorthSql, settingsSql } from '../net-worth/queries.ts';
import { readRows } from '../net-worth/row-queries.ts';
import { type ConversionContext, readConversion } from '../net-worth/read-conversion.ts';
import { valueAtPastPrices } from './value-at-past-prices.ts';
import { cashSql, deleteHolding, holdingsSql, isConnectedHolding, listHoldings, updateHolding } from './queries.ts';

const HOLDING_NOT_FOUND_MESSAGE = 'You have no holding with this id.';

interface HoldingRouteDependencies extends MemberAccess, ConversionContext {
  /** Handle of market data, to which members have no access. */
  marketSql: ServiceSql;
  registerSymbol: RegisterSymbol;
  /** Called with each newly held company. Must not throw. */
  onHoldingAdded: (symbol: string) => void;
}

/** Adds `/api/investments/holdings` and `/api/investments/positions`: the member's investments. */
export function addHoldingRoutes(app: HttpApp, deps: HoldingRouteDependencies): void {
  route(app, routes.listHoldings, async (request, reply) => {
    const { listed, unlisted } = await listHoldings(deps.asMember(deps.guards.getMember(request)));
    const isExplained = request.query.explain === '1';
    reply.headers(PRIVATE_CACHE_CONTROL);
    return {
      holdings: listed.map((row) => toHoldingResponse(row, isExplained)),
      ...(unlisted.length > 0 && { unlisted: unlisted.map((row) => toUnlistedHoldingResponse(row, isExplained)) }),
      limit: HOLDING_LIMIT,
      sample_data: listed.some(({ sample }) => sample),
    };
  });

  route(app, routes.exportHoldings, async (request, reply) => {
    const member = deps.guards.getMember(request);
    const { holdings } = await readRows(deps.asMember(member), { idpId: member.idpId }, { holdings: holdingsSql });
    const day = deps.now().toISOString().slice(0, 10);
    return sendCsv(reply, { name: 'holdings', day, csv: writeHoldingsCsv(holdings) });
  });

  route(app, routes.addHolding, async (request, reply) => {
    const member = deps.guards.getMember(request);
    const newHolding = { idpId: member.idpId, ...request.body };
    const added = await addHolding(deps.asMember(member), deps.registerSymbol, newHolding);
    if (!added.ok) throw toAddHoldingError(added, newHolding.symbol);
    if (added.row.asset_type === 'stock') deps.onHoldingAdded(added.row.symbol);
    return reply.code(201).send({ holding: toHoldingResponse(added.row), sample_data: added.row.sample });
  });

  route(app, routes.changeHolding, async (request) => {
    const member = deps.guards.getMember(request);
    const sql = deps.asMember(member);
    const id = parseIdParam(request.params, HOLDING_NOT_FOUND_MESSAGE);
    const row = await updateHolding(sql, member.idpId, id, request.body);
    if (!row) throw await toUnchangeableError(sql, id);
    return { holding: toHoldingResponse(row), sample_data: row.sample };
  });

  route(app, routes.deleteHolding, async (request, reply) => {
    const member = deps.guards.getMember(request);
    const sql = deps.asMember(member);
    const id = parseIdParam(request.params, HOLDING_NOT_FOUND_MESSAGE);
    if (!(await deleteHolding(sql, member.idpId, id))) throw await toUnchangeableError(sql, id);
    return reply.code(204).send();
  });

  route(app, routes.listPositions, async (request, reply) => {
    const member = deps.guards.getMember(request);
    const positions = await readPositions(deps, deps.asMember(member), member.idpId, request.query.explain === '1');
    reply.headers(PRIVATE_CACHE_CONTROL);
    return positions;
  });

  route(app, routes.listPortfolioHoldings, async (request, reply) => {
    const member = deps.guards.getMember(request);
    const sql = deps.asMember(member);
    const rows = await readRows(
      sql,
      { idpId: member.idpId },
      {
        settings: settingsSql,
        accounts: cashSql,
        holdings: holdingsSql,
        net_worth: netWorthSql,
      },
    );
    const conversion = await readConversion(deps, rows.settings, [...rows.accounts, ...rows.holdings]);
    reply.headers(PRIVATE_CACHE_CONTROL);
    return toPortfolioHoldings(rows, conversion, request.query.explain === '1');
  });

  route(app, routes.valueHoldingsAtPastPrices, async (request, reply) => {
    const member = deps.guards.getMember(request);
    const values = await valueAtPastPrices(deps, deps.asMember(member), member.idpId);
    reply.headers(PRIVATE_CACHE_CONTROL);
    return values;
  });
}

/**
 * Returns the member's holdings of each symbol across accounts, by symbol, and their totals per currency. `isExplained`
 * adds how each figure came about.
 */
export async function readPositions(
  context: ConversionContext,
  sql: MemberSql,
  idpId: string,
  isExplained = false,
): Promise<PositionList> {
  const { settings, holdings } = await readRows(sql, { idpId }, { settings: settingsSql, holdings: holdingsSql });
  return toPositionList(holdings, await readConversion(context, settings, holdings), isExplained);
}

const toUnchangeableError = async (sql: MemberSql, id: string): Promise<AppError> =>
  (await isConnectedHolding(sql, id))
    ? new AppError('CONFLICT', { message: 'This holding comes from a connection and cannot be changed.' })
    : new AppError('NOT_FOUND', { message: HOLDING_NOT_FOUND_MESSAGE });

function toAddHoldingError(rejection: Exclude<AddHoldingResult, { ok: true }>, symbol: string): AppError {
  switch (rejection.reason) {
    case 'no_account':
      return new AppError('NOT_FOUND', { message: 'You have no account with this id.' });
    case 'connected':
      return new AppError('CONFLICT', {
        message: 'This account comes from a connection; add the holding to one that you keep yourself.',
      });
    case 'limit_reached':
      return new AppError('LIMIT_REACHED', {
        message: `You have ${HOLDING_LIMIT} holdings, the most there can be.`,
        body: { limit: HOLDING_LIMIT },
      });
    case 'unknown':
      return new AppError('UNKNOWN_SYMBOL', {
        message: `No stock, ETF, mutual fund or bond has the symbol ${symbol}.`,
      });
    default:
      return toLookupError(rejection);
  }
}
