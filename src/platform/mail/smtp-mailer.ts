import type { Mailer } from './mailer.ts';

export interface SmtpSettings {
  /** `smtp://` or `smtps://` URL with host, and optionally user, password and port. */
  url: string;
  /** Sender, as an address or `Name <address>`. */
  from: string;
  /** Whether the connection must be encrypted. */
  requiresTls: boolean;
  /** Timeout in ms of the whole delivery, for tests. */
  timeoutMs?: number | undefined;
}

/** Loads the library with the first message, since most installations have no mail server. */
async function openTransport(options: ReturnType<typeof toTransportOptions>) {
  const { createTransport } = await import('nodemailer');
  return createTransport(options);
}

const CONNECT_TIMEOUT_MS = 10_000;
const TIMEOUT_MS = 60_000;

/** Connects and signs in to the mail server without sending anything. Rejects if that fails. */
export async function verifyMailServer(settings: SmtpSettings): Promise<void> {
  const transport = await openTransport(toTransportOptions({ ...settings, timeoutMs: CONNECT_TIMEOUT_MS }));
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

function toTransportOptions({ url, requiresTls, timeoutMs = TIMEOUT_MS }: SmtpSettings) {
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === 'smtps:';
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? getDefaultPort(secure) : Number(port),
    secure,
    requireTLS: requiresTls && !secure,
    ignoreTLS: !requiresTls && !secure,
    connectionTimeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs),
    greetingTimeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs),
    socketTimeout: timeoutMs,
    // No text of a message may name a file or a URL that the server would read.
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
  };
}

/** Creates a mailer that delivers each message over a connection of its own. */
export function createSmtpMailer(settings: SmtpSettings): Mailer {
  const { from, timeoutMs = TIMEOUT_MS } = settings;
  const options = toTransportOptions(settings);
  const domain = /@([^\s>]+)>?$/.exec(from)?.[1] ?? 'localhost';
  return {
    async send({ to, subject, text, id, unsubscribeUrl }) {
      const transport = await openTransport(options);
      let timer: ReturnType<typeof setTimeout> | undefined;
      const timeout = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(
          () => reject(new Error(`The mail server did not answer within ${timeoutMs} ms.`)),
          timeoutMs,
        );
      });
      const delivery = transport.sendMail({
        from,
        // An object is taken as it is: no list of addresses can hide in it.
        to: { name: '', address: to },
        subject,
        text,
        messageId: `<${id}@${domain}>`,
        headers: {
          'auto-submitted': 'auto-generated',
          ...(unsubscribeUrl !== undefined && {
            'list-unsubscribe': `<${unsubscribeUrl}>`,
            'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
          }),
        },
      });
      try {
        await Promise.race([delivery, timeout]);
      } finally {
        clearTimeout(timer);
        delivery.catch(() => {});
        transport.close();
      }
    },
  };
}

const getDefaultPort = (secure: boolean): number => (secure ? 465 : 587);
