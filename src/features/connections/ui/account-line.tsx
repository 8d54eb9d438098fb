import type { Connection } from '../contract.ts';

/** Shows an account's name, last digits and type at its institution. */
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
