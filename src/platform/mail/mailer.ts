/** A plain-text message to one recipient. */
interface Mail {
  to: string;
  subject: string;
  text: string;
  /** Local part of the message id. Equal for repeated attempts, so that receivers can drop duplicates. */
  id: string;
  /** URL that ends mails of this kind with one POST and no sign-in (RFC 8058), for mails that a member chose. */
  unsubscribeUrl?: string;
}

/** Sends mail. */
export interface Mailer {
  /** Resolves once the mail server has accepted the message. Rejects if it refused it or did not answer in time. */
  send(mail: Mail): Promise<void>;
}
