import assert from 'node:assert/strict';
import { test } from './fixtures.ts';
import { createPerson, fillCredentials } from './people.ts';

const BASE_URL = 'https://www.tally.example';

test.use({ settings: { BASE_URL } });

test(
  'tells the operator what to set when sign-in is opened at another address than BASE_URL',
  { tag: '@slow' },
  async ({ page, service }) => {
    await page.goto('/sign-in');
    await fillCredentials(page, createPerson());
    await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click();
    const text = await page.getByRole('alert').innerText();
    assert.ok(
      text.includes(`This page was opened at ${service.url}, but the address of the service is ${BASE_URL}.`),
      text,
    );
    assert.ok(text.includes(`set BASE_URL to ${service.url}, or redirect to ${BASE_URL}.`), text);
  },
);
