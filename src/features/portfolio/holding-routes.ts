import { NO_BOND_FEED } from '../../market-data/services/catalog/register-symbol.ts';
import type { MemberSql } from '../../platform/database/roles.ts';
import { Failure } from '../../errors.ts';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { route } from '../../platform/http/route.ts';
import { type AddedInvestment, addInvestment, type RegisterFor } from './add-investment.ts';
import { HOLDING_LIMIT, type Position, routes } from './contract.ts';
import { idFrom, type MemberAccess, OWN_READ } from '../../platform/identity/member-access.ts';
import { presentHolding, presentPositions, presentUnlisted } from './present-holdings.ts';
import { deleteHolding, isConnectedHolding, listHoldings, listPositionParts, updateHolding } from './queries.ts';

const MISSING = 'You have no holding with this id.';

interface HoldingRouteDependencies extends MemberAccess {
  registerFor: RegisterFor;
  /** Told of a company that is held from now on. Must not throw. */
  onHeld: (symbol: string) => void;
}

/** `/api/investments/holdings` and `/api/investments/positions`: what the member owns. */
export function addHoldingRoutes(app: HttpApp, deps: HoldingRouteDependencies): void {
  route(app, routes.listHoldings, async (request, reply) => {
    const { listed, unlisted } = await listHoldings(deps.asMember(deps.guards.memberOf(request)));
    reply.headers(OWN_READ);
    return {
      holdings: listed.map(presentHolding),
      ...(unlisted.length > 0 && { unlisted: unlisted.map(presentUnlisted) }),
      limit: HOLDING_LIMIT,
      sample_data: listed.some(({ sample }) => sample),
    };
  });

  route(app, routes.addHolding, async (request, reply) => {
    const member = deps.guards.memberOf(request);
    const wanted = { idpId: member.idpId, ...request.body };
    const added = await addInvestment(deps.asMember(member), deps.registerFor, wanted);
    if (!added.ok) throw refusal(added, wanted.symbol);
    if (added.row.asset_type === 'stock') deps.onHeld(added.row.symbol);
    return reply.code(201).send({ holding: presentHolding(added.row), sample_data: added.row.sample });
  });

  route(app, routes.changeHolding, async (request) => {
    const sql = deps.asMember(deps.guards.memberOf(request));
    const id = idFrom(request.params, MISSING);
    const row = await updateHolding(sql, id, request.body);
    if (!row) throw await untouchable(sql, id);
    return { holding: presentHolding(row), sample_data: row.sample };
  });

  route(app, routes.deleteHolding, async (request, reply) => {
    const sql = deps.asMember(deps.guards.memberOf(request));
    const id = idFrom(request.params, MISSING);
    if (!(await deleteHolding(sql, id))) throw await untouchable(sql, id);
    return reply.code(204).send();
  });

  route(app, routes.listPositions, async (request, reply) => {
    const positions = await readPositions(deps.asMember(deps.guards.memberOf(request)));
    reply.headers(OWN_READ);
    return positions;
  });
}

/** What the member holds of each symbol across accounts, by symbol. */
export async function readPositions(sql: MemberSql): Promise<{ positions: Position[]; sample_data: boolean }> {
  const rows = await listPositionParts(sql);
  return { positions: presentPositions(rows), sample_data: rows.some(({ sample }) => sample) };
}

const untouchable = async (sql: MemberSql, id: string): Promise<Failure> =>
  (await isConnectedHolding(sql, id))
    ? new Failure('CONFLICT', { message: 'This holding comes from a connection: it is as the institution tells it.' })
    : new Failure('NOT_FOUND', { message: MISSING });

function refusal(refused: Exclude<AddedInvestment, { ok: true }>, symbol: string): Failure {
  switch (refused.reason) {
    case 'no_account':
      return new Failure('NOT_FOUND', { message: 'You have no account with this id.' });
    case 'connected':
      return new Failure('CONFLICT', {
        message: 'This account comes from a connection; add the holding to one that you keep yourself.',
      });
    case 'limit_reached':
      return new Failure('LIMIT_REACHED', {
        message: `You have ${HOLDING_LIMIT} holdings, the most there can be.`,
        body: { limit: HOLDING_LIMIT },
      });
    case 'unknown':
      return new Failure('UNKNOWN_SYMBOL', { message: `No stock, ETF, mutual fund or bond has the symbol ${symbol}.` });
    case 'unsupported':
      return new Failure('UNSUPPORTED_ASSET', refused.detail && { message: NO_BOND_FEED });
    case 'rate_limited':
      return new Failure('RATE_LIMITED', { retryAfter: refused.retryAfter });
    case 'unavailable':
      return new Failure('UNAVAILABLE', {
        message: 'Market data cannot be reached right now; try again later.',
        retryAfter: refused.retryAfter ?? 30,
      });
  }
}
