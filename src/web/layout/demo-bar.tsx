import { useDemoAccount } from '../lib/demo-account.ts';

/** Tells viewers of the shared demo account, on every page, with whom they share it and for how long changes last. */
export function DemoBar() {
  const demo = useDemoAccount();
  if (!demo) return null;
  return (
    <aside aria-label="Shared demo account" className="border-b border-line bg-sunken">
      <p className="mx-auto max-w-page px-4 py-1.5 text-small text-ink-soft sm:px-6">
        <span className="font-semibold text-ink">You are in a shared demo account.</span> Everybody with a link sees and
        changes the same data.
        {demo.resetAt && ` It is put back each day at ${demo.resetAt} UTC.`}
      </p>
    </aside>
  );
}
