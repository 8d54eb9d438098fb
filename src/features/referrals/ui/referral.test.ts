import assert from 'node:assert/strict';
import { test } from 'vitest';
import { parseReferralLink } from './referral.ts';

const LINK = 'Ab3dEf6hJj9k';

for (const search of [
  `?ref=${LINK}`,
  `?REF=${LINK}`,
  `?Ref=${LINK}`,
  `?ref=${LINK}.`,
  `?ref=${LINK},`,
  `?ref=${LINK})`,
  `?ref=${LINK}%3E`,
  `?ref=${LINK}%22`,
  `?ref=${LINK}”`,
  `?ref=${LINK}…`,
  `?ref=${LINK}%20`,
  `?ref=${LINK}%2E`,
  `?ref=${LINK}%252E`,
  `?ref=${LINK}/`,
  `?ref=${LINK}です`,
  `?ref=%E2%80%8B${LINK}%E2%80%8B`,
  `?ref=${LINK.slice(0, 6)}%C2%AD${LINK.slice(6)}`,
  `?ref=%3C${LINK}%3E`,
  `?ref=“${LINK}”`,
  `?ref%3D${LINK}`,
  `?utm_source=mail&ref=${LINK}`,
  `?utm_source=mail&amp;ref=${LINK}&amp;utm_medium=x`,
  `?ref=${LINK}?utm_source=mail`,
  `?ref=${LINK}&utm_campaign=abcdefghijkl`,
  `?ref=short&ref=${LINK}`,
  `?next=${encodeURIComponent(`/plans?ref=${LINK}`)}`,
])
  test(`parses the referral link when the query is ${search}`, () => {
    assert.equal(parseReferralLink(search), LINK);
  });

for (const search of [
  '',
  '?',
  '?ref=',
  '?ref=short',
  `?ref=${LINK}0`,
  `?ref=0${LINK}`,
  `?ref=${LINK.slice(0, 11)}%3C`,
  `?preref=${LINK}`,
  `?my_ref=${LINK}`,
  `?ref=&utm_campaign=${LINK}`,
  `?utm_source=${LINK}`,
  '?ref=%3Cscript%3E',
  '?ref=%E0%A4%A',
])
  test(`parses no referral link when the query is ${search || 'empty'}`, () => {
    assert.equal(parseReferralLink(search), null);
  });
