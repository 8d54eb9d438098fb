import type { ReactNode } from 'react';
import { LogoMark } from '../ui/logo.tsx';

/** A page that consists of one message. */
export function Message({
  title,
  text,
  actions,
  children,
}: {
  title: string;
  text: string;
  actions: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className="mx-auto grid max-w-prose justify-items-center gap-4 py-16 text-center sm:py-24">
      <span className="text-ink-faint">
        <LogoMark size={44} />
      </span>
      <h1 className="text-title font-semibold tracking-tight">{title}</h1>
      <p className="text-ink-soft">{text}</p>
      <div className="mt-2 flex flex-wrap justify-center gap-3">{actions}</div>
      {children}
    </div>
  );
}
