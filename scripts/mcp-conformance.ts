/**
 * `npm run lab -- mcp-conformance`: the official conformance suite of the Model Context Protocol against our server,
 * with everything that it prints. Ends with 1 where anything else fails, or passes, than
 * test/conformance/mcp-expected-failures.yml says.
 */
import { runConformance } from '../test/support/mcp-conformance.ts';

const { code, output } = await runConformance();
console.log(output);
process.exitCode = code;
