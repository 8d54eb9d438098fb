import { formatDay, formatMoment } from '../../../ui/kit/formats.ts';
import { SecretList } from '../../../ui/kit/secret-list.tsx';
import type { ApiKey } from '../contract.ts';
import { useRevokeKey } from './key-requests.ts';

/** Shows the list of keys: active ones first, then revoked ones. */
export function KeyRows({ keys }: { keys: readonly ApiKey[] }) {
  const revoke = useRevokeKey();
  const sorted = [...keys].sort(
    (a, b) => Number(a.revoked_at !== null) - Number(b.revoked_at !== null) || b.created_at.localeCompare(a.created_at),
  );
  return (
    <SecretList
      secretNoun="key"
      secrets={sorted}
      emptyMessage="No keys yet."
      describe={(key) => ({
        endedLabel: key.revoked_at && 'Revoked',
        badge: `Usage tier ${key.usage_tier}`,
        hint: `sk-…${key.hint}`,
        details: [`Created ${formatDay(key.created_at)}`, formatLastUse(key)],
      })}
      revoke={revoke}
      revocationEffect="Programs can no longer use this key."
    />
  );
}

function formatLastUse(key: ApiKey): string {
  if (key.revoked_at) return `Revoked ${formatDay(key.revoked_at)}`;
  return key.last_used_at ? `Last used ${formatMoment(key.last_used_at)}` : 'Never used';
}
