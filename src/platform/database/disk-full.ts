/** Codes of the operating system for a full disk, and for an account that has used its share of it. */
const SYSTEM_CODES: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

/** SQLSTATE of a server whose disk is full. */
const SQLSTATE = '53100';

/** Line of PostgreSQL's output about a full disk. It adds the hint where a part of a page was written. */
export const DISK_FULL_LINE = /^.*(?:No space left on device|Disk quota exceeded|Check free disk space).*$/m;

/** Returns whether this program could not write to a full disk. */
export const isLocalDiskFull = (error: unknown): boolean => SYSTEM_CODES.has(getCode(error));

/** Returns whether a statement failed because the disk of the database is full. */
export const isDatabaseDiskFull = (error: unknown): boolean => getCode(error) === SQLSTATE;

const getCode = (error: unknown): string => ((error ?? {}) as { code?: string }).code ?? '';
