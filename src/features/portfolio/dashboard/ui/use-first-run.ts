import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { readStored, writeStored } from '../../../../ui/kit/browser-storage.ts';
import { useIsSampleUser } from '../../../../ui/shell/session/sample-user.ts';
import { useMember } from '../../../../ui/shell/session/session.ts';
import { portfolioHoldingsQuery } from '../../holdings/ui/holdings-queries.ts';
import { netWorthQuery } from '../../net-worth/ui/net-worth-queries.ts';
import type { FirstRunStage } from './first-run-card.tsx';
import { lazyFirstRunCard } from './lazy-components.ts';

export interface FirstRun {
  /** What the card says, or null if there is none. Each stage can be closed, and the second one is shown once. */
  stage: FirstRunStage | null;
  /** Whether the code of the card is on its way. It is above the others, which wait for it. */
  isPending: boolean;
  close: () => void;
}

/** Stored states of a member: this browser saw the account empty, and it said what comes after the first holding. */
const SEEN_EMPTY = '1';
const SAID_NEXT = '0';

/** Returns what the first steps say. Reads the answers of the cards and sends no request. */
export function useFirstRun(): FirstRun {
  const userId = useMember()?.userId ?? '';
  const putOffKey = `tally.first-run.1.${userId}`;
  const emptyKey = `tally.was-empty.1.${userId}`;
  const [isPutOff, setPutOff] = useState(() => readStored(putOffKey) === '1');
  const [seen, setSeen] = useState(() => readStored(emptyKey));
  const [isLoaded, setLoaded] = useState(false);
  const isSample = useIsSampleUser();
  const netWorth = useQuery({ ...netWorthQuery, enabled: false });
  const count = useQuery({ ...portfolioHoldingsQuery, enabled: false }).data?.holdings.length;
  const isEmpty = !isSample && netWorth.data?.currencies.length === 0 && count === 0;
  const hasHoldings = count !== undefined && count > 0;
  if (isEmpty && seen === null) setSeen(SEEN_EMPTY);
  const stage = getStage();
  useEffect(() => {
    if (seen === SEEN_EMPTY) writeStored(emptyKey, stage === 'first-holding' ? SAID_NEXT : SEEN_EMPTY);
  }, [seen, stage, emptyKey]);
  const isShown = stage !== null;
  useEffect(() => {
    if (isShown) void lazyFirstRunCard.load().then(() => setLoaded(true));
  }, [isShown]);
  return {
    stage,
    // Without the card of the empty account, the code is not there yet when a member adds the first holding.
    isPending: isShown && !isLoaded && !isPutOff,
    close() {
      if (stage === 'first-holding') return setSeen(SAID_NEXT);
      writeStored(putOffKey, '1');
      setPutOff(true);
    },
  };

  function getStage(): FirstRunStage | null {
    if (isEmpty) return isPutOff ? null : 'empty';
    return seen === SEEN_EMPTY && hasHoldings ? 'first-holding' : null;
  }
}
