import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { eventually } from '../support/eventually.ts';
import type { TestScope } from '../support/test-scope.ts';

interface ReceivedMail {
  to: string;
  subject: string;
  /** Headers and body as they arrived, without transfer encoding. */
  text: string;
}

/**
 * `refuses`: no recipient is accepted for now. `lies`: a message is stored, and the response is still a failure.
 * `hangs`: the response to a message never arrives.
 */
type MailFault = 'refuses' | 'lies' | 'hangs';

export interface FakeMailServer {
  url: string;
  received: ReceivedMail[];
  /** Fault of the following messages. */
  fault: MailFault | undefined;
  /** Number of messages that were offered, also of refused ones. */
  attempts: number;
  /** Waits for the mail with this index to a recipient. */
  waitForMail(to: string, index?: number): Promise<ReceivedMail>;
}

/** Starts an SMTP server on a free port that stores messages in memory. Closes with the test. */
export async function startMailServer(t: TestScope): Promise<FakeMailServer> {
  const received: ReceivedMail[] = [];
  // A fault holds for a whole message, also if a test ends it meanwhile.
  const faultBySession = new Map<string, MailFault | undefined>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo(_address, { id }, callback) {
      faultBySession.set(id, state.fault);
      state.attempts += 1;
      if (state.fault === 'refuses') callback(Object.assign(new Error('Try again later'), { responseCode: 451 }));
      else callback();
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const fault = faultBySession.get(session.id);
        if (fault === 'hangs') return;
        const text = decodeText(Buffer.concat(chunks).toString('utf8'));
        const subject = /^Subject: (.*)$/m.exec(text)?.[1]?.trim() ?? '';
        for (const { address } of session.envelope.rcptTo) received.push({ to: address, subject, text });
        if (fault === 'lies') callback(Object.assign(new Error('Disk is full'), { responseCode: 452 }));
        else callback();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const state: FakeMailServer = {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received,
    fault: undefined,
    attempts: 0,
    async waitForMail(to, index = 0) {
      const find = () => received.filter((mail) => mail.to === to)[index];
      await eventually(async () => find() !== undefined);
      return find()!;
    },
  };
  t.onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return state;
}

/** Decodes the body of a message if it is quoted-printable. */
function decodeText(message: string): string {
  const lines = message.replaceAll('\r\n', '\n');
  const bodyStart = lines.indexOf('\n\n');
  const headers = lines.slice(0, bodyStart);
  const body = lines.slice(bodyStart);
  if (!/^content-transfer-encoding: quoted-printable$/im.test(headers)) return lines;
  return headers + body.replaceAll('=\n', '').replaceAll(/=([0-9A-F]{2})/g, decodeCharacter);
}

const decodeCharacter = (_all: string, hex: string): string => String.fromCodePoint(Number.parseInt(hex, 16));
