import type { Deployment, Process } from './deployment.ts';

/** How a completion ended; `no answer` where its process stopped. */
export interface Completed {
  invitationId: string;
  sessionId: string;
  ticket: string;
  result: 'ok' | 'refused' | 'undecided' | 'no answer';
}

export interface Round {
  deployment: Deployment;
  processes: [Process, Process];
  invitations: { id: string; ticket: string }[];
  sessions: string[];
  completed: Completed[];
  /** Revocations that were answered, whatever the answer. */
  revoked: { id: string; process: Process; isConfirmed: boolean }[];
}
