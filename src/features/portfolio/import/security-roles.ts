import type { ColumnRole } from './contract.ts';

/** Columns of which each one alone names a security. */
export const SECURITY_ROLES: readonly ColumnRole[] = ['symbol', 'identifier', 'name'];
