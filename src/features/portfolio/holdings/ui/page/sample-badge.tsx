import { Badge } from '../../../../../ui/kit/badge.tsx';

/** Marks a portfolio whose figures are samples. */
export const SampleBadge = () => <Badge tone="warn">Sample data</Badge>;
