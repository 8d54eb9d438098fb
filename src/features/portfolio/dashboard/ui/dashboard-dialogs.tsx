import type { BoughtSecurity, CardProps } from './shared/dashboard-card.ts';
import { lazyErrorProps } from '../../../../ui/shell/loading/lazy-error-props.ts';
import { LazyComponent } from '../../../../ui/shell/loading/lazy-component.tsx';
import type { Connection } from '../../../connections/contract.ts';
import type { DashboardResponse } from '../contract.ts';
import type { DashboardFeatures } from './dashboard-features.ts';
import * as dialogs from './lazy-components.ts';

/** Open dialog of the dashboard with its initial values. At most one is open. */
export type OpenDialog =
  | { dialog: 'card' }
  | { dialog: 'connect'; repair?: Connection }
  | { dialog: 'investment'; preset: BoughtSecurity | null }
  | null;

interface DashboardDialogsProps {
  open: OpenDialog;
  features: DashboardFeatures;
  layout: DashboardResponse | undefined;
  cardProps: CardProps;
  onAnnounce: (text: string) => void;
  onClose: () => void;
}

/** Shows the open dialog. Its code is loaded at first use. */
export function DashboardDialogs({ open, features, layout, cardProps, onAnnounce, onClose }: DashboardDialogsProps) {
  const commonProps = { ...lazyErrorProps, onClose };
  switch (open?.dialog) {
    case 'connect':
      return <features.ConnectDialog repair={open.repair} onClose={onClose} />;
    case 'investment':
      return (
        <LazyComponent
          component={dialogs.lazyAddInvestment}
          props={{ preset: open.preset, onClose }}
          {...commonProps}
        />
      );
    case 'card':
      if (!layout) return null;
      return (
        <LazyComponent
          component={dialogs.lazyAddCard}
          props={{ layout, cards: features.cards, cardProps, onAnnounce, onClose }}
          {...commonProps}
        />
      );
    case undefined:
      return null;
  }
}
