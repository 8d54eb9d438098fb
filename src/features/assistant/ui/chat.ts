import { callApi, sendToApi } from '../../../ui/shell/api/api.ts';
import { createStore } from '../../../ui/kit/store.ts';
import { session } from '../../../ui/shell/session/session.ts';
import { createChat } from './chat-client.ts';

/** The member's chat on this page. */
export const chat = createChat({ callApi, sendToApi });

/** Question that is typed and not sent. It survives the closing of the panel. */
export const questionDraft = createStore('');

let isStarted = false;
let memberId: string | null = null;

/** Empties the thread before another member or a visitor can see it. Repeated calls do nothing. */
export function startChat(): void {
  if (isStarted) return;
  isStarted = true;
  const clearOnMemberChange = (): void => {
    const state = session.state.get();
    const nextMemberId = state.status === 'signed-in' || state.status === 'expired' ? state.member.userId : null;
    if (state.status !== 'signed-out' && (nextMemberId === null || memberId === nextMemberId)) return;
    if (memberId !== nextMemberId && memberId !== null) {
      chat.startNew();
      questionDraft.set('');
    }
    memberId = nextMemberId;
  };
  clearOnMemberChange();
  session.state.subscribe(clearOnMemberChange);
}
