import { type ReactNode, useId } from 'react';

/** Titled surface. Screen readers can navigate to the region by its title. */
export function Card({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="card">
      <header className="flex min-h-12 items-center justify-between gap-3 px-4 pt-1 sm:px-5">
        <h2 id={id} className="text-lead font-semibold tracking-tight">
          {title}
        </h2>
        {actions}
      </header>
      <div className="px-4 pb-4 sm:px-5 sm:pb-5">{children}</div>
    </section>
  );
}
