import type { ChangeContext } from './context.ts';
import { type AlertChanges, isPossibleThreshold } from './contract.ts';
import { type AlertRow, findAlert, lockAlert, updateAlert } from './queries.ts';

type ChangeResult =
  | { ok: true; alert: AlertRow }
  | { ok: false; reason: 'not_found' | 'threshold_missing' | 'threshold_impossible' };

/**
 * Changes the named terms of an alert. A new kind or threshold starts it anew from the newest price. A price is no
 * percentage, so a change between a price and a move needs a threshold.
 */
export async function changeAlert(
  { deps, member: { idpId }, sql }: ChangeContext,
  id: string,
  changes: AlertChanges,
): Promise<ChangeResult> {
  const rejection = await deps.database.service.transaction(async (tx) => {
    const alert = await lockAlert(tx, { idpId, id });
    if (!alert) return 'not_found';
    const { kind = alert.kind, threshold } = changes;
    const isOtherUnit = (kind === 'move') !== (alert.kind === 'move');
    if (isOtherUnit && threshold === undefined) return 'threshold_missing';
    if (!isPossibleThreshold({ kind, threshold: threshold ?? alert.threshold })) return 'threshold_impossible';
    const isNewStart = changes.kind !== undefined || threshold !== undefined;
    await updateAlert(tx, { idpId, id }, changes, isNewStart ? alert : undefined);
    return undefined;
  });
  if (rejection !== undefined) return { ok: false, reason: rejection };
  const alert = await findAlert(sql, idpId, id);
  return alert ? { ok: true, alert } : { ok: false, reason: 'not_found' };
}
