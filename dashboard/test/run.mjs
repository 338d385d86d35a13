// Runs the tests. Those of the logic import its modules as JavaScript: the compiler puts them into a folder that is thrown away.
//   npm test                             all, against the mock
//   RTRD_PAGE='http://…/#t=…' npm test   the page of a real gateway; what only the mock can show is skipped
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const compiled = mkdtempSync(join(tmpdir(), "rtrd-dashboard-"));
const run = (program, args, more = {}) =>
  spawnSync(program, args, {
    cwd: join(here, ".."),
    stdio: "inherit",
    env: { ...process.env, RTRD_LOGIC: compiled, ...more },
  }).status ?? 1;

let code = run(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "test/tsconfig.json", "--outDir", compiled]);
writeFileSync(join(compiled, "package.json"), '{ "type": "module" }\n');
if (code === 0 && !process.env.RTRD_PAGE)
  code = run(process.execPath, ["node_modules/vite/bin/vite.js", "build", "--logLevel", "warn"]);
const tests = ["logic", "scope-logic", "page", "driving", "run-control", "scope-page"].map((name) => `test/${name}.test.mjs`);
if (code === 0) code = run(process.execPath, ["--test", "--test-concurrency=1", ...tests]);
rmSync(compiled, { recursive: true });
process.exit(code);
