import type { Deployment, Process } from './deployment.ts';

/** The end of a completion. `no-answer` means that its process crashed. */
export interface Completed {
  invitationId: string;
  sessionId: string;
  ticket: string;
  result: 'ok' | 'rejected' | 'undecided' | 'no-answer';
}

export interface Round {
  deployment: Deployment;
  processes: [Process, Process];
  invitations: { id: string; ticket: string }[];
  sessions: string[];
  completed: Completed[];
  /** Revocations that got a response of any kind. */
  revoked: { id: string; process: Process; isConfirmed: boolean }[];
}
