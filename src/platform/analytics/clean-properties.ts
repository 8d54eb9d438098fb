import { type EventProperties, sharedProperties, findEventShape } from './contract.ts';

/** Patterns of e-mail addresses, session tokens, prefixed keys and secrets, and tokens of 64 hexadecimal digits. */
const SECRET_PATTERNS = [
  /[^\s@]+@[^\s@]+\.[^\s@]+/,
  /eyJ[\w-]+\.[\w-]+\./,
  /(?:^|[^a-z])(?:sk|pk|rk|whsec|phc|phx|sit|tick|ticket|tly)_\w{8,}/i,
  /[0-9a-f]{64}/i,
];

type Value = EventProperties[string];

function getKind(value: Value) {
  if (Array.isArray(value)) return 'texts';
  return typeof value === 'string' ? 'text' : typeof value;
}
function isSecret(value: Value): boolean {
  if (Array.isArray(value)) return value.some(isSecret);
  return typeof value === 'string' && SECRET_PATTERNS.some((secret) => secret.test(value));
}

/**
 * Returns the properties without those that contain an address, a key or a token, including properties from the
 * service.
 */
export const withoutSecrets = (properties: EventProperties): EventProperties =>
  Object.fromEntries(Object.entries(properties).filter(([, value]) => !isSecret(value)));

/** Renames `entry`. Older pages and events that a browser has stored use this name. */
const withEntrySource = ({ entry, ...properties }: EventProperties): EventProperties =>
  entry === undefined ? properties : { entry_source: entry, ...properties };

/** Returns the properties of a browser event that its contract declares with that type. */
export function keepContractProperties(event: string, sent: EventProperties): EventProperties {
  const shape = findEventShape(event);
  if (!shape) return sent;
  const properties = shape.area === 'billing' ? withEntrySource(sent) : sent;
  const kinds: Readonly<Record<string, string>> = { ...sharedProperties[shape.area], ...shape.properties };
  return Object.fromEntries(
    Object.entries(properties).filter(([name, value]) => value === null || kinds[name] === getKind(value)),
  );
}
