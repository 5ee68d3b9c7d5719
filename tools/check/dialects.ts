import { replyDialects, replyOutcome } from "../../test/engine/models/reply-dialects.ts";
import { openModelServer } from "../../test/fakes/model-server.ts";
import { dialects, type Outcome, outcomeOf } from "../../test/formats/gate/dialects.ts";
import { print, printHead, printRow } from "../common/report.ts";

// Lays texts of every format, clock, unit and language on films whose dialogue is known, and counts what becomes of them.

const OUTCOMES: readonly Outcome[] = ["right", "unsure", "refused", "wrong"];
const counts = new Map<string, Map<Outcome, number>>();
const wrong: string[] = [];
const started = performance.now();
for (const cell of dialects(true)) {
  const outcome = outcomeOf(cell);
  const [format = ""] = cell.name.split(", ");
  const row = counts.get(format) ?? new Map<Outcome, number>();
  counts.set(format, row.set(outcome, (row.get(outcome) ?? 0) + 1));
  if (outcome === "wrong") wrong.push(cell.name);
  if (process.argv.includes("--all") && outcome !== "right") print(`${outcome}: ${cell.name}`);
}
printHead("text", ...OUTCOMES);
const sum = (outcome: Outcome) => [...counts.values()].reduce((total, row) => total + (row.get(outcome) ?? 0), 0);
for (const [format, row] of counts) printRow(format, ...OUTCOMES.map((outcome) => String(row.get(outcome) ?? 0)));
printRow("all", ...OUTCOMES.map((outcome) => String(sum(outcome))));
print(`\n${((performance.now() - started) / 1000).toFixed(1)} s\n`);

// The same for the replies of model servers.
const replies = new Map<string, number>();
const cells = [...replyDialects(true)];
for (const cell of cells) {
  const { server, close } = await openModelServer(() => cell.reply);
  const isAnswer = cell.truth === "answer";
  const outcome = await replyOutcome(server, cell).finally(close);
  const kind = `${isAnswer ? "an answer" : "none"}: ${outcome}`;
  replies.set(kind, (replies.get(kind) ?? 0) + 1);
  if (outcome === "wrong" || (isAnswer && outcome === "refused")) wrong.push(cell.name);
}
printHead(`${cells.length} replies of servers`, "");
for (const [kind, count] of replies) printRow(kind, String(count));
for (const name of wrong) print(`WRONG AND SILENT ${name}`);
process.exitCode = wrong.length === 0 ? 0 : 1;
