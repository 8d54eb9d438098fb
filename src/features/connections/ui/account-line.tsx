import type { Connection } from '../contract.ts';

/** An account as its institution names it: its name, its last digits, what it is. */
export function AccountLine({ account: { name, mask, type } }: { account: Connection['accounts'][number] }) {
  return (
    <>
      <p className="truncate font-medium">{name}</p>
      <p className="text-small text-ink-faint">
        {[type && type[0]!.toUpperCase() + type.slice(1), mask && `ending in ${mask}`].filter(Boolean).join(', ')}
      </p>
    </>
  );
}
