import { Icon } from '../../../../ui/kit/icon.tsx';

/** Marks a holding of a connected account. */
export const ConnectedIcon = () => (
  <span className="ms-1.5 inline-block align-[-0.125em]">
    <Icon name="link" size={12} />
    <span className="sr-only">, connected</span>
  </span>
);
