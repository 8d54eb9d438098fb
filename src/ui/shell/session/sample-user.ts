import { publicConfig } from './public-config.ts';
import type { Member } from './session-state.ts';
import { session, useMember } from './session.ts';
import { useStore } from '../../kit/use-store.ts';

/** Returns whether a member is the read-only sample user, whom visitors share. */
export const isSampleUser = (member: Pick<Member, 'userId'> | null): boolean =>
  member !== null && publicConfig.get()?.sample_user?.idp_user_id === member.userId;

/** Returns whether the page shows the sample portfolio. */
export function useIsSampleUser(): boolean {
  useStore(publicConfig);
  return isSampleUser(useMember());
}

/** Returns whether a page belongs to the sample portfolio. Settings, plans and connections are a member's own. */
export const isInSamplePortfolio = (path: string): boolean => !/^\/(settings|plans|connections)(\/|$)/.test(path);

let isInSample = false;
let exitTarget = '/';
let exit: { from: string; to: string } | null = null;

/** Returns where a visitor goes who left the sample portfolio on this page, or null for everybody else. */
export const getSampleExit = (path: string): string | null => (exit?.from === path ? exit.to : null);

/** Ends the sample session and opens a page for visitors. */
export function leaveSample(to: '/' | '/sign-up'): void {
  exitTarget = to;
  void session.signOut();
}

/** Follows the session. A sample session that expires is signed out, because it has no password to renew it. */
export function followSampleUser(): void {
  session.state.subscribe(() => {
    const state = session.state.get();
    if (state.status === 'signed-in') {
      isInSample = isSampleUser(state.member);
      exitTarget = '/';
      exit = null;
    }
    if (state.status === 'signed-out' && isInSample) {
      isInSample = false;
      exit = { from: window.location.pathname, to: exitTarget };
    }
    if (state.status === 'expired' && isSampleUser(state.member)) leaveSample('/');
  });
}
