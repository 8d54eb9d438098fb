import type { ComponentProps } from 'react';
import { Icon } from './icon.tsx';

/** Input of a search, with its icon. It is as wide as its container. */
export const SearchInput = (props: ComponentProps<'input'>) => (
  <div className="relative">
    <span className="pointer-events-none absolute inset-y-0 start-3 grid place-items-center text-ink-faint">
      <Icon name="search" />
    </span>
    <input {...props} className="field ps-8" />
  </div>
);
