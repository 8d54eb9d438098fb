import { createStore } from '../../../ui/kit/store.ts';
import { navigate, openPanel } from '../../../ui/shell/navigation/location.ts';
import type { AssistantQuestion } from '../../portfolio/dashboard/ui/shared/dashboard-card.ts';
import { ASSISTANT_PATH, getPanelUrl } from './panel-url.ts';

/** Question from a page for the assistant, or null without one. */
export const pendingQuestion = createStore<AssistantQuestion | null>(null);

/** Opens the assistant with a question: beside the page, or on its own page if that is open. */
export function askAssistant(question: AssistantQuestion): void {
  pendingQuestion.set(question);
  if (window.location.pathname === ASSISTANT_PATH) navigate(ASSISTANT_PATH);
  else openPanel(getPanelUrl());
}
