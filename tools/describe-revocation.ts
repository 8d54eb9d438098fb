import {
  ACCOUNT_EVENTS,
  type AccountEventName,
  type Credential,
  CREDENTIALS,
  getEffect,
} from '../src/embedded/identity/account-events.ts';
import { replaceGenerated } from './replace-generated.ts';

const events = Object.keys(ACCOUNT_EVENTS) as AccountEventName[];

/** Returns the table of credentials and events of docs/explanation/security.md. */
export function describeRevocation(): string {
  const rows = Object.entries(CREDENTIALS).map(
    ([credential, { name }]) =>
      `| ${name} | ${events.map((event) => getEffect(event, credential as Credential)).join(' | ')} |`,
  );
  const reasons = Object.values(CREDENTIALS).flatMap((credential) =>
    'staysBecause' in credential ? [`- ${credential.name}: ${credential.staysBecause}`] : [],
  );
  return [
    `| | ${events.map((event) => ACCOUNT_EVENTS[event].name).join(' | ')} |`,
    `|---|${events.map(() => '---|').join('')}`,
    ...rows,
    '',
    'What no event but the deletion ends:',
    '',
    ...reasons,
  ].join('\n');
}

/** Returns the page with the table as the code has it. */
export const replaceRevocationTable = (page: string): string =>
  replaceGenerated(page, 'src/embedded/identity/account-events.ts', describeRevocation());
