import { z } from 'zod';
import { parseJsonString } from './read-body.ts';

const base64urlField = (maxLength: number) =>
  z
    .string({ error: 'must be base64url text.' })
    .regex(/^[A-Za-z0-9_-]+$/, { error: 'must be base64url text.' })
    .max(maxLength, { error: `must be at most ${maxLength} characters.` });

// A credential id has at most 1023 bytes, which are 1364 characters of base64url.
const credentialId = base64urlField(1_364);
const commonFields = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key', { error: 'must be public-key.' }),
};

/** Returns a schema that accepts the object or its JSON, since a form can only send text. */
const jsonField = <T extends z.ZodType>(schema: T) => z.preprocess(parseJsonString, schema);

const knownTransports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;

/** The response of an authenticator that has created a passkey. Unknown transports are removed. */
export const registrationField = jsonField(
  z.object(
    {
      ...commonFields,
      response: z.object({
        clientDataJSON: base64urlField(8_192),
        attestationObject: base64urlField(32_768),
        transports: z
          .array(z.string())
          .max(20)
          .optional()
          .transform((transports) => knownTransports.filter((known) => transports?.includes(known))),
      }),
    },
    { error: 'must be the JSON of a credential.' },
  ),
);
export type RegistrationCredential = z.infer<typeof registrationField>;

/** The response of an authenticator that has signed a challenge. */
export const assertionField = jsonField(
  z.object(
    {
      ...commonFields,
      response: z.object({
        clientDataJSON: base64urlField(8_192),
        authenticatorData: base64urlField(8_192),
        signature: base64urlField(8_192),
        userHandle: base64urlField(128).nullish(),
      }),
    },
    { error: 'must be the JSON of a credential.' },
  ),
);
export type AssertionCredential = z.infer<typeof assertionField>;
