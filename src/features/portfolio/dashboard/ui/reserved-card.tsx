import { CardPlaceholder } from '../../../../ui/kit/card-placeholder.tsx';
import type { CardId } from '../contract.ts';
import { fixedHeights, readCardHeight } from './card-heights.ts';

/** Reserves the place of a card before it is rendered: its fixed height, or the one that this browser showed last. */
export function ReservedCard({ id }: { id: CardId }) {
  const fixed = fixedHeights[id];
  const height = readCardHeight(id);
  if (fixed !== undefined) return <CardPlaceholder className={fixed} />;
  if (height !== undefined) return <CardPlaceholder className="" height={height} />;
  return <CardPlaceholder className="min-h-58.5" isUnsettled />;
}
