import { session } from '../session/session.ts';

/** Writes that change nothing that another tab shows. */
const silentRoutes = /^POST \/api\/(analytics|assistant|billing\/(checkout|portal|preview)|connections\/start)/;

let channel: BroadcastChannel | undefined;

/** Channel on which the tabs of one browser announce a member's changes. It is opened at first use. */
function getChannel(): BroadcastChannel {
  channel ??= new BroadcastChannel('tally.changes');
  return channel;
}

/** Returns the id of the signed-in member, or null without one. */
export const getMemberId = (): string | null => {
  const state = session.state.get();
  return state.status === 'signed-in' ? state.member.userId : null;
};

/** Tells the other tabs that this route has changed the member's data. Reads tell nothing. */
export function announceChange(routeName: string): void {
  const memberId = getMemberId();
  if (memberId !== null && !routeName.startsWith('GET ') && !silentRoutes.test(routeName))
    getChannel().postMessage(memberId);
}

/** Calls the listener after the member has changed data in another tab. */
export function followChanges(onChange: () => void): void {
  getChannel().addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (data === getMemberId()) onChange();
  });
}
