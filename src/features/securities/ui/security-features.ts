import type { ReactNode } from 'react';
import type { Position } from '../../portfolio/holdings/contract.ts';
import type { RangeName, Security } from '../contract.ts';

/** Parts of other features in the panel, passed by the shell's routes. */
export interface SecurityFeatures {
  /** The actions at the lower edge, and the notice of a locked symbol. */
  renderActions: (props: SecurityActionsProps) => ReactNode;
  /** The member's holdings of the security. */
  renderPosition: (position: Position) => ReactNode;
  onRangeChange: (symbol: string, range: RangeName) => void;
}

interface SecurityActionsProps {
  security: Security;
  onClose: () => void;
}
