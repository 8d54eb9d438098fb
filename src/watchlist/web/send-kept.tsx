import { useSendKept } from './change-watchlist.ts';

/** Sends what the page before has kept. Nothing is drawn: the rows show it. */
export default function SendKept() {
  useSendKept();
  return null;
}
