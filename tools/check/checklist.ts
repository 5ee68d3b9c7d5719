// Prints which rows of docs/interface-checklist.md are proved by tests, side by side, and fails on IDs that stand
// nowhere in it. A test proves a row by starting its title with the row's ID ("GEN-32: ..." or "GEN-01 GEN-03: ...");
// the folder it stands in says for which side: server, client or panel. A row needs a test of every run: one that only the thorough
// run has proves none. Run with --open to list what is still open.
import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { THOROUGH_FILES } from "../../test/thorough/thorough-files.ts";
import { print } from "../common/report.ts";

type Side = "S" | "C" | "P";

interface Row {
  readonly id: string;
  readonly requirement: string;
  readonly sides: readonly Side[];
}

/** Sides that a test in a folder speaks for; shared, pure code (core, formats, contract) is used by all three. */
const SIDES_OF_FOLDER: Readonly<Record<string, readonly Side[]>> = {
  service: ["S"],
  engine: ["S"],
  client: ["C"],
  workflow: ["C", "P"],
  cli: ["C"],
  host: ["P"],
  panel: ["P"],
  core: ["S", "C", "P"],
  formats: ["S", "C", "P"],
  contract: ["S", "C", "P"],
  "end-to-end": ["S", "C"],
  project: ["S", "C", "P"],
};

const ROW = /^\| (?<id>[A-Z]+-\d{2}) \| (?<cells>.*) \|$/gm;
const TITLE = /(?<!thoroughTest\(\s*)["'`](?<ids>[A-Z]+-\d{2}(?:[ ,]+[A-Z]+-\d{2})*): /g;

function readRows(): Row[] {
  const text = readFileSync("docs/interface-checklist.md", "utf8");
  return [...text.matchAll(ROW)].map(({ groups }) => {
    const cells = (groups?.["cells"] ?? "").split(" | ");
    const isPanelRow = groups?.["id"]?.startsWith("PANEL") ?? false;
    const sides = (cells.at(-2) ?? "").split(" ").filter((side): side is Side => /^[SCP]$/.test(side));
    return { id: groups?.["id"] ?? "", requirement: cells[1] ?? "", sides: isPanelRow ? ["P"] : sides };
  });
}

async function readProofs(): Promise<Map<string, Set<Side>>> {
  const proofs = new Map<string, Set<Side>>();
  for await (const file of glob("test/**/*.test.ts")) {
    if (THOROUGH_FILES.includes(file.replaceAll("\\", "/"))) continue;
    const folder = file.split(/[\\/]/)[1] ?? "";
    for (const { groups } of readFileSync(file, "utf8").matchAll(TITLE)) {
      for (const id of (groups?.["ids"] ?? "").split(/[ ,]+/)) {
        const sides = proofs.get(id) ?? new Set<Side>();
        for (const side of SIDES_OF_FOLDER[folder] ?? []) sides.add(side);
        proofs.set(id, sides);
      }
    }
  }
  return proofs;
}

const rows = readRows();
const proofs = await readProofs();
const unknown = [...proofs.keys()].filter((id) => !rows.some((row) => row.id === id)).sort();
const missingSides = (row: Row) => row.sides.filter((side) => !proofs.get(row.id)?.has(side));

for (const group of new Set(rows.map(({ id }) => id.split("-")[0]))) {
  const members = rows.filter(({ id }) => id.startsWith(`${group}-`));
  const counts = (["S", "C", "P"] as const).map((side) => {
    const concerned = members.filter(({ sides }) => sides.includes(side));
    const proved = concerned.filter((row) => !missingSides(row).includes(side));
    return concerned.length === 0 ? "".padStart(9) : `${side} ${proved.length}/${concerned.length}`.padStart(9);
  });
  print(`${String(group).padEnd(8)}${counts.join("  ")}`);
}
const proved = rows.filter((row) => missingSides(row).length === 0).length;
print(`${proved} of ${rows.length} rows proved on every side they name; ${rows.length - proved} open`);
if (process.argv.includes("--open")) {
  for (const row of rows) {
    const missing = missingSides(row);
    if (missing.length > 0) print(`${row.id.padEnd(10)} ${missing.join(" ").padEnd(5)} ${row.requirement}`);
  }
}
for (const id of unknown) print(`${id} stands in a test title and nowhere in the checklist`);
process.exitCode = unknown.length > 0 ? 1 : 0;
